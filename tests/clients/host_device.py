"""The CPU described as the one device of this machine, for libraries that ask torch about a device.

What: `describe()` gives torch.cpu the names that torch's modules of accelerators have, and torch.cuda answers
about this device; `claimed` serves operators that refuse a tensor whose `is_cuda` is false.
Limits: nothing that runs or allocates is replaced, only what describes.
"""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import torch

CORES = 16


class PhiloxGenerator:
    """A generator whose state is what accelerators keep: a seed and an offset."""

    def __init__(self):
        self.state = torch.tensor([0x5EED, 0], dtype=torch.int64)

    def get_state(self):
        return self.state.view(torch.uint8).clone()

    def set_state(self, state):
        self.state = state.clone().view(torch.int64)


def _properties(device=None):
    return SimpleNamespace(
        name="cpu",
        multi_processor_count=CORES,
        L2_cache_size=32 << 20,
        major=0,
        minor=0,
        total_memory=16 << 30,
    )


class ClaimedTensor(torch.Tensor):
    """A CPU tensor that says it is on the accelerator, for operators that only ask that."""

    is_cuda = True


def claimed(function):
    """`function` with its tensors claimed; the results are plain tensors."""

    def call(*arguments):
        results = function(
            *(a.as_subclass(ClaimedTensor) if isinstance(a, torch.Tensor) else a for a in arguments)
        )
        if isinstance(results, torch.Tensor):
            return results.as_subclass(torch.Tensor)
        return tuple(r.as_subclass(torch.Tensor) if isinstance(r, torch.Tensor) else r for r in results)

    return call


def describe() -> None:
    """Makes torch.cpu answer as torch's modules of accelerators do."""
    answers = {
        "device": lambda index=None: contextlib.nullcontext(),
        "current_device": lambda: 0,
        "get_device_name": lambda device=None: "cpu",
        "get_device_capability": lambda device=None: (0, 0),
        "get_device_properties": _properties,
        "default_generators": (PhiloxGenerator(),),
        "current_stream": lambda device=None: SimpleNamespace(cuda_stream=0, synchronize=lambda: None),
    }
    for name, answer in answers.items():
        setattr(torch.cpu, name, answer)
    # Some ask torch.cuda for these whatever the device is; nothing there runs on a GPU.
    for name in ("current_device", "get_device_name", "get_device_capability", "get_device_properties"):
        setattr(torch.cuda, name, answers[name])
