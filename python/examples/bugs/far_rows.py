"""A bug: a kernel that passes all tests and reads wild addresses for the one tensor with more than 2**31
elements.

The view has such strides without the memory behind it.
Find it: python -m trisect sanitize python/examples/bugs/far_rows.py
"""

import torch
import triton
import triton.language as tl

from trisect.sanitizer import far_view


@triton.jit
def first_columns(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * BLOCK + offsets, tl.load(x_ptr + row * stride + offsets))


rows, stride = 4, 1 << 30
x = torch.from_numpy(far_view((rows, 16), (stride, 1)))
out = torch.zeros(rows, 16)
first_columns[(rows,)](x, out, stride, BLOCK=16)
print("read", rows, "rows")
