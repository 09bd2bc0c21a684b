"""Reductions of rows that end within a step: chunks with masks are taken one by one, and each joins the
accumulator that it would join in a whole step."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

BLOCK, ROWS = 1024, 3
#: Around chunks of 16 lanes, steps of 64, and the ends of the block.
LENGTHS = (0, 1, 15, 16, 17, 31, 33, 48, 63, 64, 65, 79, 100, 127, 129, 500, 959, 961, 977, 1000, 1023, 1024)


@triton.jit
def first_of(a, b):
    return tl.where(a == 0, b, a)


@triton.jit
def both(a, b, c, d):
    return a + c, tl.maximum(b, d)


@triton.jit
def reduce_rows(x_ptr, out_ptr, n, stride, OTHER: tl.constexpr, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < n, other=OTHER)
    if HOW == "sum":
        found = tl.sum(x, axis=0)
    elif HOW == "max":
        found = tl.max(x, axis=0)
    elif HOW == "min":
        found = tl.min(x, axis=0)
    elif HOW == "argmax":
        found = tl.argmax(x, axis=0)
    elif HOW == "first":
        found = tl.reduce(x, 0, first_of)
    else:
        total, greatest = tl.reduce((x, x * 2), 0, both)
        found = total - greatest
    tl.store(out_ptr + row, found)


@triton.jit
def softmax_rows(x_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + i, e / tl.sum(e, axis=0), mask=i < n)


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """A comparison would give tier 0's result in the place of a wrong one."""
    monkeypatch.setenv("TRISECT_CHECK", "off")


def rows(dtype, seed=7):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        x = random.standard_normal((ROWS, BLOCK)).astype(dtype)
        x[1, ::7], x[1, 3::11] = -0.0, 0.0
        x[2, 40], x[2, 985] = np.nan, np.inf
        return x
    return random.integers(-100, 100, (ROWS, BLOCK)).astype(dtype)


def bits(array):
    return array.view(f"u{array.itemsize}")


@pytest.mark.parametrize("how", ["sum", "max", "min", "argmax", "first", "both"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, np.int32, np.int8])
@pytest.mark.parametrize("other", [0, -3])
def test_ends_of_rows(how, dtype, other):
    x = rows(dtype)
    kind = np.int32 if how == "argmax" else np.float64 if dtype is np.float64 else np.float32
    if np.dtype(dtype).kind == "i":
        kind = np.int32
    for n in LENGTHS:
        found = {}
        for tier in ("interp", "cpu"):
            found[tier] = np.full(ROWS, 77, kind)
            reduce_rows[(ROWS,)](x, found[tier], n, BLOCK, other, how, BLOCK, tier=tier)
        np.testing.assert_array_equal(bits(found["cpu"]), bits(found["interp"]), err_msg=f"{n} of a row")


def test_ends_of_rows_whose_values_stay():
    x = rows(np.float32)
    for n in LENGTHS[1:]:
        found = {}
        for tier in ("interp", "cpu"):
            found[tier] = np.full((ROWS, BLOCK), 77, np.float32)
            softmax_rows[(ROWS,)](x, found[tier], n, BLOCK, BLOCK, tier=tier)
        np.testing.assert_array_equal(bits(found["cpu"]), bits(found["interp"]), err_msg=f"{n} of a row")
        assert (found["cpu"][:, n:] == 77).all()
