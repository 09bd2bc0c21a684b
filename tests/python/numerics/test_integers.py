"""Integer ops against Python's integers, for all pairs of 8-bit values and edge pairs of the wider types.

What: wrapping, signed and unsigned meaning, and the defined results where TTIR leaves one open: x / 0 is
all ones, x % 0 is x, INT_MIN / -1 is INT_MIN, a shift by the width or more moves every bit out.
"""

from fractions import Fraction

import numpy as np
import pytest
from rounding import nearest, to_odd

import kernels

BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


def operands(dtype: str) -> tuple[list[int], list[int]]:
    """Signed values."""
    bits = BITS[dtype]
    if bits == 8:
        values = range(-128, 128)
        return [a for a in values for _ in values], [b for _ in values for b in values]
    random = np.random.default_rng(1)
    limit = 1 << (bits - 1)
    edges = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        -7,
        10,
        bits - 1,
        bits,
        bits + 1,
        limit - 1,
        -limit,
        limit // 2,
        1 - limit,
    ]
    small = random.integers(-100, 100, 200).tolist()
    wide = [int.from_bytes(random.bytes(8), "little", signed=True) % (2 * limit) - limit for _ in range(200)]
    values = edges + small + wide
    return [a for a in values for _ in values], [b for _ in values for b in values]


def quotient(a: int, b: int) -> int:
    """Truncated; -1 for a divisor of 0."""
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return a - quotient(a, b) * b if b else a


#: op: (of signed values, of unsigned values); one of them is None
OPS = {
    "arith.addi": (lambda a, b, n: a + b, None),
    "arith.subi": (lambda a, b, n: a - b, None),
    "arith.muli": (lambda a, b, n: a * b, None),
    "arith.divsi": (lambda a, b, n: quotient(a, b), None),
    "arith.remsi": (lambda a, b, n: remainder(a, b), None),
    "arith.floordivsi": (lambda a, b, n: a // b if b else -1, None),
    "arith.ceildivsi": (lambda a, b, n: -(-a // b) if b else -1, None),
    "arith.divui": (None, lambda a, b, n: a // b if b else -1),
    "arith.remui": (None, lambda a, b, n: a % b if b else a),
    "arith.ceildivui": (None, lambda a, b, n: -(-a // b) if b else -1),
    "arith.andi": (lambda a, b, n: a & b, None),
    "arith.ori": (lambda a, b, n: a | b, None),
    "arith.xori": (lambda a, b, n: a ^ b, None),
    "arith.minsi": (lambda a, b, n: min(a, b), None),
    "arith.maxsi": (lambda a, b, n: max(a, b), None),
    "arith.minui": (None, lambda a, b, n: min(a, b)),
    "arith.maxui": (None, lambda a, b, n: max(a, b)),
    "arith.shli": (None, lambda a, b, n: a << b if b < n else 0),
    "arith.shrui": (None, lambda a, b, n: a >> b if b < n else 0),
    "arith.shrsi": (lambda a, b, n: a >> (b if 0 <= b < n else n - 1), None),
    "tt.mulhiui": (None, lambda a, b, n: a * b >> n),
}
UNARY = {
    "math.absi": (lambda a, n: abs(a), None),
    "math.ctlz": (None, lambda a, n: n - a.bit_length()),
    "math.cttz": (None, lambda a, n: (a & -a).bit_length() - 1 if a else n),
    "math.ctpop": (None, lambda a, n: a.bit_count()),
}


def wrapped(values: list[int], dtype: str) -> np.ndarray:
    bits = BITS[dtype]
    return np.array([v % (1 << bits) for v in values], f"u{bits // 8}").view(kernels.DTYPES[dtype])


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("dtype", BITS)
def test_binary(op: str, dtype: str) -> None:
    a, b = operands(dtype)
    n = BITS[dtype]
    signed, unsigned = OPS[op]
    if signed:
        expected = [signed(x, y, n) for x, y in zip(a, b, strict=True)]
    else:
        expected = [unsigned(x % (1 << n), y % (1 << n), n) for x, y in zip(a, b, strict=True)]
    x, y = wrapped(a, dtype), wrapped(b, dtype)
    for isa in kernels.ISAS:
        kernels.assert_same(
            kernels.elementwise(op, dtype, dtype, x, y, isa=isa), wrapped(expected, dtype), x, y
        )


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("dtype", BITS)
def test_unary(op: str, dtype: str) -> None:
    values = sorted(set(operands(dtype)[0]))
    n = BITS[dtype]
    signed, unsigned = UNARY[op]
    expected = [signed(v, n) if signed else unsigned(v % (1 << n), n) for v in values]
    x = wrapped(values, dtype)
    for isa in kernels.ISAS:
        kernels.assert_same(kernels.elementwise(op, dtype, dtype, x, isa=isa), wrapped(expected, dtype), x)


@pytest.mark.parametrize("dtype", BITS)
def test_comparisons(dtype: str) -> None:
    a, b = operands(dtype)
    n = BITS[dtype]
    x, y = wrapped(a, dtype), wrapped(b, dtype)
    relations = [
        lambda p, q: p == q,
        lambda p, q: p != q,
        lambda p, q: p < q,
        lambda p, q: p <= q,
        lambda p, q: p > q,
        lambda p, q: p >= q,
    ]
    for predicate in range(10):
        relation = relations[predicate if predicate < 6 else predicate - 4]
        wrap = (1 << n) if predicate >= 6 else None
        expected = [
            relation(p % wrap, q % wrap) if wrap else relation(p, q) for p, q in zip(a, b, strict=True)
        ]
        for isa in kernels.ISAS:
            actual = kernels.elementwise("arith.cmpi", dtype, "i1", x, y, attribute=predicate, isa=isa)
            kernels.assert_same(actual, np.array(expected, np.uint8), x, y)


FLOATS = ["f16", "bf16", "f32", "f64"]


@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("op", ["arith.sitofp", "arith.uitofp"])
def test_to_float(dtype: str, to: str, op: str) -> None:
    values = sorted(set(operands(dtype)[0]))
    # Ties and their neighbours, where a second rounding would show.
    n = BITS[dtype]
    values += [
        (2**k + 2 ** (k - p)) + d
        for k in range(12, n - 1)
        for p in (8, 9, 11, 12, 24, 25)
        if p <= k
        for d in (-1, 0, 1)
    ]
    x = wrapped(values, dtype)
    given = [v if op == "arith.sitofp" else v % (1 << n) for v in (int(w) for w in x)]
    exact = np.array([float(v) if to == "f64" else to_odd(Fraction(v)) for v in given])
    for isa in kernels.ISAS:
        kernels.assert_same(kernels.elementwise(op, dtype, to, x, isa=isa), nearest(exact, to), x)


@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("op", ["arith.fptosi", "arith.fptoui"])
def test_from_float(dtype: str, source: str, op: str) -> None:
    """Towards zero, saturating, NaN to 0."""
    n = BITS[dtype]
    random = np.random.default_rng(2)
    scale = np.exp2(random.uniform(-3, 70, 5000))
    with np.errstate(all="ignore"):
        x = (random.standard_normal(5000) * scale).astype(kernels.DTYPES[source])
        edges = [0.0, -0.0, 0.5, -0.5, 0.99, -1, np.inf, -np.inf, np.nan]
        edges += [
            s * 2.0**k + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for s in (1, -1) for d in (-1, 0, 1, 0.5)
        ]
        x = np.concatenate([x, np.array(edges).astype(x.dtype)])
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if op == "arith.fptosi" else (0, (1 << n) - 1)

    def exact(value: float) -> int:
        if np.isnan(value):
            return 0
        return low if value <= low else high if value >= high else int(value)

    expected = wrapped([exact(float(v)) for v in x], dtype)
    for isa in kernels.ISAS:
        kernels.assert_same(kernels.elementwise(op, source, dtype, x, isa=isa), expected, x)
