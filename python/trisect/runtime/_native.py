"""The native launch path, loaded when the first kernel is launched.

What: `launch()` gives trisect._C.launch with the classes of the language registered.
Why: loading the extension brings MLIR with it, which an import of the package must not pay for.
"""

from __future__ import annotations

import functools

from trisect import knobs
from trisect._imports import load_service, service

from .callable import JITCallable


@functools.cache
def launch():
    native = load_service("launches").launch
    language = service("language")
    native.register_type(language.constexpr, "constexpr")
    native.register_type(language.dtype, "identity")
    native.register_type(JITCallable, "identity")
    native.set_hook_owner(knobs.runtime, knobs.HookChain)
    return native
