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

    #: load_binary, unload_module and get_device_properties.
    utils = None

    def _lacks(self, what):
        raise NotImplementedError(f"{type(self).__name__} does not provide {what}")

    def get_current_device(self) -> int:
        """The index of the current device."""
        self._lacks("get_current_device")

    def set_current_device(self, device: int) -> None:
        """Selects a device."""
        self._lacks("set_current_device")

    def get_current_stream(self, device: int) -> int:
        """The raw stream of a device."""
        self._lacks("get_current_stream")

    def get_device_interface(self):
        """The torch module of the device."""
        self._lacks("get_device_interface")

    def get_empty_cache_for_benchmark(self):
        """A buffer that is larger than the caches."""
        self._lacks("get_empty_cache_for_benchmark")

    def clear_cache(self, cache) -> None:
        """Overwrites that buffer."""
        self._lacks("clear_cache")

    def launcher_cls(self, src, metadata):
        """The launcher of a compiled kernel."""
        self._lacks("launcher_cls")

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: int | None):
        """Memory for a profiler, if no allocator for it was set."""
        self._lacks("allocate_default_profile_scratch")


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
