"""Quantised matmul: int8 with 32-bit sums and a scale per row and column, fp8 with float sums."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, a_scale_ptr, b_scale_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=ACC)
    for start in range(0, K, BK):
        ks = start + tl.arange(0, BK)
        a_mask = (rows[:, None] < M) & (ks[None, :] < K)
        b_mask = (ks[:, None] < K) & (columns[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + ks[:, None] * N + columns[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc, out_dtype=ACC)
    a_scale = tl.load(a_scale_ptr + rows, mask=rows < M, other=0.0)
    b_scale = tl.load(b_scale_ptr + columns, mask=columns < N, other=0.0)
    scaled = acc.to(tl.float32) * a_scale[:, None] * b_scale[None, :]
    c_mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], scaled, mask=c_mask)


def quantise(x, dim, dtype):
    """Scales so that the largest magnitude along `dim` meets the largest value of `dtype`."""
    top = torch.iinfo(dtype).max if dtype == torch.int8 else torch.finfo(dtype).max
    scale = x.abs().amax(dim, keepdim=True) / top
    scaled = x / scale
    return (scaled.round() if dtype == torch.int8 else scaled).to(dtype), scale.flatten()


def matmul(a, b, a_scale, b_scale):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device)
    acc = tl.int32 if a.dtype == torch.int8 else tl.float32
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
    matmul_kernel[grid](a, b, c, a_scale, b_scale, m, n, k, BM=32, BN=32, BK=32, ACC=acc)
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    a, b = torch.randn((50, 100), device=DEVICE), torch.randn((100, 70), device=DEVICE)
    for dtype, loss in ((torch.int8, 0.02), (torch.float8_e4m3fn, 0.05)):
        qa, sa = quantise(a, 1, dtype)
        qb, sb = quantise(b, 0, dtype)
        got = matmul(qa, qb, sa, sb)
        exact = (qa.double() @ qb.double()) * sa.double()[:, None] * sb.double()[None, :]
        torch.testing.assert_close(got.double(), exact, atol=1e-5, rtol=1e-5)
        relative = (got - a @ b).norm() / (a @ b).norm()
        assert relative < loss, relative
        print(
            f"{str(dtype).removeprefix('torch.')} matmul: right; quantising cost {relative:.2%} of the norm"
        )
