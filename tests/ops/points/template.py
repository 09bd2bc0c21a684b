"""A run-test file out of inputs and expected results.

What: one op on one set of types becomes three kernels over the same points: on blocks, on scalars (one
program a point), and on blocks that hold one value. Points and results are stored as numbers in the file.
Limits: floats are written as decimal numbers that give the exact value back; 8-bit floats as their bits.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

#: Elements of the block form; the list of points is repeated up to it.
BLOCK = 32
#: Each of so many points is also run alone.
FEW = 3
#: Elements of the block that holds one value.
SAME = 2


@dataclass
class Case:
    """One op on one choice of types."""

    operands: list[str]  # TTIR types
    result: str
    inputs: list[np.ndarray]
    expected: np.ndarray
    #: "{r} = arith.addf {0}, {1} : {T}"; {T} is the operand type, {R} the result type, as scalar or block.
    code: str
    tolerance: str = "exact"
    extra: dict[str, str] = field(default_factory=dict)
    #: What the kernel adds around the op where memory cannot hold its types.
    forms: tuple[str, ...] = ("block", "scalar", "same")
    #: On a GPU, where that differs.
    device: str = ""
    #: What the assembler says for a GPU that lacks the instruction.
    unassembled: str = ""


def storage(type_: str) -> str:
    """What lies in memory: i1 as bytes, index as i64."""
    return {"i1": "i8", "index": "i64"}.get(type_, type_)


def buffer_type(type_: str) -> str:
    """The buffer's type in a run line: bits for types whose specials a decimal number cannot name."""
    return "i8" if type_.startswith("f8") else storage(type_)


def number(value, type_: str) -> str:
    if type_.startswith("f8"):
        return str(int(np.asarray(value).view(np.int8)))
    if type_[0] in "fb":
        value = float(value)
        return "nan" if value != value else repr(value)
    return str(int(value))


def numbers(values: np.ndarray, type_: str) -> str:
    return "[" + ", ".join(number(value, type_) for value in values) + "]"


class Kernel:
    """Text of one kernel in one form."""

    def __init__(self, case: Case, form: str):
        self.case, self.form, self.lines = case, form, []

    def shaped(self, type_: str) -> str:
        if self.form == "scalar":
            return type_
        return f"tensor<{BLOCK if self.form == 'block' else SAME}x{type_}>"

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def address(self, base: str, type_: str, load: bool) -> str:
        """The pointer block (or scalar) at which this program's elements lie."""
        pointer = f"!tt.ptr<{storage(type_)}>"
        if self.form == "scalar" or (self.form == "same" and load):
            self.line(f"%{base}p = tt.addptr %{base}, %pid : {pointer}, i32")
            return f"%{base}p"
        block = self.shaped(pointer)
        size = BLOCK if self.form == "block" else SAME
        self.line(f"%{base}s = tt.splat %{base} : {pointer} -> {block}")
        self.line(f"%{base}p = tt.addptr %{base}s, %at : {block}, tensor<{size}xi32>")
        return f"%{base}p"

    def load(self, n: int) -> None:
        type_ = self.case.operands[n]
        held = storage(type_)
        pointer = self.address(f"in{n}", type_, load=True)
        scalar_pointer = f"!tt.ptr<{held}>"
        name = f"%x{n}" if held == type_ else f"%m{n}"
        if self.form == "same":
            self.line(f"%l{n} = tt.load {pointer} : {scalar_pointer}")
            self.line(f"{name} = tt.splat %l{n} : {held} -> {self.shaped(held)}")
        else:
            self.line(f"{name} = tt.load {pointer} : {self.shaped(scalar_pointer)}")
        if held != type_:
            op = "arith.trunci" if type_ == "i1" else "arith.index_cast"
            self.line(f"%x{n} = {op} {name} : {self.shaped(held)} to {self.shaped(type_)}")

    def store(self) -> None:
        type_ = self.case.result
        held, value = storage(type_), "%r"
        if held != type_:
            op = "arith.extui" if type_ == "i1" else "arith.index_cast"
            self.line(f"%w = {op} %r : {self.shaped(type_)} to {self.shaped(held)}")
            value = "%w"
        pointer = self.address("out", type_, load=False)
        self.line(f"tt.store {pointer}, {value} : {self.shaped(f'!tt.ptr<{held}>')}")

    def text(self, name: str) -> str:
        case = self.case
        if self.form != "block":
            self.line("%pid = tt.get_program_id x : i32")
        if self.form == "block":
            self.line(f"%at = tt.make_range {{end = {BLOCK} : i32, start = 0 : i32}} : tensor<{BLOCK}xi32>")
        if self.form == "same":
            self.line(f"%size = arith.constant {SAME} : i32")
            self.line("%first = arith.muli %pid, %size : i32")
            self.line(f"%i = tt.make_range {{end = {SAME} : i32, start = 0 : i32}} : tensor<{SAME}xi32>")
            self.line(f"%firsts = tt.splat %first : i32 -> tensor<{SAME}xi32>")
            self.line(f"%at = arith.addi %firsts, %i : tensor<{SAME}xi32>")
        for n in range(len(case.operands)):
            self.load(n)
        facts = {"T": self.shaped(case.operands[0]), "R": self.shaped(case.result)}
        facts |= {f"T{n}": self.shaped(type_) for n, type_ in enumerate(case.operands)}
        self.line(case.code.format(*(f"%x{n}" for n in range(len(case.operands))), r="%r", **facts))
        self.store()
        parameters = [f"%in{n}: !tt.ptr<{storage(type_)}>" for n, type_ in enumerate(case.operands)]
        parameters.append(f"%out: !tt.ptr<{storage(case.result)}>")
        head = f"tt.func public @{name}({', '.join(parameters)}) {{"
        return "\n".join([head, *self.lines, "  tt.return", "}"])


def part(case: Case) -> str:
    """One part of a file: the run lines of all forms, then their kernels."""
    runs, kernels = [], []
    for form in case.forms:
        inputs, expected, programs = case.inputs, case.expected, 1
        if form == "block":
            inputs, expected = [np.resize(x, BLOCK) for x in inputs], np.resize(expected, BLOCK)
        else:  # some of the points: one program each
            inputs, expected = [x[::FEW] for x in inputs], expected[::FEW]
            programs = len(expected)
        if form == "same":
            expected = np.repeat(expected, SAME)
        arguments = [
            f"{buffer_type(type_)}[{len(x)}]:{numbers(x, type_)}"
            for x, type_ in zip(inputs, case.operands, strict=True)
        ]
        arguments.append(f"{buffer_type(case.result)}[{len(expected)}]")
        runs.append(f"// run: grid={programs} kernel={form} args: {'; '.join(arguments)}")
        runs.append(f"// expect {len(inputs)}: {numbers(expected, case.result)}")
        kernels.append(Kernel(case, form).text(form))
    head = [f"// tolerance: {case.tolerance}"]
    if case.device:
        head.append(f"// tolerance(cuda): {case.device}")
    if case.unassembled:
        head.append(f"// unassembled(cuda): {case.unassembled}")
    return "\n".join([*head, *runs, *kernels]) + "\n"


def write(folder: Path, name: str, about: str, cases: list[Case]) -> Path:
    parts = [part(case) for case in cases]
    head = f"// {about}; expected values by points/generate.py.\n// tiers: interp, cpu, cuda\n"
    path = folder / f"{name}.ttir"
    path.write_text(head + "// -----\n".join(parts))
    return path
