"""Matrix product with programs ordered in groups, so that neighbours share tiles; activation fused."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACTIVATION: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = pid // (GROUP * tiles_n)
    first_m = group * GROUP
    group_m = min(tiles_m - first_m, GROUP)
    tile_m = first_m + (pid % (GROUP * tiles_n)) % group_m
    tile_n = (pid % (GROUP * tiles_n)) // group_m

    # Rows and columns beyond the end wrap round: they are computed and never stored.
    rows = (tile_m * BM + tl.arange(0, BM)) % M
    columns = (tile_n * BN + tl.arange(0, BN)) % N
    ks = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * stride_am + ks[None, :] * stride_ak
    b_ptrs = b_ptr + ks[:, None] * stride_bk + columns[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=ks[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    if ACTIVATION == "leaky_relu":
        acc = leaky_relu(acc)

    rows = tile_m * BM + tl.arange(0, BM)
    columns = tile_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(rows[:, None] < M) & (columns[None, :] < N))


def matmul(a, b, activation=""):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    grid = (triton.cdiv(m, 32) * triton.cdiv(n, 64),)
    matmul_kernel[grid](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
        BM=32, BN=64, BK=32, GROUP=4, ACTIVATION=activation,
    )  # fmt: skip
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    for m, n, k in ((128, 128, 128), (100, 150, 77)):
        a = torch.randn((m, k), device=DEVICE, dtype=torch.float16)
        b = torch.randn((n, k), device=DEVICE, dtype=torch.float16).T
        want = a.double() @ b.double()
        torch.testing.assert_close(matmul(a, b).double(), want, atol=2e-2, rtol=2e-3)
        want = torch.nn.functional.leaky_relu(want, 0.01)
        torch.testing.assert_close(matmul(a, b, "leaky_relu").double(), want, atol=2e-2, rtol=2e-3)
    print("matmul: agrees with float64, with and without activation")
