"""Variables of every sort: tuples, block pointers, pointers, narrow formats, unsigned numbers."""

from typing import NamedTuple

import numpy as np
import triton
import triton.language as tl


class Pair(NamedTuple):
    low: tl.tensor
    high: tl.tensor


@triton.jit
def halves(x):
    return Pair(x & 15, x >> 4)


@triton.jit
def kinds(x_ptr, out_ptr, flags, BLOCK: tl.constexpr, NAME: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    places = x_ptr + offsets
    x = tl.load(places)
    pair = halves(x)
    small = x.to(tl.bfloat16)
    tiny = small.to(tl.float8e5)  # noqa: F841
    square = tl.reshape(pair.low, (2, BLOCK // 2))
    total = tl.sum(square, axis=1)
    odd = (x & 1) == 1
    both = (total, odd)  # noqa: F841
    window = tl.make_block_ptr(out_ptr, (BLOCK,), (1,), (4,), (4,), (0,))
    tl.store(window, tl.sum(tl.reshape(pair.high, (4, BLOCK // 4)), axis=1).to(tl.int32))


x = np.arange(16, dtype=np.uint8) * 15
out = np.zeros(16, np.int32)
kinds[(1,)](x, out, 4000000000, BLOCK=16, NAME="demo")
print("out:", out)
