"""A loop that never ends."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def spin(out_ptr, step):
    count = 0
    while count >= 0:
        count = (count + step) % 1000
    tl.store(out_ptr, count)


spin[(1,)](np.zeros(1, np.int32), 3)
