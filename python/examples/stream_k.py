"""Stream-K: the K loops of all tiles form one line that is cut into equal parts, a part a program.

A tile that several programs share is finished by the one that holds its first part; the others hand over
their partial sums and raise a flag for it to wait on.
"""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def stream_k_kernel(
    a_ptr, b_ptr, c_ptr, partial_ptr, flag_ptr, M, N, K, per_program,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    steps = tl.cdiv(K, BK)
    tiles_n = tl.cdiv(N, BN)
    total = tl.cdiv(M, BM) * tiles_n * steps
    at = pid * per_program
    end = tl.minimum(at + per_program, total)
    block = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    while at < end:
        tile = at // steps
        first = at % steps
        last = tl.minimum(steps, first + end - at)
        rows = (tile // tiles_n) * BM + tl.arange(0, BM)
        columns = (tile % tiles_n) * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(first, last):
            ks = step * BK + tl.arange(0, BK)
            a_mask = (rows[:, None] < M) & (ks[None, :] < K)
            b_mask = (ks[:, None] < K) & (columns[None, :] < N)
            a = tl.load(a_ptr + rows[:, None] * K + ks[None, :], mask=a_mask, other=0.0)
            b = tl.load(b_ptr + ks[:, None] * N + columns[None, :], mask=b_mask, other=0.0)
            acc = tl.dot(a, b, acc, input_precision="ieee")
        if first == 0:
            # The owner: gather what later programs computed of this tile.
            covered = last
            helper = pid + 1
            while covered < steps:
                while tl.atomic_cas(flag_ptr + helper, 1, 1) != 1:
                    pass
                acc += tl.load(partial_ptr + helper * BM * BN + block)
                covered += per_program
                helper += 1
            c_mask = (rows[:, None] < M) & (columns[None, :] < N)
            tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc, mask=c_mask)
        else:
            tl.store(partial_ptr + pid * BM * BN + block, acc)
            tl.debug_barrier()
            tl.atomic_xchg(flag_ptr + pid, 1)
        at += last - first


def matmul(a, b, programs, bm=32, bn=32, bk=16):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device)
    total = triton.cdiv(m, bm) * triton.cdiv(n, bn) * triton.cdiv(k, bk)
    partial = torch.empty((programs, bm, bn), device=a.device)
    flags = torch.zeros(programs, dtype=torch.int32, device=a.device)
    per_program = triton.cdiv(total, programs)
    stream_k_kernel[(programs,)](a, b, c, partial, flags, m, n, k, per_program, BM=bm, BN=bn, BK=bk)
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    a = torch.randn((70, 200), device=DEVICE)
    b = torch.randn((200, 50), device=DEVICE)
    for programs in (1, 4, 7, 40):
        want = (a.double() @ b.double()).float()
        torch.testing.assert_close(matmul(a, b, programs), want, atol=1e-4, rtol=1e-4)
    print("stream-K: 1, 4, 7 and 40 programs agree with float64")
