"""Float arithmetic against NumPy in f64 rounded once, for all patterns or all pairs of the narrow types.

What: an f64 sum, product, quotient or root of 8 or 16-bit floats is exact or has so many spare bits that
rounding it again equals one rounding; f32 and f64 are NumPy's own. fma goes through exact fractions.
"""

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np
import pytest
from rounding import nearest, to_odd

import kernels

NARROW = kernels.FLOAT8 + ["f16", "bf16"]
WIDE = ["f32", "f64"]


def inputs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    if dtype in NARROW:
        return kernels.pairs(dtype)
    random = np.random.default_rng(11)
    kind = kernels.DTYPES[dtype]
    raw = random.integers(0, 1 << 63, (2, 60000), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    a, b = (r.astype(kernels.BITS[np.dtype(kind).itemsize]).view(kind) for r in raw)
    plain = random.standard_normal((2, 60000)).astype(kind)
    edges = np.array(
        [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, np.finfo(kind).max, np.finfo(kind).tiny / 4], kind
    )
    return (
        np.concatenate([a, plain[0], np.repeat(edges, edges.size)]),
        np.concatenate([b, plain[1], np.tile(edges, edges.size)]),
    )


def minmax(a: np.ndarray, b: np.ndarray, larger: bool, nan_wins: bool) -> np.ndarray:
    """IEEE 754-2019 maximum and maximumNumber: zeros are ordered."""
    order = np.where(a == b, np.signbit(b) if larger else np.signbit(a), (a > b) if larger else (a < b))
    chosen = np.where(order, a, b)
    if nan_wins:
        return np.where(np.isnan(a) | np.isnan(b), np.nan, chosen)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, chosen))


BINARY = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": lambda a, b: minmax(a, b, True, True),
    "arith.minimumf": lambda a, b: minmax(a, b, False, True),
    "arith.maxnumf": lambda a, b: minmax(a, b, True, False),
    "arith.minnumf": lambda a, b: minmax(a, b, False, False),
    "arith.remf": np.fmod,
    "math.copysign": np.copysign,
}


def on_types(ops: Iterable[str], of_float8: Callable[[str], bool]) -> list[tuple[str, str]]:
    """Each op with each type that it has; 8-bit floats have few."""
    pairs = itertools.product(ops, NARROW + WIDE)
    return [(op, dtype) for op, dtype in pairs if dtype not in kernels.FLOAT8 or of_float8(op)]


@pytest.mark.parametrize("op, dtype", on_types(BINARY, lambda op: op not in ("arith.remf", "math.copysign")))
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_binary(op: str, dtype: str, isa: str) -> None:
    a, b = inputs(dtype)
    with np.errstate(all="ignore"):
        if dtype in WIDE:
            expected = BINARY[op](a, b).astype(kernels.DTYPES[dtype])
        else:
            expected = nearest(BINARY[op](a.astype(np.float64), b.astype(np.float64)), dtype)
    actual = kernels.elementwise(op, dtype, dtype, a, b, isa=isa)
    if op == "math.copysign":
        a, b, actual, expected = (x[~np.isnan(a.astype(np.float64))] for x in (a, b, actual, expected))
    kernels.assert_same(actual, expected, a, b)


def away_from_zero(x: np.ndarray) -> np.ndarray:
    whole = np.trunc(x)
    return np.copysign(np.abs(whole) + (np.abs(x - whole) >= 0.5), x)


UNARY = {
    "math.sqrt": np.sqrt,
    "tt.precise_sqrt": np.sqrt,
    "math.ceil": np.ceil,
    "math.floor": np.floor,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
    "math.round": away_from_zero,
    "arith.negf": np.negative,
    "math.absf": np.abs,
}


@pytest.mark.parametrize("op, dtype", on_types(UNARY, lambda op: op in ("arith.negf", "math.absf")))
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_unary(op: str, dtype: str, isa: str) -> None:
    x = kernels.every(dtype) if dtype in NARROW else inputs(dtype)[0]
    with np.errstate(all="ignore"):
        wide = UNARY[op](x.astype(np.float64))
        # Sign operations move bits, infinities of 8-bit formats included; everything else rounds.
        sign_only = op in ("arith.negf", "math.absf")
        expected = wide.astype(kernels.DTYPES[dtype]) if sign_only else nearest(wide, dtype)
    kernels.assert_same(kernels.elementwise(op, dtype, dtype, x, isa=isa), expected, x)


COMPARISONS = {
    1: lambda a, b: a == b,
    2: lambda a, b: a > b,
    3: lambda a, b: a >= b,
    4: lambda a, b: a < b,
    5: lambda a, b: a <= b,
    6: lambda a, b: (a < b) | (a > b),
    7: lambda a, b: (a == a) & (b == b),
}


@pytest.mark.parametrize("dtype", NARROW + WIDE)
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_comparisons(dtype: str, isa: str) -> None:
    a, b = inputs(dtype)
    x, y = a.astype(np.float64), b.astype(np.float64)
    # Predicate 15 - p is not the opposite of p: 8..14 are the unordered forms in the same order.
    opposite = {1: 13, 2: 12, 3: 11, 4: 10, 5: 9, 6: 8, 7: 14}
    for predicate, relation in COMPARISONS.items():
        expected = relation(x, y).astype(np.uint8)
        actual = kernels.elementwise("arith.cmpf", dtype, "i1", a, b, attribute=predicate, isa=isa)
        kernels.assert_same(actual, expected, a, b)
        actual = kernels.elementwise("arith.cmpf", dtype, "i1", a, b, attribute=opposite[predicate], isa=isa)
        kernels.assert_same(actual, 1 - expected, a, b)
    assert not kernels.elementwise("arith.cmpf", dtype, "i1", a, b, attribute=0, isa=isa).any()
    assert kernels.elementwise("arith.cmpf", dtype, "i1", a, b, attribute=15, isa=isa).all()


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_fma_rounds_once(dtype: str, isa: str) -> None:
    random = np.random.default_rng(13)
    kind = kernels.DTYPES[dtype]
    n = 20000
    raw = random.integers(0, 1 << 63, (3, n), dtype=np.uint64)
    a, b, c = (r.astype(kernels.BITS[np.dtype(kind).itemsize]).view(kind) for r in raw)
    # Half of the sums nearly cancel or meet a tie, where a second rounding would show.
    with np.errstate(all="ignore"):
        product = a[: n // 2].astype(np.float64) * b[: n // 2].astype(np.float64)
        c[: n // 2] = (-product * np.exp2(random.integers(-12, 13, n // 2))).astype(kind)
        x, y, z = (v.astype(np.float64) for v in (a, b, c))
        wide = x * y + z
    finite = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    for i in np.flatnonzero(finite):
        exact = Fraction(x[i]) * Fraction(y[i]) + Fraction(z[i])
        if exact != 0:
            wide[i] = to_odd(exact)
    expected = nearest(wide, dtype)
    kernels.assert_same(kernels.elementwise("math.fma", dtype, dtype, a, b, c, isa=isa), expected, a, b, c)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("isa", kernels.ISAS)
def test_clamp(dtype: str, isa: str) -> None:
    x, _ = inputs(dtype)
    kind = kernels.DTYPES[dtype]
    low, high = np.full(x.size, -1.5, kind), np.full(x.size, 2.25, kind)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
    clamped = np.clip(wide, -1.5, 2.25)
    keep = kernels.elementwise("tt.clampf", dtype, dtype, x, low, high, attribute=65535, isa=isa)
    kernels.assert_same(keep, nearest(clamped, dtype), x)
    drop = kernels.elementwise("tt.clampf", dtype, dtype, x, low, high, attribute=0, isa=isa)
    kernels.assert_same(drop, nearest(np.where(np.isnan(wide), -1.5, clamped), dtype), x)
