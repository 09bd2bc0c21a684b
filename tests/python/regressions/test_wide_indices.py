"""Indices that compiled code keeps in 64 bits: sums that wrap in the type that the program names still wrap.

What: blocks whose elements come to the end of i32, i16 and i8, from bases that are multiples of the block and
from others, with products, differences and negative steps on the way. Why: an index that is counted in 64
bits where a step to it wraps reads 2^32 elements away.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@trisect.jit
def around(x_ptr, out_ptr, first, back, LOW: tl.constexpr, BLOCK: tl.constexpr):
    """The index wraps, and comes back to the tensor by what is added to it in 64 bits."""
    i = first + tl.arange(LOW, LOW + BLOCK)
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.load(x_ptr + (i.to(tl.int64) + back)))


def wrapped(first, low):
    return (first + np.arange(low, low + BLOCK) + 2**31) % 2**32 - 2**31


BLOCK = 64
STARTS = [0, 2**31 - 128, 2**31 - 64, 2**31 - 192, -(2**31), 2**31 - 77, 1000]
#: The elements of a block lie at one end of the type.
PLACES = [(first, low) for first in STARTS for low in (0, 64, 128) if np.ptp(wrapped(first, low)) < 4096]


@pytest.mark.parametrize(("first", "low"), PLACES)
def test_sums_that_wrap(first, low):
    x = np.arange(4096, dtype=np.int32)
    at = wrapped(first, low)
    back = 100 - int(at.min())
    for tier in ("interp", "cpu"):
        out = np.zeros(BLOCK, np.int32)
        around[(1,)](x, out, first, back, LOW=low, BLOCK=BLOCK, tier=tier)
        assert (out == x[at + back]).all(), tier


@trisect.jit
def narrow(
    x_ptr, out_ptr, n, STEP: tl.constexpr, KIND: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr
):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if KIND == "product":
        at = (i * STEP).to(WIDTH)
    elif KIND == "sum":
        at = i.to(WIDTH) + n.to(WIDTH)
    elif KIND == "difference":
        at = n.to(WIDTH) - i.to(WIDTH)
    else:
        at = (i.to(WIDTH) * STEP + n.to(WIDTH)) * 2
    tl.store(out_ptr + i, tl.load(x_ptr + at))


@pytest.mark.parametrize("kind", ["product", "sum", "difference", "both"])
@pytest.mark.parametrize("n", [0, 100, -100, 127])
@pytest.mark.parametrize("step", [1, 3, -2])
def test_narrow_indices(kind, n, step):
    block, programs = 32, 8
    x = np.arange(512, dtype=np.int32)
    results = []
    for tier in ("interp", "cpu"):
        out = np.zeros(block * programs, np.int32)
        narrow[(programs,)](x[256:], out, n, STEP=step, KIND=kind, WIDTH=tl.int8, BLOCK=block, tier=tier)
        results.append(out)
    i = np.arange(block * programs)
    at = {
        "product": i * step,
        "sum": i + n,
        "difference": n - i,
        "both": (i * step + n) * 2,
    }[kind]
    assert (results[0] == x[256 + (at + 128) % 256 - 128]).all()
    assert (results[1] == results[0]).all()


@trisect.jit
def spread(out_ptr, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + row * COLUMNS + column, (row * stride + column).to(tl.int64))


@pytest.mark.parametrize("stride", [64, 1 << 30, (1 << 31) - 32, -(1 << 29), -64, (1 << 31) - 1])
def test_products_that_wrap(stride):
    expected = (np.arange(8)[:, None] * stride + np.arange(32)[None, :] + 2**31) % 2**32 - 2**31
    for tier in ("interp", "cpu"):
        out = np.zeros((8, 32), np.int64)
        spread[(2,)](out, stride, ROWS=4, COLUMNS=32, tier=tier)
        assert (out == expected).all(), tier
