"""Integer operations at the edges of each width, by Python's unbounded integers."""

import numpy as np
from template import Case

WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


def signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def array(values, width: int) -> np.ndarray:
    return np.array([signed(int(v), width) for v in values], f"int{width}")


def points(width: int) -> list[int]:
    top = 1 << (width - 1)
    return [0, 1, -1, 2, -2, 3, 7, -8, 10, 100, -100, top - 1, -top, top - 2, -top + 1, 0x55]


def pairs(width: int) -> tuple[list[int], list[int]]:
    x = points(width)
    return x + x, x[::-1] + x[5:] + x[:5]


def truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return -quotient if (x < 0) != (y < 0) else quotient


BINARY = {
    "arith.addi": lambda x, y, w: x + y,
    "arith.subi": lambda x, y, w: x - y,
    "arith.muli": lambda x, y, w: x * y,
    "arith.andi": lambda x, y, w: x & y,
    "arith.ori": lambda x, y, w: x | y,
    "arith.xori": lambda x, y, w: x ^ y,
    "arith.minsi": lambda x, y, w: min(x, y),
    "arith.maxsi": lambda x, y, w: max(x, y),
    "arith.minui": lambda x, y, w: min(unsigned(x, w), unsigned(y, w)),
    "arith.maxui": lambda x, y, w: max(unsigned(x, w), unsigned(y, w)),
}
#: Their second operand must not be zero, and the quotient must have a value.
DIVISIONS = {
    "arith.divsi": lambda x, y, w: truncated(x, y),
    "arith.remsi": lambda x, y, w: x - y * truncated(x, y),
    "arith.divui": lambda x, y, w: unsigned(x, w) // unsigned(y, w),
    "arith.remui": lambda x, y, w: unsigned(x, w) % unsigned(y, w),
    "arith.floordivsi": lambda x, y, w: x // y,
    "arith.ceildivsi": lambda x, y, w: -(-x // y),
    "arith.ceildivui": lambda x, y, w: -(-unsigned(x, w) // unsigned(y, w)),
}
#: Their second operand is below the width.
SHIFTS = {
    "arith.shli": lambda x, y, w: x << y,
    "arith.shrsi": lambda x, y, w: x >> y,
    "arith.shrui": lambda x, y, w: unsigned(x, w) >> y,
}
UNARY = {
    "math.absi": lambda x, w: abs(x),
    "math.ctlz": lambda x, w: w - unsigned(x, w).bit_length(),
    "math.cttz": lambda x, w: (unsigned(x, w) & -unsigned(x, w)).bit_length() - 1 if x else w,
    "math.ctpop": lambda x, w: unsigned(x, w).bit_count(),
}
PREDICATES = {
    "eq": lambda x, y, w: x == y,
    "ne": lambda x, y, w: x != y,
    "slt": lambda x, y, w: x < y,
    "sle": lambda x, y, w: x <= y,
    "sgt": lambda x, y, w: x > y,
    "sge": lambda x, y, w: x >= y,
    "ult": lambda x, y, w: unsigned(x, w) < unsigned(y, w),
    "ule": lambda x, y, w: unsigned(x, w) <= unsigned(y, w),
    "ugt": lambda x, y, w: unsigned(x, w) > unsigned(y, w),
    "uge": lambda x, y, w: unsigned(x, w) >= unsigned(y, w),
}


def binary_case(op: str, type_: str, function, x, y) -> Case:
    width = WIDTHS[type_]
    expected = array([function(a, b, width) for a, b in zip(x, y, strict=True)], width)
    code = f"{{r}} = {op} {{0}}, {{1}} : {{T}}"
    return Case([type_, type_], type_, [array(x, width), array(y, width)], expected, code)


def binary(op: str) -> list[Case]:
    return [binary_case(op, t, BINARY[op], *pairs(w)) for t, w in WIDTHS.items()]


def division(op: str) -> list[Case]:
    made = []
    for type_, width in WIDTHS.items():
        x, y = pairs(width)
        least = -(1 << (width - 1))
        # Rounding up or down adds or takes one inside of the operation: stay off the edge.
        good = [(a, b) for a, b in zip(x, y, strict=True) if b and not (a == least and abs(b) == 1)]
        made.append(binary_case(op, type_, DIVISIONS[op], *map(list, zip(*good, strict=True))))
    return made


def shift(op: str) -> list[Case]:
    made = []
    for type_, width in WIDTHS.items():
        x = points(width) * 2
        made.append(binary_case(op, type_, SHIFTS[op], x, [n * 5 % width for n in range(len(x))]))
    return made


def unary(op: str) -> list[Case]:
    made = []
    for type_, width in WIDTHS.items():
        x = points(width)
        expected = array([UNARY[op](v, width) for v in x], width)
        made.append(Case([type_], type_, [array(x, width)], expected, f"{{r}} = {op} {{0}} : {{T}}"))
    return made


def high_product(op: str) -> list[Case]:
    return [
        binary_case(op, t, lambda a, b, w: (unsigned(a, w) * unsigned(b, w)) >> w, *pairs(WIDTHS[t]))
        for t in ("i32", "i64")
    ]


def compare(op: str) -> list[Case]:
    made = []
    for type_, width in WIDTHS.items():
        x, y = pairs(width)
        for predicate, holds in PREDICATES.items():
            if type_ == "i32" or predicate in ("slt", "ult"):
                expected = np.array([holds(a, b, width) for a, b in zip(x, y, strict=True)], np.int8)
                code = f"{{r}} = {op} {predicate}, {{0}}, {{1}} : {{T}}"
                made.append(Case([type_, type_], "i1", [array(x, width), array(y, width)], expected, code))
    return made


def select(op: str) -> list[Case]:
    made = []
    for type_, width in WIDTHS.items():
        x, y = pairs(width)
        chosen = [n % 3 == 0 for n in range(len(x))]
        expected = array([a if c else b for c, a, b in zip(chosen, x, y, strict=True)], width)
        inputs = [np.array(chosen, np.int8), array(x, width), array(y, width)]
        code = f"{{r}} = {op} {{0}}, {{1}}, {{2}} : {{T}}, {{R}}"
        made.append(Case(["i1", type_, type_], type_, inputs, expected, code))
    return made


FILES = (
    {op: (binary, op) for op in BINARY}
    | {op: (division, op) for op in DIVISIONS}
    | {op: (shift, op) for op in SHIFTS}
    | {op: (unary, op) for op in UNARY}
    | {
        "tt.mulhiui": (high_product, "tt.mulhiui"),
        "arith.cmpi": (compare, "arith.cmpi"),
        "arith.select": (select, "arith.select"),
    }
)
