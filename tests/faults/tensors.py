"""Small tensors for the cases, made the same way under any implementation of the language.

`uninitialized` needs Trisect to be told of; elsewhere it is a plain `torch.empty`.
`far` maps address space without memory behind it, so that strides of many GiB cost nothing; on a GPU the
memory is there. TRISECT_FAULTS_DEVICE says where all of them lie: on the host, or on a GPU (`cuda`).
"""

import math
import os
import runpy
from pathlib import Path

import torch

#: Needs NumPy alone, so that it serves where Trisect is not installed.
FAR = Path(__file__).resolve().parents[2] / "python" / "trisect" / "sanitizer" / "far.py"

DEVICE = os.environ.get("TRISECT_FAULTS_DEVICE", "cpu")


def floats(*shape, dtype=torch.float32):
    """0, 1, 2 ... scaled into [0, 1)."""
    count = math.prod(shape)
    return (torch.arange(count, dtype=torch.float32) / max(count, 1)).reshape(shape).to(DEVICE, dtype)


def ints(*shape, dtype=torch.int32):
    return torch.arange(math.prod(shape), dtype=dtype, device=DEVICE).reshape(shape)


def zeros(*shape, dtype=torch.float32):
    return torch.zeros(shape, dtype=dtype, device=DEVICE)


def full(value, *shape, dtype=torch.float32):
    return torch.full(shape, value, dtype=dtype, device=DEVICE)


def listed(values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype, device=DEVICE)


def empty(*shape, dtype=torch.float32):
    return torch.empty(shape, dtype=dtype, device=DEVICE)


def uninitialized(*shape, dtype=torch.float32):
    """A tensor that nobody has written."""
    tensor = empty(*shape, dtype=dtype)
    try:
        from trisect import mark_uninitialized
    except ImportError:
        return tensor
    return mark_uninitialized(tensor)


def far(shape, strides, dtype=torch.float32):
    """A view with strides of any size over address space that only holds what is written."""
    if DEVICE != "cpu":
        extent = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        return zeros(extent, dtype=dtype).as_strided(shape, strides)
    make = runpy.run_path(str(FAR))["far_view"]
    return torch.from_numpy(make(shape, strides, torch.empty((), dtype=dtype).numpy().dtype))


def addresses(*tensors):
    """A tensor of the tensors' addresses, as grouped kernels take them."""
    return listed([tensor.data_ptr() for tensor in tensors], torch.int64)
