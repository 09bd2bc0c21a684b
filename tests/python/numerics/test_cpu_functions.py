"""Functions have the bits of tier 0 in compiled code (docs/functions.md fixes their steps).

What: every function that is an op, in f32 and f64, on a sample over all floats, in blocks and as
scalars, at every level of x86-64 that this machine runs. test_math_ulp.py holds tier 0 against the exact
values. TRISECT_NIGHTLY=1 takes all 2^32 patterns of f32.
"""

import numpy as np
import pytest
from progress import Progress
from test_math_ulp import NIGHTLY, sample_f32, two_arguments

import kernels
import trisect
import trisect.language as tl
from trisect.language.extra import libdevice

UNARY = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf "
    "sqrt rsqrt cbrt"
).split()
BINARY = ["pow", "atan2"]


@trisect.jit
def unary(x_ptr, out_ptr, n, F: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, F(x), mask=offsets < n)


@trisect.jit
def binary(x_ptr, y_ptr, out_ptr, n, F: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = tl.load(y_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, F(x, y), mask=offsets < n)


@trisect.jit
def below(x_ptr, out_ptr, F: tl.constexpr, COLUMNS: tl.constexpr):
    places = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + places)
    tl.store(out_ptr + places, F(x - tl.max(x, axis=0)))


@trisect.jit
def below_rows(x_ptr, last_ptr, out_ptr, F: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    places = rows[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + places)
    greatest = tl.maximum(tl.load(last_ptr + rows), tl.max(x, axis=1))
    tl.store(out_ptr + places, F(x - greatest[:, None]))


def run(name, inputs, tier, block=1024, **options):
    out, kernel = np.empty_like(inputs[0]), unary if len(inputs) == 1 else binary
    size = out.size
    kernel[(trisect.cdiv(size, block),)](
        *inputs, out, size, getattr(libdevice, name), BLOCK=block, tier=tier, **options
    )
    return out


def check(name, *inputs, arch="host", block=1024):
    """Bits alike, or both NaN."""
    kernels.assert_same(
        run(name, inputs, "cpu", block, arch=arch), run(name, inputs, "interp", block), *inputs
    )


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_f32(name, arch):
    check(name, sample_f32(1 << (16 if arch == "x86-64-v2" else 19), 1), arch=arch)


@pytest.mark.parametrize("function", [tl.exp, tl.exp2, libdevice.exp, libdevice.exp2])
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_less_the_greatest(function, arch):
    """Operands that are never positive take fewer steps. Rows end with 0, so that they stay as they are."""
    rows, columns = 512, 256
    x = np.random.default_rng(3).choice(sample_f32(1 << 17, 3), (rows, columns))
    x[::2] = np.random.default_rng(4).uniform(-160, 0, (rows // 2, columns))
    x[~(x <= 0) & ~np.isnan(x)] *= -1
    x[:, -1] = 0
    with np.errstate(invalid="ignore", over="ignore"):
        x[1::8] += 3e38  # infinities, and what overflows once the greatest is taken away
    last = np.random.default_rng(5).uniform(-10, 10, rows).astype(np.float32)
    found = {}
    for tier in ("interp", "cpu"):
        options = {"tier": tier} | ({"arch": arch} if tier == "cpu" else {})
        found[tier] = np.empty((2, *x.shape), np.float32)
        below[(rows,)](x, found[tier][0], F=function, COLUMNS=columns, **options)
        below_rows[(rows // 8,)](x, last, found[tier][1], F=function, ROWS=8, COLUMNS=columns, **options)
    kernels.assert_same(found["cpu"], found["interp"], np.stack([x, x]))


@pytest.mark.parametrize("name", UNARY)
def test_f64(name):
    random = np.random.default_rng(7)
    scales = 10.0 ** random.integers(-30, 4, 1 << 14)
    check(name, random.standard_normal(1 << 14) * scales)


@pytest.mark.parametrize("name", UNARY)
def test_scalars(name):
    check(name, sample_f32(1 << 9, 2), block=1)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_two_arguments(name, arch):
    x, y = two_arguments(5)
    x[: 1 << 19] = np.abs(x[: 1 << 19])
    if arch == "x86-64-v2":
        x, y = x[::16].copy(), y[::16].copy()
    check(name, x, y, arch=arch)


@pytest.mark.skipif(not NIGHTLY, reason="all 2^32 patterns take minutes; TRISECT_NIGHTLY=1 runs them")
@pytest.mark.parametrize("name", UNARY)
def test_every_f32(name):
    chunk = 1 << 24
    for start in Progress(name).chunks(1 << 32, chunk):
        check(name, np.arange(start, start + chunk, dtype=np.uint64).astype(np.uint32).view(np.float32))


@pytest.mark.skipif(not NIGHTLY, reason="all 2^31 patterns take minutes; TRISECT_NIGHTLY=1 runs them")
@pytest.mark.parametrize("function", [tl.exp, tl.exp2])
def test_every_f32_less_the_greatest(function):
    """All that are not positive. Each row ends with a 0, beside what it has of the patterns."""
    columns, chunk = 256, 1 << 24
    below_zero = (1 << 31) // (columns - 1)
    for start in Progress(f"{function.__name__} less the greatest").chunks(below_zero, chunk // columns):
        rows = min(chunk // columns, below_zero + 1 - start)
        firsts = np.arange(start, start + rows, dtype=np.uint32)[:, None] * np.uint32(columns - 1)
        x = (firsts + np.arange(columns, dtype=np.uint32) | np.uint32(1 << 31)).view(np.float32)
        x[:, -1] = 0
        found = {}
        for tier in ("interp", "cpu"):
            found[tier] = np.empty_like(x)
            below[(rows,)](x, found[tier], F=function, COLUMNS=columns, tier=tier)
        kernels.assert_same(found["cpu"], found["interp"], x)
