"""What every libdevice function computes: a reference for each name, for all types that it takes.

Limits: floats are compared to a few units, directed roundings and integers exactly; how close each function
is to the exact value is the matter of tests/python/numerics.
"""

import math
import operator
from fractions import Fraction

import mpmath as mp
import numpy as np

from trisect.language.extra.libdevice_table import TABLE

TYPES = {
    "int32": np.int32, "uint32": np.uint32, "int64": np.int64, "uint64": np.uint64, "fp32": np.float32,
    "fp64": np.float64,
}  # fmt: skip
NAMES = set(TABLE)
POSITIVE, UNIT, INNER = (0.2, 3.0), (0.01, 0.99), (-0.95, 0.95)
#: Where the first argument lies; elsewhere between -3 and 3.
DOMAINS = {
    **dict.fromkeys("asin acos atanh erfinv".split(), INNER),
    **dict.fromkeys("normcdfinv erfcinv".split(), UNIT),
    **dict.fromkeys(
        "log log2 log10 sqrt rsqrt rsqrt_rn lgamma tgamma y0 y1 pow log1p logb ilogb fast_logf fast_log2f "
        "fast_log10f fast_powf sqrt_rn sqrt_rz sqrt_rd sqrt_ru rcp64h".split(),
        POSITIVE,
    ),
    "acosh": (1.1, 5.0),
}  # fmt: skip


def half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def norm(*values):
    return math.sqrt(sum(v * v for v in values))


def bits_of(x, kind):
    return x.view(kind)


FLOATS = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "nearbyint": round,
    "round": half_away, "llrint": round, "llround": half_away, "exp2": lambda x: 2.0**x, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x), "rsqrt_rn": lambda x: 1 / math.sqrt(x), "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "sinpi": lambda x: float(mp.sinpi(x)),
    "cospi": lambda x: float(mp.cospi(x)), "log": math.log, "log2": math.log2, "log10": math.log10,
    "log1p": math.log1p, "exp": math.exp, "exp10": lambda x: 10.0**x, "expm1": math.expm1,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh, "cbrt": np.cbrt,
    "rcbrt": lambda x: 1 / np.cbrt(x), "j0": lambda x: mp.besselj(0, x), "j1": lambda x: mp.besselj(1, x),
    "y0": lambda x: mp.bessely(0, x), "y1": lambda x: mp.bessely(1, x), "jn": mp.besselj, "yn": mp.bessely,
    "cyl_bessel_i0": lambda x: mp.besseli(0, x), "cyl_bessel_i1": lambda x: mp.besseli(1, x),
    "erf": math.erf, "erfc": math.erfc, "erfinv": mp.erfinv,
    "erfcx": lambda x: math.exp(x * x) * math.erfc(x),
    "erfcinv": lambda x: mp.erfinv(1 - x), "normcdf": mp.ncdf,
    "normcdfinv": lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), "lgamma": math.lgamma, "tgamma": math.gamma,
    "logb": lambda x: math.floor(math.log2(abs(x))), "ilogb": lambda x: math.floor(math.log2(abs(x))),
    "copysign": math.copysign, "atan2": math.atan2, "hypot": norm, "rhypot": lambda *v: 1 / norm(*v),
    "norm3d": norm, "rnorm3d": lambda *v: 1 / norm(*v), "norm4d": norm, "rnorm4d": lambda *v: 1 / norm(*v),
    "fmod": math.fmod, "remainder": math.remainder, "pow": operator.pow, "fdim": lambda x, y: max(x - y, 0),
    "fma": lambda x, y, z: float(Fraction(x) * Fraction(y) + Fraction(z)), "ldexp": math.ldexp,
    "scalbn": math.ldexp, "fast_powf": operator.pow, "fast_dividef": operator.truediv,
    "saturatef": lambda x: min(max(x, 0.0), 1.0), "isnan": math.isnan, "isinf": math.isinf,
    "signbit": lambda x: math.copysign(1, x) < 0, "finitef": math.isfinite, "isfinited": math.isfinite,
}  # fmt: skip
FLOATS |= {f"fast_{name}f": FLOATS[name] for name in "sin cos tan log log2 log10 exp exp10 tanh".split()}


def low24(a):
    return ((a & 0xFFFFFF) ^ 0x800000) - 0x800000


def permuted(a, b, selector):
    data = (a % 2**32).to_bytes(4, "little") + (b % 2**32).to_bytes(4, "little")
    return int.from_bytes(bytes(data[selector >> (4 * i) & 7] for i in range(4)), "little")


#: Of Python integers and the width; the result is taken modulo the width.
INTEGERS = {
    "clz": lambda w, a: w - (a % 2**w).bit_length(), "popc": lambda w, a: (a % 2**w).bit_count(),
    "ffs": lambda w, a: ((a & -a) % 2**w).bit_length(),
    "brev": lambda w, a: int(f"{a % 2**w:0{w}b}"[::-1], 2), "abs": lambda w, a: abs(a),
    "byte_perm": lambda w, *v: permuted(*v), "mulhi": lambda w, a, b: (a * b) >> w,
    "hadd": lambda w, a, b: (a + b) >> 1, "rhadd": lambda w, a, b: (a + b + 1) >> 1,
    "sad": lambda w, a, b, c: abs(a - b) + c,
}  # fmt: skip
BITS = {
    "int_as_float", "float_as_int", "uint_as_float", "float_as_uint", "longlong_as_double",
    "double_as_longlong",
}  # fmt: skip
EXACT = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "rcp": lambda a: 1 / a, "fma": lambda a, b, c: a * b + c,
}  # fmt: skip
WHOLE = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}


def in_format(exact, kind, mode):
    """An exact number as a float of a type, rounded in a direction."""
    near = kind(float(exact))
    if mode == "rn" or Fraction(float(near)) == exact:
        return near
    below, above = (near, np.nextafter(near, kind(np.inf))) if Fraction(float(near)) < exact else (
        np.nextafter(near, kind(-np.inf)), near)  # fmt: skip
    down = mode == "rd" or (mode == "rz" and exact > 0)
    return below if down else above


def root(x, kind, mode):
    # 120 bits of the root, rounded down; a bit below them keeps an inexact one from looking exact.
    scaled = Fraction(x) * 4**120
    whole = math.isqrt(int(scaled))
    return in_format(Fraction(whole * 2 + (whole * whole != scaled), 2**121), kind, mode)


def samples(name, types):
    """32 values for each argument, the corners of integers among them."""
    random = np.random.default_rng(len(name))
    arrays = []
    for position, ty in enumerate(types):
        kind = TYPES[ty.name]
        if np.issubdtype(kind, np.floating):
            low, high = DOMAINS.get(name, (-3.0, 3.0)) if position == 0 else POSITIVE
            values = random.uniform(low, high, 32).astype(kind)
            if name in ("isnan", "isinf", "signbit", "finitef", "isfinited"):
                values[:4] = np.nan, np.inf, -np.inf, -0.0
            if "2u" in name:
                values = abs(values) * kind(100)
        elif name in ("jn", "yn", "ldexp", "scalbn", "pow"):
            values = random.integers(0, 5, 32).astype(kind)
        else:
            info = np.iinfo(kind)
            values = random.integers(info.min, info.max, 32, dtype=kind, endpoint=True)
            values[:3] = info.min, info.max, 0
            if name == "int_as_float" or name == "uint_as_float" or name == "longlong_as_double":
                values = np.abs(random.normal(size=32)).astype(
                    np.float32 if kind(0).itemsize == 4 else np.float64
                )
                values = values.view(kind)
        arrays.append(values)
    return arrays


def expected(name, types, result, arrays):
    """The reference values, and how closely floats must agree."""
    kind = TYPES[result.name]
    rows = list(zip(*(a.tolist() for a in arrays), strict=True))
    stem, _, mode = name.rpartition("_")
    if name in BITS:
        return arrays[0].view(kind), 0
    if name == "hiloint2double":
        return np.array([(hi % 2**32) << 32 | lo % 2**32 for hi, lo in rows], np.uint64).view(kind), 0
    if name in ("double2loint", "double2hiint"):
        return arrays[0].view(np.int32)[name == "double2hiint" :: 2], 0
    if name == "rcp64h":
        top = (1 / arrays[0]).view(np.uint64) >> np.uint64(32) << np.uint64(32)
        return top.view(kind), 1e-6
    if name == "nextafter":
        return np.nextafter(*arrays), 0
    if mode in WHOLE and "2" in stem:
        if np.issubdtype(kind, np.integer):
            return np.array([WHOLE[mode](x) for (x,) in rows], kind), 0
        return np.array([in_format(Fraction(x), kind, mode) for (x,) in rows], kind), 0
    if mode in WHOLE and stem in EXACT:
        exact = [EXACT[stem](*map(Fraction, row)) for row in rows]
        return np.array([in_format(value, kind, mode) for value in exact], kind), 0
    if mode in WHOLE and stem == "sqrt":
        return np.array([root(x, kind, mode) for (x,) in rows], kind), 0
    if name == "mul24":
        take = low24 if kind is np.int32 else lambda a: a & 0xFFFFFF
        return np.array([take(a) * take(b) % 2**32 for a, b in rows], np.uint32).view(kind), 0
    if name in INTEGERS and np.issubdtype(kind, np.integer):
        width = TYPES[types[0].name](0).itemsize * 8
        out = kind(0).itemsize * 8
        values = [INTEGERS[name](width, *row) % 2**out for row in rows]
        return np.array(values, f"u{out // 8}").view(kind), 0
    function = abs if name == "abs" else FLOATS[name]
    return np.array(
        [kind(float(function(*row))) for row in rows], kind
    ), 1e-5 if kind is np.float32 else 1e-11
