"""Conversions between float types, against ml_dtypes and NumPy, for every pattern of the narrow types.

What: widening is exact; narrowing rounds to nearest even (ml_dtypes, with our saturation on top) and towards
zero (the neighbour found by search among all values of the format).
"""

import itertools

import ml_dtypes
import numpy as np
import pytest
from rounding import nearest, towards_zero

import kernels

NARROW = kernels.FLOAT8 + ["f16", "bf16"]


def around(dtype: str, wide: type) -> np.ndarray:
    """Each finite value of a format, midpoints, and their neighbours in a wider type; then random numbers."""
    with np.errstate(all="ignore"):
        values = np.unique(kernels.every(dtype).astype(np.float64))
        values = values[np.isfinite(values)]
        middles = (values[1:] + values[:-1]) / 2
        top = values[-1] * np.array([1.01, 1.0625, 1.25, 1.5, 2, 4, 1e3])
        points = np.concatenate([values, middles, top, -top]).astype(wide)
        random = np.random.default_rng(3)
        scale = np.exp2(random.uniform(-160 if dtype == "bf16" else -30, 20, 200000))
        noise = (random.standard_normal(200000) * scale).astype(wide)
        inf = wide(np.inf)
        near = [points, np.nextafter(points, inf), np.nextafter(points, -inf), noise]
        return np.concatenate(near + [np.array([0.0, -0.0, inf, -inf, np.nan], wide)])


def saturated(expected: np.ndarray, x: np.ndarray, dtype: str) -> np.ndarray:
    """Our fp8 rule on top of ml_dtypes: no infinities come out, and only NaN gives NaN."""
    if dtype not in kernels.FLOAT8:
        return expected
    largest = ml_dtypes.finfo(kernels.DTYPES[dtype]).max
    wide = expected.astype(np.float64)
    beyond = ~np.isfinite(wide) & ~np.isnan(x.astype(np.float64))
    return np.where(beyond, np.where(x > 0, largest, -largest), expected).astype(expected.dtype)


#: f16 and bf16: neither holds the other.
WIDENINGS = [
    (dtype, wide)
    for dtype, wide in itertools.product(NARROW, ["f16", "bf16", "f32", "f64"])
    if not {dtype, wide} <= {"f16", "bf16"}
]


@pytest.mark.parametrize("dtype, wide", WIDENINGS)
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_widening_is_exact(dtype: str, wide: str, isa: str) -> None:
    x = kernels.every(dtype)
    with np.errstate(all="ignore"):
        expected = x.astype(np.float64).astype(kernels.DTYPES[wide])
    kernels.assert_same(kernels.elementwise("arith.extf", dtype, wide, x, isa=isa), expected, x)


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("wide", ["f32", "f64"])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_narrowing_to_nearest(dtype: str, wide: str, isa: str) -> None:
    x = around(dtype, kernels.DTYPES[wide])
    with np.errstate(all="ignore"):
        expected = nearest(x.astype(np.float64), dtype)
    kernels.assert_same(kernels.elementwise("arith.truncf", wide, dtype, x, isa=isa), expected, x)
    again = kernels.elementwise("tt.fp_to_fp", wide, dtype, x, attribute=1, isa=isa)
    kernels.assert_same(again, expected, x)


@pytest.mark.parametrize("dtype", NARROW)
def test_the_search_agrees_with_ml_dtypes(dtype: str) -> None:
    x = around(dtype, np.float32)
    with np.errstate(all="ignore"):
        expected = saturated(x.astype(kernels.DTYPES[dtype]), x, dtype)
        kernels.assert_same(nearest(x.astype(np.float64), dtype), expected, x)


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("wide", ["f32", "f64"])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_narrowing_towards_zero(dtype: str, wide: str, isa: str) -> None:
    x = around(dtype, kernels.DTYPES[wide])
    with np.errstate(all="ignore"):
        expected = towards_zero(x.astype(np.float64), dtype)
    kernels.assert_same(kernels.elementwise("tt.fp_to_fp", wide, dtype, x, attribute=0, isa=isa), expected, x)


@pytest.mark.parametrize("source, dtype", list(itertools.permutations(NARROW, 2)))
@pytest.mark.parametrize("rounding", [0, 1])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_between_narrow_formats(source: str, dtype: str, rounding: int, isa: str) -> None:
    x = kernels.every(source)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        expected = (towards_zero, nearest)[rounding](wide, dtype)
    kernels.assert_same(
        kernels.elementwise("tt.fp_to_fp", source, dtype, x, attribute=rounding, isa=isa), expected, x
    )


@pytest.mark.parametrize("isa", kernels.ISAS)
def test_f64_to_f32(isa: str) -> None:
    random = np.random.default_rng(5)
    patterns = random.integers(0, 1 << 64, 1 << 18, dtype=np.uint64).view(np.float64)
    moderate = random.standard_normal(1 << 18) * np.exp2(random.uniform(-152, 130, 1 << 18))
    x = np.concatenate([patterns, moderate, [0.0, -0.0, np.inf, -np.inf, np.nan, 3.4028235677973366e38]])
    with np.errstate(all="ignore"):
        expected = x.astype(np.float32)
        kernels.assert_same(kernels.elementwise("arith.truncf", "f64", "f32", x, isa=isa), expected, x)
        beyond = np.abs(expected.astype(np.float64)) > np.abs(x)
        inward = np.where(beyond, np.nextafter(expected, np.float32(0)), expected)
    kernels.assert_same(kernels.elementwise("tt.fp_to_fp", "f64", "f32", x, attribute=0, isa=isa), inward, x)
