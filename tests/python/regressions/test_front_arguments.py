"""Arguments whose memory is not what it seems: read-only, masked, negated, sparse."""

import numpy as np
import pytest
import torch
import torch_layout

import trisect as triton
import trisect.language as tl


@triton.jit
def move(at, value):
    tl.store(at, value)


@triton.jit
def copy(x, o, n, MANY: tl.constexpr):
    at = tl.arange(0, 4)
    if MANY:
        for _ in range(n):
            x += 0
            o += 0
            move(o + at, tl.load(x + at))
    else:
        move(o + at, tl.load(x + at))


def read_only():
    array = np.ones(4, np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("protected", [read_only, lambda: np.frombuffer(bytes(16), np.float32)])
def test_read_only_memory_is_read_and_not_written(protected, many):
    x, o = np.ones(4, np.float32), np.zeros(4, np.float32)
    for _ in range(4):
        copy[(1,)](x, o, 1, MANY=many)  # warm
    for _ in range(2):
        held = protected()
        before = held.tobytes()
        with pytest.raises(
            ValueError, match="kernel 'copy' writes to argument 'o', which is read-only memory"
        ):
            copy[(1,)](x, held, 1, MANY=many)
        assert held.tobytes() == before
    for _ in range(4):
        copy[(1,)](read_only(), o, 1, MANY=many)
    np.testing.assert_array_equal(o, 1)


@triton.jit
def add_all(o, pair):
    tl.atomic_add(pair[0], tl.load(o))


def test_read_only_memory_in_a_tuple():
    with pytest.raises(ValueError, match="writes to argument 'pair'"):
        add_all[(1,)](np.ones(1, np.float32), (read_only(), 3))


def views_of_every_kind():
    plain = torch.arange(24, dtype=torch.float32).view(4, 6)
    yield from (plain, plain[1:, ::2], plain.T, plain[0, 0], torch.nn.Parameter(plain), plain.to("meta"))
    yield from (plain.to(dtype) for dtype in (torch.float16, torch.float64, torch.int8, torch.bool))
    yield plain.requires_grad_()
    yield torch.zeros(3, dtype=torch.complex64).conj()
    with torch.inference_mode():
        yield torch.zeros(5)


def test_the_negative_bit_is_read_where_torch_keeps_it(monkeypatch):
    """Of torch's own classes is_neg() is not asked, and the answer is the same."""
    from trisect._C import launch

    torch_layout.learn()

    def asked(tensor):
        raise AssertionError("is_neg() was called")

    answer = torch.Tensor.is_neg
    monkeypatch.setattr(torch.Tensor, "is_neg", asked)
    for tensor in views_of_every_kind():
        negated = torch._neg_view(tensor)
        assert (launch.is_negated(tensor), launch.is_negated(negated)) == (False, True)
        assert (answer(tensor), answer(negated)) == (False, True)
        assert not launch.is_negated(torch._neg_view(negated))


def test_other_classes_say_themselves_whether_they_are_negated():
    class Wrapped:
        def __init__(self, negated):
            self.negated = negated

        def data_ptr(self):
            return 0

        def is_neg(self):
            return self.negated

    class Sub(torch.Tensor):
        def is_neg(self):
            return True

    from trisect._C import launch

    assert [launch.is_negated(Wrapped(negated)) for negated in (False, True)] == [False, True]
    assert launch.is_negated(torch.ones(3).as_subclass(Sub))


def test_a_lazily_negated_tensor_is_refused():
    x = torch.ones(4, dtype=torch.complex64).mul(1j).conj().imag
    assert x.is_neg()
    o = torch.zeros(4)
    x = x if x.is_contiguous() else torch._neg_view(torch.ones(4))
    for _ in range(4):
        copy[(1,)](torch.ones(4), o, 1, MANY=False)  # warm
    with pytest.raises(ValueError, match=r"argument 'x'.*resolve_neg\(\)"):
        copy[(1,)](x, o, 1, MANY=False)
    copy[(1,)](x.resolve_neg(), o, 1, MANY=False)
    assert (o == -1).all()


def masked_tensor():
    return torch.masked.masked_tensor(torch.ones(4), torch.tensor([True, False, True, True]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize(
    "masked, name",
    [(lambda: np.ma.masked_array(np.ones(4, np.float32), mask=[0, 1, 0, 0]), "MaskedArray"),
     (lambda: np.ma.ones(4, np.float32), "MaskedArray"), (masked_tensor, "MaskedTensor")],
)  # fmt: skip
def test_a_mask_that_no_kernel_sees_is_refused(masked, name, warm):
    x, o = np.ones(4, np.float32), np.zeros(4, np.float32)
    for _ in range(4 * warm):
        copy[(1,)](x, o, 1, MANY=False)
    for arguments, where in (((masked(), o), "x"), ((x, masked()), "o")):
        with pytest.raises(TypeError, match=f"kernel 'copy': argument '{where}': .*mask of a '{name}'"):
            copy[(1,)](*arguments, 1, MANY=False)
    copy[(1,)](np.ma.ones(4, np.float32).filled(0), o, 1, MANY=False)
    assert (o == 1).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [torch.Tensor.to_sparse, torch.Tensor.to_mkldnn])
def test_a_tensor_without_one_address_is_refused_by_name(make):
    x, o = torch.ones(4), torch.zeros(4)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="kernel 'copy': argument 'x': the address of a Tensor"):
            copy[(1,)](make(x), o, 1, MANY=False)
        for _ in range(4):
            copy[(1,)](x, o, 1, MANY=False)  # warm


@pytest.mark.parametrize("kind", [">f4", ">i4", "O", "U1", "M8[s]", "c8", [("a", "f4"), ("b", "i4")]])
def test_elements_that_no_kernel_has_are_refused_by_name(kind):
    with pytest.raises(TypeError, match="kernel 'copy': argument 'x': no kernel can take elements of type"):
        copy[(1,)](np.zeros(4, kind), np.zeros(4, np.float32), 1, MANY=False)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_a_tensor_without_one_shape_is_refused_by_name(layout):
    x, o = torch.ones(4), torch.zeros(4)
    ragged = torch.nested.nested_tensor([x, x[:2]], layout=layout)
    for _ in range(2):
        with pytest.raises(ValueError, match="argument 'x' of kernel 'copy' has no shape and .* nested"):
            copy[(1,)](ragged, o, 1, MANY=False)
        for _ in range(4):
            copy[(1,)](x, o, 1, MANY=False)  # warm


@pytest.mark.parametrize(
    ("annotation", "fits", "beyond"),
    [
        ("tl.int64", [2**63 - 1, -(2**63), 5], [2**63, 2**64 - 1]),
        ("tl.int32", [2**31 - 1, -(2**31), 5], [2**31, 2**40 + 5, -(2**40), 2**63 + 5]),
        ("tl.int16", [32767, -32768, 5], [32768, 40000, -32769]),
        ("tl.int8", [127, -128, 5], [256, 300, -129]),
    ],
)
def test_integers_that_an_annotated_type_does_not_hold_are_refused(annotation, fits, beyond):
    """They lost their high bits, in the first launch and in later ones."""
    scope = {"triton": triton, "tl": tl}
    source = f"@triton.jit\ndef stored(out, n: {annotation}):\n    tl.store(out, n)\n"
    exec(source, scope)
    stored, out = scope["stored"], np.zeros(1, np.int64)
    for number in beyond:
        with pytest.raises(
            OverflowError, match=rf"'n' of kernel 'stored' does not fit .*: {number} is beyond i"
        ):
            stored[(1,)](out, number)
    for number in fits * 3:
        stored[(1,)](out, number)
        assert out[0] == number
        for wrong in beyond:
            with pytest.raises(OverflowError):
                stored[(1,)](out, wrong)
        assert out[0] == number


class Handmade:
    """What code of other languages gives out: an address and, maybe, a dtype."""

    def __init__(self, address, **facts):
        self.address = address
        self.__dict__.update(facts)

    def data_ptr(self):
        return self.address


def whoever_stands_for_a_tensor():
    from torch._subclasses.fake_tensor import FakeTensorMode

    class Wrapping(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

        @classmethod
        def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
            raise AssertionError(f"a launch needs no operation to refuse it: {function}")

    with FakeTensorMode():
        fake = torch.ones(4)
    return [fake, Wrapping(torch.ones(4))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wraps", [0, 1])
def test_a_tensor_that_only_stands_for_another_is_refused(wraps):
    """The kernel was told to read address 0, and blamed for it."""
    x, o = torch.ones(4), torch.zeros(4)
    stand_in = whoever_stands_for_a_tensor()[wraps]
    for _ in range(2):
        with pytest.raises(
            TypeError, match=r"argument 'x' of kernel 'copy' .*: a '\w+' of 4 elements without memory"
        ):
            copy[(1,)](stand_in, o, 1, MANY=False)
        with pytest.raises(TypeError, match="argument 'o' of kernel 'copy'"):
            copy[(1,)](x, stand_in, 1, MANY=False)
        for _ in range(4):
            copy[(1,)](x, o, 1, MANY=False)  # warm
    copy.warmup(stand_in, stand_in, 1, MANY=False, grid=(1,))


def test_a_tensor_without_elements_needs_no_memory():
    nothing = Handmade(0, dtype=torch.float32, numel=lambda: 0)
    o = torch.zeros(4)
    for _ in range(4):
        copy[(1,)](nothing, o, 0, MANY=True)
        copy[(1,)](torch.empty(0), o, 0, MANY=True)


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (Handmade(16), TypeError, "a 'Handmade' has data_ptr\\(\\) and no dtype"),
        (Handmade(2**64, dtype=torch.float32), OverflowError, "an address is 0 to"),
        (Handmade(-16, dtype=torch.float32), OverflowError, "an address is 0 to"),
        (Handmade(None, dtype=torch.float32), TypeError, "an address is an int, not 'NoneType'"),
        (Handmade(1.5, dtype=torch.float32), TypeError, "an address is an int, not 'float'"),
    ],
)
def test_objects_that_give_no_address_or_dtype_are_refused_by_name(given, error, text):
    """2**64 was address 0."""
    x, o = torch.ones(4), torch.zeros(4)
    for _ in range(2):
        with pytest.raises(error, match=f"kernel 'copy': argument 'x': {text}"):
            copy[(1,)](given, o, 1, MANY=False)
        for _ in range(4):
            copy[(1,)](x, o, 1, MANY=False)  # warm
