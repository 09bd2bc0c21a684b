"""A bug: a gradient that changes when an unrelated parameter does.

Both parameters live in one flat buffer, so that the wrong row is somebody else's memory and nothing crashes.
Find it: python -m trisect sanitize python/examples/bugs/neighbour_row.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def lookup(ids_ptr, table_ptr, bias_ptr, out_ptr, width, BLOCK: tl.constexpr):
    token = tl.load(ids_ptr + tl.program_id(0))
    offsets = tl.arange(0, BLOCK)
    row = tl.load(table_ptr + token * width + offsets, mask=offsets < width, other=0.0)
    bias = tl.load(bias_ptr + offsets, mask=offsets < width, other=0.0)
    tl.store(out_ptr + tl.program_id(0) * width + offsets, row + bias, mask=offsets < width)


flat = torch.arange(10 * 24 + 24, dtype=torch.float32)
table, bias = flat[: 10 * 24].view(10, 24), flat[10 * 24 :]
ids = torch.tensor([3, 10, 1])
out = torch.zeros(3, 24)
lookup[(3,)](ids, table, bias, out, 24, BLOCK=32)
print("row of the second token starts with", out[1, 0].item(), "and bias with", bias[0].item())
