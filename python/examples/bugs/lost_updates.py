"""A bug: a total that is right with one program and too small with many, and another one each time.

Find it: python -m trisect sanitize python/examples/bugs/lost_updates.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + offsets), axis=0)
    tl.store(out_ptr, tl.load(out_ptr) + part)


x = torch.ones(1 << 14)
out = torch.zeros(1)
total[(1 << 8,)](x, out, BLOCK=64)
print("total:", out.item(), "of", x.sum().item())
