"""Float operations at points where implementations differ: zeros, subnormals, ties, infinities, NaN.

References: NumPy in f64 rounded once (which is exact for sums, products, quotients and roots of narrower
types), exact fractions for the fused product, mpmath for f64 functions.
"""

from fractions import Fraction

import ml_dtypes
import mpmath
import numpy as np
from template import Case

TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
mpmath.mp.prec = 200


def rounded(values, type_: str) -> np.ndarray:
    """f64 to a type, once, to nearest even."""
    with np.errstate(all="ignore"):
        return np.asarray(values, np.float64).astype(TYPES[type_])


def points(type_: str) -> np.ndarray:
    info = ml_dtypes.finfo(TYPES[type_])
    tiny, subnormal, largest = (float(x) for x in (info.tiny, info.smallest_subnormal, info.max))
    plain = [1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 0.1, -7.25, 100.7, 2000.5, 1e-3, 3.14159265358979]
    edges = [tiny, -tiny, subnormal, -subnormal, tiny - subnormal, largest, -largest]
    return rounded([0.0, -0.0, np.inf, -np.inf, np.nan, *plain, *edges], type_)


def pairs(type_: str) -> list[np.ndarray]:
    """All pairs of a few special points, then others against each other: 32 in all."""
    few = rounded([0.0, -0.0, -2.5, np.inf, np.nan], type_)
    x, y = (grid.ravel() for grid in np.meshgrid(few, few))
    some = points(type_)[5:][::-1]
    return [np.concatenate([x[1:], some[:8]]), np.concatenate([y[1:], some[-8:]])]


def quietly(function):
    def call(*arrays):
        with np.errstate(all="ignore"):
            return function(*(np.asarray(a, np.float64) for a in arrays))

    return call


def half_away(x):
    return np.where(np.isfinite(x), np.copysign(np.floor(np.abs(x) + (np.abs(x) < 2.0**52) * 0.5), x), x)


def fix_half(x):
    """round() of numbers just below a half must not reach one."""
    return np.where(np.abs(x) < 0.5, np.copysign(0.0, x), half_away(x))


def ordered_min(x, y):
    smaller = np.where((x < y) | ((x == y) & np.signbit(x)), x, y)
    return smaller


def ordered_max(x, y):
    return np.where((x > y) | ((x == y) & np.signbit(y)), x, y)


def propagate(pick):
    return lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, pick(x, y))


def ignore(pick):
    return lambda x, y: np.where(np.isnan(x), y, np.where(np.isnan(y), x, pick(x, y)))


def fused(x, y, z):
    """x * y + z as an exact fraction, which the caller rounds once."""
    with np.errstate(all="ignore"):
        plain = x * y + z
    if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):
        return plain
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    return exact if exact else plain


def round_fraction(exact, type_: str):
    """An exact fraction to the nearest value of a type, ties to even, by its neighbours."""
    if not isinstance(exact, Fraction):
        return rounded(exact, type_)
    information = ml_dtypes.finfo(TYPES[type_])
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    smallest = int(np.log2(float(information.tiny))) if type_ != "f64" else -1022
    step = Fraction(2) ** (max(exponent, smallest) - information.nmant)
    count = magnitude / step
    whole = count.numerator // count.denominator
    rest = count - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)
    value = whole * step
    if value > Fraction(float(information.max)):
        value = np.inf
    return rounded(np.copysign(float(value), -1 if exact < 0 else 1), type_)


def real_cube_root(x):
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


def exact_exp2(x):
    return mpmath.power(2, x)


def exact_log2(x):
    return mpmath.log(x, 2)


def precise(name: str):
    """An mpmath function on finite arguments; NumPy says what the others give."""
    own = {"cbrt": real_cube_root, "exp2": exact_exp2, "log2": exact_log2}
    exact = own.get(name) or getattr(mpmath, name)

    def call(*arguments):
        try:
            return float(exact(*(mpmath.mpf(float(a)) for a in arguments)).real)
        except (ValueError, ZeroDivisionError, OverflowError):
            return np.nan

    return call


UNARY_EXACT = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.ceil": np.ceil,
    "math.floor": np.floor,
    "math.trunc": np.trunc,
    "math.round": fix_half,
    "math.roundeven": np.rint,
    "math.sqrt": np.sqrt,
}

#: op: (NumPy's form for what is not finite, mpmath's name, points inside of the domain)
FUNCTIONS = {
    "math.rsqrt": (lambda x: 1 / np.sqrt(x), None, None),
    "math.cbrt": (np.cbrt, "cbrt", None),
    "math.exp": (np.exp, "exp", None),
    "math.exp2": (np.exp2, "exp2", None),
    "math.expm1": (np.expm1, "expm1", None),
    "math.log": (np.log, "log", None),
    "math.log2": (np.log2, "log2", None),
    "math.log10": (np.log10, "log10", None),
    "math.log1p": (np.log1p, "log1p", None),
    "math.sin": (np.sin, "sin", None),
    "math.cos": (np.cos, "cos", None),
    "math.tan": (np.tan, "tan", None),
    "math.asin": (np.arcsin, "asin", 1.0),
    "math.acos": (np.arccos, "acos", 1.0),
    "math.atan": (np.arctan, "atan", None),
    "math.sinh": (np.sinh, "sinh", None),
    "math.cosh": (np.cosh, "cosh", None),
    "math.tanh": (np.tanh, "tanh", None),
    "math.asinh": (np.arcsinh, "asinh", None),
    "math.acosh": (np.arccosh, "acosh", None),
    "math.atanh": (np.arctanh, "atanh", 1.0),
    "math.erf": (None, "erf", None),
}

BINARY_EXACT = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.minimumf": propagate(ordered_min),
    "arith.maximumf": propagate(ordered_max),
    "arith.minnumf": ignore(ordered_min),
    "arith.maxnumf": ignore(ordered_max),
    "math.copysign": np.copysign,
}

PREDICATES = {
    "false": lambda x, y: np.zeros_like(x, bool),
    "oeq": lambda x, y: x == y,
    "ogt": lambda x, y: x > y,
    "oge": lambda x, y: x >= y,
    "olt": lambda x, y: x < y,
    "ole": lambda x, y: x <= y,
    "one": lambda x, y: (x < y) | (x > y),
    "ord": lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    "ueq": lambda x, y: ~((x < y) | (x > y)),
    "ugt": lambda x, y: ~(x <= y),
    "uge": lambda x, y: ~(x < y),
    "ult": lambda x, y: ~(x >= y),
    "ule": lambda x, y: ~(x > y),
    "une": lambda x, y: x != y,
    "uno": lambda x, y: np.isnan(x) | np.isnan(y),
    "true": lambda x, y: np.ones_like(x, bool),
}


#: How far functions of f32 may be off on a GPU, which uses them for narrower types too (docs/numerics.md).
DEVICE = {"math.sqrt": "ulp 2", "arith.divf": "ulp 3", "math.exp": "ulp 64"}


def device(op: str, type_: str) -> str:
    return "" if type_ == "f64" else DEVICE.get(op, "")


def unary(op: str) -> list[Case]:
    function = quietly(UNARY_EXACT[op])
    return [
        Case([t], t, [points(t)], rounded(function(points(t)), t), f"{{r}} = {op} {{0}} : {{T}}",
             device=device(op, t))
        for t in TYPES
    ]  # fmt: skip


def function_values(op: str, x: np.ndarray, type_: str) -> np.ndarray:
    wide, name, _ = FUNCTIONS[op]
    values = quietly(wide)(x) if wide else np.array([precise(name)(v) if v == v else v for v in x])
    if type_ == "f64" and name and wide:
        finite = np.isfinite(x.astype(np.float64)) & np.isfinite(values) & (np.abs(values) > 0)
        values = np.array(
            [precise(name)(v) if ok else known for v, ok, known in zip(x, finite, values, strict=True)]
        )
    return rounded(values, type_)


def functions(op: str) -> list[Case]:
    made = []
    for type_ in TYPES:
        x = points(type_)
        if limit := FUNCTIONS[op][2]:
            x = x[~(np.abs(x.astype(np.float64)) > limit)]
        # Beyond 2^20 a double's own argument reduction is what is tested elsewhere.
        if op in ("math.sin", "math.cos", "math.tan"):
            x = x[~(np.abs(x.astype(np.float64)) > 2**20) | ~np.isfinite(x.astype(np.float64))]
        tolerance = "ulp 4" if type_ == "f64" else "ulp 2"
        code = f"{{r}} = {op} {{0}} : {{T}}"
        values = function_values(op, x, type_)
        made.append(Case([type_], type_, [x], values, code, tolerance, device=device(op, type_)))
    return made


def binary(op: str) -> list[Case]:
    made = []
    for type_ in TYPES:
        x, y = pairs(type_)
        made.append(
            Case(
                [type_, type_],
                type_,
                [x, y],
                rounded(quietly(BINARY_EXACT[op])(x, y), type_),
                f"{{r}} = {op} {{0}}, {{1}} : {{T}}",
                device=device(op, type_),
            )
        )
    return made


def approximate(op: str) -> list[Case]:
    """Division as kernels ask for it; the bound holds for every tier."""
    x, y = pairs("f32")
    expected = rounded(quietly(np.divide)(x, y), "f32")
    keep = (np.abs(y) < 2.0**126) & ~((np.abs(y) < 2.0**-126) & (y != 0)) | ~np.isfinite(y)
    tolerance = "ulp 2" if "approx" in op else "exact"
    x, y, expected = x[keep], y[keep], expected[keep]
    return [Case(["f32", "f32"], "f32", [x, y], expected, f"{{r}} = {op} {{0}}, {{1}} : {{T}}", tolerance)]


def precise_sqrt(op: str) -> list[Case]:
    x = points("f32")
    return [Case(["f32"], "f32", [x], rounded(quietly(np.sqrt)(x), "f32"), f"{{r}} = {op} {{0}} : {{T}}")]


def two_arguments(op: str) -> list[Case]:
    wide, name = {"math.atan2": (np.arctan2, "atan2"), "math.powf": (np.power, "power")}[op]
    made = []
    for type_ in TYPES:
        x, y = pairs(type_)
        values = quietly(wide)(x, y)
        if type_ == "f64":
            usual = (
                np.isfinite(x) & np.isfinite(y) & np.isfinite(values) & (values != 0) & (x != 0) & (y != 0)
            )
            values = np.array(
                [precise(name)(a, b) if ok else v for a, b, ok, v in zip(x, y, usual, values, strict=True)]
            )
        tolerance = "ulp 4" if type_ == "f64" else "ulp 2"
        code = f"{{r}} = {op} {{0}}, {{1}} : {{T}}"
        made.append(Case([type_, type_], type_, [x, y], rounded(values, type_), code, tolerance))
    return made


def multiply_add(op: str) -> list[Case]:
    made = []
    for type_ in TYPES:
        x, y = pairs(type_)
        z = np.roll(x, 5)
        wide = (np.asarray(a, np.float64) for a in (x, y, z))
        expected = np.array([round_fraction(fused(*each), type_) for each in zip(*wide, strict=True)])
        expected = expected.astype(TYPES[type_])
        code = f"{{r}} = {op} {{0}}, {{1}}, {{2}} : {{T}}"
        made.append(Case([type_] * 3, type_, [x, y, z], expected, code))
    return made


def clamp(op: str) -> list[Case]:
    made = []
    for type_ in TYPES:
        x = points(type_)
        low, high = (np.full(len(x), v).astype(TYPES[type_]) for v in (-2.0, 2.5))
        wide = [np.asarray(a, np.float64) for a in (x, low, high)]
        inside = np.where(np.isnan(wide[0]), wide[1], np.clip(*wide))
        for mode, expected in (("none", inside), ("all", np.where(np.isnan(wide[0]), np.nan, inside))):
            code = f"{{r}} = {op} {{0}}, {{1}}, {{2}}, propagateNan = {mode} : {{T}}"
            made.append(Case([type_] * 3, type_, [x, low, high], rounded(expected, type_), code))
    return made


def compare(op: str) -> list[Case]:
    made = []
    for type_ in TYPES:
        x, y = pairs(type_)
        wide = [np.asarray(a, np.float64) for a in (x, y)]
        for predicate, holds in PREDICATES.items():
            if type_ == "f32" or predicate in ("oeq", "olt", "une", "uge"):
                code = f"{{r}} = {op} {predicate}, {{0}}, {{1}} : {{T}}"
                made.append(Case([type_, type_], "i1", [x, y], holds(*wide).astype(np.int8), code))
    return made


FILES = (
    {op: (unary, op) for op in UNARY_EXACT}
    | {op: (functions, op) for op in FUNCTIONS}
    | {op: (binary, op) for op in BINARY_EXACT}
    | {op: (two_arguments, op) for op in ("math.atan2", "math.powf")}
    | {
        "math.fma": (multiply_add, "math.fma"),
        "tt.clampf": (clamp, "tt.clampf"),
        "arith.cmpf": (compare, "arith.cmpf"),
        "tt.precise_sqrt": (precise_sqrt, "tt.precise_sqrt"),
        "tt.precise_divf": (approximate, "tt.precise_divf"),
        "tt.approx_divf": (approximate, "tt.approx_divf"),
    }
)
