"""What a driver is: the current target, device and stream, and how kernels are timed on it."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from trisect.runtime._tensors import descriptor_entries, flatten_descriptor, is_descriptor


def decompose_descriptor(arg) -> list:
    """Base, shape and strides of a host descriptor, as a kernel takes them."""
    return flatten_descriptor(arg)


def expand_signature(signature, tensordesc_meta=None, descriptor_type=None) -> list:
    """A list of signature entries in which descriptors are replaced by what they consist of."""
    expanded = []
    for entry in signature:
        if isinstance(entry, str) and entry.startswith("tensordesc"):
            expanded.extend(descriptor_entries(entry))
        else:
            expanded.append(entry)
    return expanded


def wrap_handle_tensordesc_impl(launcher, signature, tensordesc_meta=None, make_tensordesc_arg=None):
    """A launcher that replaces host descriptors among its arguments by what they consist of."""
    make = make_tensordesc_arg or (lambda arg, meta: flatten_descriptor(arg))
    fixed = 9

    def launch(*args):
        expanded = list(args[:fixed])
        metas = iter(tensordesc_meta or ())
        for arg in args[fixed:]:
            if is_descriptor(arg):
                expanded.extend(make(arg, next(metas, None)))
            else:
                expanded.append(arg)
        return launcher(*expanded)

    return launch


class Benchmarker(Protocol):
    def __call__(self, kernel_call: Callable, *, quantiles: list[float], **kwargs) -> Sequence[float]: ...


class DriverBase(metaclass=ABCMeta):
    """The state of the devices of one kind."""

    @classmethod
    @abstractmethod
    def is_active(cls) -> bool:
        """Whether this driver can be used on this machine."""

    @abstractmethod
    def map_python_to_cpp_type(self, ty: str) -> str:
        """The C++ type of a signature entry."""

    @abstractmethod
    def get_current_target(self):
        """The GPUTarget of the current device."""

    @abstractmethod
    def get_active_torch_device(self):
        """The torch.device for allocations."""

    @abstractmethod
    def get_benchmarker(self) -> Benchmarker:
        """The function that times kernels here."""


class GPUDriver(DriverBase):
    """A driver that asks torch.cuda for device and stream."""

    def __init__(self):
        import torch

        self.get_device_capability = torch.cuda.get_device_capability
        self.get_current_stream = lambda device: torch.cuda.current_stream(device).cuda_stream
        self.get_current_device = torch.cuda.current_device
        self.set_current_device = torch.cuda.set_device

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args
