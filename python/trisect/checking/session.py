"""Kernels that are compared at each launch, and what came of it.

What: inside a `Session` launches of this thread are compiled at once, those of others when they are hot; each
on compiled code is compared with tier 0 before it runs. `rows` and `different` tell what comparisons found.
Limits: the settings are those of the process; a kernel that was launched before runs the code it has.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from trisect import knobs

_VERDICTS = ("equal", "within", "different", "inconclusive")


@dataclass
class Row:
    """The sums of all specialisations of a kernel."""

    name: str
    launches: int = 0
    interpreted: int = 0
    equal: int = 0
    within: int = 0
    different: int = 0
    inconclusive: int = 0
    worst: float = 0.0
    slowest: float = 0.0
    told: list[str] = field(default_factory=list)

    @property
    def compared(self) -> int:
        return sum(getattr(self, verdict) for verdict in _VERDICTS)

    def add(self, function) -> None:
        tally = function.tally
        for name in ("launches", "interpreted", *_VERDICTS):
            setattr(self, name, getattr(self, name) + getattr(tally, name))
        self.worst = max(self.worst, tally.worst)
        self.slowest = max(self.slowest, tally.slowest)
        self.told += [event.text for event in function.events if event.kind in ("kept", "withdrawn")]


class Session:
    """`with Session() as session:` compares; the kernels that were made meanwhile are known to it."""

    def __init__(self) -> None:
        self._functions: list = []
        self._before: str | None = None
        self._at_once = None

    def __enter__(self) -> Session:
        from trisect._C import runtime

        knobs.runtime.kernel_load_end_hook.add(self._made)
        self._before = os.environ.get("TRISECT_CHECK")
        os.environ["TRISECT_CHECK"] = "always"
        self._at_once = runtime.promotion_at_once()
        self._at_once.__enter__()
        return self

    def __exit__(self, *failure) -> None:
        self._at_once.__exit__(*failure)
        os.environ.pop("TRISECT_CHECK")
        if self._before is not None:
            os.environ["TRISECT_CHECK"] = self._before
        knobs.runtime.kernel_load_end_hook.remove(self._made)

    def _made(self, module, function, name, metadata_group, hash) -> None:
        if hasattr(function, "tally"):
            self._functions.append(function)

    def rows(self) -> list[Row]:
        """A row a kernel, the slowest comparison first."""
        rows: dict[str, Row] = {}
        for function in self._functions:
            if function.tally.launches or function.events:
                rows.setdefault(function.name, Row(function.name)).add(function)
        return sorted(rows.values(), key=lambda row: -row.slowest)

    def different(self) -> list[str]:
        """The reports of what was found different, in the order in which kernels were made."""
        return [
            event.text
            for function in self._functions
            for event in function.events
            if event.kind == "withdrawn" or event.verdict == "different"
        ]


_HEADER = ["kernel", "launches", "in tier 0", "equal", "within", "different", "open", "of bound", "slowest"]


def table(rows: list[Row]) -> str:
    """Columns; `of bound`: the largest share of its error bound that an element used."""
    lines = [_HEADER]
    for row in rows:
        counts = [row.launches, row.interpreted, row.equal, row.within, row.different, row.inconclusive]
        share = f"{row.worst:.1%}" if row.within else ""
        lines.append([row.name, *(str(count) for count in counts), share, f"{row.slowest:.1f} ms"])
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER))]
    text = []
    for line in lines:
        first, *rest = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        text.append("  ".join([first.strip().ljust(widths[0]), *rest]))
    return "\n".join(text)
