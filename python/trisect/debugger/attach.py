"""Attaching a debugger to the process, and what launches do when one is attached.

What: while a debugger is attached kernels are compiled in instrumentation mode `debugger`, which marks
their statements, and their launches are driven by it. A kernel that calls `breakpoint()` attaches the
terminal debugger where there is a terminal.
Limits: a kernel object that was compiled before and is launched directly is not debugged.
"""

from __future__ import annotations

import os
import sys

from trisect.compiler.codegen.marks import MODE
from trisect.runtime._native import end_generation

_attached = None
_outer_mode = ""
_passed: set[str] = set()


def current():
    """The attached debugger, None if there is none."""
    return _attached


def attach(debugger) -> None:
    """Makes launches from now on go through a debugger."""
    from trisect import knobs

    global _attached, _outer_mode
    if _attached is None:
        _outer_mode = knobs.compilation.instrumentation_mode
    _attached = debugger
    knobs.compilation.instrumentation_mode = MODE
    end_generation()


def detach(debugger=None) -> None:
    """Ends that; `debugger`: only if it is this one."""
    from trisect import knobs

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


def executable(module, metadata):
    """The executable of a kernel whose statements are marked."""
    from trisect._C import debugger

    options = {name: value for name, value in metadata._asdict().items() if value is not None}
    return debugger.Kernel(module, metadata.name, options, drive)


def meet_breakpoint(source, metadata):
    """What a kernel that calls `breakpoint()` runs as; None: as any other."""
    if os.environ.get("PYTHONBREAKPOINT") == "0":
        return None
    if not _interactive():
        if metadata.name not in _passed:
            _passed.add(metadata.name)
            print(
                f"trisect: breakpoint() in kernel '{metadata.name}' was passed: there is no terminal here; "
                "`trisect debug SCRIPT` stops there",
                file=sys.stderr,
            )
        return None
    from trisect.compiler import compile

    if _attached is None:
        from .core import Debugger
        from .terminal import Terminal

        attach(Debugger(Terminal()))
    known = metadata._asdict()
    options = {"instrumentation_mode": MODE, **{name: known[name] for name in _options(metadata.target)}}
    options["instrumentation_mode"] = MODE
    kernel = compile(source, metadata.target, options)
    kernel._init_handles()
    return kernel.function


def _options(target):
    from trisect.compiler import make_backend

    return [name for name in vars(make_backend(target).parse_options({})) if name != "backend_name"]


def _interactive() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
