"""From a module to what runs it.

What: hands the front end's module to the tiers; which tier runs a launch is theirs to decide.
"""

from __future__ import annotations

from trisect.errors import Unsupported


def make_executable(module, metadata, asm):
    """The executable of a kernel."""
    from trisect import _C

    runtime = getattr(_C, "runtime", None)
    if runtime is None:
        raise Unsupported(
            f"kernel '{metadata.name}' was compiled, but this build of Trisect has no tier to run it on"
        )
    return runtime.executable(module, metadata.name, metadata._asdict())
