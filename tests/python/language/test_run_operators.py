"""Operators and conversions, run and compared with NumPy in the type that the rules give."""

import warnings

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.language.types import type_from_signature
from trisect.language.typing_rules import binary_type, true_division_type

N = 64
NUMPY = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
    "u32": np.uint32, "u64": np.uint64, "fp16": np.float16, "fp32": np.float32, "fp64": np.float64,
}  # fmt: skip
OF_TYPE = {type_from_signature(name): dtype for name, dtype in NUMPY.items()}
INTS = [name for name in NUMPY if name[0] in "iu"]


def sample(name, seed, low=None, high=None):
    """N values of a type; small enough for products of narrow ones to be told from wrapped ones."""
    generator = np.random.default_rng(seed)
    dtype = NUMPY[name]
    if name.startswith("fp"):
        return generator.normal(size=N).astype(dtype)
    info = np.iinfo(dtype)
    return generator.integers(
        low if low is not None else info.min, high or info.max, N, dtype=dtype, endpoint=True
    )


@triton.jit
def binary(o, x, y, OP: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    if OP == "+":
        c = a + b
    elif OP == "-":
        c = a - b
    elif OP == "*":
        c = a * b
    elif OP == "/":
        c = a / b
    elif OP == "//":
        c = a // b
    elif OP == "%":
        c = a % b
    elif OP == "&":
        c = a & b
    elif OP == "|":
        c = a | b
    elif OP == "^":
        c = a ^ b
    elif OP == "<<":
        c = a << b
    elif OP == ">>":
        c = a >> b
    elif OP == "<":
        c = (a < b).to(tl.int8)
    elif OP == "<=":
        c = (a <= b).to(tl.int8)
    elif OP == "==":
        c = (a == b).to(tl.int8)
    elif OP == "!=":
        c = (a != b).to(tl.int8)
    elif OP == ">":
        c = (a > b).to(tl.int8)
    elif OP == ">=":
        c = (a >= b).to(tl.int8)
    elif OP == "max":
        c = tl.maximum(a, b)
    else:
        c = tl.minimum(a, b)
    tl.store(o + i, c)


def launched(operator, x, y, out_dtype):
    out = np.zeros(N, out_dtype)
    binary[(1,)](out, x, y, operator, N)
    return out


_PYTHON = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "&": np.bitwise_and, "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal, ">": np.greater,
    ">=": np.greater_equal,
    "max": np.fmax, "min": np.fmin,
}  # fmt: skip
PAIRS = [(a, b) for a in NUMPY for b in NUMPY]


@pytest.mark.parametrize("a,b", PAIRS)
@pytest.mark.parametrize("operator", ["+", "*", "<", "max"])
def test_every_pair_of_types(a, b, operator):
    x, y = sample(a, 1), sample(b, 2)
    common = OF_TYPE[binary_type(type_from_signature(a), type_from_signature(b))]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = _PYTHON[operator](x.astype(common), y.astype(common))
    out = launched(operator, x, y, np.int8 if operator == "<" else common)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("ty", NUMPY)
@pytest.mark.parametrize("operator", ["-", "<=", "==", "!=", ">", ">=", "min"])
def test_other_operators(ty, operator):
    x, y = sample(ty, 3), sample(ty, 4)
    y[::4] = x[::4]
    with np.errstate(all="ignore"):
        expected = _PYTHON[operator](x, y)
    out = launched(operator, x, y, np.int8 if operator in "<= == != > >=".split() else NUMPY[ty])
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("ty", INTS)
@pytest.mark.parametrize("operator", ["&", "|", "^"])
def test_bits(ty, operator):
    x, y = sample(ty, 5), sample(ty, 6)
    np.testing.assert_array_equal(launched(operator, x, y, NUMPY[ty]), _PYTHON[operator](x, y))


@pytest.mark.parametrize("ty", INTS)
def test_shifts(ty):
    x, y = sample(ty, 7), sample(ty, 8, 0, np.iinfo(NUMPY[ty]).bits - 1)
    np.testing.assert_array_equal(launched("<<", x, y, NUMPY[ty]), np.left_shift(x, y))
    np.testing.assert_array_equal(launched(">>", x, y, NUMPY[ty]), np.right_shift(x, y))


@pytest.mark.parametrize("ty", INTS)
def test_integer_division_rounds_to_zero(ty):
    x, y = sample(ty, 9), sample(ty, 10, 1, 100)
    pairs = [(int(p), int(q)) for p, q in zip(x, y, strict=True)]
    quotient = np.array([abs(p) // q * (1 if p >= 0 else -1) for p, q in pairs])
    remainder = [p - int(c) * q for (p, q), c in zip(pairs, quotient, strict=True)]
    np.testing.assert_array_equal(launched("//", x, y, NUMPY[ty]), quotient.astype(NUMPY[ty]))
    np.testing.assert_array_equal(launched("%", x, y, NUMPY[ty]), np.array(remainder).astype(NUMPY[ty]))


@pytest.mark.parametrize(
    "a,b", [pair for pair in PAIRS if {ty[0] for ty in pair} != {"i", "u"}], ids=lambda ty: ty
)
def test_true_division(a, b):
    x, y = sample(a, 11), sample(b, 12)
    y[y == 0] = 1
    common = OF_TYPE[true_division_type(type_from_signature(a), type_from_signature(b))]
    with np.errstate(all="ignore"):
        expected = x.astype(common) / y.astype(common)
    np.testing.assert_array_equal(launched("/", x, y, common), expected)


@pytest.mark.parametrize("ty", ["fp32", "fp64"])
def test_float_remainder_keeps_the_sign_of_the_dividend(ty):
    x, y = sample(ty, 13) * 10, sample(ty, 14)
    np.testing.assert_array_equal(launched("%", x, y, NUMPY[ty]), np.fmod(x, y))


@triton.jit
def convert(o, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i).to(o.dtype.element_ty))


@pytest.mark.parametrize("a,b", PAIRS)
def test_conversions_by_value(a, b):
    x = sample(a, 15)
    if a.startswith("fp") and not b.startswith("fp"):
        x = np.abs(x * 20).astype(NUMPY[a])
    out = np.zeros(N, NUMPY[b])
    convert[(1,)](out, x, N)
    with np.errstate(all="ignore"):
        expected = x.astype(NUMPY[b])
        if b == "fp16" and not a.startswith("fp"):
            expected = x.astype(np.float64).astype(np.float16) if a not in ("i64", "u64") else expected
    np.testing.assert_array_equal(out, expected)


@triton.jit
def unary(o, x, OP: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    if OP == "-":
        tl.store(o + i, -a)
    elif OP == "~":
        tl.store(o + i, ~a)
    elif OP == "not":
        tl.store(o + i, (not (a != 0)).to(tl.int8))
    else:
        tl.store(o + i, tl.abs(a))


@pytest.mark.parametrize("ty", NUMPY)
def test_unary(ty):
    x = sample(ty, 16)
    x[:4] = 0
    cases = {"-": np.negative(x), "not": (x == 0).astype(np.int8), "abs": np.abs(x)}
    if ty in INTS:
        cases["~"] = np.invert(x)
    for operator, expected in cases.items():
        out = np.zeros(N, expected.dtype)
        unary[(1,)](out, x, operator, N)
        np.testing.assert_array_equal(out, expected)


@triton.jit
def bit_casts(o, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i).to(o.dtype.element_ty, bitcast=True))


@pytest.mark.parametrize(
    "a,b", [("fp32", "i32"), ("i32", "fp32"), ("fp16", "u16"), ("fp64", "i64"), ("i8", "u8")]
)
def test_conversions_by_bits(a, b):
    x, out = sample(a, 17), np.zeros(N, NUMPY[b])
    bit_casts[(1,)](out, x, N)
    np.testing.assert_array_equal(out.view(np.uint8), x.view(np.uint8))


@triton.jit
def fp8_round_trip(o, x, DT: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i).to(DT).to(tl.float32))


def nearest(x, mantissa, smallest):
    """x rounded to nearest, ties to even, with `mantissa` bits and subnormals below `smallest`."""
    _, exponent = np.frexp(x)
    step = np.exp2(np.maximum(exponent - 1, np.log2(smallest)) - mantissa)
    return (np.round(x / step) * step).astype(np.float32)


@pytest.mark.parametrize(
    "dt,mantissa,smallest",
    [
        (tl.float8e5, 2, 2.0**-14),
        (tl.float8e4nv, 3, 2.0**-6),
        (tl.float8e4b8, 3, 2.0**-7),
        (tl.float8e5b16, 2, 2.0**-15),
    ],
)
def test_fp8_rounds_to_nearest_even(dt, mantissa, smallest):
    x = sample("fp32", 18) * np.exp2(np.random.default_rng(1).integers(-8, 5, N)).astype(np.float32)
    out = np.zeros(N, np.float32)
    fp8_round_trip[(1,)](out, x, dt, N)
    np.testing.assert_array_equal(out, nearest(x.astype(np.float64), mantissa, smallest))


def test_fp8e4b15_is_converted_by_bits():
    x = np.linspace(-2.0, 2.0, N, dtype=np.float32)
    out = np.zeros(N, np.float32)
    fp8_round_trip[(1,)](out, x, tl.float8e4b15, N)
    clipped = np.clip(x, -1.875, 1.875)
    assert np.all(np.abs(out - clipped) <= np.maximum(np.abs(clipped) * 2.0**-4, 2.0**-18))
