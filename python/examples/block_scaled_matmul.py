"""Block-scaled matmul: fp4 and fp8 elements that share a power-of-two scale in groups of 32 along K."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FP4 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


@triton.jit
def scaled_kernel(
    a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        ks = start + tl.arange(0, BK)
        packed = start // 2 + tl.arange(0, BK // 2)
        groups = start // 32 + tl.arange(0, BK // 32)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :])
        b = tl.load(b_ptr + packed[:, None] * N + columns[None, :])
        a_scale = tl.load(a_scale_ptr + rows[:, None] * (K // 32) + groups[None, :])
        b_scale = tl.load(b_scale_ptr + columns[:, None] * (K // 32) + groups[None, :])
        acc = tl.dot_scaled(a, a_scale, "e4m3", b, b_scale, "e2m1", acc)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc)


def matmul(a, a_scale, b_packed, b_scale):
    (m, k), n = a.shape, b_packed.shape[1]
    c = torch.empty((m, n), device=a.device)
    scaled_kernel[(m // 32, n // 32)](a, a_scale, b_packed, b_scale, c, n, k, BM=32, BN=32, BK=64)
    return c


def powers(scale):
    """The e8m0 code s stands for 2^(s - 127)."""
    return torch.exp2(scale.double() - 127).repeat_interleave(32, dim=1)


if __name__ == "__main__":
    torch.manual_seed(0)
    m, n, k = 64, 96, 128
    a = torch.randn((m, k), device=DEVICE).to(torch.float8_e4m3fn)
    codes = torch.randint(0, 16, (k, n), dtype=torch.uint8, device=DEVICE)
    packed = codes[0::2] | (codes[1::2] << 4)
    a_scale = torch.randint(120, 134, (m, k // 32), dtype=torch.uint8, device=DEVICE)
    b_scale = torch.randint(120, 134, (n, k // 32), dtype=torch.uint8, device=DEVICE)
    b = FP4.to(DEVICE)[codes.long()].double()
    want = (a.double() * powers(a_scale)) @ (b * powers(b_scale).T)
    torch.testing.assert_close(matmul(a, a_scale, packed, b_scale).double(), want, atol=1e-3, rtol=1e-5)
    print("block-scaled matmul: e4m3 x e2m1 agrees with float64")
