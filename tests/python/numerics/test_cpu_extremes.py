"""Maxima and minima of rows keep the bits of tier 0, those from memory and those that come out of arithmetic.

The sign of zero, and in short rows what NaNs carry. A long row begins with a NaN of its own, which is left
where all others are NaN too.
"""

import numpy as np
import pytest

import kernels
import trisect
import trisect.language as tl


@trisect.jit
def extremes(x_ptr, y_ptr, most_ptr, least_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    places = rows[:, None] * COLUMNS + columns[None, :]
    products = tl.load(x_ptr + places) * tl.load(y_ptr + places)
    tl.store(most_ptr + rows, tl.max(products, axis=1))
    tl.store(least_ptr + rows, tl.min(products, axis=1))


@trisect.jit
def row_extremes(x_ptr, most_ptr, least_ptr, columns, BLOCK: tl.constexpr):
    row, places = tl.program_id(0), tl.arange(0, BLOCK)
    mask = places < columns
    from_row = x_ptr + row * columns + places
    tl.store(most_ptr + row, tl.max(tl.load(from_row, mask=mask, other=float("-inf")), axis=0))
    tl.store(least_ptr + row, tl.min(tl.load(from_row, mask=mask, other=float("inf")), axis=0))


def special(rows, columns):
    """Rows of few kinds of values each: NaNs that signal and that do not, zeros, infinities, numbers."""
    random = np.random.default_rng(1)
    kinds = [
        0x7F800001,
        0xFF812345,
        0x7FC00007,
        0xFFC54321,
        0,
        0x80000000,
        0x7F800000,
        0xFF800000,
        0x3F800000,
    ]
    bits = np.empty((rows, columns), np.uint32)
    for row in bits:
        row[:] = random.choice(random.choice(kinds, random.integers(1, 5)), columns)
    return bits.view(np.float32)


@pytest.mark.parametrize("columns", [16, 32, 64, 128, 512])
def test_products(columns):
    rows = 256
    x, y = special(rows, columns), np.ones((rows, columns), np.float32)
    y[::3] = -1
    found = {}
    for tier in ("interp", "cpu"):
        found[tier] = np.zeros((2, rows), np.float32)
        extremes[(1,)](x, y, *found[tier], rows, columns, tier=tier)
    if columns > 64:
        for values in found.values():
            values[np.isnan(values)] = np.nan
    assert np.array_equal(found["cpu"].view(np.uint32), found["interp"].view(np.uint32))


@pytest.mark.parametrize("columns", [64, 100, 128, 512, 700, 1024])
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_from_memory(arch, columns):
    """The order of zeros, NaN that loses, and rows of nothing but NaN: their result is any NaN."""
    rows, block = 256, trisect.next_power_of_2(columns)
    x, found = special(rows, columns), {}
    for tier in ("interp", "cpu"):
        options = {"tier": tier} | ({"arch": arch} if tier == "cpu" else {})
        found[tier] = np.zeros((2, rows), np.float32)
        row_extremes[(rows,)](x, *found[tier], columns, BLOCK=block, **options)
        found[tier][np.isnan(found[tier])] = np.nan
    assert np.array_equal(found["cpu"].view(np.uint32), found["interp"].view(np.uint32))
