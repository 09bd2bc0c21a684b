"""Variants of flash attention: windows, biases, shared heads, ragged batches, int8 scores, gradients of q."""

import numpy as np
from running import RUNS, close, integers, launch, random, softmax, zeros

import trisect as triton
import trisect.language as tl

D = 16


@triton.jit
def windowed(q_ptr, k_ptr, v_ptr, o_ptr, n, scale, WINDOW: tl.constexpr, B: tl.constexpr, D: tl.constexpr):
    start_m = tl.program_id(0) * B
    rows, d = start_m + tl.arange(0, B), tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m, norm = tl.full([B], float("-inf"), tl.float32), tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    first = tl.maximum(start_m - WINDOW + 1, 0) // B * B
    for start in tl.range(first, tl.minimum(start_m + B, n), B):
        start = tl.multiple_of(start, B)
        columns = start + tl.arange(0, B)
        k = tl.load(k_ptr + columns[None, :] * D + d[:, None], mask=columns[None, :] < n, other=0.0)
        scores = tl.dot(q, k, input_precision="ieee") * scale
        away = rows[:, None] - columns[None, :]
        scores = tl.where((away >= 0) & (away < WINDOW) & (columns < n)[None, :], scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, 1))
        safe = tl.where(m_new == float("-inf"), 0.0, m_new)
        p, alpha = tl.exp(scores - safe[:, None]), tl.exp(m - safe)
        norm = norm * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + columns[:, None] * D + d[None, :], mask=columns[:, None] < n, other=0.0)
        acc = tl.dot(p, v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    tl.store(o_ptr + rows[:, None] * D + d[None, :], acc / norm[:, None], mask=rows[:, None] < n)


@RUNS
def test_sliding_window(run):
    n, window = 37, 11
    q, k, v = (random(n, D, seed=s) for s in range(3))
    o = zeros(n, D)
    launch(run, windowed, (3,), q, k, v, o, n, 0.25, WINDOW=window, B=16, D=D)
    away = np.arange(n)[:, None] - np.arange(n)
    scores = np.where((away >= 0) & (away < window), q @ k.T * 0.25, -np.inf)
    close(o, softmax(scores) @ v, 1e-3)


@triton.jit
def shared_heads(
    Q, K, V, Out, Lse, sqh, sqm, skh, skn, n, qk_scale, GROUP: tl.constexpr, B: tl.constexpr, D: tl.constexpr
):
    start_m, head = tl.program_id(0), tl.program_id(1)
    q_at = Q + head * sqh + tl.arange(0, B)[:, None] * sqm + tl.arange(0, D)[None, :]
    kv = (head // GROUP).to(tl.int64) * skh
    k_at = K + kv + tl.arange(0, B)[None, :] * skn + tl.arange(0, D)[:, None]
    v_at = V + kv + tl.arange(0, B)[:, None] * skn + tl.arange(0, D)[None, :]
    q = tl.load(q_at + start_m * B * sqm)
    q = (q * (qk_scale * 1.44269504)).to(tl.float32)
    m, norm = tl.zeros([B], tl.float32) - float("inf"), tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    for start in range(0, n, B):
        start = tl.multiple_of(start, B)
        scores = tl.dot(q, tl.load(k_at), input_precision="ieee")
        m_new = tl.maximum(m, tl.max(scores, 1))
        p, alpha = tl.math.exp2(scores - m_new[:, None]), tl.math.exp2(m - m_new)
        acc = acc * alpha[:, None] + tl.dot(p, tl.load(v_at), input_precision="ieee")
        norm = norm * alpha + tl.sum(p, 1)
        m = m_new
        k_at += B * skn
        v_at += B * skn
    rows = start_m * B + tl.arange(0, B)
    tl.store(Lse + head * n + rows, m + tl.math.log2(norm))
    tl.store(Out + head * sqh + rows[:, None] * sqm + tl.arange(0, D)[None, :], acc / norm[:, None])


@RUNS
def test_query_heads_that_share_keys(run):
    q, k, v = random(4, 32, D), random(2, 32, D, seed=1), random(2, 32, D, seed=2)
    o, lse = zeros(4, 32, D), zeros(4, 32)
    launch(run, shared_heads, (2, 4), q, k, v, o, lse, 32 * D, D, 32 * D, D, 32, 0.25, GROUP=2, B=16, D=D)
    for head in range(4):
        scores = q[head] @ k[head // 2].T * 0.25
        close(o[head], softmax(scores) @ v[head // 2], 1e-3)
        close(lse[head] / 1.44269504, np.log(np.exp(scores).sum(1)), 1e-3)


@triton.jit
def soft_cap(x, cap):
    y = x / cap
    e = tl.exp(-2.0 * tl.abs(y))
    t = (1 - e) / (1 + e)
    return cap * tl.where(y < 0, -t, t)


@triton.jit
def biased(
    q_ptr, k_ptr, v_ptr, bias_ptr, slope_ptr, sink_ptr, o_ptr, n, CAP: tl.constexpr, B: tl.constexpr,
    D: tl.constexpr, HAS_BIAS: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(0)
    at, d = tl.arange(0, B), tl.arange(0, D)
    where = (head * n + at[:, None]) * D + d[None, :]
    inside = at < n
    q = tl.load(q_ptr + where, mask=inside[:, None], other=0.0)
    k = tl.load(k_ptr + where, mask=inside[:, None], other=0.0)
    v = tl.load(v_ptr + where, mask=inside[:, None], other=0.0)
    scores = tl.dot(q, k.T, input_precision="ieee")
    if CAP > 0:
        scores = soft_cap(scores, CAP)
    if HAS_BIAS:
        bias_at = (head * n + at[:, None]) * n + at[None, :]
        scores += tl.load(bias_ptr + bias_at, mask=inside[:, None] & inside[None, :], other=0.0)
    if slope_ptr is not None:
        scores += tl.load(slope_ptr + head) * (at[None, :] - at[:, None])
    scores = tl.where(inside[None, :], scores, -1.0e38)
    m = tl.max(scores, 1)
    if sink_ptr is not None:
        sink = tl.load(sink_ptr + head)
        m = tl.maximum(m, sink)
    p = tl.exp(scores - m[:, None])
    norm = tl.sum(p, 1)
    if sink_ptr is not None:
        norm += tl.exp(sink - m)
    tl.store(o_ptr + where, tl.dot(p / norm[:, None], v, input_precision="ieee"), mask=inside[:, None])


def biased_reference(q, k, v, bias, slope, sink, cap):
    scores = q @ k.T
    if cap:
        scores = cap * np.tanh(scores / cap)
    n = len(q)
    scores = scores + bias + slope * (np.arange(n) - np.arange(n)[:, None])
    return softmax(np.concatenate([scores, np.full((n, 1), sink)], 1))[:, :n] @ v


@RUNS
def test_alibi_slopes_with_a_sink(run):
    q, k, v = (random(2, 13, D, seed=s) for s in range(3))
    slope, sink, o = np.array([0.5, 0.25], np.float32), np.array([0.3, -1], np.float32), zeros(2, 13, D)
    launch(run, biased, (2,), q, k, v, None, slope, sink, o, 13, CAP=0, B=16, D=D, HAS_BIAS=False)
    for h in range(2):
        close(o[h], biased_reference(q[h], k[h], v[h], 0, slope[h], sink[h], 0), 1e-3)


@RUNS
def test_capped_scores_with_a_bias(run):
    q, k, v = (random(2, 13, D, seed=s) for s in range(3))
    bias, o = random(2, 13, 13, seed=3), zeros(2, 13, D)
    launch(run, biased, (2,), q, k, v, bias, None, None, o, 13, CAP=5.0, B=16, D=D, HAS_BIAS=True)
    for h in range(2):
        close(o[h], biased_reference(q[h], k[h], v[h], bias[h], 0, -np.inf, 5.0), 1e-3)


@triton.jit
def ragged(q_ptr, k_ptr, v_ptr, o_ptr, cu_ptr, scale, B: tl.constexpr, D: tl.constexpr):
    block, sequence = tl.program_id(0), tl.program_id(1)
    begin = tl.load(cu_ptr + sequence)
    n = tl.load(cu_ptr + sequence + 1) - begin
    if block * B >= n:
        return
    rows, d = block * B + tl.arange(0, B), tl.arange(0, D)
    q_at = q_ptr + (begin + rows)[:, None] * D + d
    q = tl.load(q_at, mask=(rows < n)[:, None], other=0.0)
    m, norm = tl.full([B], -1.0e38, tl.float32), tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], dtype=tl.float32)
    end = tl.minimum((block + 1) * B, n)
    for start in range(0, end, B):
        columns = start + tl.arange(0, B)
        at = (begin + columns)[:, None] * D + d
        k = tl.load(k_ptr + at, mask=(columns < n)[:, None], other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores += tl.where((rows[:, None] >= columns[None, :]) & (columns[None, :] < n), 0.0, -1.0e38)
        new = tl.maximum(m, tl.max(scores, 1))
        p = tl.exp(scores - new[:, None])
        alpha = tl.exp(m - new)
        v = tl.load(v_ptr + at, mask=(columns < n)[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p, v, input_precision="ieee")
        norm = norm * alpha + tl.sum(p, 1)
        m = new
    tl.store(o_ptr + (begin + rows)[:, None] * D + d, acc / norm[:, None], mask=(rows < n)[:, None])


@RUNS
def test_ragged_prefill(run):
    cu = np.array([0, 5, 5, 26], np.int32)
    q, k, v = (random(26, D, seed=s) for s in range(3))
    o = zeros(26, D)
    launch(run, ragged, (2, 3), q, k, v, o, cu, 0.25, B=16, D=D)
    for a, b in zip(cu[:-1], cu[1:], strict=True):
        if b > a:
            scores = np.where(np.tri(b - a, dtype=bool), q[a:b] @ k[a:b].T * 0.25, -np.inf)
            close(o[a:b], softmax(scores) @ v[a:b], 1e-3)


@triton.jit
def int8_scores(q_ptr, k_ptr, v_ptr, qs_ptr, ks_ptr, o_ptr, n, B: tl.constexpr, D: tl.constexpr):
    at, d = tl.arange(0, B), tl.arange(0, D)
    q, q_scale = tl.load(q_ptr + at[:, None] * D + d[None, :]), tl.load(qs_ptr)
    m, norm = tl.full([B], float("-inf"), tl.float32), tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    k_at = k_ptr + at[None, :] * D + d[:, None]
    for start in range(0, n, B):
        k = tl.load(k_at, mask=at[None, :] < (n - start), other=0)
        scores = tl.dot(q, k).to(tl.float32) * q_scale * tl.load(ks_ptr)
        scores = tl.where(at[None, :] < n - start, scores, -1.0e6)
        new = tl.maximum(m, tl.max(scores, 1))
        p = tl.math.exp2(scores - new[:, None])
        alpha = tl.math.exp2(m - new)
        norm = norm * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + (start + at)[:, None] * D + d[None, :], mask=at[:, None] < (n - start), other=0.0)
        acc = acc * alpha[:, None]
        acc += tl.dot(p.to(tl.float16), v, out_dtype=tl.float32)
        m = new
        k_at += B * D
        ks_ptr += 1
    tl.store(o_ptr + at[:, None] * D + d[None, :], acc / norm[:, None])


@RUNS
def test_scores_of_int8(run):
    q, k = (
        integers(127, 16, 32, low=-127, dtype=np.int8),
        integers(127, 27, 32, low=-127, seed=1, dtype=np.int8),
    )
    v, qs, ks = (
        random(27, 32, seed=2, dtype=np.float16),
        np.array([2e-3], np.float32),
        np.array([8e-3, 4e-3], np.float32),
    )
    o = zeros(16, 32)
    launch(run, int8_scores, (1,), q, k, v, qs, ks, o, 27, B=16, D=32)
    scores = q.astype(np.int32) @ k.astype(np.int32).T * qs[0] * np.repeat(ks, 16)[:27]
    close(o, softmax(scores * np.log(2)) @ v.astype(np.float32), 4e-3)


@triton.jit
def gradient_of_q(
    q_ptr, k_ptr, v_ptr, do_ptr, o_ptr, lse_ptr, dq_ptr, n, scale, CAUSAL: tl.constexpr, B: tl.constexpr,
    D: tl.constexpr,
):  # fmt: skip
    start_m = tl.program_id(0) * B
    rows, d = start_m + tl.arange(0, B), tl.arange(0, D)
    at = rows[:, None] * D + d[None, :]
    live = rows < n
    q, do = tl.load(q_ptr + at, live[:, None], 0.0), tl.load(do_ptr + at, live[:, None], 0.0)
    o = tl.load(o_ptr + at, live[:, None], 0.0)
    delta = tl.sum(o * do, axis=1)
    lse = tl.load(lse_ptr + rows, mask=live, other=float("inf"))
    dq = tl.zeros_like(q)
    end = tl.minimum(start_m + B, n) if CAUSAL else n
    for start in tl.range(0, end, B, num_stages=2):
        columns = start + tl.arange(0, B)
        kv = columns[None, :] * D + d[:, None]
        kt = tl.load(k_ptr + kv, columns[None, :] < n, 0.0)
        vt = tl.load(v_ptr + kv, columns[None, :] < n, 0.0)
        p = tl.exp(tl.dot(q, kt, input_precision="ieee") * scale - lse[:, None])
        if CAUSAL:
            p = tl.where(rows[:, None] >= columns[None, :], p, 0.0)
        ds = p * (tl.dot(do, vt, input_precision="ieee") - delta[:, None])
        dq += tl.dot(ds, tl.trans(kt), input_precision="ieee")
    tl.store(dq_ptr + at, dq * scale, live[:, None])


@RUNS
def test_flash_gradient_of_queries(run):
    q, k, v, do = (random(27, D, seed=s) for s in range(4))
    for causal in (False, True):
        scores = np.where(np.tri(27, dtype=bool) | (not causal), q @ k.T * 0.25, -np.inf)
        p, lse = softmax(scores), np.log(np.exp(scores).sum(1)).astype(np.float32)
        dq = zeros(27, D)
        launch(run, gradient_of_q, (2,), q, k, v, do, p @ v, lse, dq, 27, 0.25, CAUSAL=causal, B=16, D=D)
        delta = (do * (p @ v)).sum(1, keepdims=True)
        close(dq, (p * (do @ v.T - delta)) @ k * 0.25, 1e-3)
