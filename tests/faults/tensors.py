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
#: Elements between tensors on a GPU, where they would lie side by side and one would end in another.
ROOM = 4096


def placed(tensor):
    """The tensor where the tests want it."""
    return tensor if DEVICE == "cpu" else empty(*tensor.shape, dtype=tensor.dtype).copy_(tensor)


def floats(*shape, dtype=torch.float32):
    """0, 1, 2 ... scaled into [0, 1)."""
    count = math.prod(shape)
    return placed((torch.arange(count, dtype=torch.float32) / max(count, 1)).reshape(shape).to(dtype))


def ints(*shape, dtype=torch.int32):
    return placed(torch.arange(math.prod(shape), dtype=dtype).reshape(shape))


def zeros(*shape, dtype=torch.float32):
    return placed(torch.zeros(shape, dtype=dtype))


def full(value, *shape, dtype=torch.float32):
    return placed(torch.full(shape, value, dtype=dtype))


def listed(values, dtype=torch.int32):
    return placed(torch.tensor(values, dtype=dtype))


def empty(*shape, dtype=torch.float32):
    if DEVICE == "cpu":
        return torch.empty(shape, dtype=dtype)
    count = math.prod(shape)
    return torch.empty(count + ROOM, dtype=dtype, device=DEVICE)[:count].view(shape)


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
        return torch.zeros(extent, dtype=dtype, device=DEVICE).as_strided(shape, strides)
    make = runpy.run_path(str(FAR))["far_view"]
    return torch.from_numpy(make(shape, strides, torch.empty((), dtype=dtype).numpy().dtype))


def addresses(*tensors):
    """A tensor of the tensors' addresses, as grouped kernels take them."""
    return listed([tensor.data_ptr() for tensor in tensors], torch.int64)
