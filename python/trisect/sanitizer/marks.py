"""Memory that counts as unwritten.

What: `mark_uninitialized` says that nobody has written a tensor; `watch_empty` makes every torch.empty and
numpy.empty (and their kin) such a tensor while it is on.
Why: what a kernel reads of such memory decides nothing unless a kernel or the host has written it since.
Limits: a mark fills the tensor with a pattern, so that writes of others are seen; it lies on the host or on a
CUDA device, and watch_empty leaves others as they are. A mark ends with the memory; of memory whose owner is
not known (torch.from_numpy, DLPack) it ends where somebody writes.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref

from trisect.runtime._tensors import describe, device_of, layout

_TORCH_NAMES = ("empty", "empty_like", "empty_strided")


def mark_uninitialized(tensor):
    """Declares that nobody has written the elements of a tensor; returns it."""
    from trisect._C import runtime

    device = device_of(tensor)
    kind, _, index = (device or "cpu").partition(":")
    if kind not in ("cpu", "cuda"):
        raise ValueError(
            f"a tensor on device '{device}' cannot be marked: sanitizers watch the memory of the host and of "
            "CUDA devices"
        )
    runtime.mark_uninitialized(tensor, int(index or 0) if kind == "cuda" else -1)
    start, size = _span(tensor)
    owner = _owner(tensor) if size else None
    if owner is not None:
        with contextlib.suppress(TypeError):  # it takes no weak references
            weakref.finalize(owner, _forget, start, size).atexit = False
    return tensor


def _owner(tensor):
    """What the memory lives as long as; None if that cannot be told."""
    while True:
        if hasattr(tensor, "untyped_storage"):
            storage = tensor.untyped_storage()
            # Memory that torch did not allocate outlives its storages (torch.from_numpy).
            return storage if storage.resizable() else None
        base = getattr(tensor, "base", None)
        if base is None:
            return tensor if getattr(getattr(tensor, "flags", None), "owndata", True) else None
        tensor = base.obj if isinstance(base, memoryview) else base


def _forget(start: int, size: int) -> None:
    extension = sys.modules.get("trisect._C")
    if extension is not None:
        extension.runtime.forget_uninitialized(start, size)


def _span(tensor) -> tuple[int, int]:
    """Address and size of the bytes from the lowest to the highest element."""
    if hasattr(tensor, "data_ptr"):
        address = tensor.data_ptr()
        item = tensor.element_size() if hasattr(tensor, "element_size") else tensor.dtype.itemsize
    else:
        address, dtype, *_ = describe(tensor)
        item = dtype.itemsize
    shape, strides = layout(tensor)
    if 0 in shape:
        return address, 0
    steps = [(extent - 1) * step for extent, step in zip(shape, strides, strict=True)]
    low = sum(step for step in steps if step < 0)
    high = sum(step for step in steps if step > 0) + 1
    return address + low * item, (high - low) * item


def _marked(make):
    @functools.wraps(make)
    def made(*args, **kwargs):
        tensor = make(*args, **kwargs)
        if _can_be_marked(tensor):
            mark_uninitialized(tensor)
        return tensor

    return made


def _can_be_marked(tensor) -> bool:
    import numpy

    if isinstance(tensor, numpy.ndarray):
        return tensor.dtype.kind in "iufb" and not tensor.dtype.hasobject
    kind = device_of(tensor).split(":")[0]
    return kind in ("cpu", "cuda") and tensor.layout is sys.modules["torch"].strided


@contextlib.contextmanager
def watch_empty():
    """Marks what torch.empty, numpy.empty and their kin make."""
    import numpy

    places = [(numpy, name) for name in ("empty", "empty_like")]
    torch = sys.modules.get("torch")
    if torch is not None:
        places += [(torch, name) for name in _TORCH_NAMES]
        places += [(torch.Tensor, name) for name in ("new_empty", "new_empty_strided")]
    originals = [getattr(owner, name) for owner, name in places]
    for (owner, name), make in zip(places, originals, strict=True):
        setattr(owner, name, _marked(make))
    try:
        yield
    finally:
        for (owner, name), make in zip(places, originals, strict=True):
            setattr(owner, name, make)
