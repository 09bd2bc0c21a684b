"""Functions of tier 1 within what a comparison allows them (interp/bounds/Rules.def).

What: f32 functions that compiled code has inline, on a sample over all floats, blocks and scalars, at every
level of x86-64 that this machine runs; against the f64 functions of NumPy and Python's math module.
TRISECT_NIGHTLY=1 takes all 2^32 patterns.
"""

import re

import numpy as np
import pytest
import ulp
from progress import Progress
from test_math_ulp import NIGHTLY, UNARY, sample_f32, two_arguments

import kernels
import trisect
import trisect.language as tl
from trisect.language.extra import libdevice

RULES = (kernels.ROOT / "interp" / "bounds" / "Rules.def").read_text()
FUNCTIONS = ["exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf"]
LEVELS = {"v2": "x86-64-v2", "avx2": "x86-64-v3", "avx512": "x86-64-v4"}
ARCHS = [LEVELS[isa] for isa in kernels.ISAS if isa in LEVELS]


def allowed(op):
    """ULP that code of tier 1 may be off."""
    return int(re.search(rf"TRISECT_RULE\(math_{op}, \w+, \d+, (\d+),", RULES)[1]) / 100


@trisect.jit
def unary(x_ptr, out_ptr, n, NAME: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if NAME == "exp":
        y = tl.exp(x)
    elif NAME == "exp2":
        y = tl.exp2(x)
    elif NAME == "log":
        y = tl.log(x)
    elif NAME == "log2":
        y = tl.log2(x)
    elif NAME == "sin":
        y = tl.sin(x)
    elif NAME == "cos":
        y = tl.cos(x)
    elif NAME == "tanh":
        y = libdevice.tanh(x)
    else:
        y = tl.erf(x)
    tl.store(out_ptr + offsets, y, mask=mask)


@trisect.jit
def power(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, libdevice.pow(x, y), mask=mask)


def judge(op, actual, exact, limit, *inputs):
    error, where = ulp.worst(actual, exact, "f32", *inputs)
    assert error <= limit, f"{op}: {error:.3f} ULP, {where}"
    zero = exact == 0
    assert (np.signbit(actual) == np.signbit(exact))[zero].all(), f"{op}: the sign of a zero"


def check(op, x, arch, block=1024):
    out = np.empty_like(x)
    unary[(trisect.cdiv(x.size, block),)](x, out, x.size, op, BLOCK=block, tier="cpu", arch=arch)
    with np.errstate(all="ignore"):
        exact = UNARY[op][0](x.astype(np.float64))
    judge(op, out, exact, allowed(op), x)
    return out


@pytest.mark.parametrize("op", FUNCTIONS)
@pytest.mark.parametrize("arch", ARCHS)
def test_f32(op, arch):
    count = 1 << (16 if op == "erf" or arch == "x86-64-v2" else 19)
    check(op, sample_f32(count, 1), arch)


@pytest.mark.parametrize("op", FUNCTIONS)
def test_scalars_give_the_bits_of_blocks(op):
    x = sample_f32(1 << 9, 2)
    kernels.assert_same(check(op, x, "host", block=1), check(op, x, "host"), x)


@pytest.mark.parametrize("arch", ARCHS)
def test_power(arch):
    x, y = two_arguments(5)
    x[: 1 << 19] = np.abs(x[: 1 << 19])
    if arch == "x86-64-v2":
        x, y = x[::16].copy(), y[::16].copy()
    out = np.empty_like(x)
    power[(trisect.cdiv(x.size, 1024),)](x, y, out, x.size, BLOCK=1024, tier="cpu", arch=arch)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
    judge("powf", out, exact, allowed("powf"), x, y)


@pytest.mark.skipif(not NIGHTLY, reason="all 2^32 patterns take minutes; TRISECT_NIGHTLY=1 runs them")
@pytest.mark.parametrize("op", FUNCTIONS)
def test_every_f32(op):
    chunk = 1 << 24
    for start in Progress(op).chunks(1 << 32, chunk):
        x = np.arange(start, start + chunk, dtype=np.uint64).astype(np.uint32).view(np.float32)
        check(op, x, "host")
