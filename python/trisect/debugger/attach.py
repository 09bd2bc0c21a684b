"""Attaching a debugger to the process, and what launches do when one is attached.

What: while a debugger is attached kernels are compiled in instrumentation mode `debugger`, which marks
their statements, and their launches are driven by it.
Limits: a kernel object that was compiled before and is launched directly is not debugged.
"""

from __future__ import annotations

from trisect import knobs
from trisect.compiler.codegen.marks import MODE
from trisect.runtime.generation import end_generation

_attached = None
_outer_mode = ""


def current():
    """The attached debugger, None if there is none."""
    return _attached


def attach(debugger) -> None:
    """Makes launches from now on go through a debugger."""
    global _attached, _outer_mode
    if _attached is None:
        _outer_mode = knobs.compilation.instrumentation_mode
    _attached = debugger
    knobs.compilation.instrumentation_mode = MODE
    end_generation()


def detach(debugger=None) -> None:
    """Ends that; `debugger`: only if it is this one."""
    global _attached
    if _attached is None or debugger not in (None, _attached):
        return
    _attached = None
    knobs.compilation.instrumentation_mode = _outer_mode
    end_generation()


def drive(kernel, launch) -> None:
    """Runs one launch of a kernel that was compiled for the debugger."""
    if _attached is not None:
        _attached.drive(kernel, launch)
        return
    launch.set_breakpoints([], False)
    launch.start("continue")
    launch.commit()
    launch.raise_fault()
