"""The kernel debugger from a program, a prompt or a notebook, with the names of Python's pdb.

What: `trisect.pdb.set_trace()` stops the next launch at its first statement; `runcall(kernel[grid], ...)`
does so for one launch; `set_break("file.py:12 if acc.max() > 1")` stops there; `debugging(...)` does it for a
block of code. Stops talk through input() and print().
"""

from __future__ import annotations

import contextlib

from trisect.debugger.attach import attach, current, detach
from trisect.debugger.breakpoints import parse
from trisect.debugger.core import Debugger
from trisect.debugger.terminal import Terminal

__all__ = ["clear", "debugging", "runcall", "set_break", "set_trace"]


def _debugger() -> Debugger:
    if current() is None:
        attach(Debugger(Terminal()))
    return current()


def set_trace() -> None:
    """The next launch stops at its first statement."""
    _debugger().entry = "set_trace()"


def set_break(place: str):
    """Stops at FILE:LINE or FUNCTION [program X,Y,Z] [if EXPRESSION]; returns the breakpoint's number."""
    return _debugger().add(parse(place, None)).id


def clear(number: int | None = None) -> None:
    """Forgets one breakpoint, or all of them and detaches the debugger."""
    if number is None:
        detach()
    elif not _debugger().delete(number):
        raise ValueError(f"there is no breakpoint {number}")


@contextlib.contextmanager
def debugging(*places: str, commands=()):
    """Attaches the debugger inside a `with` block: at these places, or at the first statement of a launch."""
    outer = current()
    debugger = Debugger(Terminal(commands), None if places else "the first launch")
    for place in places:
        debugger.add(parse(place, None))
    attach(debugger)
    try:
        yield debugger
    finally:
        detach(debugger)
        if outer is not None:
            attach(outer)


def runcall(launch, *args, **kwargs):
    """Calls `launch` (such as `kernel[grid]`) and stops at the first statement of its kernel."""
    with debugging():
        return launch(*args, **kwargs)
