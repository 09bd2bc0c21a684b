"""`with trisect.sanitize(...)`: launches look for defects while the block runs.

What: `sanitize(kinds, policy)` gives a `Session` with the findings. Policy "stop" raises a KernelFault at the
first; a number N lets launches go on, drops the faulty access and collects up to N distinct findings (by kind
and line) with their counts.
Why: a whole test suite or one suspicious call can run under sanitizers without a change of the program.
Limits: the settings are those of the process, so other threads see them; blocks may be nested.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from trisect._inline import framed
from trisect._locks import fork_safe_lock
from trisect.errors import InvalidInput, KernelFault

from .finding import Finding
from .wording import KINDS

#: The blocks that are open, outermost first.
_open: list[Session] = []
_lock = fork_safe_lock()


class Session:
    """What the launches of one block found."""

    def __init__(self, kinds: str, limit: int):
        self.kinds = kinds
        #: The most findings that are kept; 0 stops at the first.
        self.limit = limit
        self.findings: list[Finding] = []

    def add(self, finding: Finding) -> None:
        """Keeps a finding, or counts it if one of its kind and line is there."""
        for at, known in enumerate(self.findings):
            if (known.kind, known.file, known.line) == (finding.kind, finding.file, finding.line):
                self.findings[at] = replace(known, count=known.count + finding.count)
                return
        if len(self.findings) < max(self.limit, 1):
            self.findings.append(finding)

    def update(self) -> None:
        """Takes over what launches have found since the last time; the end of the block does it too."""
        with _lock:
            if _open and _open[-1] is self:
                _take_over()

    def text(self, colour: bool = False) -> str:
        """All reports."""
        return "\n\n".join(finding.text(colour) for finding in self.findings)

    def json(self) -> list[dict]:
        return [finding.json() for finding in self.findings]

    def save_json(self, path) -> None:
        from .record import dumps

        Path(path).write_text(dumps(self.findings), encoding="utf-8")

    def html(self) -> str:
        """A self-contained page."""
        from .page import page

        return page(self.findings)

    def save_html(self, path) -> None:
        Path(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        return framed(self.html())

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self):
        return iter(self.findings)

    def __repr__(self) -> str:
        return f"<Session: {len(self.findings)} findings>"


def kinds_text(kinds) -> str:
    """The kinds as TRISECT_SANITIZE has them, from `off`, `on`, `all`, or names (a list, or commas)."""
    if kinds is True or kinds is None:
        return "on"
    if kinds is False:
        return "off"
    if not isinstance(kinds, (str, list, tuple, set, frozenset)):
        raise InvalidInput(f"kinds of defects are named by text or a list of names, not by {kinds!r}")
    names = [name.strip() for name in kinds.split(",")] if isinstance(kinds, str) else list(kinds)
    if len(names) == 1 and names[0] in ("off", "on", "all"):
        return names[0]
    for name in names:
        if name not in KINDS:
            raise InvalidInput(
                f"no sanitizer is called {name!r}; there are {', '.join(KINDS)}, and off, on and all"
            )
    return ",".join(names)


def _limit(policy) -> int:
    if policy == "stop":
        return 0
    if isinstance(policy, int) and not isinstance(policy, bool) and policy > 0:
        return policy
    raise InvalidInput(f"policy is 'stop' or the most findings to collect, such as policy=20, not {policy!r}")


def _take_over() -> None:
    """Gives what was found so far to the innermost block."""
    from trisect._C import runtime

    for facts in runtime.take_findings():
        if _open:
            _open[-1].add(Finding.of(facts))


def _apply() -> None:
    """The settings of the innermost block hold; without one, those of the environment."""
    from trisect._C import runtime

    if _open:
        runtime.set_sanitize(_open[-1].kinds, _open[-1].limit)
    else:
        runtime.set_sanitize(None)


@contextlib.contextmanager
def sanitize(kinds="on", policy="stop", *, empty_is_uninitialized=False):
    """Launches in the block look for `kinds` of defects: "on", "all", or names."""
    from .marks import watch_empty

    session = Session(kinds_text(kinds), _limit(policy))
    with contextlib.ExitStack() as stack:
        if empty_is_uninitialized:
            stack.enter_context(watch_empty())
        with _lock:
            _take_over()
            _open.append(session)
            _apply()
        try:
            yield session
        except KernelFault as fault:
            session.add(fault.finding)
            raise
        finally:
            with _lock:
                _take_over()
                _open.remove(session)
                _apply()
