"""How far results are from the exact value, in units in the last place of their type.

What: ULP errors of f16, bf16, f32 and f64 results against references in f64 or mpmath.
Limits: values of the wrong class (NaN, infinity, sign of an infinity) count as an infinite error.
"""

import numpy as np

import kernels

FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}
LARGEST = {
    "f16": 65504.0,
    "bf16": 3.3895313892515355e38,
    "f32": 3.4028234663852886e38,
    "f64": np.finfo(np.float64).max,
}


def unit(exact: np.ndarray, dtype: str) -> np.ndarray:
    """One unit in the last place at each exact value; subnormals have that of the smallest normal number."""
    precision, smallest = FORMATS[dtype]
    exponent = np.frexp(np.abs(exact))[1] - 1
    return np.exp2(np.maximum(exponent, smallest).astype(np.float64) - (precision - 1))


def errors(actual: np.ndarray, exact: np.ndarray, dtype: str) -> np.ndarray:
    """Errors in ULP; an overflow that rounding explains counts as none."""
    with np.errstate(all="ignore"):
        result = actual.astype(np.float64)
        error = np.abs(result - exact) / unit(exact, dtype)
        half = LARGEST[dtype] * (1 + 2.0 ** -FORMATS[dtype][0]) if dtype != "f64" else np.inf
        overflowed = (
            np.isinf(result) & (np.abs(exact) >= half * (1 - 2e-7)) & (np.sign(result) == np.sign(exact))
        )
    same = (np.isnan(result) & np.isnan(exact)) | (result == exact) | overflowed
    return np.where(same, 0.0, np.where(np.isfinite(error), error, np.inf))


def worst(actual: np.ndarray, exact: np.ndarray, dtype: str, *inputs: np.ndarray) -> tuple[float, str]:
    """The largest error and where it is."""
    error = errors(actual, exact, dtype)
    i = int(np.argmax(error))
    given = ", ".join(f"{x[i]!r} ({int(kernels.bits(x)[i]):#x})" for x in inputs)
    return float(error[i]), f"f({given}) = {actual[i]!r}, exactly {exact[i]!r}"
