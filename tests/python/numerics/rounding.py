"""Correct rounding to any float format by search among its values: the reference of the numeric tests.

What: f64 numbers, or exact fractions, to the nearest value (ties to even) or towards zero, with the
saturation of our 8-bit formats.
Why: it knows formats by their values alone, which come from ml_dtypes and NumPy.
"""

from fractions import Fraction
from functools import cache

import numpy as np

import kernels


@cache
def positive_values(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Finite values of a format from 0 upwards, and their codes."""
    half = kernels.every(dtype)[: kernels.every(dtype).size // 2]
    with np.errstate(all="ignore"):
        values = half.astype(np.float64)
    finite = np.isfinite(values)
    return values[finite], np.arange(half.size)[finite]


def signed(code: np.ndarray, x: np.ndarray, dtype: str) -> np.ndarray:
    kind = np.dtype(kernels.DTYPES[dtype])
    sign = np.where(np.signbit(x), 1 << (8 * kind.itemsize - 1), 0)
    if dtype.endswith("FNUZ"):
        sign = np.where(code == 0, 0, sign)
    result = (code | sign).astype(kernels.BITS[kind.itemsize]).view(kind)
    return np.where(np.isnan(x), kind.type(np.nan), result)


def nearest(x: np.ndarray, dtype: str) -> np.ndarray:
    """Nearest even, from f64 in one step."""
    if dtype in ("f32", "f64"):
        with np.errstate(all="ignore"):
            return x.astype(kernels.DTYPES[dtype])
    magnitude = np.abs(x)
    table, codes = positive_values(dtype)
    above = np.clip(np.searchsorted(table, magnitude), 1, len(table) - 1)
    low, high = table[above - 1], table[above]
    with np.errstate(all="ignore"):
        to_low, to_high = magnitude - low, high - magnitude
    down = (to_low < to_high) | ((to_low == to_high) & (codes[above - 1] % 2 == 0))
    code = np.where(down, codes[above - 1], codes[above])
    code = np.where(magnitude > table[-1], codes[-1], code)
    if dtype not in kernels.FLOAT8:
        half_step = (table[-1] - table[-2]) / 2
        code = np.where(magnitude >= table[-1] + half_step, codes[-1] + 1, code)
    return signed(np.where(magnitude == 0, 0, code), x, dtype)


def towards_zero(x: np.ndarray, dtype: str) -> np.ndarray:
    table, codes = positive_values(dtype)
    index = np.searchsorted(table, np.abs(x), side="right") - 1
    code = codes[index]
    if dtype not in kernels.FLOAT8:
        code = np.where(np.isinf(x), codes[-1] + 1, code)
    return signed(code, x, dtype)


def to_odd(exact: Fraction) -> float:
    """A fraction as f64 whose last bit is set if anything was lost, so that nearest() rounds it as exact."""
    value = float(exact)
    lost = exact - Fraction(value)
    if lost == 0 or int(np.float64(value).view(np.uint64)) % 2:
        return value
    return float(np.nextafter(value, np.inf if lost > 0 else -np.inf))
