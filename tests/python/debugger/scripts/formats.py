"""The same numbers stored as several types."""

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def thirds(out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    tl.store(out + lane, (lane * 70 / 3).to(out.dtype.element_ty))


for out in (
    np.zeros(4, np.float32),
    torch.zeros(4, dtype=torch.bfloat16),
    torch.zeros(4, dtype=torch.float8_e5m2),
    np.full(4, 65534, np.uint16),
    np.zeros(4, np.bool_),
):
    thirds[(1,)](out, BLOCK=4)
