"""Rows that do not fill their block: what lies after them is computed once (backends/cpu/emit/Reach.h).

What: compiled code has the bits of tier 0 whatever masked lanes hold, in rows of every length around a step
of the loops, on what is kept of a row and read beyond it, and where an index wraps around.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl

BLOCK = 512
LENGTHS = [-3, 1, 16, 63, 64, 65, 300, 449, 511, 512, 600]


@trisect.jit
def softmax(x_ptr, out_ptr, columns, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + offsets, mask=mask, other=OTHER).to(tl.float32)
    powers = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + offsets, powers / tl.sum(powers, axis=0), mask=mask)


@trisect.jit
def softmax_beyond(x_ptr, out_ptr, columns, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < columns, other=OTHER).to(tl.float32)
    powers = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + offsets, powers / tl.sum(powers, axis=0))


@trisect.jit
def norm(x_ptr, out_ptr, columns, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + offsets, mask=mask, other=OTHER).to(tl.float32)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, OTHER)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + 1e-5)
    tl.store(out_ptr + offsets, centred * scale + x)


@trisect.jit
def uneven(x_ptr, out_ptr, columns, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < columns, other=offsets * OTHER).to(tl.float32)
    total = tl.sum(tl.exp(x * 1e-3), axis=0)
    place = tl.argmax(x, axis=0)
    tl.store(out_ptr + offsets, x * total + place + tl.sum(x * offsets, axis=0))


KERNELS = [softmax, softmax_beyond, norm, uneven]


def rows(kind):
    x = np.random.default_rng(5).standard_normal(BLOCK).astype(np.float32)
    if kind == "low":
        x[:] = -np.inf
    elif kind == "zeros":
        x[:] = -0.0
    elif kind == "nan":
        x[7] = np.nan
    return x


@pytest.mark.parametrize("half", [False, True], ids=["f32", "f16"])
@pytest.mark.parametrize("kind", ["normal", "low", "zeros", "nan"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.fn.__name__)
def test_rows_of_every_length_have_the_bits_of_tier_0(kernel, kind, half):
    x = rows(kind)
    x = x.astype(np.float16) if half else x
    for other in (-float("inf"), 0.0, -0.0, 2.5):
        if kernel is uneven and other == -float("inf"):
            continue
        for columns in LENGTHS:
            got = {}
            for tier in ("interp", "cpu"):
                got[tier] = np.full(BLOCK, 9, np.float32)
                kernel[(1,)](x, got[tier], min(columns, BLOCK), OTHER=other, BLOCK=BLOCK, tier=tier)
            same = got["cpu"].view(np.int32) == got["interp"].view(np.int32)
            both = np.isnan(got["cpu"]) & np.isnan(got["interp"])
            assert (same | both).all(), (other, columns, np.flatnonzero(~(same | both))[:4])


@trisect.jit
def marked(out_ptr, start, limit, BLOCK: tl.constexpr):
    offsets = start + tl.arange(0, BLOCK)
    tl.store(out_ptr + tl.arange(0, BLOCK), 1, mask=offsets < limit)


@trisect.jit
def behind(out_ptr, start, limit, BLOCK: tl.constexpr):
    offsets = start + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 1, mask=offsets < limit)


@pytest.mark.parametrize("start", [2**31 - 1024, 2**31 - 1025, 2**31 - 1023, 2**31 - 648, 2**31 - 16])
def test_masks_of_an_index_at_its_greatest(start):
    out = np.zeros(1024, np.int32)
    marked[(1,)](out, start, 16, BLOCK=1024, tier="cpu")
    wrapped = (start + np.arange(1024) + 2**31) % 2**32 - 2**31
    np.testing.assert_array_equal(out, wrapped < 16)


def test_a_block_that_ends_with_the_greatest_index_writes_nothing_past_its_limit():
    out = np.zeros(64, np.int32)
    behind[(1,)](out, 2**31 - 1024, 16, BLOCK=1024, tier="cpu")
    assert not out.any()
