"""Views with strides of many GiB without the memory.

What: `far_view(shape, strides, dtype)` is a NumPy array over address space that holds only the pages which
are written.
Why: an index that overflows 32 bits shows in tensors of many GiB, which a test cannot have.
Limits: Linux; the span of the view must fit the address space of the process.
"""

from __future__ import annotations

import mmap

import numpy

#: Of Linux; the module mmap has no name for it.
_MAP_NORESERVE = 0x4000


def far_view(shape, strides, dtype=numpy.float32) -> numpy.ndarray:
    """Zeros of any strides (in elements); torch.from_numpy makes a tensor of it."""
    if len(shape) != len(strides):
        raise ValueError(f"{len(shape)} sizes and {len(strides)} strides")
    if any(step < 0 for step in strides):
        raise ValueError("far strides must not be negative")
    dtype = numpy.dtype(dtype)
    span = 1 + sum((extent - 1) * step for extent, step in zip(shape, strides, strict=True))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
    memory = mmap.mmap(-1, max(span, 1) * dtype.itemsize, flags=flags)
    return numpy.ndarray(shape, dtype, memory, strides=[step * dtype.itemsize for step in strides])
