"""The host as a device: one device, one stream, wall-clock timing."""

from __future__ import annotations

import os
import time

from trisect.backends.compiler import GPUTarget
from trisect.backends.driver import DriverBase
from trisect.runtime.launching import make_launcher

_CPP_TYPES = {
    "i1": "int8_t", "u1": "int8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
    "fp16": "float", "bf16": "float", "fp32": "float", "f32": "float", "fp64": "double",
}  # fmt: skip


def physical_cores() -> int:
    """The processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class CpuUtils:
    """What clients ask about the device."""

    @staticmethod
    def get_device_properties(device: int = 0) -> dict:
        return {
            "max_shared_mem": 1 << 20,
            "max_num_regs": 65536,
            "multiprocessor_count": physical_cores(),
            "sm_clock_rate": 0,
            "mem_clock_rate": 0,
            "mem_bus_width": 0,
            "warpSize": 32,
            "max_threads_per_sm": 1024,
        }

    @staticmethod
    def load_binary(name, kernel, shared, device):
        raise RuntimeError("the CPU backend has no binary to load; CompiledKernel makes its own executable")

    @staticmethod
    def unload_module(module):
        """Executables go with the kernel that owns them."""


def benchmark(kernel_call, *, quantiles=None, warmup=5, rep=30, **unused):
    """Times a call in milliseconds by the wall clock: its quantiles, or the mean without any.

    The call runs until `warmup` milliseconds are spent, then is timed until `rep` are; once at least."""
    deadline = time.perf_counter() + warmup / 1e3
    kernel_call()
    while time.perf_counter() < deadline:
        kernel_call()
    times = []
    deadline = time.perf_counter() + rep / 1e3
    while not times or (time.perf_counter() < deadline and len(times) < 100_000):
        start = time.perf_counter()
        kernel_call()
        times.append((time.perf_counter() - start) * 1e3)
    if quantiles is None:
        return sum(times) / len(times)
    import numpy

    return [float(value) for value in numpy.quantile(times, quantiles)]


class CpuDriver(DriverBase):
    """The host."""

    def __init__(self):
        self.utils = CpuUtils()

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cpu", "", 32)

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        if device not in (0, None):
            raise ValueError(f"there is one CPU device, 0, and no device {device}")

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return (0, 0)

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_device_interface(self):
        import torch

        return torch.cpu

    def map_python_to_cpp_type(self, ty: str) -> str:
        return "void*" if ty.startswith("*") else _CPP_TYPES[ty]

    def get_benchmarker(self):
        return benchmark

    def get_empty_cache_for_benchmark(self):
        """A buffer larger than the caches."""
        import numpy

        return numpy.empty(256 << 20, dtype=numpy.uint8)

    def clear_cache(self, cache) -> None:
        cache.fill(0)

    def launcher_cls(self, src, metadata):
        return make_launcher(src, metadata)
