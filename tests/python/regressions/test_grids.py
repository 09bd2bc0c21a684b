"""Grids at and beyond the ends of what counters hold."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

LARGEST = 2**31 - 1


@triton.jit
def count(out):
    tl.atomic_add(out, 1)


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize(
    "grid",
    [
        (LARGEST, LARGEST, 2 + 1),
        (LARGEST, LARGEST, LARGEST),
        # The product wraps to a small positive number, to zero, and to a negative one.
        (2**30, 2**30, 16),
        (2**21, 2**21, 2**22),
        (2**21, 2**21, 2**21),
    ],
)
def test_a_grid_beyond_63_bits_is_refused(tier, grid):
    out = np.zeros(1, np.int32)
    for _ in range(2):  # the first launch and a warm one
        with pytest.raises(triton.InvalidInput, match=r"has 2\*\*63 programs or more"):
            count[grid](out, tier=tier)
    assert out[0] == 0


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("grid", [(0,), (LARGEST, 0), (0, LARGEST, LARGEST), (LARGEST, LARGEST, 0)])
def test_a_grid_with_an_empty_side_runs_nothing(tier, grid):
    out = np.zeros(1, np.int32)
    count[grid](out, tier=tier)
    assert out[0] == 0


@pytest.mark.parametrize("size", [2**31, 2**32, 2**63, 2**64, -1, -(2**63)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_size_beyond_31_bits_is_refused(size, axis):
    grid = [1, 1, 1]
    grid[axis] = size
    with pytest.raises(ValueError, match="between 0 and"):
        count[tuple(grid)](np.zeros(1, np.int32))


def test_plain_launches_refuse_the_same_grids():
    out = np.zeros(1, np.int32)
    kernel = count[(1,)](out).function
    with pytest.raises(triton.InvalidInput, match=r"has 2\*\*63 programs or more"):
        kernel.launch((LARGEST, LARGEST, LARGEST), (out,))
    with pytest.raises(triton.InvalidInput, match="negative size"):
        kernel.launch((1, -1, 1), (out,))
    assert out[0] == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interrupt_in_a_grid_function_comes_out_of_the_launch(error):
    out, calls = np.zeros(1, np.int32), []

    def grid(meta):
        calls.append(meta)
        if len(calls) == 5:
            raise error
        return (1,)

    for _ in range(4):  # warm
        count[grid](out)
    with pytest.raises(error):
        count[grid](out)
    assert len(calls) == 5 and out[0] == 4


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize(
    "grid",
    [np.array([2, 3]), range(2, 4), lambda meta: np.array([2, 3]), lambda meta: range(2, 4), [np.int8(2), 3]],
    ids=["array", "range", "array of a function", "range of a function", "list"],
)
def test_any_sequence_is_a_grid(grid, warm):
    out = np.zeros(1, np.int32)
    if warm:
        count[(1,)](out)
        out[0] = 0
    count[grid](out)
    assert out[0] == 6


@pytest.mark.parametrize(
    "grid", [{2: 3}, "ab", iter([2, 3]), {2, 3}, 2.0], ids=["mapping", "text", "iterator", "set", "number"]
)
def test_what_is_no_sequence_is_refused(grid):
    for _ in range(3):
        with pytest.raises(TypeError, match="a grid dimension is an integer"):
            count[grid](np.zeros(1, np.int32))


class Three:
    def __index__(self):
        return 3


@pytest.mark.parametrize(
    "grid", [(Three(),), Three(), lambda meta: Three()], ids=["tuple", "alone", "lambda"]
)
def test_sizes_that_are_integers_by_index(grid):
    """The first launch refused them, later ones did not."""
    fresh, out = triton.jit(count.fn), np.zeros(1, np.int32)
    for _ in range(4):
        fresh[grid](out)
    assert out[0] == 12


@pytest.mark.parametrize("keyword", ["grid", "warmup"])
def test_what_the_brackets_give_is_not_given_again(keyword):
    fresh, out = triton.jit(count.fn), np.zeros(1, np.int32)
    for _ in range(3):
        with pytest.raises(TypeError, match=f"multiple values for keyword argument '{keyword}'"):
            fresh[(1,)](out, **{keyword: (1,)})
        fresh[(1,)](out)
    assert out[0] == 3


class Where:
    device = "cuda"


@pytest.mark.parametrize("constant", [np.float32, Where(), (1, Where())], ids=["class", "object", "tuple"])
def test_a_constant_lies_nowhere(constant):
    """One with an attribute `device` was taken for a tensor on it."""

    @triton.jit
    def stored(out, C: tl.constexpr):
        tl.store(out, 1)

    out = np.zeros(1, np.int32)
    for _ in range(3):
        stored[(1,)](out, constant)
    assert out[0] == 1
