"""Trisect: Triton kernels on an interpreter, CPU and GPU that check one another.

`import trisect as triton` runs any Triton kernel. What needs the compiler is loaded when first used.
"""

from __future__ import annotations

from trisect._imports import module as _module
from trisect._imports import provide
from trisect._version import __version__ as __version__
from trisect.errors import EngineError, InvalidInput, KernelFault, TritonError, Unsupported

# What lower rooms ask of higher ones (docs/architecture.md), with what must be loaded beside it.
provide("backends", "trisect.backends")
provide("compiler", "trisect.compiler")
provide("debugger", "trisect.debugger.meet")
provide("findings", "trisect.sanitizer.finding", "trisect.sanitizer.text")
provide("language", "trisect.language.values")
provide(
    "launches",
    "trisect._C",
    "trisect._numbers",
    "trisect.backends",
    "trisect.compiler.code_generator",
    "trisect.compiler.compiler",
    "trisect.compiler.executable",
    "trisect.ir",
    "trisect.language.values",
    "trisect.runtime.launching",
    "trisect.runtime.shelf",
    "trisect.runtime.written",
)
provide("numbers", "trisect._numbers")
provide("testing", "trisect.testing")

#: Public name → module that has it.
_NAMES = {
    "AsyncCompileMode": "runtime._async_compile",
    "Autotuner": "runtime.autotuner",
    "CompilationError": "compiler.errors",
    "Config": "runtime.autotuner",
    "FutureKernel": "runtime._async_compile",
    "InterpreterError": "runtime.errors",
    "JITFunction": "runtime.jit",
    "KernelInterface": "runtime.jit",
    "MockTensor": "runtime.jit",
    "OutOfResources": "runtime.errors",
    "TensorWrapper": "runtime.jit",
    "aggregate": "language",
    "autotune": "runtime.autotuner",
    "cdiv": "_numbers",
    "compile": "compiler",
    "constexpr_function": "runtime.jit",
    "heuristics": "runtime.autotuner",
    "install_as_triton": "_alias",
    "jit": "runtime.jit",
    "mark_uninitialized": "sanitizer",
    "must_use_result": "language",
    "next_power_of_2": "_numbers",
    "reinterpret": "runtime.jit",
    "sanitize": "sanitizer",
    "set_allocator": "runtime._allocation",
}
_MODULES = frozenset(
    {
        "_C",
        "backends",
        "compiler",
        "ir",
        "knobs",
        "language",
        "runtime",
        "sanitizer",
        "testing",
        "tools",
        "errors",
    }
)


def __getattr__(name):
    if name in _NAMES:
        value = globals()[name] = getattr(_module(f"trisect.{_NAMES[name]}"), name)
        return value
    if name in _MODULES:
        return _module(f"trisect.{name}")
    raise AttributeError(f"module 'trisect' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_NAMES, *_MODULES})


__all__ = [
    "AsyncCompileMode", "CompilationError", "Config", "EngineError", "FutureKernel", "InterpreterError",
    "InvalidInput", "JITFunction", "KernelFault", "KernelInterface", "MockTensor", "OutOfResources",
    "TensorWrapper", "TritonError", "Unsupported", "aggregate", "autotune", "cdiv", "compile",
    "constexpr_function", "heuristics", "jit", "language", "must_use_result", "next_power_of_2",
    "reinterpret", "runtime", "set_allocator", "testing", "tools",
]  # fmt: skip
