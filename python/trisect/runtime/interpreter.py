"""Kernels that run in tier 0 whatever else is chosen.

What: `InterpretedFunction` is what `jit` makes under TRITON_INTERPRET=1; `GridExecutor` runs one launch of a
plain function; the vectorised host functions are those that reference code of kernels is written with.
Why: tier 0 is the C++ interpreter of the module that every tier starts from, so an interpreted function is a
jit function with its tier pinned, and accepts the same language.
"""

from __future__ import annotations

import math

import numpy as np

from .jit import InterpretedFunction

np_erf_fp32 = np.vectorize(math.erf, otypes=[np.float32])
np_erf_fp64 = np.vectorize(math.erf, otypes=[np.float64])
np_umulhi_u64 = np.vectorize(lambda a, b: (int(a) * int(b)) >> 64, otypes=[np.uint64])


class GridExecutor:
    """Calls a function as a kernel, on a grid, in tier 0."""

    def __init__(self, fn, arg_names, grid, pre_run_hooks=[]):  # noqa: B006 - the public default; never changed
        self.function = fn if isinstance(fn, InterpretedFunction) else InterpretedFunction(fn)
        if list(arg_names) != self.function.arg_names:
            raise ValueError(f"'{fn.__name__}' takes {self.function.arg_names}, not {list(arg_names)}")
        for hook in pre_run_hooks:
            self.function.add_pre_run_hook(hook)
        self.grid = grid

    def __call__(self, *args, **kwargs):
        return self.function[self.grid](*args, **kwargs)


__all__ = [
    "GridExecutor", "InterpretedFunction", "np_erf_fp32", "np_erf_fp64", "np_umulhi_u64",
]  # fmt: skip
