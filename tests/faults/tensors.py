"""Small tensors for the cases, made the same way under any implementation of the language.

`uninitialized` needs Trisect to be told of; elsewhere it is a plain `torch.empty`.
`far` maps address space without memory behind it, so that strides of many GiB cost nothing.
"""

import math
import runpy
from pathlib import Path

import torch

#: Needs NumPy alone, so that it serves where Trisect is not installed.
FAR = Path(__file__).resolve().parents[2] / "python" / "trisect" / "sanitizer" / "far.py"


def floats(*shape, dtype=torch.float32):
    """0, 1, 2 ... scaled into [0, 1)."""
    count = math.prod(shape)
    return (torch.arange(count, dtype=torch.float32) / max(count, 1)).reshape(shape).to(dtype)


def ints(*shape, dtype=torch.int32):
    return torch.arange(math.prod(shape), dtype=dtype).reshape(shape)


def zeros(*shape, dtype=torch.float32):
    return torch.zeros(shape, dtype=dtype)


def full(value, *shape, dtype=torch.float32):
    return torch.full(shape, value, dtype=dtype)


def listed(values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype)


def uninitialized(*shape, dtype=torch.float32):
    """A tensor that nobody has written."""
    tensor = torch.empty(shape, dtype=dtype)
    try:
        from trisect import mark_uninitialized
    except ImportError:
        return tensor
    return mark_uninitialized(tensor)


def far(shape, strides, dtype=torch.float32):
    """A view with strides of any size over address space that only holds what is written."""
    make = runpy.run_path(str(FAR))["far_view"]
    return torch.from_numpy(make(shape, strides, torch.empty((), dtype=dtype).numpy().dtype))


def addresses(*tensors):
    """A tensor of the tensors' addresses, as grouped kernels take them."""
    return torch.tensor([tensor.data_ptr() for tensor in tensors], dtype=torch.int64)
