"""A kernel that calls breakpoint()."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, factor):
    pid = tl.program_id(0)
    value = tl.load(x_ptr + pid)
    if pid == 1:
        breakpoint()
    tl.store(x_ptr + pid, value * factor)


x = np.array([1.0, 2.0, 3.0], np.float32)
scale[(3,)](x, 10.0)
print("x:", x)
