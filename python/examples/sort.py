"""Sorting rows in registers, up and down, for floats and integers."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def sort_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DESCENDING: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    offsets = rows[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets), dim=1, descending=DESCENDING))


def sort(x, descending):
    out = torch.empty_like(x)
    sort_kernel[(x.shape[0] // 2,)](x, out, ROWS=2, COLUMNS=x.shape[1], DESCENDING=descending)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    floats = torch.randn((4, 64), device=DEVICE)
    integers = torch.randint(-1000, 1000, (4, 64), dtype=torch.int32, device=DEVICE)
    for x in (floats, integers):
        for descending in (False, True):
            assert torch.equal(sort(x, descending), torch.sort(x, dim=1, descending=descending).values)
    print("sort: equal to torch, both directions, both types")
