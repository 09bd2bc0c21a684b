"""Row softmax in one pass over memory: each program keeps a whole row in its block."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, rows, columns, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(in_ptr + row * in_stride + offsets, mask=mask, other=-float("inf"))
        numerator = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


def softmax(x, programs=64):
    rows, columns = x.shape
    out = torch.empty_like(x)
    block = triton.next_power_of_2(columns)
    softmax_kernel[(min(rows, programs),)](out, x, x.stride(0), out.stride(0), rows, columns, BLOCK=block)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    for shape in ((1, 1), (100, 781), (257, 256)):
        x = torch.randn(shape, device=DEVICE)
        torch.testing.assert_close(softmax(x), torch.softmax(x, dim=1), atol=1e-6, rtol=1e-5)
    print("fused softmax: agrees with torch")
