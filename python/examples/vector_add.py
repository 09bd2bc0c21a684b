"""Vector addition: the smallest whole kernel. A grid of programs, a block each, a mask for the ragged end."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def add(x, y):
    out = torch.empty_like(x)
    n = out.numel()
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n, BLOCK=1024)
    return out


if __name__ == "__main__":
    for size in (1, 1000, 1024, 98432):
        x, y = torch.rand(size, device=DEVICE), torch.rand(size, device=DEVICE)
        assert torch.equal(add(x, y), x + y)
    print("vector add: equal to torch, bit for bit")
