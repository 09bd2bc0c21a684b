"""Tensor descriptors, made on the host and in the kernel: tiles are clipped to the tensor by the hardware."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def transpose_kernel(in_desc, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    # The input's descriptor comes from the host, the output's is made here.
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    out_desc = tl.make_tensor_descriptor(out_ptr, [columns, rows], [rows, 1], [BN, BM])
    out_desc.store([column, row], in_desc.load([row, column]).T)


@triton.jit
def column_sums_kernel(in_desc, out_ptr, rows, BM: tl.constexpr, BN: tl.constexpr):
    column = tl.program_id(0) * BN
    total = tl.zeros((BN,), dtype=tl.float32)
    for row in range(0, rows, BM):
        total += tl.sum(in_desc.load([row, column]), axis=0)
    tl.store(out_ptr + column + tl.arange(0, BN), total)


if __name__ == "__main__":
    torch.manual_seed(0)
    if hasattr(triton, "set_allocator"):
        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device=DEVICE))
    rows, columns = 100, 72
    x = torch.randn((rows, columns), device=DEVICE)
    descriptor = TensorDescriptor(x, x.shape, x.stride(), [32, 16])
    out = torch.empty((columns, rows), device=DEVICE)
    grid = (triton.cdiv(rows, 32), triton.cdiv(columns, 16))
    transpose_kernel[grid](descriptor, out, rows, columns, BM=32, BN=16)
    assert torch.equal(out, x.T)
    sums = torch.empty(triton.cdiv(columns, 16) * 16, device=DEVICE)
    column_sums_kernel[(grid[1],)](descriptor, sums, rows, BM=32, BN=16)
    torch.testing.assert_close(sums[:columns], x.sum(0), atol=1e-4, rtol=1e-4)
    assert torch.equal(sums[columns:], torch.zeros_like(sums[columns:]))
    print("tensor descriptors: transpose is exact, sums see zeros outside the tensor")
