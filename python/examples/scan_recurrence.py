"""A linear recurrence h[t] = a[t] h[t-1] + b[t] as an associative scan over pairs, long rows in chunks."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def combine(a_left, b_left, a_right, b_right):
    # Applying (a, b) means h -> a h + b; this is the right map after the left one.
    return a_left * a_right, b_left * a_right + b_right


@triton.jit
def recurrence_kernel(a_ptr, b_ptr, h_ptr, length, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carried = 0.0
    for start in range(0, length, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < length
        a = tl.load(a_ptr + row * length + offsets, mask=mask, other=1.0)
        b = tl.load(b_ptr + row * length + offsets, mask=mask, other=0.0)
        factor, state = tl.associative_scan((a, b), axis=0, combine_fn=combine)
        state = factor * carried + state
        tl.store(h_ptr + row * length + offsets, state, mask=mask)
        # Padding repeats the last state, so the block's last lane carries on.
        carried = tl.sum(tl.where(tl.arange(0, BLOCK) == BLOCK - 1, state, 0.0), axis=0)


def recurrence(a, b, block=64):
    h = torch.empty_like(a)
    recurrence_kernel[(a.shape[0],)](a, b, h, a.shape[1], BLOCK=block)
    return h


if __name__ == "__main__":
    torch.manual_seed(0)
    a, b = torch.rand((6, 300), device=DEVICE), torch.randn((6, 300), device=DEVICE)
    want, h = torch.empty_like(a, dtype=torch.float64), torch.zeros(6, dtype=torch.float64, device=DEVICE)
    for t in range(a.shape[1]):
        h = a[:, t].double() * h + b[:, t].double()
        want[:, t] = h
    torch.testing.assert_close(recurrence(a, b).double(), want, atol=1e-5, rtol=1e-5)
    print("scan: the recurrence agrees with a float64 loop")
