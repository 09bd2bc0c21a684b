"""Which backend compiles for a target."""

from __future__ import annotations

from trisect.backends import backends
from trisect.backends.compiler import GPUTarget


def make_backend(target: GPUTarget):
    """The one backend that compiles for a target."""
    fitting = [backend.compiler for backend in backends.values() if backend.compiler.supports_target(target)]
    if len(fitting) != 1:
        known = ", ".join(sorted(backends))
        raise RuntimeError(
            f"{len(fitting)} compatible backends for target ({target.backend}); there are: {known}"
        )
    return fitting[0](target)
