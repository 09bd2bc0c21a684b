"""Tensors of other libraries, as the native launch path cannot read them itself.

What: address, dtype and place of objects with DLPack or an array interface; what of a tensor no kernel may
read or write; shapes and strides for reports; host descriptors as signature entry and flat arguments.
"""

from __future__ import annotations

import numpy

from trisect._utils import canonicalize_dtype, type_canonicalisation_dict

#: Kinds of memory, as DLPack numbers them.
HOST, CUDA, ROCM, OTHER = 1, 2, 10, 12
_DLPACK_HOST = (HOST, 3, 11)
_KINDS = {"cpu": HOST, "cuda": CUDA, "hip": ROCM}


def describe(obj) -> tuple[int, object, int, int, bool]:
    """(address, dtype, kind of memory, index of the device, whether it may be written)."""
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is not None:
        address, locked = interface["data"]
        return address, numpy.dtype(interface["typestr"]), CUDA, _device_of_address(address), not locked
    interface = getattr(obj, "__array_interface__", None)
    if interface is not None:
        address, locked = interface["data"]
        return address, getattr(obj, "dtype", numpy.dtype(interface["typestr"])), HOST, 0, not locked
    device, _ = obj.__dlpack_device__()
    if int(device) not in _DLPACK_HOST:
        raise TypeError(
            f"a {type(obj).__name__} on a DLPack device of kind {int(device)} has no address to take; "
            "pass an object with data_ptr() and dtype or __cuda_array_interface__"
        )
    array = numpy.from_dlpack(obj)
    address, locked = array.__array_interface__["data"]
    return address, array.dtype, HOST, 0, not (locked and _says_whether_locked(obj))


def _says_whether_locked(obj) -> bool:
    """Whether an object exports the form of DLPack that has the flag; NumPy takes the older one as locked."""
    try:
        return "versioned" in repr(obj.__dlpack__(max_version=(1, 0)))
    except TypeError:
        return False


def is_writable(obj) -> bool:
    """False if a tensor, or that of a host descriptor, says that its memory must not be written."""
    if is_descriptor(obj):
        obj = obj.base
    if isinstance(obj, numpy.ndarray):
        return obj.flags.writeable
    interface = _interface(obj)
    if interface is not None:
        return not interface["data"][1]
    return hasattr(obj, "data_ptr") or not hasattr(obj, "__dlpack__") or describe(obj)[4]


def _interface(obj) -> dict | None:
    """The interface to arrays of an object that has one."""
    # A tensor of torch has that of CUDA, which raises for types that NumPy lacks and for gradients.
    names = ("__cuda_array_interface__", "__array_interface__")
    for name in names[1:] if hasattr(obj, "data_ptr") else names:
        interface = getattr(obj, name, None)
        if isinstance(interface, dict):
            return interface
    return None


def check_elements(tensor) -> None:
    """Refuses a tensor of which an address does not give the elements."""
    if callable(getattr(tensor, "is_neg", None)) and tensor.is_neg():
        raise ValueError(
            "the tensor's elements are the negatives of its memory (its negative bit is set); pass "
            "tensor.resolve_neg()"
        )
    if not {"MaskedArray", "MaskedTensor"}.isdisjoint(each.__name__ for each in type(tensor).__mro__):
        raise TypeError(
            f"no kernel sees the mask of a '{type(tensor).__name__}'; pass its data and its mask as two "
            "tensors, or .filled(value)"
        )
    if str(tensor.dtype).split(".")[-1] not in type_canonicalisation_dict:
        raise TypeError(f"no kernel can take elements of type '{tensor.dtype}'")


def check_memory(tensor) -> None:
    """Refuses a tensor at address 0 that has elements: it stands for one somewhere else, or nowhere."""
    count = getattr(tensor, "numel", None)
    if callable(count) and count() > 0:
        raise TypeError(
            f"a '{type(tensor).__name__}' of {count()} elements without memory (its address is 0) only "
            "stands for a tensor; pass that one"
        )


def _device_of_address(address: int) -> int:
    from trisect._C import cuda

    found = cuda.allocation_of(address)
    return found[2] if found is not None else 0


def place(obj) -> tuple[int, int]:
    """(kind of memory, index of the device) of a tensor as torch has them; the host's if it does not say."""
    device = getattr(obj, "device", None)
    if device is None:
        return HOST, 0
    if hasattr(device, "type"):
        return _KINDS.get(device.type, OTHER), device.index or 0
    kind, _, index = str(device).partition(":")
    return _KINDS.get(kind, OTHER), int(index) if index.isdecimal() else 0


def current_stream(index: int) -> int:
    """The stream of a CUDA device into which work is put now."""
    from .driver import driver

    active = driver.active
    return active.get_current_stream(index) if active.get_current_target().backend == "cuda" else 0


def layout(obj) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(shape, strides in elements), None for an object that does not say both."""
    shape = getattr(obj, "shape", None)
    if shape is None:
        return None
    shape = tuple(int(size) for size in shape)
    stride = getattr(obj, "stride", None)
    strides = stride() if callable(stride) else _exported_strides(obj)
    return None if strides is None else (shape, tuple(int(step) for step in strides))


def _exported_strides(obj) -> tuple[int, ...] | None:
    """In elements, as NumPy, an interface to arrays or DLPack tells them."""
    if isinstance(obj, numpy.ndarray):
        return tuple(step // obj.itemsize for step in obj.strides)
    interface = _interface(obj)
    if interface is not None:
        return _interface_strides(interface)
    if hasattr(obj, "__dlpack__") and int(obj.__dlpack_device__()[0]) in _DLPACK_HOST:
        return _exported_strides(numpy.from_dlpack(obj))
    return None


def _interface_strides(interface) -> tuple[int, ...]:
    item = numpy.dtype(interface["typestr"]).itemsize
    if interface.get("strides") is not None:
        return tuple(step // item for step in interface["strides"])
    steps = [1]
    for size in reversed(interface["shape"][1:]):
        steps.append(steps[-1] * size)
    return tuple(reversed(steps[: len(interface["shape"])]))


def device_of(obj) -> str | None:
    """Where an object's memory is, as torch names devices; None if it does not say."""
    device = getattr(obj, "device", None)
    if device is not None and not isinstance(obj, numpy.ndarray):
        return str(device)
    try:
        return "cuda" if hasattr(obj, "__cuda_array_interface__") else None
    except Exception:  # an object may have one that fails for what it holds: it does not say, then
        return None


def is_descriptor(obj) -> bool:
    return type(obj).__name__.endswith("TensorDescriptor") and hasattr(obj, "block_shape")


def specialize_descriptor(descriptor) -> tuple[str, None]:
    """The signature entry of a host descriptor; its padding is part of the type."""
    check_elements(descriptor.base)
    shape = ",".join(str(size) for size in descriptor.block_shape)
    padding = getattr(descriptor, "padding", "zero")
    suffix = ",nan" if padding == "nan" else ""
    return f"tensordesc<{canonicalize_dtype(descriptor.base.dtype)}[{shape}]{suffix}>", None


def flatten_descriptor(descriptor) -> list:
    """The kernel arguments of a host descriptor: base, shape, strides."""
    return [descriptor.base, *descriptor.shape, *descriptor.strides]


def descriptor_entries(entry: str) -> list[str]:
    """The signature entries of those arguments."""
    element, _, rest = entry.removeprefix("tensordesc<").partition("[")
    rank = rest.partition("]")[0].count(",") + 1
    return [f"*{element}", *["i32"] * rank, *["i64"] * rank]
