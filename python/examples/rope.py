"""Rotary position embedding: each pair of channels turns by an angle that grows with the position."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, out_ptr, heads, HALF: tl.constexpr, BACKWARD: tl.constexpr):
    position, head = tl.program_id(0), tl.program_id(1)
    channel = tl.arange(0, HALF)
    cos = tl.load(cos_ptr + position * HALF + channel)
    sin = tl.load(sin_ptr + position * HALF + channel)
    if BACKWARD:
        sin = -sin
    first = (position * heads + head) * 2 * HALF + channel
    x1 = tl.load(x_ptr + first).to(tl.float32)
    x2 = tl.load(x_ptr + first + HALF).to(tl.float32)
    tl.store(out_ptr + first, x1 * cos - x2 * sin)
    tl.store(out_ptr + first + HALF, x2 * cos + x1 * sin)


def rope(x, cos, sin, backward=False):
    length, heads, d = x.shape
    out = torch.empty_like(x)
    rope_kernel[(length, heads)](x, cos, sin, out, heads, HALF=d // 2, BACKWARD=backward)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    length, heads, d = 33, 4, 64
    angles = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, d, 2) / d)).to(DEVICE)
    cos, sin = angles.cos(), angles.sin()
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.bfloat16, 1e-2)):
        x = torch.randn((length, heads, d), device=DEVICE).to(dtype)
        x1, x2 = x.float().chunk(2, dim=-1)
        c, s = cos[:, None], sin[:, None]
        want = torch.cat((x1 * c - x2 * s, x2 * c + x1 * s), dim=-1)
        turned = rope(x, cos, sin)
        torch.testing.assert_close(turned.float(), want, atol=tolerance, rtol=tolerance)
        back = rope(turned, cos, sin, backward=True)
        torch.testing.assert_close(back.float(), x.float(), atol=4 * tolerance, rtol=4 * tolerance)
    print("rope: agrees with torch, turning back restores the input")
