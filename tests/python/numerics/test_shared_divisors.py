"""Blocks divided by one number, and the largest of a row, have the bits of their definition on every level.

What: compiled code divides by one divisor through its reciprocal where that is exact, and takes extremes by
an instruction that knows the order of zeros; operands here are random patterns, among them NaN, infinities,
subnormal numbers, zeros of both signs, and those at the ends of the range that goes through the reciprocal.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl
from kernels import ARCHS

COUNT = 1 << 15


@trisect.jit
def divide(x_ptr, d_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) / tl.load(d_ptr))


@trisect.jit
def extremes(x_ptr, out_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out_ptr + 2 * row, tl.max(x, axis=0))
    tl.store(out_ptr + 2 * row + 1, tl.min(x, axis=0))


def patterns(generator, middle, around):
    """Any bits; or numbers whose exponents lie in a range, and a few of any bits; with zeros between them."""
    any_bits = generator.integers(0, 2**32, COUNT, dtype=np.uint32)
    bits = any_bits.copy()
    if around:
        exponents = generator.integers(middle - around, middle + around, COUNT, dtype=np.uint32)
        bits = (bits & np.uint32(0x807FFFFF)) | (exponents << np.uint32(23))
        few = generator.integers(0, COUNT, COUNT // 256)
        bits[few] = any_bits[few]
    bits[generator.integers(0, COUNT, COUNT // 64)] = 0
    bits[generator.integers(0, COUNT, 4)] = 0x80000000
    return bits.view(np.float32)


def divisors(generator):
    """Of every kind, of all mantissas, and those whose mantissa is all ones or none."""
    yield from (0x00000000, 0x80000000, 0x7F800000, 0x7FC00000, 0x00000001, 0x007FFFFF, 0xFF7FFFFF)
    for exponent in (127 - 25, 127 - 24, 127, 127 + 23, 127 + 24):
        for mantissa in (0, 0x7FFFFF, 0x7FFFFE, 1, int(generator.integers(2**23))):
            yield exponent << 23 | mantissa
    yield 0xBFC00000
    for _ in range(20):
        yield int(generator.integers(127 - 24, 127 + 24)) << 23 | int(generator.integers(2**23))


def same(actual, expected):
    """Equal bits; of NaN that both are one."""
    nan = np.isnan(actual) & np.isnan(expected)
    return (actual.view(np.uint32) == expected.view(np.uint32)) | nan


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("around", [0, 5, 20, 78])
@pytest.mark.parametrize("block", [256, 1024])  # a register at a time, and several
def test_quotients_by_one_number(arch, around, block):
    generator = np.random.default_rng(around)
    for bits in divisors(generator):
        x, divisor = patterns(generator, 127, around), np.array([bits], np.uint32).view(np.float32)
        out = np.empty_like(x)
        divide[(COUNT // block,)](x, divisor, out, BLOCK=block, tier="cpu", arch=arch)
        with np.errstate(all="ignore"):
            right = same(out, x / divisor)
        assert right.all(), f"{x[~right][0]!r} / {divisor[0]!r} gave {out[~right][0]!r}"


def extreme(row, largest):
    """NaN loses, and -0 lies below +0."""
    numbers = row[~np.isnan(row)]
    if not numbers.size:
        return np.float32(np.nan)
    found = numbers.max() if largest else numbers.min()
    if found == 0:
        signs = np.signbit(numbers[numbers == 0])
        return np.float32(-0.0) if (signs.all() if largest else signs.any()) else np.float32(0.0)
    return found


@pytest.mark.parametrize("arch", ARCHS)
def test_extremes_of_rows(arch):
    signaling, quiet, zeros = 0x7F800001, 0xFFC00000, (0x00000000, 0x80000000)
    rows = []
    for seed in range(24):
        generator = np.random.default_rng(seed)
        row = generator.integers(0, 2**32, 512, dtype=np.uint32)
        if seed % 4 == 1:
            row = generator.choice(np.array([signaling, quiet, *zeros], np.uint32), 512)
        elif seed % 4 == 2:
            row = np.full(512, (signaling, quiet)[seed // 4 % 2], np.uint32)
            row[generator.integers(512)] = 0xC0000000
        elif seed % 4 == 3:
            row = np.full(512, zeros[seed // 4 % 2], np.uint32)
            row[generator.integers(512)] = zeros[1 - seed // 4 % 2]
        rows.append(row.view(np.float32))
    rows.append(np.full(512, np.nan, np.float32))
    x, out = np.stack(rows), np.zeros((len(rows), 2), np.float32)
    extremes[(len(rows),)](x, out, BLOCK=512, tier="cpu", arch=arch)
    expected = np.array([[extreme(row, True), extreme(row, False)] for row in rows], np.float32)
    assert same(out, expected).all(), np.argwhere(~same(out, expected))
