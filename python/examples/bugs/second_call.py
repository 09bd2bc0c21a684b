"""A bug: a product that is right at the first call and doubles at the second.

The first call gets fresh memory, which happens to be zero; a later one gets memory that was used before.
Find it: python -m trisect sanitize --watch-empty python/examples/bugs/second_call.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def split_k(a_ptr, b_ptr, c_ptr, K, B: tl.constexpr, CHUNK: tl.constexpr):
    rows, columns = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    k = tl.program_id(0) * CHUNK + tl.arange(0, CHUNK)
    a = tl.load(a_ptr + rows * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * B + columns)
    tl.atomic_add(c_ptr + rows * B + columns, tl.dot(a, b, input_precision="ieee"))


def multiply(a, b):
    c = torch.empty(16, 16)
    split_k[(4,)](a, b, c, 64, B=16, CHUNK=16)
    return c


a, b = torch.ones(16, 64), torch.ones(64, 16)
for call in range(3):
    print("call", call, "gives", multiply(a, b)[0, 0].item(), "of 64.0")
