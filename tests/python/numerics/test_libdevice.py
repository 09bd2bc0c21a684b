"""Libdevice functions by name: all are there, and each is within its stated ULP of mpmath.

What: floats in f32 and f64 against mpmath at 200 bits, integers against Python, directed roundings against
exact fractions.
"""

import ctypes
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
import ulp

import kernels
from trisect.language.extra.libdevice_table import TABLE

mp = mpmath.mp.clone()
mp.prec = 200


def symbols() -> dict[str, tuple[str, str]]:
    buffer = ctypes.create_string_buffer(1 << 20)
    kernels.library.trisect_extern_symbols(buffer, len(buffer))
    rows = (line.split() for line in buffer.value.decode().splitlines())
    return {symbol: (operand, result) for symbol, operand, result in rows}


SYMBOLS = symbols()

#: The generic names of triton.language.extra.libdevice; each must be there for every type it has.
FLOAT_NAMES = """
    fabs floor rsqrt ceil trunc exp2 sqrt rint nearbyint copysign nextafter sin cos sinpi cospi tan
    log2 exp exp10 cosh sinh tanh atan2 atan asin acos log log10 log1p acosh asinh atanh expm1 hypot
    rhypot norm3d rnorm3d norm4d rnorm4d cbrt rcbrt j0 j1 y0 y1 yn jn cyl_bessel_i0 cyl_bessel_i1
    erf erfinv erfc erfcx erfcinv normcdfinv normcdf lgamma ldexp scalbn fmod remainder fma pow
    tgamma round llround llrint fdim ilogb logb fmin fmax
""".split()
SINGLE_NAMES = """
    clz clzll popc popcll byte_perm mulhi umulhi mul64hi umul64hi mul24 umul24 brev brevll sad usad
    abs llabs rcp64h saturatef fast_fdividef fast_sinf fast_cosf fast_log2f fast_logf fast_expf
    fast_tanhf fast_tanf fast_exp10f fast_log10f fast_powf hadd rhadd uhadd urhadd frsqrt_rn ffs
    ffsll hiloint2double double2loint double2hiint int_as_float float_as_int uint_as_float
    float_as_uint longlong_as_double double_as_longlong isnanf isnand signbitf signbitd finitef
    isfinited isinff isinfd int2double_rn uint2double_rn min max
""".split()
CONVERSIONS = """
    double2float double2int double2uint float2int float2uint int2float uint2float float2ll float2ull
    double2ll double2ull ll2float ull2float ll2double ull2double
""".split()


def test_every_name_is_there() -> None:
    wanted = {f"__nv_{name}" for name in SINGLE_NAMES}
    wanted |= {f"__nv_{name}{suffix}" for name in FLOAT_NAMES for suffix in ("", "f")}
    for mode in ("rn", "rz", "rd", "ru"):
        wanted |= {f"__nv_{name}_{mode}" for name in CONVERSIONS}
        wanted |= {f"__nv_{t}{op}_{mode}" for t in "fd" for op in ("add", "sub", "mul", "div", "rcp", "sqrt")}
        wanted |= {f"__nv_fma_{mode}", f"__nv_fmaf_{mode}"}
    assert wanted - SYMBOLS.keys() == set()


def everyday(low: float, high: float) -> Callable[[np.random.Generator, int], np.ndarray]:
    return lambda random, n: random.uniform(low, high, n)


def spread(random: np.random.Generator, n: int) -> np.ndarray:
    return random.standard_normal(n) * np.exp2(random.uniform(-20, 6, n))


def positive(random: np.random.Generator, n: int) -> np.ndarray:
    return np.abs(spread(random, n))


#: stem: (reference, sample, ULP in f32, ULP in f64)
FLOATS = {
    "exp10": (lambda x: mp.power(10, x), everyday(-37, 38), 0.51, 2),
    "sinpi": (mp.sinpi, everyday(-9, 9), 0.51, 2),
    "cospi": (mp.cospi, everyday(-9, 9), 0.51, 3),
    "erfc": (mp.erfc, everyday(-3, 9), 0.51, 5),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), everyday(-3, 60), 0.51, 8),
    "normcdf": (mp.ncdf, everyday(-5, 5), 0.51, 5),
    "normcdfinv": (lambda p: -mp.sqrt(2) * mp.erfinv(1 - 2 * p), everyday(1e-5, 0.9999), 0.51, 12),
    "erfinv": (mp.erfinv, everyday(-0.9999, 0.9999), 0.51, 6),
    "erfcinv": (lambda x: mp.erfinv(1 - x), everyday(1e-4, 1.9999), 0.51, 8),
    "rcbrt": (lambda x: mp.sign(x) / mp.cbrt(abs(x)), spread, 0.51, 2),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), everyday(3, 60), 0.51, 5),
    "tgamma": (mp.gamma, everyday(0.1, 30), 0.51, 10),
    "j0": (lambda x: mp.besselj(0, x), everyday(-2, 2), 0.51, 5),
    "j1": (lambda x: mp.besselj(1, x), everyday(0.1, 3), 0.51, 5),
    "y0": (lambda x: mp.bessely(0, x), everyday(2, 3.5), 0.51, 5),
    "y1": (lambda x: mp.bessely(1, x), everyday(0.1, 2), 0.51, 8),
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), everyday(-80, 80), 0.51, 16),
    "cyl_bessel_i1": (lambda x: mp.besseli(1, x), everyday(-80, 80), 0.51, 16),
    "logb": (lambda x: mp.floor(mp.log(abs(x), 2)), spread, 0, 0),
}


def check(symbol: str, dtype: str, reference: Callable, limit: float, *arrays: np.ndarray) -> None:
    actual = kernels.elementwise(symbol, SYMBOLS[symbol][0], dtype, *arrays)
    exact = [reference(*(mp.mpf(float(v)) for v in row)) for row in zip(*arrays, strict=True)]
    units = ulp.unit(np.array([float(e) for e in exact]), dtype)
    errors = [abs(mp.mpf(float(a)) - e) / u for a, e, u in zip(actual, exact, units, strict=True)]
    i = max(range(len(errors)), key=errors.__getitem__)
    given = ", ".join(repr(a[i]) for a in arrays)
    assert errors[i] <= limit, f"{symbol}({given}) = {actual[i]!r}: {float(errors[i]):.3f} ULP"


@pytest.mark.parametrize("stem", FLOATS)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_one_argument(stem: str, dtype: str) -> None:
    reference, sample, single, double = FLOATS[stem]
    x = sample(np.random.default_rng(1), 400).astype(kernels.DTYPES[dtype])
    symbol = f"__nv_{stem}" + ("f" if dtype == "f32" else "")
    check(symbol, dtype, reference, single if dtype == "f32" else double, x)


NORMS = {"hypot": 2, "norm3d": 3, "norm4d": 4}


@pytest.mark.parametrize("stem", NORMS)
@pytest.mark.parametrize("reciprocal", [False, True])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_norms(stem: str, reciprocal: bool, dtype: str) -> None:
    random = np.random.default_rng(2)
    arrays = [spread(random, 300).astype(kernels.DTYPES[dtype]) for _ in range(NORMS[stem])]

    def exact(*values: mpmath.mpf) -> mpmath.mpf:
        norm = mp.sqrt(sum(v * v for v in values))
        return 1 / norm if reciprocal else norm

    symbol = f"__nv_{'r' if reciprocal else ''}{stem}" + ("f" if dtype == "f32" else "")
    check(symbol, dtype, exact, 0.51 if dtype == "f32" else 3, *arrays)


def test_bessel_of_an_order() -> None:
    order = np.arange(64, dtype=np.int32) % 6
    x = np.linspace(5.0, 7.0, 64)
    actual = kernels.elementwise("__nv_jn", "i32", "f64", order, x)
    exact = np.array([float(mp.besselj(int(n), float(v))) for n, v in zip(order, x, strict=True)])
    np.testing.assert_allclose(actual, exact, rtol=0, atol=1e-15)
    actual = kernels.elementwise("__nv_ynf", "i32", "f32", order, x.astype(np.float32))
    exact = np.array([float(mp.bessely(int(n), float(np.float32(v)))) for n, v in zip(order, x, strict=True)])
    np.testing.assert_allclose(actual, exact, rtol=1e-6, atol=1e-7)


EDGES = np.array([0, -0.0, 1, -1, 2.5, 3.5, -0.5, 1e30, -1e30, np.inf, -np.inf, np.nan], np.float32)


def test_classes_and_edges() -> None:
    def run(symbol: str) -> list:
        return kernels.elementwise(symbol, "f32", SYMBOLS[symbol][1], EDGES).tolist()

    assert run("__nv_isnanf") == np.isnan(EDGES).astype(int).tolist()
    assert run("__nv_isinff") == np.isinf(EDGES).astype(int).tolist()
    assert run("__nv_finitef") == np.isfinite(EDGES).astype(int).tolist()
    assert run("__nv_signbitf")[:9] == np.signbit(EDGES).astype(int).tolist()[:9]
    low, high = -(1 << 63), (1 << 63) - 1
    assert run("__nv_llrintf") == [0, 0, 1, -1, 2, 4, 0, high, low, high, low, 0]
    assert run("__nv_llroundf") == [0, 0, 1, -1, 3, 4, -1, high, low, high, low, 0]
    least, most = -(1 << 31), (1 << 31) - 1
    assert run("__nv_ilogbf") == [least, least, 0, 0, 1, 1, -1, 99, 99, most, most, least]
    assert run("__nv_saturatef") == [0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0]
    assert run("__nv_float2int_rn") == [0, 0, 1, -1, 2, 4, 0, most, least, most, least, 0]
    assert run("__nv_float2int_rd") == [0, 0, 1, -1, 2, 3, -1, most, least, most, least, 0]
    assert run("__nv_float2int_ru") == [0, 0, 1, -1, 3, 4, 0, most, least, most, least, 0]


def signed32(x: int) -> int:
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


INTEGERS = {
    "clz": lambda a: 32 - (a % (1 << 32)).bit_length(),
    "popc": lambda a: (a % (1 << 32)).bit_count(),
    "ffs": lambda a: ((a & -a) % (1 << 32)).bit_length(),
    "brev": lambda a: signed32(int(f"{a % (1 << 32):032b}"[::-1], 2)),
    "mulhi": lambda a, b: (a * b) >> 32,
    "umulhi": lambda a, b: signed32(((a % (1 << 32)) * (b % (1 << 32))) >> 32),
    "umul24": lambda a, b: signed32((a & 0xFFFFFF) * (b & 0xFFFFFF)),
    "mul24": lambda a, b: signed32(low24(a) * low24(b)),
    "sad": lambda a, b, c: signed32(abs(a - b) + c),
    "usad": lambda a, b, c: signed32(abs(a % (1 << 32) - b % (1 << 32)) + c),
    "hadd": lambda a, b: (a + b) >> 1,
    "rhadd": lambda a, b: (a + b + 1) >> 1,
    "uhadd": lambda a, b: signed32((a % (1 << 32) + b % (1 << 32)) >> 1),
    "urhadd": lambda a, b: signed32((a % (1 << 32) + b % (1 << 32) + 1) >> 1),
    "abs": lambda a: signed32(abs(a)),
    "min": min,
    "max": max,
    "byte_perm": lambda a, b, c: signed32(permuted(a, b, c)),
}


def low24(a: int) -> int:
    return ((a & 0xFFFFFF) ^ 0x800000) - 0x800000


def permuted(a: int, b: int, selector: int) -> int:
    data = (a % (1 << 32)).to_bytes(4, "little") + (b % (1 << 32)).to_bytes(4, "little")
    return int.from_bytes(bytes(data[selector >> (4 * i) & 7] for i in range(4)), "little")


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str) -> None:
    random = np.random.default_rng(4)
    function = INTEGERS[name]
    count = {"sad": 3, "usad": 3, "byte_perm": 3, "min": 2, "max": 2}.get(
        name
    ) or function.__code__.co_argcount
    edges = np.array([0, 1, -1, 2**31 - 1, -(2**31), 2**24, -(2**23)])
    arrays = []
    for i in range(count):
        values = random.integers(-(2**31), 2**31, 500)
        values[: edges.size] = np.roll(edges, i)
        arrays.append(values.astype(np.int32))
    actual = kernels.elementwise(f"__nv_{name}", "i32", "i32", *arrays)
    rows = zip(*(a.tolist() for a in arrays), strict=True)
    assert actual.tolist() == [function(*row) for row in rows]


def neighbour(exact: Fraction, dtype: type, mode: str) -> float:
    """The value of the format next to an exact number in the given direction."""
    value = dtype(float(exact))
    down = mode == "rd" or (mode == "rz" and exact >= 0)
    while Fraction(float(value)) > exact:
        value = np.nextafter(value, dtype(-np.inf))
    while Fraction(float(np.nextafter(value, dtype(np.inf)))) <= exact:
        value = np.nextafter(value, dtype(np.inf))
    if down or Fraction(float(value)) == exact:
        return float(value)
    return float(np.nextafter(value, dtype(np.inf)))


ARITHMETIC = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "rcp": lambda a: 1 / a,
}


@pytest.mark.parametrize("op", ARITHMETIC)
@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_directed_arithmetic(op: str, mode: str, dtype: str) -> None:
    random = np.random.default_rng(5)
    kind = kernels.DTYPES[dtype]
    arrays = [spread(random, 300).astype(kind) for _ in range(ARITHMETIC[op].__code__.co_argcount)]
    symbol = f"__nv_{'f' if dtype == 'f32' else 'd'}{op}_{mode}"
    actual = kernels.elementwise(symbol, dtype, dtype, *arrays)
    for i, row in enumerate(zip(*arrays, strict=True)):
        exact = ARITHMETIC[op](*(Fraction(float(v)) for v in row))
        assert actual[i] == neighbour(exact, kind, mode), (symbol, row)


@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
@pytest.mark.parametrize(
    "symbol", ["ll2float", "ull2float", "ll2double", "ull2double", "int2float", "uint2float"]
)
def test_directed_casts(symbol: str, mode: str) -> None:
    full = f"__nv_{symbol}_{mode}"
    operand, result = SYMBOLS[full]
    bits = 64 if operand == "i64" else 32
    x = (
        np.random.default_rng(6)
        .integers(-(2 ** (bits - 1)), 2 ** (bits - 1), 300)
        .astype(kernels.DTYPES[operand])
    )
    actual = kernels.elementwise(full, operand, result, x)
    for given, got in zip(x.tolist(), actual, strict=True):
        exact = given % (1 << bits) if symbol.startswith("u") else given
        assert got == neighbour(Fraction(exact), kernels.DTYPES[result], mode), (full, given)


@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_directed_fma_and_sqrt(mode: str, dtype: str) -> None:
    random = np.random.default_rng(8)
    kind = kernels.DTYPES[dtype]
    a, b, c = (spread(random, 300).astype(kind) for _ in range(3))
    actual = kernels.elementwise(f"__nv_fma{'f' if dtype == 'f32' else ''}_{mode}", dtype, dtype, a, b, c)
    for x, y, z, got in zip(a, b, c, actual, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert got == neighbour(exact, kind, mode), (x, y, z)
    a = np.abs(a)
    actual = kernels.elementwise(f"__nv_{dtype[0] if dtype == 'f32' else 'd'}sqrt_{mode}", dtype, dtype, a)
    for x, got in zip(a, actual, strict=True):
        # The root lies between the result and its neighbour on the other side.
        other = np.nextafter(got, kind(np.inf if mode != "ru" else 0))
        low, high = sorted((Fraction(float(got)) ** 2, Fraction(float(other)) ** 2))
        assert low <= Fraction(float(x)) <= high and Fraction(float(x)) != Fraction(float(other)) ** 2, x


@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
def test_directed_double_to_float(mode: str) -> None:
    x = spread(np.random.default_rng(9), 400)
    actual = kernels.elementwise(f"__nv_double2float_{mode}", "f64", "f32", x)
    for given, got in zip(x, actual, strict=True):
        assert got == neighbour(Fraction(float(given)), np.float32, mode), given


def test_types_that_the_verifier_knows():
    """Of each function that tier 0 has or the language calls: operand and result, and the language's own."""
    text = (Path(__file__).parents[3] / "core/ir/Libdevice.def").read_text()
    known = {f"__nv_{name}": types for name, types in re.findall(r"^LIBDEVICE\((\w+), (\w+)\)$", text, re.M)}
    letters = {"f32": "f", "f64": "d", "i32": "i", "i64": "l"}
    letters |= {"fp32": "f", "fp64": "d", "int32": "i", "int64": "l", "uint32": "i", "uint64": "l"}
    called = {
        symbol: "".join(letters[str(t)] for t in (result, *operands))
        for rows in TABLE.values()
        for operands, (symbol, result) in rows.items()
    }
    assert {symbol: known.get(symbol) for symbol in called} == called
    own = {symbol: types for symbol, types in SYMBOLS.items() if symbol.startswith("__nv_")}
    assert {symbol: known.get(symbol, "")[:2] for symbol in own} == {
        symbol: letters[result] + letters[operand] for symbol, (operand, result) in own.items()
    }
