"""Errors of compiling a kernel.

What: `CompilationError` shows where in the kernel's source something is wrong: `at line:col:` as in the
function's own text, the lines before it, a caret, one sentence, and the place in the file.
"""

import sys

from trisect.errors import TritonError

_MOST_CALLERS = 8


def too_deep(name):
    """What to do about a kernel that is nested beyond Python's recursion limit."""
    return (
        f"nested too deeply for the compiler: calls, branches or terms of `{name}` lie inside each other "
        f"beyond Python's recursion limit ({sys.getrecursionlimit()}); name parts, or use a loop"
    )


class CompilationError(TritonError):
    """The kernel cannot be compiled; carries source text, syntax node and message."""

    source_line_count_max_in_message = 12

    def __init__(self, src, node, error_message=None):
        self.src = src
        self.node = node
        self.error_message = error_message
        self.file = None
        self.line = None
        self.column = None
        self.callers = []
        super().__init__()
        self.message = self._format_message()

    def _format_message(self):
        node = self.node
        if self.src is None or node is None or not hasattr(node, "lineno"):
            parts = [" <source unavailable>"]
        else:
            lines = self.src.split("\n")[: node.lineno][-self.source_line_count_max_in_message :]
            parts = [f"at {node.lineno}:{node.col_offset}:", *lines, " " * node.col_offset + "^"]
        if self.error_message:
            parts.append(str(self.error_message))
        if self.file is not None:
            parts.append(f'(File "{self.file}", line {self.line}, column {self.column})')
        parts.extend(f"called from {caller}" for caller in self.callers[:_MOST_CALLERS])
        if (rest := len(self.callers) - _MOST_CALLERS) > 0:
            parts.append(f"and {rest} more calls")
        return "\n".join(parts)

    def locate(self, file, line, column):
        """Says where in a file the error is."""
        self.file, self.line, self.column = file, line, column
        self.message = self._format_message()
        return self

    def called_from(self, text):
        """Adds a line about the call that led here, innermost first."""
        self.callers.append(text)
        self.message = self._format_message()
        return self

    def __str__(self):
        return self.message

    def __reduce__(self):
        return _rebuild, (
            type(self),
            self.src,
            _Position.of(self.node),
            self.error_message,
            self.file,
            self.line,
            self.column,
            self.callers,
        )


class _Position:
    """Line and column of a syntax node: all that survives pickling."""

    def __init__(self, lineno, col_offset):
        self.lineno, self.col_offset = lineno, col_offset

    @classmethod
    def of(cls, node):
        return cls(node.lineno, node.col_offset) if hasattr(node, "lineno") else None


def _rebuild(kind, src, node, error_message, file, line, column, callers):
    error = kind(src, node, error_message)
    error.callers = callers
    return error.locate(file, line, column)


class CompileTimeAssertionFailure(CompilationError):
    """A static_assert was false."""


class NotInLanguage(Exception):
    """Raised while a construct is generated that the language does not have; shown with its place."""


class UnsupportedLanguageConstruct(CompilationError):
    """The kernel uses Python syntax that the language does not have."""
