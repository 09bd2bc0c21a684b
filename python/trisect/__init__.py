"""Trisect: Triton kernels on an interpreter, CPU and GPU that check one another.

`import trisect as triton` runs any Triton kernel. What needs the compiler is loaded when first used.
"""

import importlib

from trisect.errors import EngineError, InvalidInput, KernelFault, TritonError, Unsupported

__version__ = "3.6.0"

_LAZY_MODULES = frozenset({"ir"})


def __getattr__(name):
    if name in _LAZY_MODULES:
        return importlib.import_module(f"trisect.{name}")
    raise AttributeError(f"module 'trisect' has no attribute '{name}'")


__all__ = ["EngineError", "InvalidInput", "KernelFault", "TritonError", "Unsupported"]
