"""Functions within their stated ULP (docs/numerics.md).

What: f32 against the f64 functions of NumPy and Python's math module, on a sample over all floats; f16 and
bf16 for every pattern; f64 against mpmath. TRISECT_NIGHTLY=1 takes all 2^32 f32 patterns.
Limits: the reference of f32 is itself off by at most 2^-28 ULP of f32.
"""

import math
import os
import sys

import mpmath
import numpy as np
import pytest
import ulp
from progress import Progress

import kernels

NIGHTLY = os.environ.get("TRISECT_NIGHTLY") == "1"

TWO_OVER_ROOT_PI = 1.1283791670955126


def exact_erf(x: np.ndarray) -> np.ndarray:
    """The C library's erf where two terms of the series, or 1, are not as near."""
    with np.errstate(all="ignore"):
        result = TWO_OVER_ROOT_PI * (x * (1 - x * x / 3))
    size = np.abs(x)
    result[size > 6] = np.sign(x[size > 6])
    between = (size >= 2.0**-14) & (size <= 6)
    result[between] = [math.erf(value) for value in x[between].tolist()]
    return result


#: op: (reference, stated ULP in f32)
UNARY = {
    "exp": (np.exp, 1.0),
    "exp2": (np.exp2, 1.0),
    "expm1": (np.expm1, 0.51),
    "log": (np.log, 1.0),
    "log2": (np.log2, 1.1),
    "log10": (np.log10, 0.51),
    "log1p": (np.log1p, 0.51),
    "sin": (np.sin, 0.51),
    "cos": (np.cos, 0.51),
    "tan": (np.tan, 0.51),
    "asin": (np.arcsin, 0.51),
    "acos": (np.arccos, 0.51),
    "atan": (np.arctan, 0.51),
    "sinh": (np.sinh, 0.51),
    "cosh": (np.cosh, 0.51),
    "tanh": (np.tanh, 1.2),
    "asinh": (np.arcsinh, 0.51),
    "acosh": (np.arccosh, 0.51),
    "atanh": (np.arctanh, 0.51),
    "cbrt": (np.cbrt, 0.51),
    "erf": (exact_erf, 0.8),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.51),
}


def sample_f32(count: int, seed: int) -> np.ndarray:
    """Patterns at equal distances over all floats, and numbers of everyday size."""
    random = np.random.default_rng(seed)
    step = (1 << 32) // count
    patterns = (np.arange(count, dtype=np.uint64) * step + random.integers(0, step)).astype(np.uint32)
    everyday = (random.standard_normal(count // 4) * np.exp2(random.uniform(-12, 7, count // 4))).astype(
        np.float32
    )
    special = np.array(
        [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.5, 2, 88.7228, 88.72284, -103.97, 128, -149], np.float32
    )
    return np.concatenate([patterns.view(np.float32), everyday, special])


def check(op: str, x: np.ndarray, dtype: str, limit: float, isa: str) -> tuple[float, str]:
    """The largest error, which is within the limit, and where it is."""
    with np.errstate(all="ignore"):
        exact = UNARY[op][0](x.astype(np.float64))
    actual = kernels.elementwise(f"math.{op}", dtype, dtype, x, isa=isa)
    error, where = ulp.worst(actual, exact, dtype, x)
    assert error <= limit, f"{op} {dtype}: {error:.3f} ULP, {where}"
    zero = exact == 0
    assert (np.signbit(actual) == np.signbit(exact))[zero].all(), f"{op} {dtype}: the sign of a zero"
    return error, where


@pytest.mark.parametrize("op", UNARY)
def test_f32(op: str) -> None:
    check(op, sample_f32(1 << 20, 1), "f32", UNARY[op][1], kernels.ISAS[-1])


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_f32_same_bits_on_every_isa(op: str, isa: str) -> None:
    x = sample_f32(1 << 14, 2)
    expected = kernels.elementwise(f"math.{op}", "f32", "f32", x, isa="scalar")
    kernels.assert_same(kernels.elementwise(f"math.{op}", "f32", "f32", x, isa=isa), expected, x)


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_every_16_bit_pattern(op: str, dtype: str) -> None:
    check(op, kernels.every(dtype), dtype, 0.501, kernels.ISAS[-1])


def test_exact_erf() -> None:
    """Within a few units of f64: the test above takes it for exact."""
    random = np.random.default_rng(4)
    x = np.concatenate([np.exp2(random.uniform(-149, 4, 2000)), [2.0**-14, 6, 1e38, np.inf]])
    x = np.concatenate([x, -x]).astype(np.float32).astype(np.float64)
    with mpmath.workprec(120):
        for value, result in zip(x, exact_erf(x), strict=True):
            exact = mpmath.erf(mpmath.mpf(float(value)))
            assert abs(mpmath.mpf(float(result)) - exact) <= 4 * 2.0**-53 * abs(exact), value
    np.testing.assert_array_equal(np.signbit(exact_erf(np.array([0.0, -0.0]))), [False, True])


MPMATH = {
    "expm1": mpmath.expm1,
    "log10": mpmath.log10,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "log1p": lambda x: mpmath.log1p(x),
    "log2": lambda x: mpmath.log(x, 2),
    "exp2": lambda x: mpmath.power(2, x),
    "exp": mpmath.exp,
    "log": mpmath.log,
    "erf": mpmath.erf,
}


@pytest.mark.parametrize("op", UNARY)
def test_f64(op: str) -> None:
    reference = MPMATH.get(op, getattr(mpmath, op, None))
    random = np.random.default_rng(3)
    x = random.standard_normal(1500) * np.exp2(random.uniform(-20, 5, 1500))
    if op in ("log", "log2", "log10", "rsqrt"):
        x = np.abs(x)
    if op in ("asin", "acos", "atanh"):
        x = np.clip(x, -0.999999, 0.999999)
    if op == "acosh":
        x = 1 + np.abs(x)
    if op == "log1p":
        x = np.maximum(x, -0.999)
    with mpmath.workprec(120):
        exact = [reference(mpmath.mpf(float(v))) for v in x]
        actual = kernels.elementwise(f"math.{op}", "f64", "f64", x)
        units = ulp.unit(np.array([float(e) for e in exact]), "f64")
        error = [abs(mpmath.mpf(float(a)) - e) / u for a, e, u in zip(actual, exact, units, strict=True)]
    i = max(range(len(error)), key=error.__getitem__)
    assert error[i] <= 2.0, f"{op}({x[i]!r}) = {actual[i]!r}: {float(error[i]):.3f} ULP"


def two_arguments(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    n = 1 << 19
    everyday = (random.standard_normal((2, n)) * np.exp2(random.uniform(-6, 6, (2, n)))).astype(np.float32)
    patterns = random.integers(0, 1 << 32, (2, n), dtype=np.uint32).view(np.float32)
    small = random.integers(-9, 10, (2, 4000)).astype(np.float32)
    edges = np.array(
        [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.5, -0.5, 2, -3, 3e38, 1e-45, 16777217], np.float32
    )
    grid = np.stack([np.repeat(edges, edges.size), np.tile(edges, edges.size)])
    a, b = np.concatenate([everyday, patterns, small, grid], axis=1)
    return np.ascontiguousarray(a), np.ascontiguousarray(b)


@pytest.mark.parametrize("op, reference", [("powf", np.power), ("atan2", np.arctan2)])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_two_arguments(op: str, reference: np.ufunc, isa: str) -> None:
    a, b = two_arguments(5)
    if op == "powf":
        a[: 1 << 19] = np.abs(a[: 1 << 19])
    with np.errstate(all="ignore"):
        exact = reference(a.astype(np.float64), b.astype(np.float64))
    actual = kernels.elementwise(f"math.{op}", "f32", "f32", a, b, isa=isa)
    error, where = ulp.worst(actual, exact, "f32", a, b)
    assert error <= 0.51, f"{op}: {error:.3f} ULP, {where}"
    zero = exact == 0
    assert (np.signbit(actual) == np.signbit(exact))[zero].all()


@pytest.mark.skipif(not NIGHTLY, reason="all 2^32 patterns take minutes; TRISECT_NIGHTLY=1 runs them")
@pytest.mark.parametrize("op", UNARY)
def test_every_f32(op: str) -> None:
    chunk, worst = 1 << 18, (0.0, "")  # what NumPy makes of more does not stay in the caches
    for start in Progress(op).chunks(1 << 32, chunk):
        x = np.arange(start, start + chunk, dtype=np.uint64).astype(np.uint32).view(np.float32)
        worst = max(worst, check(op, x, "f32", UNARY[op][1], kernels.ISAS[-1]))
    print(f"{op}: {worst[0]:.4f} ULP at most, {worst[1]}", file=sys.stderr, flush=True)
