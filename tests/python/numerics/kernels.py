"""The block kernels of tier 0 as functions on NumPy arrays.

What: `elementwise("arith.addf", "f32", "f32", a, b)` runs one kernel of the table on whole arrays. Types that
NumPy lacks are given and returned as ml_dtypes arrays.
Limits: needs the library that the C++ build leaves in build/release/tests.
"""

import ctypes
import os
from pathlib import Path

import ml_dtypes
import numpy as np

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release"))

DTYPES = {
    "i1": np.uint8,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "ptr": np.uint64,
}
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
FLOAT8 = [name for name in DTYPES if name.startswith("f8")]

library = ctypes.CDLL(str(BUILD / "tests" / "libtrisect_kernels_c.so"))
library.trisect_dot_scratch_bytes.restype = ctypes.c_int64
library.trisect_extern_symbols.restype = ctypes.c_int64

ISAS = [
    isa for isa in ("scalar", "v2", "avx2", "avx512", "neon") if library.trisect_isa_available(isa.encode())
]
#: What to compile for so that this machine runs it.
_LEVELS = {"v2": "x86-64-v2", "avx2": "x86-64-v3", "avx512": "x86-64-v4"}
ARCHS = [_LEVELS[isa] for isa in ISAS if isa in _LEVELS]


def pointer(array: np.ndarray | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def elementwise(
    op: str, operand: str, result: str, *arrays: np.ndarray, attribute: int = 0, isa: str = ISAS[-1]
) -> np.ndarray:
    """Runs the kernel of `op` (a mnemonic, or a libdevice symbol) on arrays of one length."""
    arrays = tuple(np.ascontiguousarray(a) for a in arrays)
    n = arrays[0].size
    out = np.empty(n, DTYPES[result])
    inputs = [pointer(a) for a in arrays] + [pointer(None)] * (4 - len(arrays))
    status = library.trisect_elementwise(
        op.encode(),
        operand.encode(),
        result.encode(),
        isa.encode(),
        pointer(out),
        *inputs,
        ctypes.c_int64(n),
        ctypes.c_uint64(attribute),
    )
    assert status == 0, f"no kernel {op} {operand} -> {result} on {isa}"
    return out


def bits(array: np.ndarray) -> np.ndarray:
    return array.view(BITS[array.dtype.itemsize])


def every(dtype: str) -> np.ndarray:
    """All patterns of an 8 or 16-bit type."""
    kind = np.dtype(DTYPES[dtype])
    return np.arange(1 << (8 * kind.itemsize), dtype=BITS[kind.itemsize]).view(kind)


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of patterns of an 8-bit type; of a 16-bit type every pattern with some others."""
    values = every(dtype)
    if values.size == 256:
        return np.repeat(values, 256), np.tile(values, 256)
    random = np.random.default_rng(7)
    edges = [
        0,
        1,
        2,
        0x7F,
        0x80,
        0x3FF,
        0x400,
        0x3C00,
        0x3F80,
        0x7BFF,
        0x7C00,
        0x7C01,
        0x7F7F,
        0x7F80,
        0x7FC0,
    ]
    edges += [edge | 0x8000 for edge in edges]
    some = np.array(edges + random.integers(0, 65536, 18).tolist(), np.uint16).view(values.dtype)
    return np.repeat(values, some.size), np.tile(some, values.size)


def assert_same(actual: np.ndarray, expected: np.ndarray, *inputs: np.ndarray) -> None:
    """Equal bits, or NaN on both sides; names the first difference."""
    wide = np.float64
    same = bits(actual) == bits(expected)
    if actual.dtype.kind not in "iub":
        with np.errstate(all="ignore"):
            same |= np.isnan(actual.astype(wide)) & np.isnan(expected.astype(wide))
    if not same.all():
        i = int(np.argmin(same))
        given = ", ".join(f"{a[i]!r} ({int(bits(a)[i]):#x})" for a in inputs)
        raise AssertionError(
            f"{(~same).sum()} of {same.size} differ, first at {i}: f({given}) = {actual[i]!r} "
            f"({int(bits(actual)[i]):#x}), not {expected[i]!r} ({int(bits(expected)[i]):#x})"
        )
