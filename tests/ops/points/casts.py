"""Conversions between types at their edges: ml_dtypes and Python's unbounded integers."""

import floats
import integers
import ml_dtypes
import numpy as np
from template import Case

FLOAT8 = {
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
}
DIGITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}


def case(op: str, from_: str, to: str, inputs: np.ndarray, expected: np.ndarray) -> Case:
    return Case([from_], to, [inputs], expected, f"{{r}} = {op} {{0}} : {{T}} to {{R}}")


def extend(op: str) -> list[Case]:
    pairs = [("f16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("bf16", "f64"), ("f32", "f64")]
    return [case(op, a, b, floats.points(a), floats.rounded(floats.points(a), b)) for a, b in pairs]


def ties(narrow: str, wide: str) -> np.ndarray:
    """Points of the wide type around values of the narrow one: half-way, just above, just below."""
    base = floats.rounded([1.0, 1.5, -3.0], narrow).astype(np.float64)
    step = 2.0 ** -(DIGITS[narrow] - 1)
    offsets = np.array([0.5, 1.5, 0.5 + 2.0**-8, 0.5 - 2.0**-8, 0.25]) * step
    grid = (base[:, None] * (1 + offsets)).ravel()
    top = float(ml_dtypes.finfo(floats.TYPES[narrow]).max)
    return floats.rounded(np.concatenate([grid, [top, -top, top * 1.001, 0.0, -0.0, np.inf, np.nan]]), wide)


def truncate(op: str) -> list[Case]:
    pairs = [("f32", "f16"), ("f32", "bf16"), ("f64", "f16"), ("f64", "bf16"), ("f64", "f32")]
    return [case(op, a, b, ties(b, a), floats.rounded(ties(b, a), b)) for a, b in pairs]


def saturated(values: np.ndarray, type_: str) -> np.ndarray:
    """8-bit floats take the largest number for whatever is beyond, and NaN for NaN alone."""
    with np.errstate(all="ignore"):
        made = values.astype(FLOAT8[type_])
    largest = float(ml_dtypes.finfo(FLOAT8[type_]).max)
    wide = values.astype(np.float64)
    beyond = ~np.isfinite(made.astype(np.float64)) & ~np.isnan(wide)
    made = np.where(beyond, np.copysign(largest, wide), made.astype(np.float64)).astype(FLOAT8[type_])
    bits = made.view(np.uint8)
    if type_.endswith("FNUZ"):
        return made
    # NaN keeps its sign and has all bits of exponent and fraction set.
    sign = np.signbit(wide).astype(np.uint8) << 7
    return np.where(np.isnan(wide), sign | 0x7F, bits).astype(np.uint8).view(FLOAT8[type_])


def float8_points(type_: str) -> np.ndarray:
    values = np.arange(256, dtype=np.uint8).view(FLOAT8[type_])[::9]
    wide = np.sort(values.astype(np.float64))
    wide = wide[np.isfinite(wide)]
    middles = (wide[1:] + wide[:-1]) / 2
    largest = float(ml_dtypes.finfo(FLOAT8[type_]).max)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, largest * 1.04, -largest * 4]
    return np.concatenate([special, wide[::3], middles[::3]])


def convert(op: str) -> list[Case]:
    made = []
    for narrow, dtype in FLOAT8.items():
        for wide in ("f16", "bf16", "f32"):
            x = floats.rounded(float8_points(narrow), wide)
            code = f"{{r}} = {op} {{0}}, rounding = rtne : {{T}} -> {{R}}"
            made.append(Case([wide], narrow, [x], saturated(x, narrow), code))
            bits = np.array([0, 0x80, 1, 0x83, 0x12, 0x3C, 0xBB, 0x77, 0xF6, 0x7F], np.uint8).view(dtype)
            code = f"{{r}} = {op} {{0}} : {{T}} -> {{R}}"
            made.append(Case([narrow], wide, [bits], floats.rounded(bits, wide), code))
    for narrow in ("f16", "bf16"):
        x = ties(narrow, "f32")
        down = towards_zero(x, narrow)
        code = f"{{r}} = {op} {{0}}, rounding = rtz : {{T}} -> {{R}}"
        made.append(Case(["f32"], narrow, [x], down, code))
    return made


def towards_zero(x: np.ndarray, type_: str) -> np.ndarray:
    near = floats.rounded(x, type_)
    largest = ml_dtypes.finfo(floats.TYPES[type_]).max
    finite = np.isfinite(x)
    near = np.where(finite & ~np.isfinite(near.astype(np.float64)), np.copysign(float(largest), x), near)
    near = near.astype(floats.TYPES[type_])
    over = finite & (np.abs(near.astype(np.float64)) > np.abs(x.astype(np.float64)))
    return np.where(over, (near.view(np.uint16) - 1).view(near.dtype), near)


def from_integer(op: str) -> list[Case]:
    made = []
    for type_, width in integers.WIDTHS.items():
        x = integers.points(width)
        extra = [(1 << 24) + 1, (1 << 25) + 3, (1 << 53) + 1, 2049, 257, (1 << 60) + 1]
        x += [v for v in extra if v < 1 << (width - 1)]
        values = [integers.unsigned(v, width) if op == "arith.uitofp" else v for v in x]
        for to in floats.TYPES:
            expected = np.array([round_integer(v, to) for v in values])
            made.append(case(op, type_, to, integers.array(x, width), floats.rounded(expected, to)))
    return made


def round_integer(value: int, type_: str) -> float:
    """An integer to the digits of a float type, ties to even."""
    spare = max(0, abs(value).bit_length() - DIGITS[type_])
    whole, rest = abs(value) >> spare, abs(value) & ((1 << spare) - 1)
    half = 1 << spare >> 1
    whole += rest > half or (spare > 0 and rest == half and whole & 1)
    return float((whole << spare) * (-1 if value < 0 else 1))


def to_integer(op: str) -> list[Case]:
    made = []
    for from_ in floats.TYPES:
        for to, width in integers.WIDTHS.items():
            low, high = (0, 2**width) if op == "arith.fptoui" else (-(2 ** (width - 1)), 2 ** (width - 1))
            given = floats.points(from_).astype(np.float64)
            # Out of range and NaN have no result.
            good = (
                np.isfinite(given) & (np.trunc(np.nan_to_num(given)) >= low) & (np.nan_to_num(given) < high)
            )
            x = floats.rounded(given[good], from_)
            expected = integers.array([int(v) for v in x.astype(np.float64)], width)
            made.append(case(op, from_, to, x, expected))
    return made


def widen(op: str) -> list[Case]:
    made = []
    pairs = [("i8", "i16"), ("i8", "i32"), ("i16", "i32"), ("i16", "i64"), ("i32", "i64")]
    for from_, to in pairs:
        x = integers.array(integers.points(integers.WIDTHS[from_]), integers.WIDTHS[from_])
        values = [int(v) if op == "arith.extsi" else integers.unsigned(int(v), 8 * x.itemsize) for v in x]
        made.append(case(op, from_, to, x, integers.array(values, integers.WIDTHS[to])))
    flags = np.array([0, 1, 1, 0], np.int8)
    for to, width in integers.WIDTHS.items():
        expected = flags if op == "arith.extui" else -flags
        made.append(case(op, "i1", to, flags, integers.array(expected, width)))
    return made


def narrow(op: str) -> list[Case]:
    made = []
    for from_, to in [("i16", "i8"), ("i32", "i8"), ("i32", "i16"), ("i64", "i16"), ("i64", "i32")]:
        x = integers.points(integers.WIDTHS[from_])
        width = integers.WIDTHS[to]
        made.append(case(op, from_, to, integers.array(x, integers.WIDTHS[from_]), integers.array(x, width)))
    x = integers.points(32)
    made.append(case(op, "i32", "i1", integers.array(x, 32), np.array([v & 1 for v in x], np.int8)))
    return made


def index(op: str) -> list[Case]:
    x = integers.points(32)
    values = [v if op == "arith.index_cast" else integers.unsigned(v, 32) for v in x]
    there = case(op, "i32", "index", integers.array(x, 32), integers.array(values, 64))
    x = integers.points(64)
    back = case(op, "index", "i32", integers.array(x, 64), integers.array(x, 32))
    return [there, back]


def bits(op: str) -> list[Case]:
    made = []
    for type_, width in [("f16", 16), ("bf16", 16), ("f32", 32), ("f64", 64)]:
        x = floats.points(type_)
        x = x[~np.isnan(x.astype(np.float64))]
        same = x.view(f"int{width}")
        code = f"{{r}} = {op} {{0}} : {{T}} {'to' if op.startswith('arith') else '->'} {{R}}"
        made.append(Case([type_], f"i{width}", [x], same, code))
        made.append(Case([f"i{width}"], type_, [same], x, code))
    return made


FILES = {
    "arith.extf": (extend, "arith.extf"),
    "arith.truncf": (truncate, "arith.truncf"),
    "tt.fp_to_fp": (convert, "tt.fp_to_fp"),
    "arith.sitofp": (from_integer, "arith.sitofp"),
    "arith.uitofp": (from_integer, "arith.uitofp"),
    "arith.fptosi": (to_integer, "arith.fptosi"),
    "arith.fptoui": (to_integer, "arith.fptoui"),
    "arith.extsi": (widen, "arith.extsi"),
    "arith.extui": (widen, "arith.extui"),
    "arith.trunci": (narrow, "arith.trunci"),
    "arith.index_cast": (index, "arith.index_cast"),
    "arith.index_castui": (index, "arith.index_castui"),
    "arith.bitcast": (bits, "arith.bitcast"),
    "tt.bitcast": (bits, "tt.bitcast"),
}
