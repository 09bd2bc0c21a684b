"""One defect that a sanitizer found, with the forms of its report.

What: `Finding.of` makes one from what the interpreter hands over or from a KernelFault that came without (an
assertion of compiled code, a deadlock); text, JSON and pages are rendered from the same facts (facts.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from trisect._inline import framed

from .facts import Facts, Site, TensorFacts


@dataclass(frozen=True)
class Finding(Facts):
    """The facts of one defect, and its reports."""

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
