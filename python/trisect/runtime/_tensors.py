"""Tensors of other libraries, as the native launch path cannot read them itself.

What: address, dtype and place of objects with DLPack or an array interface; shapes and strides for reports;
host descriptors as signature entry and flat arguments.
"""

from __future__ import annotations

import numpy

from trisect._utils import canonicalize_dtype

_DLPACK_HOST = (1, 3, 11)


def describe(obj) -> tuple[int, object, bool]:
    """(address, dtype, is in host memory)."""
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is not None:
        return interface["data"][0], numpy.dtype(interface["typestr"]), False
    interface = getattr(obj, "__array_interface__", None)
    if interface is not None:
        return interface["data"][0], getattr(obj, "dtype", numpy.dtype(interface["typestr"])), True
    device, _ = obj.__dlpack_device__()
    if int(device) not in _DLPACK_HOST:
        raise TypeError(
            f"a {type(obj).__name__} on a DLPack device of kind {int(device)} has no address to take; "
            "pass an object with data_ptr() and dtype or __cuda_array_interface__"
        )
    array = numpy.from_dlpack(obj)
    return array.__array_interface__["data"][0], array.dtype, True


def layout(obj) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """(shape, strides in elements), None for an object without a shape."""
    shape = getattr(obj, "shape", None)
    if shape is None:
        return None
    shape = tuple(int(size) for size in shape)
    stride = getattr(obj, "stride", None)
    if callable(stride):
        return shape, tuple(int(step) for step in stride())
    array = obj if isinstance(obj, numpy.ndarray) else numpy.asarray(obj)
    return shape, tuple(step // array.itemsize for step in array.strides)


def device_of(obj) -> str | None:
    """Where an object's memory is, as torch names devices; None if it does not say."""
    device = getattr(obj, "device", None)
    if device is not None and not isinstance(obj, numpy.ndarray):
        return str(device)
    return "cuda" if hasattr(obj, "__cuda_array_interface__") else None


def is_descriptor(obj) -> bool:
    return type(obj).__name__.endswith("TensorDescriptor") and hasattr(obj, "block_shape")


def specialize_descriptor(descriptor) -> tuple[str, None]:
    """The signature entry of a host descriptor; its padding is part of the type."""
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
