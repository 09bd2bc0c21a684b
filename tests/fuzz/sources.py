"""Random kernels in Python source against NumPy: the front end and both tiers.

What: `Source(seed)` is a kernel: blocks of one and two dimensions in every width, arithmetic between types,
masks, reductions, scans, sorts, products, gathers, atomics, loops, branches, helpers that return early. Its
text runs in tier 0, in tier 1 and, with numpy_language.py in place of `tl`, as plain Python; all bytes must
be equal. A failure is shrunk by leaving out statements.
Limits: floats only where a single operation rounds; helpers take and give one block.

By hand: python tests/fuzz/sources.py COUNT [FIRST SEED]
"""

import importlib.util
import os
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy_language import Block, Pointer, language

SIGNED, UNSIGNED = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64")
SIZE, GRID = 64, 3  # elements of a block, programs
LENGTH = SIZE * GRID
HEAD = "import triton\nimport triton.language as tl\n\n\n"
SIGNATURE = "def kernel(narrow, words, longs, floats, out, real, cells, n, k, SIZE: tl.constexpr):"


class Source:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.helpers, self.statements, self.known, self.count = [], [], {}, 0
        pick = self.random
        self.n, self.k = (
            pick.choice([LENGTH, LENGTH - 7, 100, 2]),
            pick.choice([0, 3, -1, 5, 2**31 - 1, -(2**31)]),
        )
        self.known = {"n": ("int32", ()), "k": ("int32", ()), "pid": ("int32", ()), "at": ("int32", (SIZE,))}
        for name, memory, kind in (
            ("a", "narrow", "int8"),
            ("b", "words", "int32"),
            ("c", "longs", "int64"),
            ("f", "floats", "float32"),
        ):
            mask = pick.choice(["", ", mask=at < n, other=3"])
            self.statements.append(f"{name} = tl.load({memory} + at{mask})")
            self.known[name] = (kind, (SIZE,))
        for _ in range(pick.randint(3, 14)):
            self.statements.append(self.statement())
        self.finish()

    # Statements; each is a text of one or more lines.

    def new(self, kind, shape):
        self.count += 1
        name = f"v{self.count}"
        self.fresh = (name, (kind, shape))
        return name

    def keep(self, text):
        name, what = self.fresh
        self.known[name] = what
        return text

    def any(self, kinds=None, shape=None):
        fit = [
            name
            for name, (kind, own) in self.known.items()
            if (kinds is None or kind in kinds) and (shape is None or own == shape)
        ]
        return self.random.choice(fit[-6:]) if fit and self.random.random() < 0.9 else self.made(kinds, shape)

    def made(self, kinds, shape):
        kind, shape = self.random.choice(kinds or SIGNED), (SIZE,) if shape is None else shape
        number = self.random.choice([0, 1, 3, 100])
        if shape:
            return f"tl.full({list(shape)}, {number}, tl.{kind})"
        return f"(k + {number}).to(tl.{kind})"

    def of(self, name, kind=None):
        return self.known.get(name, (kind, (SIZE,)))

    def block(self, kind, shape=(SIZE,)):
        """An expression of that type."""
        name = self.any((kind,), shape)
        if name in self.known:
            return name
        other = self.any(SIGNED + UNSIGNED, shape)
        return f"{other}.to(tl.{kind})" if other in self.known else name

    def statement(self):
        return self.random.choice([
            self.arithmetic, self.arithmetic, self.arithmetic, self.mixed, self.cast, self.compare,
            self.reduce, self.scan, self.plane, self.order, self.loop, self.while_loop, self.branch,
            self.helper, self.load, self.update, self.real, self.product, self.histogram,
        ])()  # fmt: skip

    def arithmetic(self):
        kind = self.random.choice(SIGNED + UNSIGNED)
        x, y = self.block(kind), self.block(kind)
        if self.random.random() < 0.3:
            y = str(self.random.choice([0, 1, 2, 7, 127]))
        width = int(kind.lstrip("uint"))
        op = self.random.choice(["+", "-", "*", "+", "*", "&", "|", "^", "<<", ">>", "//", "%"])
        if op in ("<<", ">>"):
            y = f"({y} & {width - 1})"
        elif op in ("//", "%"):
            # As a block: tl.maximum makes an int32 of a number.
            one = f"tl.full([SIZE], {int(y) or 3 if y.isdigit() else 1}, tl.{kind})"
            y = one if y.isdigit() else f"tl.maximum({y}, {one})"
        return self.keep(f"{self.new(kind, (SIZE,))} = {x} {op} {y}")

    def mixed(self):
        """Two widths of one sign; the wider wins."""
        kinds = self.random.choice([SIGNED, UNSIGNED])
        first, second = self.random.choice(kinds), self.random.choice(kinds)
        x, y = self.block(first), self.block(second)
        kind = max(first, second, key=kinds.index)
        return self.keep(f"{self.new(kind, (SIZE,))} = {x} {self.random.choice('+-*')} {y}")

    def cast(self):
        x, kind = self.any(SIGNED + UNSIGNED), self.random.choice(SIGNED + UNSIGNED)
        shape = self.of(x)[1]
        return self.keep(f"{self.new(kind, shape)} = {x}.to(tl.{kind})")

    def mask(self, shape=(SIZE,)):
        kind = self.random.choice(SIGNED + UNSIGNED)
        test = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.block(kind, shape)} {test} {self.block(kind, shape)})"

    def compare(self):
        kind, mask = self.random.choice(SIGNED + UNSIGNED), self.mask()
        if self.random.random() < 0.4:
            mask = f"({mask} {self.random.choice('&|^')} {self.mask()})"
        x, y = self.block(kind), self.block(kind)
        return self.keep(f"{self.new(kind, (SIZE,))} = tl.where({mask}, {x}, {y})")

    def reduce(self):
        kind = self.random.choice(["int32", "int64"])
        planes = [name for name, (own, shape) in self.known.items() if own == kind and len(shape) == 2]
        if planes and self.random.random() < 0.6:
            x, axis = planes[-1], self.random.randrange(2)
            shape = (self.known[x][1][1 - axis],)
        else:
            x, axis, shape = self.block(kind), 0, ()
        how = self.random.choice(["sum", "max", "min", "argmax", "argmin"])
        made = "int32" if how.startswith("arg") else kind
        return self.keep(f"{self.new(made, shape)} = tl.{how}({x}, axis={axis})")

    def scan(self):
        kind = self.random.choice(["int32", "int64"])
        x = self.block(kind)
        return self.keep(
            f"{self.new(kind, (SIZE,))} = tl.{self.random.choice(['cumsum', 'cumprod'])}({x}, axis=0)"
        )

    def plane(self):
        kind = self.random.choice(["int32", "int64", "int8"])
        planes = [name for name, (_, shape) in self.known.items() if len(shape) == 2]
        choice = self.random.randrange(4)
        if planes and choice == 0:
            x = planes[-1]
            kind, shape = self.known[x]
            return self.keep(f"{self.new(kind, shape[::-1])} = tl.trans({x})")
        if planes and choice == 1:
            x = planes[-1]
            kind, _ = self.known[x]
            if np.prod(self.known[x][1]) == SIZE:
                return self.keep(f"{self.new(kind, (SIZE,))} = tl.reshape({x}, [{SIZE}])")
        if choice == 2:
            return self.keep(f"{self.new(kind, (8, 8))} = tl.reshape({self.block(kind)}, [8, 8])")
        rows, columns = self.random.choice([(16, 32), (8, 8), (4, 16)])
        down = f"tl.arange(0, {rows})[:, None] * {self.random.choice([1, 7, 100])}"
        text = f"({down} {self.random.choice('+-*^')} tl.arange(0, {columns})[None, :]).to(tl.{kind})"
        return self.keep(f"{self.new(kind, (rows, columns))} = {text}")

    def order(self):
        kind = self.random.choice(["int32", "int64", "int16"])
        x, how = self.block(kind), self.random.choice(["sort", "flip", "gather"])
        if how == "gather":
            index = f"{self.block('int32')} & {SIZE - 1}"
            return self.keep(f"{self.new(kind, (SIZE,))} = tl.gather({x}, {index}, axis=0)")
        return self.keep(f"{self.new(kind, (SIZE,))} = tl.{how}({x})")

    def loop(self):
        kind = self.random.choice(SIGNED)
        x, y = self.block(kind), self.block(kind)
        name = self.new(kind, (SIZE,))
        bound = self.random.choice(
            ["range(3)", "range(1, 8, 3)", "range(0, n & 3)", "tl.static_range(3)", "range(n & 1, 4)"]
        )
        step = self.random.choice(
            [
                f"{name} = {name} * 3 + {y}",
                f"{name} += {y} + i.to(tl.{kind})" if "static" not in bound else f"{name} -= {y} + i",
                f"{name} = tl.where({y} > 0, {name} ^ {y}, {name} + 1)",
            ]
        )
        inner = (
            f"\n    if i == 1:\n        {name} = {name} + 1"
            if self.random.random() < 0.3 and "static" not in bound
            else ""
        )
        return self.keep(
            f"{name} = {x}\nfor i in {bound}:\n    {step.replace('i.to(', '(k * 0 + i).to(')}{inner}"
        )

    def while_loop(self):
        kind = self.random.choice(SIGNED)
        x, y = self.block(kind), self.block(kind)
        name = self.new(kind, (SIZE,))
        return self.keep(
            f"{name} = {x}\nrounds{name} = n & 3\nwhile rounds{name} > 0:\n"
            f"    {name} = {name} {self.random.choice('+-*^')} {y}\n    rounds{name} -= 1"
        )

    def branch(self):
        kind = self.random.choice(SIGNED)
        x, y = self.block(kind), self.block(kind)
        name = self.new(kind, (SIZE,))
        test = self.random.choice(
            ["pid == 0", "n > 100", "k < 0", "(pid & 1) == 1 and n > 5", "not (pid < 2)"]
        )
        return self.keep(
            f"if {test}:\n    {name} = {x} + 1\nelse:\n    {name} = {x} {self.random.choice('-*|')} {y}"
        )

    def helper(self):
        kind = self.random.choice(SIGNED)
        number = len(self.helpers)
        early = "    if flag > 0:\n        return x + 1\n" if self.random.random() < 0.6 else ""
        self.helpers.append(
            f"@triton.jit\ndef helper{number}(x, y, flag):\n{early}"
            f"    z = x {self.random.choice('+-*&')} y\n    return z * z - x\n\n\n"
        )
        x, y = self.block(kind), self.block(kind)
        return self.keep(
            f"{self.new(kind, (SIZE,))} = "
            f"helper{number}({x}, {y}, {self.random.choice(['k', 'pid', 'n - 50'])})"
        )

    def load(self):
        memory, kind = self.random.choice([("narrow", "int8"), ("words", "int32"), ("longs", "int64")])
        index = self.block(self.random.choice(SIGNED))
        if self.random.random() < 0.5:
            return self.keep(f"{self.new(kind, (SIZE,))} = tl.load({memory} + ({index} & 127))")
        return self.keep(
            f"{self.new(kind, (SIZE,))} = "
            f"tl.load({memory} + {index}, mask=({index} >= 0) & ({index} < 120), other=5)"
        )

    def update(self):
        index = self.block(self.random.choice(["int32", "int64"]))
        return f"tl.atomic_add(cells + ({index} & 31), {self.block('int32')}, mask={self.mask()})"

    def real(self):
        x, y = self.block("int16"), self.any(("float32",), (SIZE,))
        if y not in self.known:
            y = "f"
        choice = self.random.randrange(4)
        if choice == 0:
            return self.keep(
                f"{self.new('int32', (SIZE,))} = tl.minimum(tl.maximum({y}, -1000.0), 1000.0).to(tl.int32)"
            )
        text = [
            f"{x}.to(tl.float32)",
            f"{y} {self.random.choice('+-*')} f",
            f"tl.where({self.mask()}, {y}, {x} + 0.5)",
        ][choice - 1]
        return self.keep(f"{self.new('float32', (SIZE,))} = {text}")

    def product(self):
        grown = [
            f"(tl.arange(0, 16)[:, None] * {self.random.randint(1, 99)} + tl.arange(0, 16)[None, :] * pid)"
            ".to(tl.int8)"
            for _ in range(2)
        ]
        return self.keep(
            f"{self.new('int32', (16, 16))} = tl.dot({grown[0]}, {grown[1]}, out_dtype=tl.int32)"
        )

    def histogram(self):
        return self.keep(f"{self.new('int32', (16,))} = tl.histogram({self.block('int32')} & 15, 16)")

    def finish(self):
        names = [name for name in self.known if name.startswith("v")]
        for slot, name in enumerate(names[-6:]):
            kind, shape = self.known[name]
            memory = "real" if kind == "float32" else "out"
            value = name if kind == "float32" else f"{name}.to(tl.int64)"
            base = f"(pid * 8 + {slot}) * 512"
            if shape == ():
                self.statements.append(f"tl.store({memory} + {base}, {value})")
                continue
            size = int(np.prod(shape))
            flat = value if len(shape) == 1 else f"tl.reshape({value}, [{size}])"
            mask = ", mask=at < n" if shape == (SIZE,) and self.random.random() < 0.4 else ""
            self.statements.append(f"tl.store({memory} + {base} + tl.arange(0, {size}), {flat}{mask})")

    def text(self, statements=None):
        body = [
            "pid = tl.program_id(0)",
            "at = pid * SIZE + tl.arange(0, SIZE)",
            *(self.statements if statements is None else statements),
        ]
        lines = "\n".join("    " + line for part in body for line in part.split("\n"))
        return f"{HEAD}{''.join(self.helpers)}@triton.jit\n{SIGNATURE}\n{lines}\n"

    def memory(self):
        numbers = np.random.default_rng(self.n)
        bits = numbers.integers(0, 256, LENGTH * 8, dtype=np.uint8)
        return [
            bits[:LENGTH].view(np.int8).copy(), bits[: LENGTH * 4].view(np.int32).copy(),
            bits.view(np.int64).copy(),
            numbers.integers(-999, 999, LENGTH).astype(np.float32) / 4,
            np.full(GRID * 8 * 512, -7, np.int64), np.full(GRID * 8 * 512, -7, np.float32),
            np.zeros(32, np.int32),
        ]  # fmt: skip


def expected(source, text):
    """The memory after the kernel ran as plain Python."""
    memory = source.memory()
    for program in range(GRID):
        tl = language(program, GRID)
        names = {"tl": tl, "triton": type("triton", (), {"jit": staticmethod(lambda function: function)})}
        exec(compile(text.removeprefix(HEAD), "<kernel>", "exec"), names)
        with np.errstate(all="ignore"):
            names["kernel"](*map(Pointer, memory), Block(np.int32(source.n)), Block(np.int32(source.k)), SIZE)
    return memory


def found(source, text, tier, folder):
    """The memory after the kernel ran on a tier."""
    import trisect

    trisect.install_as_triton()
    path = Path(folder) / "kernel.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"fuzz_{tier}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    memory = source.memory()
    module.kernel[(GRID,)](*memory, source.n, source.k, SIZE=SIZE, tier=tier)
    return memory


def difference(source, text):
    """What is wrong with a text, or None. Text that is no kernel raises what Python makes of it."""
    right = expected(source, text)
    for tier in ("interp", "cpu"):
        with tempfile.TemporaryDirectory() as folder:
            try:
                made = found(source, text, tier, folder)
            except Exception as error:
                return f"{tier}: {type(error).__name__}: {error}"
        for name, a, b in zip(
            ("narrow", "words", "longs", "floats", "out", "real", "cells"), made, right, strict=True
        ):
            wrong = np.flatnonzero(~((a == b) | ((a != a) & (b != b))))
            if wrong.size:
                return f"{tier}: {name}[{wrong[0]}] is {a[wrong[0]]}, not {b[wrong[0]]} ({wrong.size} differ)"
    return None


def shrunk(source):
    """The least statements that still fail alike."""
    statements, kind = list(source.statements), difference(source, source.text())[:12]
    for at in range(len(statements) - 1, -1, -1):
        fewer = statements[:at] + statements[at + 1 :]
        try:
            if (difference(source, source.text(fewer)) or "").startswith(kind):
                statements = fewer
        except Exception:
            continue
    return source.text(statements)


def main():
    os.environ["TRISECT_CHECK"] = "off"  # a comparison must not stand in for a wrong result
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failures = 0
    for seed in range(first, first + count):
        source = Source(seed)
        problem = difference(source, source.text())
        if problem:
            failures += 1
            print(f"source {seed}: {problem}\nn = {source.n}, k = {source.k}\n{shrunk(source)}", flush=True)
    print(f"sources {count}, failures {failures}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
