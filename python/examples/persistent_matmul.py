"""Persistent matmul: as many programs as the machine has cores, each takes one tile after the other."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def tile_position(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    in_group = GROUP * tiles_n
    first_m = (tile // in_group) * GROUP
    group_m = tl.minimum(tiles_m - first_m, GROUP)
    return first_m + (tile % in_group) % group_m, (tile % in_group) // group_m


@triton.jit
def persistent_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr,
):  # fmt: skip
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=True):
        tile_m, tile_n = tile_position(tile, tiles_m, tiles_n, GROUP)
        rows = tile_m * BM + tl.arange(0, BM)
        columns = tile_n * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            ks = k * BK + tl.arange(0, BK)
            a_mask = (rows[:, None] < M) & (ks[None, :] < K)
            b_mask = (ks[:, None] < K) & (columns[None, :] < N)
            a = tl.load(a_ptr + rows[:, None] * K + ks[None, :], mask=a_mask, other=0.0)
            b = tl.load(b_ptr + ks[:, None] * N + columns[None, :], mask=b_mask, other=0.0)
            acc = tl.dot(a, b, acc)
        c_mask = (rows[:, None] < M) & (columns[None, :] < N)
        tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc.to(tl.float16), mask=c_mask)


def matmul(a, b, programs=6):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    persistent_kernel[(programs,)](a, b, c, m, n, k, BM=32, BN=32, BK=32, GROUP=4, PROGRAMS=programs)
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    for m, n, k in ((128, 96, 64), (150, 70, 99), (16, 16, 16)):
        a = torch.randn((m, k), device=DEVICE, dtype=torch.float16)
        b = torch.randn((k, n), device=DEVICE, dtype=torch.float16)
        want = (a.double() @ b.double()).half()
        torch.testing.assert_close(matmul(a, b), want, atol=2e-2, rtol=2e-3)
    print("persistent matmul: agrees with float64")
