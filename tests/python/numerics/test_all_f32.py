"""Every f32 pattern to bf16, f16 and the four 8-bit formats, to nearest and towards zero.

What: all 2^32 patterns against ml_dtypes and NumPy, with the rule of this project on top (8-bit formats take
their largest number for whatever is beyond). Towards zero is what nearest gives, one step down where that
went away from zero.
Limits: minutes for each format; `./dev nightly every_pattern` runs it, `./dev nightly bf16` one format.
"""

import os

import ml_dtypes
import numpy as np
import pytest
from progress import Progress

import kernels

NIGHTLY = os.environ.get("TRISECT_NIGHTLY") == "1"
CHUNK = 1 << 24
FORMATS = [*kernels.FLOAT8, "f16", "bf16"]


def to_nearest(x: np.ndarray, dtype: str) -> np.ndarray:
    """Codes of the nearest values, from the library that knows the format; x is not negative."""
    with np.errstate(all="ignore"):
        made = x.astype(kernels.DTYPES[dtype])
    codes = kernels.bits(made).copy()
    if dtype in kernels.FLOAT8:
        largest = kernels.bits(np.array(ml_dtypes.finfo(made.dtype).max))
        beyond = x > np.float32(float(ml_dtypes.finfo(made.dtype).max))
        codes[beyond] = largest
    return codes


def down(codes: np.ndarray, x: np.ndarray, dtype: str) -> np.ndarray:
    """One code lower where rounding went up."""
    kind = kernels.DTYPES[dtype]
    with np.errstate(all="ignore"):
        up = codes.view(kind).astype(np.float32) > x
    return codes - up.astype(codes.dtype)


@pytest.mark.skipif(not NIGHTLY, reason="all 2^32 patterns take minutes; ./dev nightly runs them")
@pytest.mark.parametrize("dtype", FORMATS)
def test_every_pattern(dtype: str) -> None:
    sign = 1 << (8 * np.dtype(kernels.DTYPES[dtype]).itemsize - 1)
    report = Progress(dtype)
    for start in report.chunks(1 << 31, CHUNK):
        x = np.arange(start, start + CHUNK, dtype=np.uint32).view(np.float32)
        nan = np.isnan(x)
        nearest = to_nearest(x, dtype)
        for rounding, expected in ((1, nearest), (0, down(nearest, x, dtype))):
            for negative in (False, True):
                given = -x if negative else x
                got = kernels.elementwise("tt.fp_to_fp", "f32", dtype, given, attribute=rounding)
                want = expected | sign if negative else expected
                if dtype.endswith("FNUZ") and negative:
                    want = np.where(expected == 0, expected, want)
                wrong = kernels.bits(got) != want
                if nan.any():
                    wrong &= ~(nan & np.isnan(got.astype(np.float32)))
                if wrong.any():
                    i = int(np.argmax(wrong))
                    raise AssertionError(
                        f"{wrong.sum()} differ, first f({int(kernels.bits(given)[i]):#x}) = "
                        f"{int(kernels.bits(got)[i]):#x}, not {int(want[i]):#x} (rounding {rounding})"
                    )
