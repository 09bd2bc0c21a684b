"""Top-k of each row with indices: value and position travel in one integer, so one sort moves both."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def top_k_kernel(x_ptr, values_ptr, indices_ptr, columns, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=-float("inf"))
    # Bits of a float, ordered like a signed integer; the low half holds the position, ties go to the first.
    bits = x.to(tl.int32, bitcast=True)
    ordered = tl.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    packed = (ordered.to(tl.int64) << 32) | (BLOCK - 1 - offsets).to(tl.int64)
    best = tl.topk(packed, K)
    ordered = (best >> 32).to(tl.int32)
    bits = tl.where(ordered < 0, ordered ^ 0x7FFFFFFF, ordered)
    slots = row * K + tl.arange(0, K)
    tl.store(values_ptr + slots, bits.to(tl.float32, bitcast=True))
    tl.store(indices_ptr + slots, BLOCK - 1 - (best & 0xFFFFFFFF).to(tl.int32))


def top_k(x, k):
    rows, columns = x.shape
    values = torch.empty((rows, k), device=x.device)
    indices = torch.empty((rows, k), dtype=torch.int32, device=x.device)
    block = triton.next_power_of_2(columns)
    top_k_kernel[(rows,)](x, values, indices, columns, K=k, BLOCK=block)
    return values, indices


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn((5, 200), device=DEVICE)
    values, indices = top_k(x, 8)
    want = torch.topk(x, 8, dim=1)
    assert torch.equal(values, want.values)
    assert torch.equal(indices.long(), want.indices)
    print("top-k: values and indices equal torch's")
