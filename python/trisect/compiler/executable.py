"""From a module to what runs it.

What: hands the front end's module to the tiers; which tier runs a launch is theirs to decide. A kernel whose
statements are marked for the debugger goes to it.
"""

from __future__ import annotations

from trisect._imports import service

from .codegen.marks import MODE
from .targets import make_backend


def make_executable(module, metadata, asm, source=None):
    """The executable of a kernel."""
    from trisect._C import runtime

    if getattr(metadata, "instrumentation_mode", "") == MODE:
        return service("debugger").executable(module, metadata)
    if source is not None and "tt.breakpoint" in asm["source"]:
        executable = service("debugger").meet_breakpoint(source, metadata)
        if executable is not None:
            return executable
    options = {name: value for name, value in metadata._asdict().items() if value is not None}
    backend = make_backend(metadata.target)
    backend.check_resources(metadata)
    artifact = backend.artifact(metadata, asm)
    if artifact is not None:
        options["artifact"] = artifact
    return runtime.Kernel(module, metadata.name, options)
