"""Kernels whose addresses or trip counts are read from memory: a tool cannot solve for them, it must run.

Cases as in tier0.py.
"""

import torch
import triton
import triton.language as tl
from tier0 import error, normal


@triton.jit
def embedding_kernel(ids_ptr, table_ptr, out_ptr, stride, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, COLUMNS)
    source = tl.load(ids_ptr + row) * stride
    tl.store(out_ptr + row * COLUMNS + offsets, tl.load(table_ptr + source + offsets))


@triton.jit
def ragged_sum_kernel(x_ptr, starts_ptr, out_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start, end = tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for at in range(start, end, BLOCK):
        offsets = at + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + offsets, mask=offsets < end, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))


def numbers(low, high, count):
    return torch.randint(low, high, (count,), dtype=torch.int32, generator=torch.Generator().manual_seed(0))


def embedding():
    ids, table = numbers(0, 4096, 1024), normal(4096, 256)
    out = torch.empty(1024, 256)
    return (
        lambda: embedding_kernel[(1024,)](ids, table, out, table.stride(0), COLUMNS=256),
        lambda: error(out, table[ids.long()]),
    )


def ragged_sum():
    lengths = numbers(0, 1024, 256)
    starts = torch.cat((torch.zeros(1, dtype=torch.int32), lengths.cumsum(0, dtype=torch.int32)))
    x = normal(int(starts[-1]))
    out = torch.empty(256)

    def check():
        rows = torch.split(x.double(), lengths.tolist())
        return error(out, torch.stack([row.sum() for row in rows]))

    return lambda: ragged_sum_kernel[(256,)](x, starts, out, BLOCK=256), check


CASES = {case.__name__: case for case in (embedding, ragged_sum)}
