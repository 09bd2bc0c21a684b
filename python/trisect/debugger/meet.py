"""Kernels that have to do with the debugger, as the compiler meets them.

What: `executable` runs a kernel whose statements are marked; a kernel that calls `breakpoint()` attaches the
terminal debugger where there is a terminal (`meet_breakpoint`). The compiler finds this module by the name
`debugger` (trisect/__init__.py).
"""

from __future__ import annotations

import os
import sys

from trisect.compiler import compile, make_backend
from trisect.compiler.codegen.marks import MODE

from .attach import attach, current, drive
from .core import Debugger
from .terminal import Terminal

_passed: set[str] = set()


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
    if current() is None:
        attach(Debugger(Terminal()))
    known = metadata._asdict()
    options = {"instrumentation_mode": MODE, **{name: known[name] for name in _options(metadata.target)}}
    options["instrumentation_mode"] = MODE
    kernel = compile(source, metadata.target, options)
    kernel._init_handles()
    return kernel.function


def _options(target):
    return [name for name in vars(make_backend(target).parse_options({})) if name != "backend_name"]


def _interactive() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
