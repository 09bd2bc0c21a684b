"""Schedules of products: groups of problems, descriptors, block pointers, epilogues, two launches."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl
from trisect.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def many_problems(
    a_ptrs, b_ptrs, c_ptrs, sizes_ptr, strides_ptr, groups, PROGRAMS: tl.constexpr, B: tl.constexpr
):
    tile = tl.program_id(0)
    last_end = 0
    for g in range(groups):
        m, n, k = tl.load(sizes_ptr + g * 3), tl.load(sizes_ptr + g * 3 + 1), tl.load(sizes_ptr + g * 3 + 2)
        tiles_n = tl.cdiv(n, B)
        tiles = tl.cdiv(m, B) * tiles_n
        while tile >= last_end and tile < last_end + tiles:
            lda, ldb = tl.load(strides_ptr + g * 3), tl.load(strides_ptr + g * 3 + 1)
            ldc = tl.load(strides_ptr + g * 3 + 2)
            a_ptr = tl.load(a_ptrs + g).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(b_ptrs + g).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(c_ptrs + g).to(tl.pointer_type(tl.float16))
            rm = (tile - last_end) // tiles_n * B + tl.arange(0, B)
            rn = (tile - last_end) % tiles_n * B + tl.arange(0, B)
            rk = tl.arange(0, B)
            acc = tl.zeros((B, B), dtype=tl.float32)
            for kk in range(0, tl.cdiv(k, B)):
                tl.multiple_of(rk, [B])
                live = rk + kk * B < k
                a = tl.load(
                    a_ptr + rm[:, None] * lda + (rk + kk * B)[None, :], live[None, :] & (rm < m)[:, None], 0.0
                )
                b = tl.load(
                    b_ptr + (rk + kk * B)[:, None] * ldb + rn[None, :], live[:, None] & (rn < n)[None, :], 0.0
                )
                acc += tl.dot(a, b)
            c_mask = (rm < m)[:, None] & (rn < n)[None, :]
            tl.store(c_ptr + rm[:, None] * ldc + rn[None, :], acc.to(tl.float16), mask=c_mask)
            tile += PROGRAMS
        last_end = last_end + tiles


@RUNS
def test_problems_by_tables_of_pointers(run):
    sizes = np.array([[16, 16, 16], [20, 35, 9], [7, 16, 40]], np.int32)
    a = [random(m, k, seed=i, dtype=np.float16) for i, (m, n, k) in enumerate(sizes)]
    b = [random(k, n, seed=i + 9, dtype=np.float16) for i, (m, n, k) in enumerate(sizes)]
    c = [zeros(m, n, dtype=np.float16) for m, n, k in sizes]
    tables = [np.array([x.ctypes.data for x in xs], np.uint64) for xs in (a, b, c)]
    strides = np.array([[k, n, n] for m, n, k in sizes], np.int32)
    launch(run, many_problems, (3,), *tables, sizes, strides, 3, PROGRAMS=3, B=16)
    for x, y, z in zip(a, b, c, strict=True):
        close(z, x.astype(np.float32) @ y.astype(np.float32), 2e-2)


@triton.jit
def block_pointers(a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, B: tl.constexpr, BK: tl.constexpr):
    pid_m, pid_n = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 2)
    a = tl.make_block_ptr(a_ptr, (M, K), (sam, sak), (pid_m * B, 0), (B, BK), order=(1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (sbk, sbn), (0, pid_n * B), (BK, B), order=(0, 1))
    acc = tl.zeros((B, B), tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, [BK, 0])
    c = tl.make_block_ptr(c_ptr, [M, N], [N, 1], [pid_m * B, pid_n * B], [B, B], [1, 0])
    tl.store(c, acc.to(c.type.element_ty.element_ty), boundary_check=(0, 1))


@RUNS
def test_block_pointers_over_a_transposed_operand(run):
    a, b, c = random(37, 21), random(23, 21, seed=1).T, zeros(37, 23, dtype=np.float16)
    launch(run, block_pointers, (3, 2), a, b, c, 37, 23, 21, 21, 1, 1, 21, B=16, BK=16)
    close(c, a @ b, 2e-2)


@triton.jit
def by_descriptors(a, b, c, K, EPILOGUE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages=2, warp_specialize=False):
        acc = tl.dot(a.load([m, k]), b.load([n, k]).T, acc, input_precision="ieee")
    if EPILOGUE:
        halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))
        left, right = tl.split(halves)
        c.store([m, n], left.to(c.dtype))
        c.store([m, n + BN // 2], right.to(c.dtype))
    else:
        c.store([m, n], acc)


@RUNS
@pytest.mark.parametrize("split", [False, True])
def test_descriptors_from_the_host(run, split):
    a, b, c = random(20, 24), random(40, 24, seed=1), zeros(20, 40)
    descriptors = (
        TensorDescriptor.from_tensor(a, [16, 16]),
        TensorDescriptor.from_tensor(b, [32, 16]),
        TensorDescriptor(c, shape=[20, 40], strides=[40, 1], block_shape=[16, 16 if split else 32]),
    )
    launch(run, by_descriptors, (2, 2), *descriptors, 24, EPILOGUE=split, BM=16, BN=32, BK=16)
    close(c, a @ b.T, 1e-3)


@triton.jit
def device_descriptors(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr, B: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[B, B])
    b = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[N, 1], block_shape=[B, B])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[B, B])
    tiles_n, steps = tl.cdiv(N, B), tl.cdiv(K, B)
    tile, k = tl.program_id(0) - PROGRAMS, -1
    acc, m, n = tl.zeros((B, B), tl.float32), 0, 0
    mine = tl.cdiv(tl.cdiv(M, B) * tiles_n - tl.program_id(0), PROGRAMS)
    for _ in range(0, steps * mine):
        k = tl.where(k == steps - 1, 0, k + 1)
        if k == 0:
            tile += PROGRAMS
            m, n = tile // tiles_n * B, tile % tiles_n * B
        acc = tl.dot(a.load([m, k * B]), b.load([k * B, n]), acc, input_precision="ieee")
        if k == steps - 1:
            c.store([m, n], acc)
            acc = tl.zeros((B, B), tl.float32)


@RUNS
def test_one_flat_loop_over_tiles_and_steps(run):
    a, b, c = random(33, 36), random(36, 20, seed=1), zeros(33, 20)
    launch(run, device_descriptors, (4,), a, b, c, 33, 20, 36, PROGRAMS=4, B=16)
    close(c, a @ b, 1e-3)


@triton.jit
def batched(a_ptr, b_ptr, c_ptr, BATCH: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, m = tl.arange(0, BATCH)[:, None, None], tl.arange(0, M)[None, :, None]
    k, n = tl.arange(0, K), tl.arange(0, N)[None, None, :]
    a = tl.load(a_ptr + i * M * K + m * K + k[None, None, :])
    b = tl.load(b_ptr + i * K * N + k[None, :, None] * N + n)
    tl.store(c_ptr + i * M * N + m * N + n, tl.dot(a, b, out_dtype=tl.float32, input_precision="ieee"))


@RUNS
def test_products_of_three_dimensions(run):
    a, b, c = random(4, 16, 16), random(4, 16, 32, seed=1), zeros(4, 16, 32)
    launch(run, batched, (1,), a, b, c, BATCH=4, M=16, N=32, K=16)
    close(c, a @ b, 1e-3)


@triton.jit
def gated_pair(x_ptr, w1_ptr, w2_ptr, o_ptr, M, N, K, B: tl.constexpr):
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    rk = tl.arange(0, B)
    gate, up = tl.zeros((B, B), tl.float32), tl.zeros((B, B), tl.float32)
    for k in range(0, K, B):
        x = tl.load(x_ptr + rm[:, None] * K + (k + rk), mask=(rm[:, None] < M) & (k + rk < K), other=0.0)
        live = ((k + rk)[:, None] < K) & (rn < N)
        gate = tl.dot(x, tl.load(w1_ptr + (k + rk)[:, None] * N + rn, mask=live, other=0.0), gate, "ieee")
        up = tl.dot(x, tl.load(w2_ptr + (k + rk)[:, None] * N + rn, mask=live, other=0.0), up, "ieee")
    y = gate * tl.sigmoid(gate) * up
    tl.store(o_ptr + rm[:, None] * N + rn, y, mask=(rm[:, None] < M) & (rn < N))


@RUNS
def test_two_products_with_one_gate(run):
    x, w1, w2, o = random(19, 25), random(25, 21, seed=1), random(25, 21, seed=2), zeros(19, 21)
    launch(run, gated_pair, (2, 2), x, w1, w2, o, 19, 21, 25, B=16)
    g = x @ w1
    close(o, g / (1 + np.exp(-g)) * (x @ w2), 1e-3)


@triton.jit
def symmetric(x_ptr, o_ptr, M, K, B: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    if j > i:
        return
    at, rk = tl.arange(0, B), tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, K, B):
        a = tl.load(x_ptr + (i * B + at)[:, None] * K + k + rk, mask=((i * B + at) < M)[:, None], other=0.0)
        b = tl.load(x_ptr + (j * B + at)[:, None] * K + k + rk, mask=((j * B + at) < M)[:, None], other=0.0)
        acc += tl.dot(a, b.T, input_precision="ieee")
    rows, columns = (i * B + at)[:, None], (j * B + at)[None, :]
    tl.store(o_ptr + rows * M + columns, acc, mask=(rows < M) & (columns < M))
    if i != j:
        tl.store(o_ptr + columns * M + rows, acc, mask=(rows < M) & (columns < M))


@RUNS
def test_half_of_a_symmetric_product(run):
    x, o = random(37, 32), zeros(37, 37)
    launch(run, symmetric, (3, 3), x, o, 37, 32, B=16)
    close(o, x @ x.T, 1e-3)


@triton.jit
def vector_product(a_ptr, x_ptr, o_ptr, M, K, BM: tl.constexpr, BK: tl.constexpr, EVEN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros([BM, BK], tl.float32)
    for k in range(0, K, BK):
        at = k + tl.arange(0, BK)
        if EVEN:
            a, x = tl.load(a_ptr + rows[:, None] * K + at[None, :]), tl.load(x_ptr + at)
        else:
            live = at < K
            a = tl.load(
                a_ptr + rows[:, None] * K + at[None, :], mask=live[None, :] & (rows < M)[:, None], other=0
            )
            x = tl.load(x_ptr + at, mask=live, other=0)
        acc += a.to(tl.float32) * x.to(tl.float32)[None, :]
    tl.store(o_ptr + rows, tl.sum(acc, 1), mask=rows < M)


EVEN_WHERE_IT_FITS = triton.heuristics({"EVEN": lambda a: a["K"] % a["BK"] == 0 and a["M"] % a["BM"] == 0})


@RUNS
@pytest.mark.parametrize("m,k", [(16, 32), (13, 21)])
def test_a_matrix_times_a_vector_with_heuristics(run, m, k):
    a, x, o = random(m, k, dtype=np.float16), random(k, seed=1, dtype=np.float16), zeros(m)
    launch(
        run,
        EVEN_WHERE_IT_FITS(vector_product),
        lambda meta: (triton.cdiv(m, meta["BM"]),),
        a,
        x,
        o,
        m,
        k,
        BM=8,
        BK=8,
    )
    close(o, a.astype(np.float32) @ x.astype(np.float32), 1e-3)


@triton.jit
def int8_product(a_ptr, b_ptr, sa_ptr, sb_ptr, c_ptr, N, K, B: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.arange(0, B), tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, BK)
    acc = tl.zeros((B, B), dtype=tl.int32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :], mask=(k + rk)[None, :] < K, other=0)
        b = tl.load(b_ptr + (k + rk)[:, None] + rn[None, :] * K, mask=(k + rk)[:, None] < K, other=0)
        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    scaled = acc.to(tl.float32) * tl.load(sa_ptr + rm)[:, None] * tl.load(sb_ptr + rn)[None, :]
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], scaled.to(tl.bfloat16).to(tl.float32))


@RUNS
def test_int8_products_with_scales_of_rows_and_columns(run):
    a = integers(128, 16, 45, low=-128, dtype=np.int8)
    b = integers(128, 32, 45, low=-128, seed=1, dtype=np.int8)
    sa, sb, c = np.abs(random(16)) / 128, np.abs(random(32, seed=1)) / 128, zeros(16, 32)
    launch(run, int8_product, (2,), a, b, sa, sb, c, 32, 45, B=16, BK=32)
    close(c, (a.astype(np.int32) @ b.astype(np.int32).T) * sa[:, None] * sb, 1e-2)
    assert (c.view(np.uint32) & 0xFFFF == 0).all()


@triton.jit
def lora(x_ptr, a_ptr, b_ptr, which_ptr, o_ptr, K, N, R: tl.constexpr, BK: tl.constexpr, BN: tl.constexpr):
    token = tl.program_id(0)
    adapter = tl.load(which_ptr + token)
    if adapter == -1:
        return
    r = tl.arange(0, R)
    low = tl.zeros((R,), tl.float32)
    for k in range(0, K, BK):
        at = k + tl.arange(0, BK)
        x = tl.load(x_ptr + token * K + at, mask=at < K, other=0.0)
        a = tl.load(a_ptr + adapter * R * K + r[:, None] * K + at[None, :], mask=at[None, :] < K, other=0.0)
        low += tl.sum(a * x[None, :], 1)
    for n in range(0, N, BN):
        at = n + tl.arange(0, BN)
        b = tl.load(b_ptr + adapter * N * R + at[:, None] * R + r[None, :], mask=at[:, None] < N, other=0.0)
        old = tl.load(o_ptr + token * N + at, mask=at < N)
        tl.store(o_ptr + token * N + at, old + tl.sum(b * low[None, :], 1), mask=at < N)


@RUNS
def test_adapters_of_low_rank_by_token(run):
    x, a, b = random(5, 21), random(3, 4, 21, seed=1), random(3, 19, 4, seed=2)
    which, o = np.array([2, -1, 0, 2, 1], np.int64), random(5, 19, seed=3)
    expected = o + np.stack([b[w] @ (a[w] @ x[t]) if w >= 0 else np.zeros(19) for t, w in enumerate(which)])
    launch(run, lora, (5,), x, a, b, which, o, 21, 19, R=4, BK=8, BN=16)
    close(o, expected, 1e-3)


@triton.jit
def partial_products(a_ptr, b_ptr, part_ptr, M, N, K, SPLIT: tl.constexpr, B: tl.constexpr):
    part, at = tl.program_id(2), tl.arange(0, B)
    rm, rn = tl.program_id(0) * B + at, tl.program_id(1) * B + at
    a_at = a_ptr + rm[:, None] * K + (part * B + at)[None, :]
    b_at = b_ptr + (part * B + at)[:, None] * N + rn[None, :]
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, tl.cdiv(K, B * SPLIT)):
        left = K - k * (B * SPLIT) - part * B
        a = tl.load(a_at, mask=(at[None, :] < left) & (rm < M)[:, None], other=0.0)
        b = tl.load(b_at, mask=(at[:, None] < left) & (rn < N)[None, :], other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
        a_at += B * SPLIT
        b_at += B * SPLIT * N
    where = part * M * N + rm[:, None] * N + rn[None, :]
    tl.store(part_ptr + where, acc, mask=(rm < M)[:, None] & (rn < N)[None, :])


@triton.jit
def sum_of_parts(part_ptr, bias_ptr, c_ptr, size, N, SPLIT: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.load(bias_ptr + at % N, mask=at < size)
    for part in tl.static_range(SPLIT):
        acc += tl.load(part_ptr + part * size + at, mask=at < size, other=0.0)
    tl.store(c_ptr + at, acc, mask=at < size)


@RUNS
def test_split_k_in_two_launches(run):
    a, b, bias = random(18, 77), random(77, 19, seed=1), random(19, seed=2)
    part, c = zeros(3, 18, 19), zeros(18, 19)
    launch(run, partial_products, (2, 2, 3), a, b, part, 18, 19, 77, SPLIT=3, B=16)
    launch(run, sum_of_parts, (6,), part, bias, c, 18 * 19, 19, SPLIT=3, B=64)
    same(c.shape, (18, 19))
    close(c, a @ b + bias, 1e-3)
