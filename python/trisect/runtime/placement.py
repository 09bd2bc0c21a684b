"""Where a launch runs: the memory of its tensors decides.

What: finds the device that the tensors of a launch lie on, and the driver for it: CUDA tensors run on their
GPU, whatever else is there, host tensors on the host, and a launch without tensors on the active driver's.
Limits: tensors of a launch share one place; pinned host memory can be reached from a GPU as well.
"""

from __future__ import annotations

import functools

from trisect._imports import service
from trisect._utils import flatten_leaves

from ._tensors import device_of, is_descriptor
from .driver import driver


def tensors_of(bound):
    """(name, tensor, device as torch names it) of each tensor among bound arguments."""
    for name, argument in bound.items():
        for leaf in flatten_leaves(argument):
            tensor = leaf.base if is_descriptor(leaf) else leaf
            device = device_of(tensor)
            if device is not None and device != "None":
                yield name, tensor, device
            elif hasattr(tensor, "__array_interface__") or hasattr(tensor, "__dlpack__"):
                yield name, tensor, "cpu"


@functools.cache
def _driver_of(backend: str):
    found = service("backends").backends.get(backend)
    return found.driver() if found is not None and found.driver.is_active() else None


def _is_pinned(tensor) -> bool:
    pinned = getattr(tensor, "is_pinned", None)
    return bool(pinned()) if callable(pinned) else False


def place_of(bound, kernel: str) -> tuple[str, int] | None:
    """("cpu", 0) or ("cuda", index) by the tensors of a launch; None without tensors.

    Raises ValueError if nothing here reaches one of them, or not together with the others."""
    gpus, hosts = {}, {}
    for name, tensor, device in tensors_of(bound):
        kind, _, index = device.partition(":")
        if kind == "cpu":
            hosts.setdefault(name, (tensor, device))
        elif kind == "cuda" and driver_for(("cuda", int(index or 0))) is not None:
            gpus.setdefault(int(index or 0), name)
        else:
            raise ValueError(
                f"kernel '{kernel}': argument '{name}' is on device '{device}', but kernels run on the CPU "
                "here; move it with .cpu(), or select a GPU driver"
            )
    if not gpus:
        return ("cpu", 0) if hosts else None
    for position, name in enumerate(bound):
        if name in hosts and not _is_pinned(hosts[name][0]):
            raise ValueError(
                f"kernel '{kernel}': Pointer argument (at {position}) cannot be accessed from Triton (cpu "
                f"tensor?): argument '{name}' is on device '{hosts[name][1]}', "
                f"'{next(iter(gpus.values()))}' on a GPU"
            )
    if len(gpus) > 1:
        current = driver_for(("cuda", 0)).get_current_device()
        return "cuda", current if current in gpus else next(iter(gpus))
    return "cuda", next(iter(gpus))


def driver_for(place):
    """The driver of a place, None if there is none; without a place the active one."""
    active = driver.active
    if place is None:
        return active
    backend = {"cpu": "cpu", "cuda": "nvidia"}[place[0]]
    if active.get_current_target().backend == place[0]:
        return active
    return _driver_of(backend)
