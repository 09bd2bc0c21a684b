"""Matrix products: grouped order, persistent programs, split and streamed k, epilogues, quantised weights."""

import numpy as np
from running import RUNS, close, launch, random

import trisect as triton
import trisect.language as tl


@triton.jit
def leaky(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def grouped(
    a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn, ACT: tl.constexpr, BM: tl.constexpr,
    BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    pids_m, pids_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    per_group = GROUP * pids_n
    first = pid // per_group * GROUP
    size = min(pids_m - first, GROUP)
    pid_m, pid_n = first + pid % per_group % size, pid % per_group // size
    rm = (pid_m * BM + tl.arange(0, BM)) % M
    rn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a_at = a_ptr + rm[:, None] * sam + rk[None, :] * sak
    b_at = b_ptr + rk[:, None] * sbk + rn[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_at, mask=rk[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_at, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
        a_at += BK * sak
        b_at += BK * sbk
    if ACT is not None:
        acc = ACT(acc)
    cm, cn = pid_m * BM + tl.arange(0, BM), pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + scm * cm[:, None] + scn * cn[None, :], acc, mask=(cm[:, None] < M) & (cn[None, :] < N))


@RUNS
def test_grouped_order_with_an_activation(run):
    a, b, c = random(40, 24), random(24, 56, seed=1), np.zeros((40, 56), np.float32)
    for act in (None, leaky):
        launch(
            run,
            grouped,
            (12,),
            a,
            b,
            c,
            40,
            56,
            24,
            24,
            1,
            56,
            1,
            56,
            1,
            ACT=act,
            BM=16,
            BN=16,
            BK=16,
            GROUP=2,
        )
        product = a @ b
        close(c, product if act is None else np.where(product >= 0, product, 0.01 * product), 1e-3)


@triton.jit
def persistent(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr, B: tl.constexpr):
    tiles_n = tl.cdiv(N, B)
    tiles = tl.cdiv(M, B) * tiles_n
    at = tl.arange(0, B)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        m, n = tile // tiles_n * B, tile % tiles_n * B
        acc = tl.zeros([B, B], tl.float32)
        for k in tl.range(0, K, B, num_stages=3):
            a = tl.load(a_ptr + (m + at)[:, None] * K + (k + at)[None, :])
            b = tl.load(b_ptr + (k + at)[:, None] * N + (n + at)[None, :])
            acc = tl.dot(a, b, acc, input_precision="ieee")
        tl.store(c_ptr + (m + at)[:, None] * N + (n + at)[None, :], acc)


@RUNS
def test_persistent_programs(run):
    a, b, c = random(48, 32), random(32, 64, seed=1), np.zeros((48, 64), np.float32)
    launch(run, persistent, (5,), a, b, c, 48, 64, 32, PROGRAMS=5, B=16)
    close(c, a @ b, 1e-3)


@triton.jit
def split_k(a_ptr, b_ptr, c_ptr, N, K, PARTS: tl.constexpr, B: tl.constexpr):
    at, part = tl.arange(0, B), tl.program_id(1)
    acc = tl.zeros([B, B], tl.float32)
    for k in range(part * B, K, B * PARTS):
        a = tl.load(a_ptr + at[:, None] * K + (k + at)[None, :])
        acc += tl.dot(a, tl.load(b_ptr + (k + at)[:, None] * N + at[None, :]), input_precision="ieee")
    tl.atomic_add(c_ptr + at[:, None] * N + at[None, :], acc, sem="relaxed")


@RUNS
def test_split_k(run):
    a, b, c = random(16, 64), random(64, 16, seed=1), np.zeros((16, 16), np.float32)
    launch(run, split_k, (1, 3), a, b, c, 16, 64, PARTS=3, B=16)
    close(c, a @ b, 1e-3)


@triton.jit
def int4_weights(x_ptr, packed_ptr, scale_ptr, zero_ptr, o_ptr, K, N: tl.constexpr, B: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, N)
    acc = tl.zeros([N], tl.float32)
    for k in range(0, K, B):
        rows = k + tl.arange(0, B)
        word = tl.load(packed_ptr + (rows[:, None] // 8) * N + columns[None, :])
        weight = (word >> ((rows % 8) * 4)[:, None]) & 0xF
        group = k // B
        scale, zero = tl.load(scale_ptr + group * N + columns), tl.load(zero_ptr + group * N + columns)
        x = tl.load(x_ptr + row * K + rows)
        acc += tl.sum(x[:, None] * (weight.to(tl.float32) - zero[None, :]) * scale[None, :], 0)
    tl.store(o_ptr + row * N + columns, acc)


@RUNS
def test_int4_weights(run):
    generator = np.random.default_rng(3)
    weight = generator.integers(0, 16, (32, 16))
    packed = np.zeros((4, 16), np.uint32)
    for k in range(32):
        packed[k // 8] |= (weight[k] << (k % 8 * 4)).astype(np.uint32)
    x, scale, zero = random(3, 32), np.abs(random(2, 16, seed=1)), random(2, 16, seed=2)
    o = np.zeros((3, 16), np.float32)
    launch(run, int4_weights, (3,), x, packed.view(np.int32), scale, zero, o, 32, N=16, B=16)
    close(o, x @ ((weight - np.repeat(zero, 16, 0)) * np.repeat(scale, 16, 0)), 1e-3)


@triton.jit
def interleaved_int4(packed_ptr, o_ptr, B: tl.constexpr):
    at = tl.arange(0, B)
    byte = tl.load(packed_ptr + at)
    low, high = (byte << 4) >> 4, byte >> 4
    tl.store(o_ptr + tl.arange(0, 2 * B), tl.interleave(low, high))


@RUNS
def test_signed_int4_pairs(run):
    packed = np.arange(-8, 8, dtype=np.int8) * 15
    o = np.zeros(32, np.int8)
    launch(run, interleaved_int4, (1,), packed, o, B=16)
    expected = np.stack([((packed << 4).astype(np.int8) >> 4), packed >> 4], 1).ravel()
    np.testing.assert_array_equal(o, expected)


@triton.jit
def quantised_rows(x_ptr, q_ptr, scale_ptr, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
    scale = tl.max(tl.abs(x), 0) / 127.0
    value = x / scale
    rounded = tl.floor(value + 0.5).to(tl.int8)
    tl.store(q_ptr + row * n + at, rounded, mask=at < n)
    tl.store(scale_ptr + row, scale)


@RUNS
def test_rows_quantised_to_int8(run):
    x, q, scale = random(4, 13), np.zeros((4, 13), np.int8), np.zeros(4, np.float32)
    launch(run, quantised_rows, (4,), x, q, scale, 13, B=16)
    close(scale, np.abs(x).max(1) / 127)
    assert np.abs(q - x / scale[:, None]).max() <= 0.51


@triton.jit
def grouped_experts(
    x_ptr, w_ptr, expert_ptr, token_ptr, o_ptr, K: tl.constexpr, N: tl.constexpr, B: tl.constexpr
):
    block = tl.program_id(0)
    expert = tl.load(expert_ptr + block)
    token = tl.load(token_ptr + block * B + tl.arange(0, B))
    k, n = tl.arange(0, K), tl.arange(0, N)
    live = token[:, None] >= 0
    x = tl.load(x_ptr + token[:, None] * K + k[None, :], mask=live, other=0.0)
    w = tl.load(w_ptr + expert * K * N + k[:, None] * N + n[None, :])
    tl.store(o_ptr + token[:, None] * N + n[None, :], tl.dot(x, w, input_precision="ieee"), mask=live)


@RUNS
def test_products_by_expert(run):
    x, w, o = random(20, 16), random(2, 16, 16, seed=1), np.zeros((20, 16), np.float32)
    tokens = np.full((2, 16), -1, np.int32)
    tokens[0, :9], tokens[1, :11] = np.arange(0, 18, 2), [*range(1, 20, 2), 18]
    launch(run, grouped_experts, (2,), x, w, np.array([1, 0], np.int32), tokens, o, K=16, N=16, B=16)
    expected = np.zeros_like(o)
    expected[tokens[0, :9]], expected[tokens[1, :11]] = x[tokens[0, :9]] @ w[1], x[tokens[1, :11]] @ w[0]
    close(o, expected, 1e-3)
