"""A loop that ends for nobody who lives to see it, and never comes back to where it was."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def spin(out_ptr, step):
    count = 0
    rounds = tl.cast(0, tl.int64)
    while rounds >= 0:
        count = (count + step) % 1000
        rounds += 1
    tl.store(out_ptr, count)


spin[(1,)](np.zeros(1, np.int32), 3)
