"""Loops and branches: a while loop, an early return, an unrolled loop."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def collatz(x_ptr, steps_ptr, n, LIMIT: tl.constexpr):
    pid = tl.program_id(0)
    if pid >= n:
        return
    value = tl.load(x_ptr + pid)
    steps = 0
    while value != 1 and steps < LIMIT:
        if value % 2 == 0:
            value = value // 2
        else:
            value = 3 * value + 1
        steps += 1
    for digit in tl.static_range(2):
        steps += digit
    tl.store(steps_ptr + pid, steps)


x = np.array([1, 5, 6], np.int32)
steps = np.zeros(3, np.int32)
collatz[(4,)](x, steps, 3, LIMIT=100)
print("steps:", steps)
