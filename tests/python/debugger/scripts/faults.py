"""Kernels that fail: an assertion, a store past the end."""

import sys

import numpy as np
import triton
import triton.language as tl


@triton.jit(debug=True)
def checked(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.device_assert(x >= 0, "negative input")
    tl.store(out_ptr + offsets, tl.sqrt(x))


@triton.jit
def overrun(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    doubled = x * 2
    tl.store(out_ptr + offsets, doubled)


x = np.array([4, 9, 16, 25, 36, -1, 49, 64], np.float32)
out = np.zeros(8, np.float32)
try:
    if "overrun" in sys.argv:
        overrun[(3,)](x, out, 8, BLOCK=4)
    else:
        checked[(2,)](x, out, BLOCK=4)
except RuntimeError as error:
    print("caught:", type(error).__name__)
print("out:", out)
