"""Settings of sanitizers: blocks, launch options, marks on memory."""

import gc

import numpy
import pytest
from trisect._C import runtime

import trisect as triton
import trisect.language as tl
from trisect import InvalidInput, KernelFault, mark_uninitialized, sanitize
from trisect.sanitizer import far_view
from trisect.sanitizer.session import kinds_text

torch = pytest.importorskip("torch")
BYTES = numpy.uint8


def in_force():
    kinds, collect = runtime.sanitizing()
    return set(kinds), collect


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("on", "on"),
        (True, "on"),
        (False, "off"),
        ("all", "all"),
        ("race", "race"),
        ("race, misaligned", "race,misaligned"),
        (["race", "nan-origin"], "race,nan-origin"),
    ],
)
def test_kinds(given, text):
    assert kinds_text(given) == text


@pytest.mark.parametrize("given", ["rase", "on,race", ["all", "race"], ""])
def test_unknown_kinds_are_refused_with_the_known(given):
    with pytest.raises(InvalidInput, match="out-of-bounds, uninitialized-read"):
        kinds_text(given)


@pytest.mark.parametrize("policy", ["go", 0, -1, True, None])
def test_policies_are_checked(policy):
    with pytest.raises(InvalidInput, match="policy=20"):
        with sanitize(policy=policy):
            pass


def test_blocks_nest_and_end():
    before = in_force()
    with sanitize("race"):
        assert in_force() == ({"race"}, 0)
        with sanitize("misaligned", policy=7):
            assert in_force() == ({"misaligned"}, 7)
        assert in_force() == ({"race"}, 0)
    assert in_force() == before


def test_an_error_ends_the_block():
    before = in_force()
    with pytest.raises(KeyError):
        with sanitize("race"):
            raise KeyError("own")
    assert in_force() == before


@triton.jit
def double(x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x + offsets, tl.load(x + offsets) * 2)


def test_sanitized_launches_run_in_the_interpreter():
    x = torch.arange(16)
    with sanitize():
        kernel = double[(1,)](x, BLOCK=16)
    assert x.tolist() == list(range(0, 32, 2)) and kernel.function.tier == "interp"


def test_launch_option_is_checked():
    with pytest.raises(InvalidInput, match="no sanitizer is called 'rase'"):
        double[(1,)](torch.arange(16), BLOCK=16, sanitize="rase")


def test_marks_fill_the_tensor_and_nothing_else():
    memory = numpy.zeros(256, BYTES)
    inside = memory[64:192]
    assert mark_uninitialized(inside) is inside
    assert inside.any() and not memory[:64].any() and not memory[192:].any()


def test_marks_keep_the_gaps_of_a_view():
    memory = torch.zeros(8, 16)
    mark_uninitialized(memory[:, :4])
    assert not memory[:, 4:].any() and bool((memory[:, :4] != 0).any())


def test_marks_of_nothing():
    for nothing in (numpy.zeros((0, 4)), torch.zeros(0)):
        assert mark_uninitialized(nothing) is nothing


def test_marks_end_with_the_tensor():
    tensor = numpy.zeros(64, numpy.float32)
    mark_uninitialized(tensor)
    address = tensor.ctypes.data
    del tensor
    gc.collect()
    # Memory that comes back is no longer marked; another tensor elsewhere shows nothing.
    for _ in range(100):
        fresh = numpy.zeros(64, numpy.int32)
        fresh += 1
        double[(1,)](fresh, BLOCK=64, sanitize="uninitialized-read")
        assert (fresh == 2).all()
        if fresh.ctypes.data == address:
            break
    mark_uninitialized(fresh)
    with pytest.raises(KernelFault):
        double[(1,)](fresh, BLOCK=64, sanitize="uninitialized-read")


@pytest.mark.parametrize("make", [lambda: torch.zeros(4, 16), lambda: numpy.zeros((4, 16), numpy.float32)])
def test_the_mark_of_a_slice_lives_as_long_as_the_whole(make):
    parts = make()
    mark_uninitialized(parts[3])
    mark_uninitialized(parts[2:3][:, 8:][0])
    gc.collect()
    with sanitize("on"):
        double[(1,)](parts[0], BLOCK=16)
        with pytest.raises(KernelFault) as caught:
            double[(1,)](parts, BLOCK=64)
    assert caught.value.kind == "uninitialized-read"
    del parts
    gc.collect()


def test_watched_functions_are_put_back():
    plain = torch.empty, numpy.empty, torch.Tensor.new_empty
    with sanitize(empty_is_uninitialized=True):
        assert torch.empty is not plain[0]
        assert bool((torch.empty(64, dtype=torch.uint8) != 0).any())
        assert numpy.empty(64, BYTES).any() and torch.zeros(4).new_empty(4).shape == (4,)
    assert (torch.empty, numpy.empty, torch.Tensor.new_empty) == plain


def test_far_views_cost_nothing():
    view = far_view((3, 4), (2**32, 1), numpy.int8)
    view[2, 3] = 7
    assert view.sum() == 7 and view.strides == (2**32, 1)
    with pytest.raises(ValueError, match="negative"):
        far_view((3,), (-1,))
    with pytest.raises(ValueError, match="2 sizes and 1 strides"):
        far_view((3, 4), (1,))
