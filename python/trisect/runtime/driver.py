"""Which driver is in use.

What: `driver.active` is chosen when first asked for: TRITON_DEFAULT_BACKEND, else the CPU if
TRITON_CPU_BACKEND is on, else a GPU that can be used, else the CPU.
"""

from __future__ import annotations

from trisect._env import getenv, parse_bool
from trisect._imports import service

from .generation import end_generation


def _create_driver():
    backends = service("backends").backends
    on_cpu = parse_bool("TRITON_CPU_BACKEND", getenv("TRITON_CPU_BACKEND", "0"))
    wanted = getenv("TRITON_DEFAULT_BACKEND", "cpu" if on_cpu else None)
    if wanted:
        if wanted not in backends:
            names = ", ".join(sorted(backends))
            raise RuntimeError(
                f"Unknown backend '{wanted}'. Available backends: {names} (TRITON_DEFAULT_BACKEND names one)"
            )
        return backends[wanted].driver()
    usable = [b.driver for name, b in backends.items() if name != "cpu" and b.driver.is_active()]
    return usable[0]() if usable else backends["cpu"].driver()


class DriverConfig:
    """The default driver and the one in use; both are made on first use."""

    def __init__(self) -> None:
        self._default = None
        self._active = None

    @property
    def default(self):
        if self._default is None:
            self._default = _create_driver()
        return self._default

    @property
    def active(self):
        if self._active is None:
            self._active = self.default
        return self._active

    def set_active(self, driver) -> None:
        self._active = driver
        end_generation()

    def reset_active(self) -> None:
        self._active = self.default
        end_generation()

    def set_active_to_cpu(self) -> None:
        backends = service("backends").backends
        self.set_active(backends["cpu"].driver())

    def get_active_gpus(self) -> list[str]:
        backends = service("backends").backends
        return [name for name, b in backends.items() if name != "cpu" and b.driver.is_active()]

    def set_active_to_gpu(self) -> str:
        backends = service("backends").backends
        usable = self.get_active_gpus()
        if len(usable) != 1:
            raise RuntimeError(f"expected one GPU backend that can be used here, found {usable or 'none'}")
        self.set_active(backends[usable[0]].driver())
        return usable[0]


driver = DriverConfig()
