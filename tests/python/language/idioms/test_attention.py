"""Attention: streamed softmax, hints on loop variables, masks, pages, splits, ragged batches."""

import numpy as np
import pytest
from running import RUNS, close, launch, random

import trisect as triton
import trisect.language as tl

D = 16


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(D)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ v


@triton.jit
def inner(
    acc,
    l_i,
    m_i,
    q,
    k_ptr,
    v_ptr,
    lo,
    hi,
    rows,
    scale,
    CAUSAL: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
):
    lo = tl.multiple_of(lo, N)
    at = tl.arange(0, N)[:, None] * D + tl.arange(0, D)[None, :]
    for start in range(lo, hi, N):
        start = tl.multiple_of(start, N)
        k = tl.load(k_ptr + start * D + at)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= (start + tl.arange(0, N))[None, :], scores, -1e6)
        m_new = tl.maximum(m_i, tl.max(scores, 1))
        p = tl.math.exp2((scores - m_new[:, None]) * 1.44269504)
        alpha = tl.math.exp2((m_i - m_new) * 1.44269504)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p, tl.load(v_ptr + start * D + at), acc, input_precision="ieee")
        m_i = m_new
    return acc, l_i, m_i


@triton.jit
def forward(
    q_ptr,
    k_ptr,
    v_ptr,
    o_ptr,
    n,
    scale,
    STAGE: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
):
    start_m = tl.program_id(0)
    rows = start_m * M + tl.arange(0, M)
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    q = tl.load(q_ptr + at)
    m_i = tl.zeros([M], tl.float32) - float("inf")
    l_i = tl.zeros([M], tl.float32) + 1.0 - 1.0
    acc = tl.zeros([M, D], tl.float32)
    if STAGE == 1:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, k_ptr, v_ptr, 0, n, rows, scale, False, N, D)
    else:
        acc, l_i, m_i = inner(acc, l_i, m_i, q, k_ptr, v_ptr, 0, start_m * M, rows, scale, False, N, D)
        acc, l_i, m_i = inner(
            acc, l_i, m_i, q, k_ptr, v_ptr, start_m * M, (start_m + 1) * M, rows, scale, True, N, D
        )
    tl.store(o_ptr + at, acc / l_i[:, None])


@RUNS
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("blocks", [(16, 16), (32, 16)])
def test_flash_forward(run, causal, blocks):
    q, k, v = (random(64, D, seed=s) for s in range(3))
    o = np.zeros_like(q)
    launch(
        run, forward, (64 // blocks[0],), q, k, v, o, 64, D**-0.5, STAGE=3 if causal else 1, M=blocks[0],
        N=blocks[1], D=D,
    )  # fmt: skip
    close(o, attention(q, k, v, np.tri(64, dtype=bool) if causal else None), 1e-3)


@triton.jit
def backward(
    q_ptr,
    k_ptr,
    v_ptr,
    do_ptr,
    lse_ptr,
    delta_ptr,
    dk_ptr,
    dv_ptr,
    n,
    scale,
    M: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
):
    start_n = tl.program_id(0) * N
    columns = tl.arange(0, D)[None, :]
    at_n = (start_n + tl.arange(0, N))[:, None] * D + columns
    k, v = tl.load(k_ptr + at_n), tl.load(v_ptr + at_n)
    dk, dv = tl.zeros([N, D], tl.float32), tl.zeros([N, D], tl.float32)
    q_at = q_ptr + tl.arange(0, M)[:, None] * D + columns
    do_at = do_ptr + tl.arange(0, M)[:, None] * D + columns
    for start_m in range(0, n, M):
        start_m = tl.multiple_of(start_m, M)
        tl.max_contiguous(q_at, [1, D])
        q, do = tl.load(q_at), tl.load(do_at)
        lse = tl.load(lse_ptr + start_m + tl.arange(0, M))
        delta = tl.load(delta_ptr + start_m + tl.arange(0, M))
        p = tl.exp(tl.dot(q, tl.trans(k), input_precision="ieee") * scale - lse[:, None])
        dv += tl.dot(tl.trans(p), do, input_precision="ieee")
        dp = tl.dot(do, tl.trans(v), input_precision="ieee")
        ds = p * (dp - delta[:, None]) * scale
        dk += tl.dot(tl.trans(ds), q, input_precision="ieee")
        q_at += M * D
        do_at += M * D
    tl.store(dk_ptr + at_n, dk)
    tl.store(dv_ptr + at_n, dv)


@RUNS
def test_flash_backward(run):
    q, k, v, do = (random(32, D, seed=s) for s in range(4))
    scale = D**-0.5
    scores = q @ k.T * scale
    lse = np.log(np.exp(scores).sum(1)).astype(np.float32)
    p = softmax(scores)
    delta = (do * (p @ v)).sum(1).astype(np.float32)
    dk, dv = np.zeros_like(k), np.zeros_like(v)
    launch(run, backward, (2,), q, k, v, do, lse, delta, dk, dv, 32, scale, M=16, N=16, D=D)
    ds = p * (do @ v.T - delta[:, None]) * scale
    close(dv, p.T @ do, 1e-3)
    close(dk, ds.T @ q, 1e-3)


@triton.jit
def paged(
    q_ptr, k_ptr, v_ptr, table_ptr, lengths_ptr, o_ptr, pages, scale, PAGE: tl.constexpr, D: tl.constexpr
):
    sequence = tl.program_id(0)
    length = tl.load(lengths_ptr + sequence)
    at = tl.arange(0, D)
    q = tl.load(q_ptr + sequence * D + at)
    m, norm, acc = -float("inf"), 0.0, tl.zeros([D], tl.float32)
    for page in range(tl.cdiv(length, PAGE)):
        place = tl.load(table_ptr + sequence * pages + page).to(tl.int64)
        inside = page * PAGE + tl.arange(0, PAGE) < length
        rows = (place * PAGE + tl.arange(0, PAGE))[:, None] * D + at[None, :]
        k = tl.load(k_ptr + rows, mask=inside[:, None], other=0.0)
        scores = tl.where(inside, tl.sum(k * q[None, :], 1) * scale, -1e30)
        m_new = tl.maximum(m, tl.max(scores, 0))
        p, alpha = tl.exp(scores - m_new), tl.exp(m - m_new)
        v = tl.load(v_ptr + rows, mask=inside[:, None], other=0.0)
        acc = acc * alpha + tl.sum(p[:, None] * v, 0)
        norm = norm * alpha + tl.sum(p, 0)
        m = m_new
    tl.store(o_ptr + sequence * D + at, acc / norm)


@RUNS
def test_paged_decode(run):
    lengths = np.array([5, 16, 23], np.int32)
    table = np.array([[3, 0, 0], [1, 4, 0], [2, 0, 5]], np.int32)
    q, k, v = random(3, D), random(6, 8, D, seed=1), random(6, 8, D, seed=2)
    o = np.zeros_like(q)
    launch(run, paged, (3,), q, k, v, table, lengths, o, 3, D**-0.5, PAGE=8, D=D)
    for i, length in enumerate(lengths):
        pages = table[i]
        keys, values = (x[pages].reshape(-1, D)[:length] for x in (k, v))
        close(o[i], attention(q[i : i + 1], keys, values)[0], 1e-3)


@triton.jit
def split_decode(q_ptr, k_ptr, v_ptr, part_ptr, m_ptr, l_ptr, n, scale, SPLIT: tl.constexpr, D: tl.constexpr):
    part = tl.program_id(0)
    rows, at = part * SPLIT + tl.arange(0, SPLIT), tl.arange(0, D)
    inside = rows < n
    k = tl.load(k_ptr + rows[:, None] * D + at, mask=inside[:, None], other=0.0)
    scores = tl.where(inside, tl.sum(k * tl.load(q_ptr + at)[None, :], 1) * scale, float("-inf"))
    m = tl.max(scores, axis=0)
    p = tl.exp(scores - m)
    v = tl.load(v_ptr + rows[:, None] * D + at, mask=inside[:, None], other=0.0)
    tl.store(part_ptr + part * D + at, tl.sum(p[:, None] * v, 0))
    tl.store(m_ptr + part, m)
    tl.store(l_ptr + part, tl.sum(p, 0))


@triton.jit
def merge_parts(part_ptr, m_ptr, l_ptr, o_ptr, P: tl.constexpr, D: tl.constexpr):
    parts, at = tl.arange(0, P), tl.arange(0, D)
    m = tl.load(m_ptr + parts)
    weights = tl.exp(m - tl.max(m, 0))
    total = tl.sum(tl.load(l_ptr + parts) * weights, 0)
    acc = tl.sum(tl.load(part_ptr + parts[:, None] * D + at[None, :]) * weights[:, None], 0)
    tl.store(o_ptr + at, acc / total)


@RUNS
def test_split_decode(run):
    q, k, v = random(D), random(29, D, seed=1), random(29, D, seed=2)
    part, m, norm, o = (np.zeros(s, np.float32) for s in ((4, D), 4, 4, D))
    launch(run, split_decode, (4,), q, k, v, part, m, norm, 29, D**-0.5, SPLIT=8, D=D)
    launch(run, merge_parts, (1,), part, m, norm, o, P=4, D=D)
    close(o, attention(q[None], k, v)[0], 1e-3)


@triton.jit
def ragged_mean(x_ptr, starts_ptr, o_ptr, B: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0)
    begin, end = tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)
    acc, at = tl.zeros([D], tl.float32), tl.arange(0, D)
    for start in range(begin, end, B):
        rows = start + tl.arange(0, B)
        acc += tl.sum(tl.load(x_ptr + rows[:, None] * D + at, mask=rows[:, None] < end, other=0.0), 0)
    tl.store(o_ptr + row * D + at, acc / tl.maximum(end - begin, 1))


@RUNS
def test_ragged_batches(run):
    starts = np.array([0, 3, 3, 14], np.int32)
    x, o = random(14, D), np.zeros((3, D), np.float32)
    launch(run, ragged_mean, (3,), x, starts, o, B=4, D=D)
    close(o, [x[:3].mean(0), np.zeros(D), x[3:].mean(0)])


@triton.jit
def rotary(x_ptr, cos_ptr, sin_ptr, o_ptr, HALF: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, HALF)
    cos, sin = tl.load(cos_ptr + row * HALF + at), tl.load(sin_ptr + row * HALF + at)
    a, b = tl.load(x_ptr + row * 2 * HALF + at), tl.load(x_ptr + row * 2 * HALF + HALF + at)
    tl.store(o_ptr + row * 2 * HALF + at, a * cos - b * sin)
    tl.store(o_ptr + row * 2 * HALF + HALF + at, b * cos + a * sin)


@RUNS
def test_rotary_positions(run):
    x, angle = random(5, 16), random(5, 8, seed=1)
    o = np.zeros_like(x)
    launch(run, rotary, (5,), x, np.cos(angle), np.sin(angle), o, HALF=8)
    a, b = x[:, :8], x[:, 8:]
    close(
        o, np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], 1)
    )
