"""Tensors of torch that launches read where they lie: what is read is what torch says, or torch is asked."""

import functools

import own_process
import pytest
import torch
import torch_layout
from trisect._C import launch

import trisect as triton
import trisect.language as tl

TYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
    torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2,
]  # fmt: skip


@triton.jit
def fill(out, value, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, value + at)


@pytest.fixture(scope="module", autouse=True)
def layout():
    torch_layout.learn()


def layouts(dtype):
    """Tensors of a type: contiguous, turned, ragged, with a step, of no and many dimensions, of other memory,
    negated; and parameters."""
    whole = torch.zeros(4, 6, 8, dtype=dtype)
    yield from (whole, whole[1:], whole[:, 2:, 3:], whole.transpose(0, 2), whole[::2, :, ::3], whole[3, 5, 7])
    yield from (whole.expand(2, 2, 4, 6, 8), whole.expand(3, 1, 2, 4, 6, 8), torch.zeros((), dtype=dtype))
    yield torch.zeros(2, 3, 4, 5, dtype=dtype).to(memory_format=torch.channels_last)
    yield torch.nn.Parameter(whole[2], requires_grad=False)
    if dtype.is_floating_point and dtype.itemsize > 1:
        yield torch.zeros(9, dtype=dtype, requires_grad=True)[4:]
        yield torch._neg_view(whole[1])
    with torch.inference_mode():
        yield torch.zeros(3, dtype=dtype)
    yield torch.frombuffer(bytearray(64 * dtype.itemsize), dtype=dtype)[5:]


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_what_is_read_is_what_torch_says(dtype):
    for tensor in layouts(dtype):
        first, second = launch.read_tensor(tensor), launch.read_tensor(tensor)
        assert second["in_memory"] and second == first | {"in_memory": True}
        assert second["address"] == tensor.data_ptr()
        assert second["element"] == launch.element_type(dtype)
        assert (second["place"], second["negated"]) == (1, tensor.is_neg())
        assert tuple(second["shape"]) == tensor.shape and tuple(second["strides"]) == tensor.stride()


def test_a_mode_in_which_nothing_can_be_learned_passes(tmp_path):
    ended = own_process.run(
        tmp_path,
        """
        import torch
        from torch._subclasses.fake_tensor import FakeTensorMode
        from trisect._C import launch
        tensor = torch.zeros(4)
        with FakeTensorMode():
            during = any(launch.read_tensor(tensor)["in_memory"] for _ in range(100))
        # Tried again ever more rarely.
        after = any(launch.read_tensor(tensor)["in_memory"] for _ in range(5000))
        report(during=during, after=after)
        """,
    )
    assert ended.facts == {"during": False, "after": True}, ended.text


def test_where_objects_happen_to_lie_does_not_matter(tmp_path):
    """Plain tensors at the end of one piece of memory, negated ones in the next: all differed in two bits."""
    ended = own_process.run(
        tmp_path,
        """
        import torch
        from trisect._C import launch
        from trisect.runtime._samples import layout_samples
        tensor = torch.zeros(4)
        layout_samples()
        kept, unread = [tensor[:] for _ in range(4000)], []
        for more in range(0, 3300, 30):
            if not (child := os.fork()):
                kept += [tensor[:] for _ in range(more)]
                os._exit(not any([launch.read_tensor(tensor)["in_memory"] for _ in range(2)]))
            if os.waitpid(child, 0)[1]:
                unread.append(more)
        report(unread=unread)
        """,
    )
    assert ended.facts == {"unread": []}, ended.text


def test_types_that_alternate_are_told_apart():
    tensors = [torch.zeros(3, dtype=dtype) for dtype in TYPES]
    for _ in range(3):
        for dtype, tensor in zip(TYPES, tensors, strict=True):
            read = launch.read_tensor(tensor)
            assert (read["address"], read["element"]) == (tensor.data_ptr(), launch.element_type(dtype))


def test_a_tensor_that_moves_is_read_where_it_is():
    tensor = torch.zeros(4)
    for change in (
        lambda: setattr(tensor, "data", torch.ones(5)),
        lambda: tensor.resize_(1000),
        lambda: tensor.set_(torch.zeros(7)[2:]),
        lambda: setattr(tensor, "data", torch.ones(5, dtype=torch.float64)),
    ):
        change()
        read = launch.read_tensor(tensor)
        assert read["address"] == tensor.data_ptr()
        assert read["element"] == launch.element_type(tensor.dtype)


def test_memory_that_is_shared_until_it_is_written():
    source = torch.zeros(64)
    copy = torch._lazy_clone(source)
    assert torch._C._is_cow_tensor(copy) and torch._C._is_cow_tensor(source)
    for _ in range(3):
        fill[(1,)](torch.zeros(64), 1, BLOCK=64)  # warm
    fill[(1,)](copy, 1, BLOCK=64)
    assert torch.equal(copy, torch.arange(1.0, 65)) and torch.equal(source, torch.zeros(64))
    assert launch.read_tensor(copy)["in_memory"]  # it has memory of its own now


def test_memory_that_must_not_be_written():
    guarded = torch.zeros(64)
    for _ in range(3):
        fill[(1,)](torch.zeros(64), 1, BLOCK=64)
    torch._C._set_throw_on_mutable_data_ptr(guarded)
    with pytest.raises(RuntimeError, match="(?i)data pointer"):
        fill[(1,)](guarded, 1, BLOCK=64)


def test_empty_tensors_have_no_address():
    whole = torch.zeros(8)
    for empty in (torch.zeros(0), whole[3:3], whole[5:5]):
        for _ in range(2):
            read = launch.read_tensor(empty)
            assert (read["address"], read["in_memory"]) == (0, False)


def test_what_is_no_plain_tensor_is_asked_of_torch():
    """torch's refusal is the launch's, warm too: nothing takes their words for an address."""
    for _ in range(3):
        fill[(1,)](torch.zeros(64), 1, BLOCK=64)
    refused = functools.partial(fill[(1,)], value=1, BLOCK=64)
    sparse = torch.eye(8).to_sparse()
    functional = torch._to_functional_tensor(torch.zeros(64))
    for tensor in (sparse, functional):
        assert type(tensor) is torch.Tensor
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            refused(tensor)

    def within(batched):
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            refused(batched)
        return batched

    torch.vmap(within)(torch.zeros(2, 64))


def test_the_kind_that_was_met_with_another_layout_is_met_anew():
    """More kinds than are kept: each is read rightly, whichever come again."""
    shapes = [(2, 3), (3, 1), (1, 4)]
    for _ in range(2):
        for dtype in TYPES:
            for shape in shapes:
                whole = torch.zeros(*shape, dtype=dtype)
                for tensor in (
                    whole,
                    whole.t(),
                    whole[:, :1],
                    torch.nn.Parameter(whole, requires_grad=False),
                ):
                    assert launch.read_tensor(tensor)["address"] == tensor.data_ptr()
