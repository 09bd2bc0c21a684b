"""A bug: row sums that are right for some row lengths and wrong for others.

Find it: python -m trisect sanitize python/examples/bugs/padded_sum.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def row_sums(x_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + offsets, mask=offsets < columns)
    tl.store(out_ptr + row, tl.sum(x, axis=0))


x = torch.ones(4, 100)
out = torch.zeros(4)
row_sums[(4,)](x, out, x.stride(0), 100, BLOCK=128)
print("sums:", out.tolist(), "expected 100 each")
