"""Rows in tier 1: loops cut at the mask's limit, rows that are loaded again rather than kept.

What: bits equal tier 0's for every length around a block and its chunks, in place and not; a row that is
written between two of its readers is not read again; nothing behind the row changes.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@trisect.jit
def centre(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=-float("inf"))
    peak = tl.max(x, axis=0)
    distance = tl.where(mask, peak - x, 0.0)
    total = tl.sum(distance * distance, axis=0)
    tl.store(out_ptr + offsets, distance / total + x, mask=mask)


@trisect.jit
def write_between(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    total = tl.sum(x, axis=0)
    tl.store(x_ptr + offsets, offsets.to(tl.float32), mask=mask)
    tl.store(out_ptr + offsets, x * 2 + total, mask=mask)


@trisect.jit
def first_best(x_ptr, out_ptr, n, limit, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=(offsets < n) & (offsets < limit), other=-1.0)
    tl.store(out_ptr, tl.argmax(x, axis=0).to(tl.float32))
    tl.store(out_ptr + 1 + offsets, x, mask=offsets < n)


LENGTHS = [0, 1, 15, 16, 17, 63, 64, 65, 127, 200, 255, 256]


def both(kernel, n, *scalars, in_place=False):
    """Outputs of tiers 0 and 1 for the same row, with memory behind it."""
    results = []
    for tier in ("interp", "cpu"):
        x = np.random.default_rng(n).standard_normal(320).astype(np.float32)
        out = x if in_place else np.full(320, 7, np.float32)
        kernel[(1,)](x, out, n, *scalars, BLOCK=256, tier=tier)
        results.append(np.concatenate([x, out]).view(np.uint32))
    return results


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("kernel", [centre, write_between])
def test_rows_have_the_bits_of_tier_0(kernel, n, in_place):
    reference, compiled = both(kernel, n, in_place=in_place)
    assert (reference == compiled).all()


@pytest.mark.parametrize("n", [1, 64, 100, 256])
@pytest.mark.parametrize("limit", [1, 60, 130, 300])
def test_masks_of_different_reach(n, limit):
    reference, compiled = both(first_best, n, limit)
    assert (reference == compiled).all()
