"""print() of run-time values: `print(x)`, `print("x", x)`, f-strings, tl.device_print.

What: a call whose first argument is a plain text is tl.device_print: a prefix, then values. Any other becomes
one print of a text with places for values; the operation keeps that text in its attribute `trisect.format`,
beside the prefix that tiers without it show.
Limits: a format specification of a run-time value is empty or `x`, for its bits.
"""

from __future__ import annotations

import ast

from trisect.language.constants import unwrap
from trisect.language.constexpr import constexpr
from trisect.language.ops import debugging
from trisect.language.tensor import tensor


class Printing:
    """Printing part of the function generator."""

    def print_arguments(self, node, function):
        """The arguments of device_print, or Pieces if the call is no prefix with values."""
        args = [
            self._formatted(arg) if isinstance(arg, ast.JoinedStr) else self.visit(arg) for arg in node.args
        ]
        plain = not any(isinstance(arg, Pieces) for arg in args)
        prefixed = not args or isinstance(unwrap(args[0]), str) or function is debugging.device_print
        if plain and prefixed:
            return args
        pieces = Pieces()
        for position, arg in enumerate(args):
            if position:
                pieces.text(" ")
            pieces.add(arg)
        return pieces

    def _formatted(self, node):
        """An f-string: a constant text if it holds no run-time value."""
        pieces = Pieces()
        for part in node.values:
            if isinstance(part, ast.Constant):
                pieces.text(str(part.value))
                continue
            inner = self.visit(part.value)
            spec = "" if part.format_spec is None else unwrap(self.visit(part.format_spec))
            if isinstance(inner, tensor):
                if spec not in ("", "x"):
                    raise ValueError(
                        f"a run-time value is printed as it is or with 'x' for its bits, not with {spec!r}"
                    )
                pieces.value(inner, spec)
            else:
                plain = unwrap(inner)
                if part.conversion >= 0:
                    plain = {"s": str, "r": repr, "a": ascii}[chr(part.conversion)](plain)
                pieces.text(format(plain, spec))
        return pieces if pieces.values else constexpr(pieces.plain)


class Pieces:
    """Text with places for values."""

    def __init__(self):
        self.format = ""
        self.plain = ""
        self.values = []

    def text(self, text):
        self.plain += text
        self.format += text.replace("{", "{{").replace("}", "}}")

    def value(self, value, spec=""):
        self.values.append(value)
        self.format += "{x}" if spec else "{}"

    def add(self, value):
        if isinstance(value, Pieces):
            self.plain += value.plain
            self.format += value.format
            self.values += value.values
        elif isinstance(value, tensor):
            self.value(value)
        else:
            self.text(str(unwrap(value)))
