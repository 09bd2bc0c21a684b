"""Dropout from a seed: no mask is stored, the same seed gives the same mask in the backward pass."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def dropout(x, p, seed):
    out = torch.empty_like(x)
    n = x.numel()
    dropout_kernel[(triton.cdiv(n, 512),)](x, out, n, p, seed, BLOCK=512)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(10_000, device=DEVICE)
    first, again, other = dropout(x, 0.3, 123), dropout(x, 0.3, 123), dropout(x, 0.3, 124)
    assert torch.equal(first, again) and not torch.equal(first, other)
    kept = first != 0
    assert abs(kept.float().mean().item() - 0.7) < 0.02
    torch.testing.assert_close(first[kept], x[kept] / 0.7)
    print(f"dropout: reproducible, keeps {kept.float().mean().item():.3f} for p = 0.3")
