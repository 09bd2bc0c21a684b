"""One defect that a sanitizer found, as plain data.

What: `Finding` holds the facts of a defect: where in the source, which program, which element of which
tensor, how far off, the related places, how often. `Finding.of` makes one from what the interpreter hands
over or from a KernelFault that came without (an assertion of compiled code, a deadlock).
Why: text, JSON and pages are rendered from the same facts.
Limits: holds copies; nothing in it refers to the launch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from trisect._inline import framed

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
class Finding:
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

    @staticmethod
    def of(source) -> Finding:
        """From the interpreter's dictionary or from a KernelFault."""
        if isinstance(source, Finding):
            return source
        if not isinstance(source, dict):
            return _of_fault(source)
        site = Site.of(source["site"])
        return Finding(
            kind=source["kind"],
            kernel=source["kernel"],
            headline=source["headline"],
            site=site,
            program_id=tuple(site.program_id or (0, 0, 0)),
            related=tuple(Site.of(site).in_kernel() for site in source["related"]),
            value=source["value"],
            variable=source["variable"],
            writes=source["writes"],
            bytes=source["bytes"],
            tensor=TensorFacts.of(source["tensor"]),
            index=tuple(source["index"]),
            distance=source["distance"],
            lands_in=TensorFacts.of(source["lands_in"]),
            lands_index=tuple(source["lands_index"]),
            lane=tuple(source["lane"]),
            block=tuple(source["block"]),
            lanes=source["lanes"],
            count=source["count"],
            programs=tuple(map(tuple, source["programs"])),
            grid=tuple(source.get("grid", ())) if all(source.get("grid", ())) else (),
            variables=tuple(map(tuple, source.get("variables", ()))),
            touched=bytes(source.get("touched", b"")),
        )

    def text(self, colour: bool = False) -> str:
        """The report in five parts."""
        from .text import render

        return render(self, colour)

    def json(self) -> dict:
        """The facts as JSON can hold them, without addresses."""
        from .record import record

        return record(self)

    def html(self) -> str:
        """A self-contained page."""
        from .page import page

        return page([self])

    def _repr_html_(self) -> str:
        return framed(self.html())

    def __str__(self) -> str:
        return self.text()


def _of_fault(fault) -> Finding:
    """From a KernelFault: all that it knows, or what its message and position say."""
    if fault.facts is not None:
        return Finding.of(fault.facts)
    headline = fault.args[0].split("\n", 1)[0].removeprefix(f"{fault.kind}: ")
    callers = []
    for line in fault.args[0].splitlines()[1:]:
        words = line.strip().removeprefix("called from ").rsplit(":", 2)
        if line.strip().startswith("called from ") and len(words) == 3:
            callers.append((words[0], int(words[1]), int(words[2])))
    site = Site(fault.file, fault.line, fault.column, tuple(callers), fault.program_id)
    return Finding(fault.kind, fault.kernel, headline, site, fault.program_id, details=dict(fault.details))


def show(numbers) -> str:
    """(1, 2) as it is written in Python."""
    return str(tuple(numbers))
