"""2-D convolution as an implicit matrix product: the patches are computed, not stored."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def conv_kernel(
    x_ptr, w_ptr, bias_ptr, out_ptr, batch, channels, height, width, filters, out_height, out_width,
    stride, padding, R: tl.constexpr, S: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    # Rows of the product are output pixels, columns filters, the inner axis runs over (channel, r, s).
    pixel = tl.program_id(0) * BM + tl.arange(0, BM)
    n = pixel // (out_height * out_width)
    top = (pixel // out_width % out_height) * stride - padding
    left = (pixel % out_width) * stride - padding
    filter = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = channels * R * S
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, depth, BK):
        k = start + tl.arange(0, BK)
        c, r, s = k // (R * S), k // S % R, k % S
        h = top[:, None] + r[None, :]
        w = left[:, None] + s[None, :]
        inside = (h >= 0) & (h < height) & (w >= 0) & (w < width)
        inside = inside & (n[:, None] < batch) & (k[None, :] < depth)
        x_offsets = ((n[:, None] * channels + c[None, :]) * height + h) * width + w
        x = tl.load(x_ptr + x_offsets, mask=inside, other=0.0)
        w_mask = (filter[None, :] < filters) & (k[:, None] < depth)
        weight = tl.load(w_ptr + filter[None, :] * depth + k[:, None], mask=w_mask, other=0.0)
        acc = tl.dot(x, weight, acc, input_precision="ieee")
    acc += tl.load(bias_ptr + filter, mask=filter < filters, other=0.0)[None, :]
    area = out_height * out_width
    out_offsets = (n[:, None] * filters + filter[None, :]) * area + (pixel % area)[:, None]
    tl.store(out_ptr + out_offsets, acc, mask=(n[:, None] < batch) & (filter[None, :] < filters))


def conv2d(x, w, bias, stride, padding):
    batch, channels, height, width = x.shape
    filters, _, r, s = w.shape
    out_height = (height + 2 * padding - r) // stride + 1
    out_width = (width + 2 * padding - s) // stride + 1
    out = torch.empty((batch, filters, out_height, out_width), device=x.device)
    grid = (triton.cdiv(batch * out_height * out_width, 32), triton.cdiv(filters, 16))
    conv_kernel[grid](
        x, w, bias, out, batch, channels, height, width, filters, out_height, out_width, stride, padding,
        R=r, S=s, BM=32, BN=16, BK=16,
    )  # fmt: skip
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn((2, 5, 13, 11), device=DEVICE)
    w = torch.randn((7, 5, 3, 3), device=DEVICE)
    bias = torch.randn(7, device=DEVICE)
    for stride, padding in ((1, 0), (1, 1), (2, 1)):
        want = torch.nn.functional.conv2d(x.double(), w.double(), bias.double(), stride, padding).float()
        torch.testing.assert_close(conv2d(x, w, bias, stride, padding), want, atol=1e-4, rtol=1e-4)
    print("convolution: agrees with float64 for strides and paddings")
