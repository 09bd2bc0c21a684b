"""Compiling on an executor while the program goes on.

What: inside `AsyncCompileMode(executor)` a launch or warmup submits its compilation and gets a
`FutureKernel`; the kernels are there when the mode is left.
Limits: a failed compile is forgotten, so that the next launch tries again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, as_completed
from contextvars import ContextVar

active_mode: ContextVar[AsyncCompileMode | None] = ContextVar("async_compile_active_mode", default=None)


class FutureKernel:
    """A kernel that is still being compiled; using it waits for it."""

    def __init__(self, finalize_compile: Callable, future: Future, cleanup: Callable | None = None):
        self.finalize_compile = finalize_compile
        self.cleanup = cleanup
        self.kernel = None
        self.future = future

    def result(self, ignore_errors: bool = False):
        if self.kernel is not None:
            return self.kernel
        try:
            kernel = self.future.result()
        except Exception:
            if self.cleanup is not None:
                self.cleanup()
            if ignore_errors:
                return None
            raise
        self.finalize_compile(kernel)
        self.kernel = kernel
        return kernel

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.result(), name)

    def __getitem__(self, grid):
        return self.result()[grid]


class AsyncCompileMode:
    """Compiles on `executor` what is launched or warmed up inside."""

    def __init__(self, executor: Executor, *, ignore_errors: bool = False):
        self.executor = executor
        self.ignore_errors = ignore_errors
        self.raw_futures: list[Future] = []
        self.future_kernels: dict[object, FutureKernel] = {}

    def submit(self, key, compile_fn: Callable, finalize_fn: Callable, cleanup: Callable | None = None):
        known = self.future_kernels.get(key)
        if known is not None:
            return known
        future = self.executor.submit(compile_fn)
        future._key = key
        self.raw_futures.append(future)
        kernel = FutureKernel(finalize_fn, future, cleanup)
        self.future_kernels[key] = kernel
        return kernel

    def __enter__(self):
        if active_mode.get() is not None:
            raise RuntimeError("Another AsyncCompileMode is already active")
        self._token = active_mode.set(self)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        active_mode.reset(self._token)
        for future in as_completed(self.raw_futures):
            self.future_kernels[future._key].result(self.ignore_errors)
