"""The backends by name: `backends["cpu"].compiler` and `.driver` are classes."""

from __future__ import annotations

from dataclasses import dataclass

from .compiler import BaseBackend
from .driver import DriverBase


@dataclass(frozen=True)
class Backend:
    """A backend's compiler class and driver class."""

    name: str
    compiler: type[BaseBackend]
    driver: type[DriverBase]


def _discover_backends() -> dict[str, Backend]:
    from .cpu.compiler import CpuBackend
    from .cpu.driver import CpuDriver
    from .nvidia.compiler import CUDABackend
    from .nvidia.driver import CudaDriver

    return {
        "cpu": Backend("cpu", CpuBackend, CpuDriver),
        "nvidia": Backend("nvidia", CUDABackend, CudaDriver),
    }


backends: dict[str, Backend] = _discover_backends()

__all__ = ["Backend", "backends"]
