"""From a module to what runs it.

What: hands the front end's module to the tiers; which tier runs a launch is theirs to decide.
"""

from __future__ import annotations


def make_executable(module, metadata, asm):
    """The executable of a kernel."""
    from trisect._C import runtime

    options = {name: value for name, value in metadata._asdict().items() if value is not None}
    return runtime.Kernel(module, metadata.name, options)
