"""Compiled code rounds f32 to bf16 as the formula says, on every level.

What: processors with an instruction for it use that, unless a lane is subnormal, which it would take for
zero; operands here are every upper half with lower halves at, below and above the middle, NaN of both kinds,
and subnormal numbers alone among others.
"""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import trisect
import trisect.language as tl
from kernels import ARCHS

LEVELS = [*ARCHS, *(["znver4"] if "avx512_bf16" in Path("/proc/cpuinfo").read_text() else [])]


@trisect.jit
def narrow(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets).to(tl.bfloat16))


@trisect.jit
def narrow_ragged(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask).to(tl.bfloat16), mask=mask)


def rounded(bits):
    upper = bits >> 16
    nearest = (bits.astype(np.uint64) + 0x7FFF + (upper & 1)) >> 16
    is_nan = (bits & 0x7FFFFFFF) > 0x7F800000
    return np.where(is_nan, upper | 0x40, nearest).astype(np.uint16)


def patterns():
    """By blocks of 1,024: the ends of every kind of number follow each other, and stand alone."""
    upper = np.arange(1 << 16, dtype=np.uint32) << 16
    lower = (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF)
    sorted_ones = np.concatenate([upper | part for part in lower])
    generator = np.random.default_rng(0)
    mixed = generator.integers(0, 2**32, 1 << 17, dtype=np.uint32)
    mixed[(mixed & 0x7F800000) == 0] |= 0x3F800000
    alone = generator.integers(0, mixed.size, mixed.size // 512)
    mixed[alone] &= 0x807FFFFF  # subnormal, or zero
    return np.concatenate([sorted_ones, mixed])


def check(out, bits):
    right = out.view(np.uint16) == rounded(bits)
    assert right.all(), f"{bits[~right][0]:#010x} gave {out.view(np.uint16)[~right][0]:#06x}"


@pytest.mark.parametrize("arch", LEVELS)
def test_bf16_is_rounded_to_nearest(arch):
    bits = patterns()
    out = np.empty(bits.size, ml_dtypes.bfloat16)
    narrow[(bits.size // 1024,)](bits.view(np.float32), out, BLOCK=1024, tier="cpu", arch=arch)
    check(out, bits)


@pytest.mark.parametrize("arch", LEVELS)
@pytest.mark.parametrize("n", [1, 15, 16, 33, 777])
def test_bf16_of_ragged_rows(arch, n):
    bits = patterns()[-n:].copy()
    bits[n // 2] = 0x00400001
    out = np.full(n + 16, 1.5, ml_dtypes.bfloat16)
    narrow_ragged[(1,)](bits.view(np.float32), out[:n], n, BLOCK=1024, tier="cpu", arch=arch)
    check(out[:n], bits)
    assert (out[n:] == 1.5).all()
