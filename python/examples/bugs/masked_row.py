"""A bug: attention weights that turn to NaN for the rows of a batch that are padding as a whole.

Find it: python -m trisect sanitize --kinds nan-origin python/examples/bugs/masked_row.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def weights(scores_ptr, lengths_ptr, out_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    scores = tl.load(scores_ptr + row * BLOCK + offsets)
    e = tl.where(offsets < tl.load(lengths_ptr + row), tl.exp(scores), 0.0)
    tl.store(out_ptr + row * BLOCK + offsets, e / tl.sum(e, axis=0))


scores = torch.zeros(3, 16)
lengths = torch.tensor([16, 5, 0])
out = torch.zeros(3, 16)
weights[(3,)](scores, lengths, out, BLOCK=16)
print("rows with NaN:", torch.isnan(out).any(dim=1).tolist())
