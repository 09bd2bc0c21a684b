"""The facts of a defect, as plain data: what reports of every form are made from.

What: `Site` is a place in source and who was there, `TensorFacts` a tensor of the launch, `Facts` all that is
known of one defect.
Limits: holds copies; nothing in it refers to the launch. finding.py makes them and has the forms of reports.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

#: Where the language's own functions stand (`tl.sum`, `tl.cumsum` ...).
LIBRARY = str(Path(__file__).resolve().parents[1] / "language")


@dataclass(frozen=True)
class Site:
    """A place in kernel source and the program that was there."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    #: The calls that it was reached through, innermost first, as (file, line, column).
    callers: tuple = ()
    program_id: tuple | None = None
    operation: str = ""
    role: str = ""
    text: str = ""

    @staticmethod
    def of(facts: dict) -> Site:
        position = facts["position"] or (None, None, None)
        return Site(
            position[0],
            position[1],
            position[2] or None,
            tuple(caller for caller in facts["callers"] if caller),
            facts["program_id"],
            facts["operation"],
            facts["role"],
            facts["text"],
        )

    def in_kernel(self) -> Site:
        """The place in the user's source that called, for a place inside of the language's own functions."""
        callers = self.callers
        position = (self.file, self.line, self.column)
        while callers and position[0] and position[0].startswith(LIBRARY):
            position, callers = callers[0], callers[1:]
        return replace(self, file=position[0], line=position[1], column=position[2] or None, callers=callers)


@dataclass(frozen=True)
class TensorFacts:
    """A tensor of the launch as it was passed; strides in elements."""

    name: str
    dtype: str
    shape: tuple
    strides: tuple
    address: int = 0
    argument: int = -1

    @staticmethod
    def of(facts: dict | None) -> TensorFacts | None:
        if facts is None:
            return None
        return TensorFacts(
            facts["name"],
            facts["dtype"],
            tuple(facts["shape"]),
            tuple(facts["strides"]),
            facts["address"],
            facts["argument"],
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype} of shape {show(self.shape)}, strides {show(self.strides)}"


@dataclass(frozen=True)
class Facts:
    """The facts of one defect."""

    kind: str
    kernel: str
    headline: str
    site: Site
    program_id: tuple = (0, 0, 0)
    related: tuple = ()
    value: str = ""
    variable: str = ""
    writes: bool = False
    bytes: int = 0
    tensor: TensorFacts | None = None
    index: tuple = ()
    #: Bytes behind the end of the view, or (negative) before its start; 0 inside it.
    distance: int = 0
    lands_in: TensorFacts | None = None
    lands_index: tuple = ()
    lane: tuple = ()
    block: tuple = ()
    lanes: int = 1
    count: int = 1
    programs: tuple = ()
    #: The grid of the launch, if it is known.
    grid: tuple = ()
    #: (source name, summary) of the variables of the program when it was stopped.
    variables: tuple = ()
    #: By element of `tensor` in row-major order: 1 read, 2 written, 3 both, up to the finding.
    touched: bytes = b""
    #: Further facts by name that have no field of their own.
    details: dict = field(default_factory=dict)

    @property
    def file(self) -> str | None:
        return self.site.file

    @property
    def line(self) -> int | None:
        return self.site.line


def show(numbers) -> str:
    """(1, 2) as it is written in Python."""
    return str(tuple(numbers))
