"""Frames: a function of the kernel at one of its statements, and what its names mean there.

What: `Frame` reads variables and evaluates NumPy expressions over them. Frame 0 is where the launch stands;
the others are the calls that led there.
Limits: an expression sees the kernel's variables, its compile-time values, `np`, `mask(x)`, `tensors`, `pid`,
`grid` and `locals()`; it cannot change the kernel.
"""

from __future__ import annotations

import ast

import numpy as np

from .values import Value, nested


class Frame:
    """One function activation."""

    def __init__(self, session, number, depth, line):
        self.session, self.number, self.depth, self.line = session, number, depth, line
        self.statement = session.statements[number]
        self.function, self.file = self.statement.function, self.statement.file

    def variables(self):
        """All variables that hold something, in the order in which they were assigned."""
        for variable in self.statement.variables:
            value = self._read(variable)
            if value is not None:
                yield value

    def constants(self) -> dict:
        """Compile-time values as text."""
        return dict(self.statement.constants)

    def find(self, name: str):
        """The `Value` of a variable or of a part (`pair[0]`), None if there is none."""
        for variable in self.statement.variables:
            if variable.name == name:
                return self._read(variable)
        return None

    def _read(self, variable):
        launch = self.session.launch
        array = launch.read(variable.slot)
        if array is None:
            return None
        mask = None if variable.mask is None else launch.read(variable.mask)
        return Value(variable, array, mask, self.session.tensors.views)

    def evaluate(self, text: str):
        """The value of an expression."""
        code = compile(text.strip(), "<expression>", "eval")
        # One dictionary for both, or the bodies of lambdas and generators would not see the variables.
        return eval(code, _Names(self))

    def helpers(self) -> dict:
        """Names that every expression sees, unless the kernel has them too."""
        return {
            "np": np,
            "mask": self._mask,
            "tensors": self.session.tensors,
            "pid": self.session.program_id,
            "grid": self.session.grid,
            "locals": self._locals,
            "exit": _end_nothing,
            "quit": _end_nothing,
        }

    def _locals(self) -> dict:
        known = {name: constant_value(text) for name, text in self.constants().items()}
        known |= {value.name: value.array[()] for value in self.variables()}
        return nested(known)

    def _mask(self, array):
        for value in self.variables():
            if value.mask is not None and _same(value.array, array):
                return value.mask
        return np.ones(np.shape(array), bool)


def _end_nothing(*_):
    # Python's own would close standard input.
    raise RuntimeError("an expression ends nothing; the command `quit` does")


def _same(a, b) -> bool:
    return (
        a.dtype == np.asarray(b).dtype and a.shape == np.shape(b) and a.tobytes() == np.asarray(b).tobytes()
    )


class _Names(dict):
    """Names of a frame, read when an expression asks for them."""

    def __init__(self, frame):
        super().__init__()
        self._frame = frame

    def __missing__(self, name):
        frame = self._frame
        parts = {}
        for variable in frame.statement.variables:
            if variable.name == name or variable.name.startswith((f"{name}.", f"{name}[")):
                value = frame._read(variable)
                if value is not None:
                    parts[variable.name] = value.array[()]
        for constant, text in frame.statement.constants:
            if constant == name or constant.startswith((f"{name}.", f"{name}[")):
                parts[constant] = constant_value(text)
        if not parts:
            return frame.helpers()[name]
        value = self[name] = nested(parts)[name]
        return value


def constant_value(text: str):
    """A compile-time value from its text, the text itself if it is no literal."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
