"""Two programs add to one element without an atomic."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def count(x_ptr, total_ptr):
    value = tl.load(x_ptr + tl.program_id(0))
    total = tl.load(total_ptr)
    tl.store(total_ptr, total + value)


total = np.zeros(1, np.float32)
try:
    count[(3,)](np.array([1, 2, 3], np.float32), total)
except RuntimeError as error:
    print("caught:", str(error).splitlines()[0])
print("total:", total)
