"""From a module to what runs it.

What: hands the front end's module to the tiers, with the place where compiled forms of it are kept; which
tier runs a launch is theirs to decide. A kernel whose statements are marked for the debugger goes to it.
Limits: TTIR of a cached kernel is read only where a tier needs it.
"""

from __future__ import annotations

from trisect._imports import service

from .codegen.marks import MODE
from .targets import make_backend


def make_executable(module, metadata, asm, source=None, shelf=None):
    """The executable of a kernel; `module` may be None, `asm["source"]` is its text."""
    from trisect._C import runtime

    if getattr(metadata, "instrumentation_mode", "") == MODE:
        whole = module if module is not None else _module(metadata, asm)
        return service("debugger").executable(whole, metadata)
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
    text, tier = asm["source"], metadata.target.backend
    given = module if module is not None else text
    return runtime.Kernel(given, metadata.name, options, text=text, tier=tier, shelf=shelf)


def _module(metadata, asm):
    from trisect.ir import parse

    return parse(asm["source"], f"{metadata.name}.ttir")
