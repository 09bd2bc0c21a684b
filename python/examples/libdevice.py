"""Functions of the device library by name, with the same spelling on every tier."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def math_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, libdevice.asin(x), mask=mask)
    tl.store(out_ptr + n + offsets, libdevice.tanh(y), mask=mask)
    tl.store(out_ptr + 2 * n + offsets, libdevice.pow(tl.abs(x) + 0.5, y), mask=mask)
    tl.store(out_ptr + 3 * n + offsets, libdevice.hypot(x, y), mask=mask)
    tl.store(out_ptr + 4 * n + offsets, libdevice.lgamma(tl.abs(y) + 0.5), mask=mask)
    tl.store(out_ptr + 5 * n + offsets, libdevice.erfinv(x * 0.9), mask=mask)


if __name__ == "__main__":
    torch.manual_seed(0)
    n = 1000
    for dtype, tolerance in ((torch.float32, 1e-5), (torch.float64, 1e-12)):
        x = torch.rand(n, device=DEVICE, dtype=dtype) * 2 - 1
        y = torch.randn(n, device=DEVICE, dtype=dtype)
        out = torch.empty((6, n), device=DEVICE, dtype=dtype)
        math_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
        want = torch.stack(
            (
                torch.asin(x),
                torch.tanh(y),
                torch.pow(x.abs() + 0.5, y),
                torch.hypot(x, y),
                torch.lgamma(y.abs() + 0.5),
                torch.erfinv(x * 0.9),
            )
        )
        torch.testing.assert_close(out, want, atol=tolerance, rtol=tolerance)
    print("libdevice: six functions agree with torch in float32 and float64")
