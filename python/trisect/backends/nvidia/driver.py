"""NVIDIA GPUs as devices: current device and stream, properties, loading.

What: `CudaDriver` asks PyTorch for device and stream where it is loaded, else the driver library;
`CudaUtils` answers what clients ask about a device.
Limits: kernels and tensors share the primary context of their device, as PyTorch's do.
"""

from __future__ import annotations

import sys

from trisect.backends.compiler import GPUTarget
from trisect.backends.driver import DriverBase
from trisect.runtime.launching import make_launcher

_CPP_TYPES = {
    "i1": "int8_t", "u1": "int8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
    "fp16": "double", "bf16": "double", "fp32": "double", "f32": "double", "fp64": "double",
    "nvTmaDesc": "CUtensorMap",
}  # fmt: skip


def ty_to_cpp(ty: str) -> str:
    """The C++ type of a signature entry."""
    if ty.startswith("*"):
        return "CUdeviceptr"
    return "CUtensorMap" if ty.startswith("tensordesc") else _CPP_TYPES[ty]


def _native():
    from trisect._C import cuda

    return cuda


def _torch():
    """torch, if the program uses it on GPUs."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.cuda.is_available() else None


class CudaUtils:
    """What clients ask about a device, and code that they load by themselves."""

    def get_device_properties(self, device: int = 0) -> dict:
        return _native().device_properties(device)

    def load_binary(self, name, kernel, shared, device):
        """(module, function, registers, spilled words, most threads) of a cubin or PTX."""
        loaded = _native().load(device, kernel, name, threads=32, shared=shared)
        self._loaded[loaded.module] = loaded
        return loaded.module, loaded.function, loaded.n_regs, loaded.n_spills, loaded.n_max_threads

    def unload_module(self, module) -> None:
        """Gives up what load_binary loaded."""
        self._loaded.pop(module, None)

    def __init__(self):
        self._loaded = {}


class CudaDriver(DriverBase):
    """The GPUs of this machine."""

    def __init__(self):
        self.utils = CudaUtils()

    @classmethod
    def is_active(cls) -> bool:
        torch = sys.modules.get("torch")
        if torch is not None:
            return torch.cuda.is_available() and getattr(torch.version, "hip", None) is None
        return _native().device_count() > 0

    def get_current_target(self) -> GPUTarget:
        return self.target_of(self.get_current_device())

    def target_of(self, device: int) -> GPUTarget:
        """The target of one device."""
        return GPUTarget("cuda", _native().device_properties(device)["capability"], 32)

    def get_current_device(self) -> int:
        torch = _torch()
        # PyTorch would begin to use the GPU here, and in a forked child it refuses to.
        if torch is None or not torch.cuda.is_initialized():
            return _native().current_device()
        return torch.cuda.current_device()

    def set_current_device(self, device: int) -> None:
        torch = _torch()
        if torch is not None:
            torch.cuda.set_device(device)
        elif device not in range(_native().device_count()):
            raise ValueError(f"there is no device {device}; this process sees {_native().device_count()}")
        elif device != self.get_current_device():
            raise RuntimeError("the current device is PyTorch's to set, and it is not loaded")

    def get_current_stream(self, device: int | None = None) -> int:
        torch = _torch()
        if torch is None:
            return 0
        device = torch.cuda.current_device() if device is None else device
        return torch._C._cuda_getCurrentRawStream(device)

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return divmod(_native().device_properties(device)["capability"], 10)

    def get_active_torch_device(self):
        import torch

        return torch.device("cuda", self.get_current_device())

    def get_device_interface(self):
        import torch

        return torch.cuda

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty_to_cpp(ty)

    def get_benchmarker(self):
        from trisect.testing import do_bench

        return do_bench

    def get_empty_cache_for_benchmark(self):
        """A buffer larger than the caches."""
        import torch

        return torch.empty(256 << 18, dtype=torch.int32, device="cuda")

    def clear_cache(self, cache) -> None:
        cache.zero_()

    def launcher_cls(self, src, metadata):
        return make_launcher(src, metadata)

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: int | None):
        import torch

        return torch.empty(size, dtype=torch.int8, device="cuda")


__all__ = ["CudaDriver", "CudaUtils", "ty_to_cpp"]
