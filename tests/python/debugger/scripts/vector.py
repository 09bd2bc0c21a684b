"""A vector sum with a masked tail."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside, other=1.0)
    total = x + y
    tl.store(out_ptr + offsets, total, mask=inside)


x = np.arange(12, dtype=np.float32)
y = np.full(12, 0.5, np.float32)
out = np.zeros(12, np.float32)
add[(3,)](x, y, out, 10, BLOCK=4)
print("out:", out)
