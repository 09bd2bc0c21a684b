"""Random kernels of integers near the ends of their types, and what NumPy makes of them.

What: `Case(seed)` is a kernel in TTIR of ranges, scalars and a loop's carried values in every width, put
together by every integer operation, and then stored, compared for a mask, or used as an address;
`run(case, tier)` runs it and compares its memory with what NumPy says.
Why: tiers keep ranges and addresses as structure; structure must not survive where an element wraps around.
Limits: addresses stay within a buffer: those of 32 and 64 bits under a mask.

By hand: python tests/python/numerics/wrapping.py COUNT [FIRST SEED]
"""

import os
import random
import sys

import numpy as np

WIDTHS = (8, 16, 32, 64)
CENTER = 1 << 15  # of the buffers that addresses go to


def wrap(x, width):
    """Signed numbers of `width` bits from int64 that may have wrapped as 64 bits."""
    if width == 64:
        return x
    half = np.int64(1) << np.int64(width - 1)
    return ((x + half) & np.int64((1 << width) - 1)) - half


def unsigned(x, width):
    return x.astype(np.uint64) if width == 64 else (x & np.int64((1 << width) - 1)).astype(np.uint64)


def _divide(a, b, width, floor):
    """Of unsigned magnitudes or Python's: exact for 64 bits, by objects."""
    out = np.empty(a.shape, np.int64)
    for at, (x, y) in enumerate(zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)):
        out.ravel()[at] = _signed(floor(x, y), width)
    return out


def _signed(x, width):
    x &= (1 << width) - 1
    return x - (1 << width) if x >> (width - 1) else x


def _quotient(x, y):
    if y == 0:
        return -1
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def _remainder(x, y):
    return x if y == 0 else x - y * _quotient(x, y)


def _shift_left(a, b, w):
    count = unsigned(b, w)
    shifted = (a.view(np.uint64) << np.minimum(count, np.uint64(63))).view(np.int64)
    return wrap(np.where(count < np.uint64(w), shifted, 0), w)


def _shift_right(a, b, w):
    count = np.minimum(unsigned(b, w), np.uint64(w - 1)).astype(np.int64)
    return a >> count


def _shift_right_unsigned(a, b, w):
    count = unsigned(b, w)
    moved = unsigned(a, w) >> np.minimum(count, np.uint64(63))
    return wrap(np.where(count < np.uint64(w), moved, np.uint64(0)).view(np.int64), w)


BINARY = {
    "arith.addi": lambda a, b, w: wrap(a + b, w),
    "arith.subi": lambda a, b, w: wrap(a - b, w),
    "arith.muli": lambda a, b, w: wrap(a * b, w),
    "arith.andi": lambda a, b, w: a & b,
    "arith.ori": lambda a, b, w: a | b,
    "arith.xori": lambda a, b, w: a ^ b,
    "arith.minsi": lambda a, b, w: np.minimum(a, b),
    "arith.maxsi": lambda a, b, w: np.maximum(a, b),
    "arith.minui": lambda a, b, w: np.where(unsigned(a, w) < unsigned(b, w), a, b),
    "arith.maxui": lambda a, b, w: np.where(unsigned(a, w) < unsigned(b, w), b, a),
    "arith.divsi": lambda a, b, w: _divide(a, b, w, _quotient),
    "arith.remsi": lambda a, b, w: _divide(a, b, w, _remainder),
    "arith.divui": lambda a, b, w: _divide(unsigned(a, w), unsigned(b, w), w, _quotient),
    "arith.remui": lambda a, b, w: _divide(unsigned(a, w), unsigned(b, w), w, _remainder),
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _shift_right_unsigned,
}
#: Sums and products keep structure: they come up most.
OFTEN = ["arith.addi", "arith.subi", "arith.muli", "arith.shli"]
COMPARE = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "slt": lambda a, b, w: a < b,
    "sle": lambda a, b, w: a <= b,
    "sgt": lambda a, b, w: a > b,
    "sge": lambda a, b, w: a >= b,
    "ult": lambda a, b, w: unsigned(a, w) < unsigned(b, w),
    "ule": lambda a, b, w: unsigned(a, w) <= unsigned(b, w),
    "ugt": lambda a, b, w: unsigned(a, w) > unsigned(b, w),
    "uge": lambda a, b, w: unsigned(a, w) >= unsigned(b, w),
}


class Case:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.shape = self.random.choice([(16,), (64,), (128,), (256,), (512,), (8, 32), (64, 8), (2, 128)])
        self.lines, self.arguments, self.parameters = [], [], []
        self.count = 0
        size = int(np.prod(self.shape))
        #: Where nothing is stored these values stay.
        self.out = np.full(size, -7, np.int64)
        self.memory = np.arange(2 * CENTER, dtype=np.int32) * np.int32(-1640531527)
        self.target = np.zeros(2 * CENTER, np.int64)
        with np.errstate(over="ignore"):
            self._body()

    # One line each: a name and its elements.

    def _type(self, width, element=None):
        return f"tensor<{'x'.join(map(str, self.shape))}x{element or f'i{width}'}>"

    def _emit(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def _near_a_limit(self, width):
        place = self.random.choice(
            [0, 0, 1 << (width - 1), 1 << (width - 2), 1 << 7, 1 << 15, 1 << 31, 3, 16]
        )
        number = place + self.random.choice(
            [-1, 0, 1, 2, -3, -16, 16, -255, -512, self.random.randint(-40, 40)]
        )
        return _signed(number * self.random.choice([1, 1, -1]), width)

    def _scalar(self, width):
        value = self._near_a_limit(width)
        if self.random.random() < 0.5:
            return self._emit(f"arith.constant {value} : i{width}"), value
        self.parameters.append(f"%s{len(self.parameters)}: i{width}")
        self.arguments.append(value)
        return f"%s{len(self.parameters) - 1}", value

    def _splat(self, width):
        name, value = self._scalar(width)
        return self._emit(f"tt.splat {name} : i{width} -> {self._type(width)}"), np.full(
            self.shape, value, np.int64
        )

    def _range(self):
        """An i32 range along one dimension."""
        axis = self.random.randrange(len(self.shape))
        extent = self.shape[axis]
        start = self.random.choice([0, 0, 0, 1, 100, 120, 2**31 - 1 - extent])
        name = self._emit(
            f"tt.make_range {{end = {start + extent} : i32, start = {start} : i32}} : tensor<{extent}xi32>"
        )
        values = np.arange(start, start + extent, dtype=np.int64)
        if len(self.shape) == 1:
            return name, values
        grown = [1, 1]
        grown[axis] = extent
        kind = f"tensor<{grown[0]}x{grown[1]}xi32>"
        name = self._emit(
            f"tt.expand_dims {name} {{axis = {1 - axis} : i32}} : tensor<{extent}xi32> -> {kind}"
        )
        name = self._emit(f"tt.broadcast {name} : {kind} -> {self._type(32)}")
        return name, np.broadcast_to(values.reshape(grown), self.shape).copy()

    def _to_width(self, made, width, to):
        name, values = made
        if width == to:
            return made
        if width > to:
            op, values = "arith.trunci", wrap(values, to)
        elif self.random.random() < 0.7:
            op = "arith.extsi"
        else:
            op, values = "arith.extui", unsigned(values, width).view(np.int64)
        return self._emit(f"{op} {name} : {self._type(width)} to {self._type(to)}"), values

    def _expression(self, width, depth):
        if depth == 0:
            if self.random.random() < 0.35:
                return self._splat(width)
            return self._to_width(self._range(), 32, width)
        if self.random.random() < 0.3:
            inner = self.random.choice([w for w in WIDTHS if w != width])
            return self._to_width(self._expression(inner, depth - 1), inner, width)
        if self.random.random() < 0.08:
            condition, chosen = self._comparison(depth - 1)
            (a, x), (b, y) = self._expression(width, depth - 1), self._expression(width, depth - 1)
            kind = self._type(width)
            flags = self._type(1)
            return self._emit(f"arith.select {condition}, {a}, {b} : {flags}, {kind}"), np.where(chosen, x, y)
        op = self.random.choice(OFTEN) if self.random.random() < 0.65 else self.random.choice([*BINARY])
        (a, x) = self._expression(width, depth - 1)
        (b, y) = self._splat(width) if self.random.random() < 0.6 else self._expression(width, depth - 1)
        if self.random.random() < 0.2:
            (a, x), (b, y) = (b, y), (a, x)
        return self._emit(f"{op} {a}, {b} : {self._type(width)}"), BINARY[op](x, y, width)

    def _comparison(self, depth):
        width = self.random.choice(WIDTHS)
        (a, x), (b, y) = self._expression(width, depth), self._splat(width)
        if self.random.random() < 0.3:
            (a, x), (b, y) = (b, y), (a, x)
        predicate = self.random.choice([*COMPARE])
        name = self._emit(f"arith.cmpi {predicate}, {a}, {b} : {self._type(width)}")
        return name, COMPARE[predicate](x, y, width)

    def _pointers(self, base, element, offsets, width):
        kind = self._type(0, f"!tt.ptr<{element}>")
        start = self._emit(f"tt.splat {base} : !tt.ptr<{element}> -> {kind}")
        return self._emit(f"tt.addptr {start}, {offsets} : {kind}, {self._type(width)}"), kind

    def _position(self):
        """The row-major index of each element."""
        places = np.arange(int(np.prod(self.shape)), dtype=np.int64).reshape(self.shape)
        flat = self._emit(
            f"tt.make_range {{end = {places.size} : i32, start = 0 : i32}} : tensor<{places.size}xi32>"
        )
        if len(self.shape) > 1:
            flat = self._emit(f"tt.reshape {flat} : tensor<{places.size}xi32> -> {self._type(32)}")
        return flat

    def _in_loop(self, width, made):
        """Adds a splat and the induction variable, near the end of its type, to a carried block."""
        name, values = made
        kind = f"i{self.random.choice([8, 16, 32, 64])}"
        bits = int(kind[1:])
        step = self.random.choice([1, 1, 2, 3, 7])
        rounds = self.random.randint(0, 4)
        last = self.random.choice([(1 << (bits - 1)) - 1, (1 << (bits - 1)) - 1, 100])
        first = last - rounds * step
        bounds = []
        for value in (first, last, step):
            if self.random.random() < 0.5:
                bounds.append(self._emit(f"arith.constant {value} : {kind}"))
            else:
                self.parameters.append(f"%s{len(self.parameters)}: {kind}")
                self.arguments.append(value)
                bounds.append(f"%s{len(self.parameters) - 1}")
        amount, added = self._splat(width)
        block = self._type(width)
        carried, inner, own = (f"%{letter}{self.count}" for letter in ("c", "i", "n"))
        self.lines.append(
            f"{carried} = scf.for {inner} = {bounds[0]} to {bounds[1]} step {bounds[2]} "
            f"iter_args({own} = {name}) -> ({block}) : {kind} {{"
        )
        next_value = self._emit(f"arith.addi {own}, {amount} : {block}")
        uses_index = self.random.random() < 0.5
        if uses_index:
            index = inner
            if bits != width:
                op = "arith.extsi" if bits < width else "arith.trunci"
                index = self._emit(f"{op} {inner} : {kind} to i{width}")
            index = self._emit(f"tt.splat {index} : i{width} -> {block}")
            next_value = self._emit(f"arith.addi {next_value}, {index} : {block}")
        self.lines += [f"scf.yield {next_value} : {block}", "}"]
        for index in range(first, last, step):
            values = wrap(values + added + (wrap(np.int64(index), width) if uses_index else 0), width)
        return carried, values

    def _body(self):
        width = self.random.choice(WIDTHS)
        made = self._expression(width, self.random.randint(1, 4))
        if self.random.random() < 0.3:
            made = self._in_loop(width, made)
        name, values = made
        position = self._position()
        use = self.random.choice(["store", "mask", "load", "scatter"])
        mask, on = "", np.ones(self.shape, bool)
        if use in ("load", "scatter") and width > 16:
            low = self._emit(f"arith.constant dense<{-CENTER}> : {self._type(width)}")
            high = self._emit(f"arith.constant dense<{CENTER}> : {self._type(width)}")
            above = self._emit(f"arith.cmpi sge, {name}, {low} : {self._type(width)}")
            below = self._emit(f"arith.cmpi slt, {name}, {high} : {self._type(width)}")
            mask = self._emit(f"arith.andi {above}, {below} : {self._type(1)}")
            on = (values >= -CENTER) & (values < CENTER)
        elif use == "mask":
            mask, on = self._comparison(self.random.randint(1, 3))
        suffix = f", {mask}" if mask else ""
        wide, stored = self._to_width(made, width, 64)
        if use == "load":
            pointers, kind = self._pointers("%memory", "i32", name, width)
            other = self._emit(f"arith.constant dense<5> : {self._type(32)}")
            loaded = self._emit(f"tt.load {pointers}{suffix}{f', {other}' if mask else ''} : {kind}")
            wide = self._emit(f"arith.extsi {loaded} : {self._type(32)} to {self._type(64)}")
            at = np.where(on, values, 0) + CENTER
            stored = np.where(on, self.memory[at].astype(np.int64), 5)
            suffix, on = "", np.ones(self.shape, bool)
        self.expected, self.expected_target = self.out.copy(), self.target.copy()
        if use == "scatter":
            pointers, kind = self._pointers("%target", "i64", name, width)
            self.expected_target[values[on] + CENTER] = stored[on]
        else:
            pointers, kind = self._pointers("%out", "i64", position, 32)
            self.expected[on.ravel()] = stored.ravel()[on.ravel()]
        self.lines.append(f"tt.store {pointers}, {wide}{suffix} : {kind}")

    @property
    def text(self):
        pointers = ["%out: !tt.ptr<i64>", "%memory: !tt.ptr<i32>", "%target: !tt.ptr<i64>"]
        head = f"tt.func public @k({', '.join([*pointers, *self.parameters])}) {{"
        return "\n  ".join([head, *self.lines, "tt.return"]) + "\n}\n"


def run(case, tier):
    """None, or what differs."""
    from trisect._C import runtime

    out, target = case.out.copy(), case.target.copy()
    kernel = runtime.Kernel(case.text, "k", {"tier": tier})
    # Parameters point to the middle, so that addresses go both ways.
    kernel.launch((1, 1, 1), (out, case.memory[CENTER:], target[CENTER:], *case.arguments))
    for name, made, expected in (("out", out, case.expected), ("target", target, case.expected_target)):
        wrong = np.flatnonzero(made != expected)
        if wrong.size:
            at = wrong[0]
            return f"{tier}: {name}[{at}] is {made[at]}, not {expected[at]} ({wrong.size} elements differ)"
    return None


if __name__ == "__main__":
    os.environ["TRISECT_CHECK"] = "off"  # a comparison must not stand in for a wrong result
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failures = 0
    for seed in range(first, first + count):
        case = Case(seed)
        for tier in ("interp", "cpu"):
            if difference := run(case, tier):
                failures += 1
                print(f"seed {seed}: {difference}\narguments {case.arguments}\n{case.text}")
    print(f"{count} kernels, {failures} failures")
    sys.exit(failures > 0)
