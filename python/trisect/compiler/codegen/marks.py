"""Marks: where statements begin, and which variables exist there.

What: while a debugger is attached (instrumentation mode `debugger`) every statement of a user's function
begins with a `tt.print` that carries the attribute `tt.statement`: the function's name as its prefix, the
variables as its operands, their names and types beside compile-time values in the attribute. Tier 0 stops
there and prints nothing. Without a debugger `breakpoint()` alone leaves a mark, which changes no result.
Why: only the front end knows what a name means at a statement; an operation cannot be lost or displaced.
Limits: statements of the library have no marks, so that stepping passes over them; a descriptor's handle is
not shown, its shape and strides are.
"""

import ast
import os

from trisect.language.aggregate import aggregate_value
from trisect.language.base import base_value
from trisect.language.block_pointer import block_pointer
from trisect.language.constexpr import constexpr
from trisect.language.descriptor import tensor_descriptor
from trisect.language.tensor import tensor
from trisect.language.tuples import tuple as tl_tuple

from .closures import InlineFunction
from .scope import Conflict

MODE = "debugger"
_LIBRARY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def is_breakpoint(statement) -> bool:
    """A statement that calls `breakpoint`, which leaves a mark of its own."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and getattr(statement.value.func, "id", None) == "breakpoint"
    )


def _parts(name, value):
    """(name, scalar or block, type) of everything that a variable holds; None for compile-time values."""
    if isinstance(value, tensor):
        yield name, value.handle, str(value.type)
    elif isinstance(value, tl_tuple):
        for position, item in enumerate(value.values):
            part = f"{name}.{value._fields[position]}" if value._fields else f"{name}[{position}]"
            yield from _parts(part, item)
    elif isinstance(value, block_pointer):
        yield from _parts(f"{name}.base", value.base)
        for field in ("shape", "strides", "offsets"):
            yield from _parts(f"{name}.{field}", tl_tuple(getattr(value, field)))
    elif isinstance(value, tensor_descriptor):
        for field in ("shape", "strides"):
            yield from _parts(f"{name}.{field}", tl_tuple(getattr(value, field)))
    elif isinstance(value, aggregate_value):
        for field in type(value).__aggregate_fields__:
            yield from _parts(f"{name}.{field}", getattr(value, field))
    elif isinstance(value, constexpr):
        yield name, None, repr(value.value)


class Marks:
    """Marking part of the function generator."""

    @property
    def marks(self) -> bool:
        """Whether the statements of this function are marked."""
        return self.module.marks and not self.source.file.startswith(_LIBRARY)

    def mark_statement(self, statement, previous):
        """Marks a statement that begins on a line of its own and does something."""
        if isinstance(statement, (ast.FunctionDef, ast.While)) or is_breakpoint(statement):
            return  # a `while` is marked at each test of its condition
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return
        if previous is None or statement.lineno != previous.lineno:
            self.mark(statement, "line")

    def mark_end(self):
        """Marks the end of a function that falls off its last statement."""
        if not self.inlining:
            self.mark(self.source.tree.body[-1], "end")

    def mark_breakpoint(self, node):
        """What `breakpoint()` leaves in the module."""
        if self.marks:
            self.mark(node, "breakpoint")
            return
        self.locate(node)
        true = self.semantic.to_tensor(True)
        self.builder.op("llvm.intr.assume", [true.handle], [], {"tt.breakpoint": None})

    def mark(self, node, kind):
        names, types, handles, constants = [], [], [], {}
        for variable, value in self.scope.items():
            if isinstance(value, (Conflict, InlineFunction)) or not isinstance(value, base_value):
                continue
            for name, handle, text in _parts(variable, value):
                if handle is None:
                    constants[name] = text
                    continue
                names.append(name)
                types.append(text)
                handles.append(handle)
        facts = {"kind": kind, "names": "\n".join(names), "types": "\n".join(types), "constants": constants}
        self.locate(node)
        self.builder.op(
            "tt.print",
            handles,
            [],
            {
                "prefix": self.fn.__name__,
                "hex": False,
                "isSigned": [0] * len(handles),
                "tt.statement": facts,
            },
        )
