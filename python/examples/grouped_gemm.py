"""Grouped GEMM: products of different sizes in one launch, matrices found through arrays of pointers."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def grouped_kernel(
    a_ptrs, b_ptrs, c_ptrs, sizes_ptr, group_size,
    PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    tile = tl.program_id(0)
    end_of_previous = 0
    for g in range(group_size):
        m = tl.load(sizes_ptr + g * 3)
        n = tl.load(sizes_ptr + g * 3 + 1)
        k = tl.load(sizes_ptr + g * 3 + 2)
        tiles_n = tl.cdiv(n, BN)
        tiles = tl.cdiv(m, BM) * tiles_n
        while tile >= end_of_previous and tile < end_of_previous + tiles:
            a = tl.load(a_ptrs + g).to(tl.pointer_type(tl.float32))
            b = tl.load(b_ptrs + g).to(tl.pointer_type(tl.float32))
            c = tl.load(c_ptrs + g).to(tl.pointer_type(tl.float32))
            rows = ((tile - end_of_previous) // tiles_n) * BM + tl.arange(0, BM)
            columns = ((tile - end_of_previous) % tiles_n) * BN + tl.arange(0, BN)
            acc = tl.zeros((BM, BN), dtype=tl.float32)
            for start in range(0, k, BK):
                ks = start + tl.arange(0, BK)
                a_mask = (rows[:, None] < m) & (ks[None, :] < k)
                b_mask = (ks[:, None] < k) & (columns[None, :] < n)
                x = tl.load(a + rows[:, None] * k + ks[None, :], mask=a_mask, other=0.0)
                y = tl.load(b + ks[:, None] * n + columns[None, :], mask=b_mask, other=0.0)
                acc = tl.dot(x, y, acc, input_precision="ieee")
            c_mask = (rows[:, None] < m) & (columns[None, :] < n)
            tl.store(c + rows[:, None] * n + columns[None, :], acc, mask=c_mask)
            tile += PROGRAMS
        end_of_previous += tiles


def grouped_gemm(pairs, programs=5):
    def addresses(tensors):
        return torch.tensor([t.data_ptr() for t in tensors], dtype=torch.int64, device=DEVICE)

    outputs = [torch.empty((a.shape[0], b.shape[1]), device=a.device) for a, b in pairs]
    sizes = [(a.shape[0], b.shape[1], a.shape[1]) for a, b in pairs]
    grouped_kernel[(programs,)](
        addresses([a for a, _ in pairs]), addresses([b for _, b in pairs]), addresses(outputs),
        torch.tensor(sizes, dtype=torch.int32, device=DEVICE), len(pairs),
        PROGRAMS=programs, BM=32, BN=32, BK=16,
    )  # fmt: skip
    return outputs


if __name__ == "__main__":
    torch.manual_seed(0)
    sizes = ((64, 64, 32), (33, 70, 45), (100, 17, 16), (1, 1, 1))
    pairs = [(torch.randn((m, k), device=DEVICE), torch.randn((k, n), device=DEVICE)) for m, n, k in sizes]
    for (a, b), c in zip(pairs, grouped_gemm(pairs), strict=True):
        torch.testing.assert_close(c, (a.double() @ b.double()).float(), atol=1e-4, rtol=1e-4)
    print(f"grouped GEMM: {len(sizes)} products agree with float64")
