"""A function's source: its syntax tree and where it lies in its file.

What: `Source` holds the parsed `def` of a jit function. Trees are kept by text, so a library function is
parsed once in a process, and an edited `.src` is simply another text.
Limits: columns count from 1; a function without a file (typed at a prompt) still has lines.
"""

import ast
import textwrap

from trisect._syntax import syntax_tree


def parse_function(text: str) -> ast.FunctionDef:
    """The `def` in a source text."""
    tree = syntax_tree(textwrap.dedent(text) if text[:1].isspace() else text)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            return statement
    raise ValueError("the source of a kernel must define a function with `def`")


class Source:
    """Text, tree and position of a jit function."""

    def __init__(self, fn):
        self.text = fn.src
        self.tree = parse_function(self.text)
        code = getattr(getattr(fn, "fn", None), "__code__", None)
        self.file = getattr(fn, "file_name", None) or (code.co_filename if code else "<unknown>")
        self.first_line = self._first_line(fn, code)
        self.first_column = getattr(fn, "def_file_col_number", None) or 1

    @staticmethod
    def _first_line(fn, code):
        line = getattr(fn, "def_file_line_number", None)
        if line is None:
            line = getattr(fn, "starting_line_number", None)
        if line is None and code is not None:
            line = code.co_firstlineno
        return line or 1

    def position(self, node):
        """File line and column of a node, both from 1."""
        return self.first_line + node.lineno - 1, self.first_column + node.col_offset
