"""Block pointers: a tile of a matrix as one value that moves, with bounds checked per dimension."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (row, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, column), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, stride_cn), (row, column), (BM, BN), (1, 0))
    tl.store(c, acc, boundary_check=(0, 1))


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 16))
    matmul_kernel[grid](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), BM=32, BN=16, BK=16
    )  # fmt: skip
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    for m, n, k in ((64, 64, 64), (50, 33, 41)):
        a = torch.randn((m, k), device=DEVICE)
        b = torch.randn((n, k), device=DEVICE).T
        want = (a.double() @ b.double()).float()
        torch.testing.assert_close(matmul(a, b), want, atol=1e-4, rtol=1e-4)
    print("block pointers: matmul of ragged and transposed matrices agrees with float64")
