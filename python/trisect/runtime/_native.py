"""The native launch path, loaded when the first kernel is launched.

What: `launch()` gives trisect._C.launch with the classes of the language registered.
Why: loading the extension brings MLIR with it, which an import of the package must not pay for.
"""

from __future__ import annotations

import functools

from trisect import knobs
from trisect._imports import load_service, service

from .callable import ConstexprFunction, JITCallable

#: Whoever puts another one in its place sees all calls.
_own_call = ConstexprFunction.__call__


@functools.cache
def launch():
    native = load_service("launches").launch
    language = service("language")
    native.register_type(language.constexpr, "constexpr")
    native.register_type(language.dtype, "identity")
    native.register_type(JITCallable, "identity")
    if ConstexprFunction.__call__ is _own_call:
        native.set_ceiling_division(service("numbers").cdiv.fn)
        ConstexprFunction.__call__ = native.host_call(ConstexprFunction, ConstexprFunction._of_any)
    native.set_hook_owner(knobs.runtime, knobs.HookChain)
    return native
