"""The exceptions of Trisect: what went wrong, and whose fault it is.

A *kernel fault* says that the user's kernel is wrong, *unsupported* that a tier cannot run it, *invalid
input* that text, an option or an argument makes no sense, an *engine error* that Trisect itself is wrong.
`TritonError` is the base of the errors of the language and its runtime, as users of `triton` know them.
"""

from __future__ import annotations

from pathlib import Path

from trisect._imports import load_service
from trisect._locks import lazy


class TritonError(Exception):
    """Base of compile and runtime errors of the language."""


class _Positioned:
    file: str | None = None
    line: int | None = None
    column: int | None = None


class KernelFault(RuntimeError):
    """The kernel did something wrong, such as an access out of bounds.

    `message` is the report in five parts; `finding` holds all facts as `trisect.sanitizer.Finding`.
    """

    def __init__(
        self,
        message,
        *,
        kind="assert",
        kernel="",
        file=None,
        line=None,
        column=None,
        program_id=(0, 0, 0),
        details=None,
        finding=None,
    ):
        super().__init__(message)
        self.kind = kind
        self.kernel = kernel
        self.file = file
        self.line = line
        self.column = column
        self.program_id = tuple(program_id)
        self.details = dict(details or {})
        #: What the interpreter knows, as it hands it over; None for a fault of compiled code.
        self.facts = finding

    @lazy
    def finding(self):
        return load_service("findings").Finding.of(self)

    @lazy
    def message(self):
        return self.finding.text()

    def __str__(self):
        return self.message

    def html(self):
        """The report as a page that needs nothing else."""
        return self.finding.html()

    def save_html(self, path):
        """Writes that page."""
        Path(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self):
        from trisect._inline import framed

        return framed(self.html())

    def __reduce__(self):
        facts = {name: getattr(self, name) for name in _FAULT_FIELDS}
        return (_rebuild_fault, (self.args[0], {**facts, "finding": self.facts}))


_FAULT_FIELDS = ("kind", "kernel", "file", "line", "column", "program_id", "details")


def _rebuild_fault(message, facts):
    return KernelFault(message, **facts)


class Unsupported(_Positioned, RuntimeError):
    """A tier cannot run this kernel; another one may."""


class InvalidInput(_Positioned, ValueError):
    """Text, an option or an argument that makes no sense."""


class EngineError(_Positioned, RuntimeError):
    """Trisect itself is wrong; please report it with what it prints."""


#: Errors about a kernel or its arguments; a launch shows them without frames of this package.
KERNEL_ERRORS = (TritonError, KernelFault, Unsupported, InvalidInput)

__all__ = ["EngineError", "InvalidInput", "KernelFault", "TritonError", "Unsupported"]
