"""The native launch path, loaded when the first kernel is launched.

What: `launch()` gives trisect._C.launch with the classes of the language registered; `end_generation()` makes
launches that were learned forgotten.
Why: loading the extension brings MLIR with it, which an import of the package must not pay for.
"""

from __future__ import annotations

import functools
import sys

from trisect._imports import load

#: What a first launch needs beside the extension.
_NEEDED = (
    "trisect._C",
    "trisect.backends",
    "trisect.compiler.code_generator",
    "trisect.compiler.compiler",
    "trisect.compiler.executable",
    "trisect.compiler.launching",
    "trisect.ir",
    "trisect.runtime.written",
)


@functools.cache
def launch():
    load(*_NEEDED)
    from trisect import knobs
    from trisect._C import launch as native
    from trisect.language.constexpr import constexpr
    from trisect.language.types import dtype

    from .callable import JITCallable

    native.register_type(constexpr, "constexpr")
    native.register_type(dtype, "identity")
    native.register_type(JITCallable, "identity")
    native.set_hook_owner(knobs.runtime)
    return native


def end_generation() -> None:
    extension = sys.modules.get("trisect._C")
    if extension is not None:
        extension.launch.end_generation()
