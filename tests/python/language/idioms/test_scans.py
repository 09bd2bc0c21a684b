"""Scans and recurrences: state spaces, linear attention, delta rules, flags of segments, complex numbers."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, sigmoid, uniform, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def softplus(x):
    return tl.where(x <= 20.0, tl.math.log(tl.math.exp(x) + 1), x)


@triton.jit
def selective_state_update(
    state_ptr, x_ptr, dt_ptr, dt_bias_ptr, A_ptr, B_ptr, C_ptr, D_ptr, z_ptr, out_ptr, index_ptr, dim,
    HAS_D: tl.constexpr, HAS_Z: tl.constexpr, DS: tl.constexpr, BM: tl.constexpr,
):  # fmt: skip
    pid_m, batch = tl.program_id(0), tl.program_id(1)
    slot = tl.load(index_ptr + batch).to(tl.int64)
    if slot == -1:
        return
    m, n = pid_m * BM + tl.arange(0, BM), tl.arange(0, DS)
    state_at = state_ptr + slot * dim * DS + m[:, None] * DS + n[None, :]
    live = m < dim
    state = tl.load(state_at, mask=live[:, None], other=0.0)
    x = tl.load(x_ptr + batch * dim + m, mask=live, other=0.0)
    dt = softplus(tl.load(dt_ptr + batch * dim + m, live, 0.0) + tl.load(dt_bias_ptr + m, live, 0.0))
    A = tl.load(A_ptr + m[:, None] * DS + n[None, :], mask=live[:, None], other=0.0)
    b, c = tl.load(B_ptr + batch * DS + n), tl.load(C_ptr + batch * DS + n)
    state = state * tl.exp(A * dt[:, None]) + b[None, :] * dt[:, None] * x[:, None]
    tl.store(state_at, state, mask=live[:, None])
    out = tl.sum(state * c[None, :], axis=1)
    if HAS_D:
        out += x * tl.load(D_ptr + m, mask=live, other=0.0)
    if HAS_Z:
        z = tl.load(z_ptr + batch * dim + m, mask=live, other=0.0)
        out *= z * tl.sigmoid(z)
    tl.store(out_ptr + batch * dim + m, out, mask=live)


selective = triton.heuristics(
    {"HAS_D": lambda a: a["D_ptr"] is not None, "HAS_Z": lambda a: a["z_ptr"] is not None}
)(selective_state_update)


@RUNS
def test_one_step_of_a_selective_state_space(run):
    state, x, dt, z = random(4, 11, 8), random(3, 11, seed=1), random(3, 11, seed=2), random(3, 11, seed=3)
    bias, A, B, C = (
        random(11, seed=4),
        -np.abs(random(11, 8, seed=5)),
        random(3, 8, seed=6),
        random(3, 8, seed=7),
    )
    D, index = random(11, seed=8), np.array([3, -1, 0], np.int32)
    for skip, gate in ((D, z), (None, None)):
        mine, out, expected, y = state.copy(), zeros(3, 11), state.copy(), np.zeros((3, 11))
        launch(run, selective, (2, 3), mine, x, dt, bias, A, B, C, skip, gate, out, index, 11, DS=8, BM=8)
        for i, slot in enumerate(index):
            if slot >= 0:
                step = np.log1p(np.exp(dt[i] + bias))[:, None]
                expected[slot] = expected[slot] * np.exp(A * step) + B[i] * step * x[i][:, None]
                y[i] = expected[slot] @ C[i]
                if gate is not None:
                    y[i] = (y[i] + x[i] * D) * z[i] * sigmoid(z[i])
        close(mine, expected, 1e-3)
        close(out, y, 1e-3)


@triton.jit
def chunk_attention(q, k, v, o, decay, T, D: tl.constexpr, C: tl.constexpr):
    i, d = tl.arange(0, C), tl.arange(0, D)
    state = tl.zeros((D, D), tl.float32)
    g = tl.load(decay)
    inside = tl.where(i[:, None] >= i[None, :], tl.exp(g * (i[:, None] - i[None, :])), 0.0)
    for start in range(0, T, C):
        at = (start + i)[:, None] * D + d[None, :]
        live = (start + i < T)[:, None]
        b_q, b_k, b_v = tl.load(q + at, live, 0.0), tl.load(k + at, live, 0.0), tl.load(v + at, live, 0.0)
        b_o = tl.dot(b_q, state, input_precision="ieee") * tl.exp(g * (i + 1))[:, None]
        b_a = tl.dot(b_q, tl.trans(b_k), input_precision="ieee") * inside
        b_o += tl.dot(b_a, b_v, input_precision="ieee")
        tl.store(o + at, b_o, live)
        count = tl.minimum(C, T - start)
        b_k = b_k * tl.exp(g * (count - 1 - i))[:, None]
        state = state * tl.exp(g * count) + tl.dot(tl.trans(b_k), b_v, input_precision="ieee")
    tl.store(o + T * D + d[:, None] * D + d[None, :], state)


@RUNS
def test_retention_by_chunks(run):
    q, k, v = (random(27, 16, seed=s) * 0.5 for s in range(3))
    o, decay = zeros(27 + 16, 16), np.array([-0.1], np.float32)
    launch(run, chunk_attention, (1,), q, k, v, o, decay, 27, D=16, C=16)
    state, expected = np.zeros((16, 16)), []
    for t in range(27):
        state = state * np.exp(-0.1) + np.outer(k[t], v[t])
        expected.append(q[t] @ state)
    close(o[:27], expected, 1e-3)
    close(o[27:], state, 1e-3)


@triton.jit
def gated_delta(
    q, k, v, g, beta, o, h0, ht, cu_seqlens, scale, T, H: tl.constexpr, K: tl.constexpr, V: tl.constexpr,
    BV: tl.constexpr, USE_INITIAL_STATE: tl.constexpr, IS_VARLEN: tl.constexpr,
):  # fmt: skip
    i_v, i_nh = tl.program_id(0), tl.program_id(1)
    i_n, i_h = i_nh // H, i_nh % H
    if IS_VARLEN:
        bos, eos = tl.load(cu_seqlens + i_n).to(tl.int64), tl.load(cu_seqlens + i_n + 1).to(tl.int64)
        T = eos - bos
    else:
        bos, eos = i_n * T, i_n * T + T
    o_k, o_v = tl.arange(0, K), i_v * BV + tl.arange(0, BV)
    p_q, p_k = q + (bos * H + i_h) * K + o_k, k + (bos * H + i_h) * K + o_k
    p_v, p_o = v + (bos * H + i_h) * V + o_v, o + (bos * H + i_h) * V + o_v
    p_g, p_beta = g + bos * H + i_h, beta + bos * H + i_h
    mask_v = o_v < V
    b_h = tl.zeros([K, BV], dtype=tl.float32)
    if USE_INITIAL_STATE:
        b_h += tl.load(h0 + i_nh * K * V + o_k[:, None] * V + o_v[None, :], mask=mask_v[None, :], other=0)
    for _ in range(0, T):
        b_q, b_k = tl.load(p_q).to(tl.float32) * scale, tl.load(p_k).to(tl.float32)
        b_v = tl.load(p_v, mask=mask_v, other=0).to(tl.float32)
        b_q = b_q / tl.sqrt(tl.sum(b_q * b_q) + 1e-6) * scale
        b_k = b_k / tl.sqrt(tl.sum(b_k * b_k) + 1e-6)
        b_h *= tl.exp(tl.load(p_g))
        b_v -= tl.sum(b_h * b_k[:, None], 0)
        b_v *= tl.load(p_beta)
        b_h += b_k[:, None] * b_v[None, :]
        tl.store(p_o, tl.sum(b_h * b_q[:, None], 0).to(p_o.dtype.element_ty), mask=mask_v)
        p_q += H * K
        p_k += H * K
        p_v += H * V
        p_o += H * V
        p_g += H
        p_beta += H
    tl.store(ht + i_nh * K * V + o_k[:, None] * V + o_v[None, :], b_h, mask=mask_v[None, :])


@RUNS
def test_gated_delta_rule_over_ragged_sequences(run):
    H, K, V, cu = 2, 8, 5, np.array([0, 4, 11], np.int64)
    q, k, v = random(11, H, K), random(11, H, K, seed=1), random(11, H, V, seed=2)
    g, beta, h0 = -np.abs(random(11, H, seed=3)), uniform(11, H, seed=4), random(2, H, K, V, seed=5)
    o, ht = np.zeros_like(v), np.zeros_like(h0)
    launch(
        run, gated_delta, (2, 4), q, k, v, g, beta, o, h0, ht, cu, K**-0.5, 11, H=H, K=K, V=V, BV=4,
        USE_INITIAL_STATE=True, IS_VARLEN=True,
    )  # fmt: skip
    for n in range(2):
        for h in range(H):
            state = h0[n, h].astype(np.float64)
            for t in range(cu[n], cu[n + 1]):
                qt, kt = q[t, h] * K**-0.5, k[t, h]
                qt = qt / np.sqrt((qt * qt).sum() + 1e-6) * K**-0.5
                kt = kt / np.sqrt((kt * kt).sum() + 1e-6)
                state = state * np.exp(g[t, h])
                state = state + np.outer(kt, (v[t, h] - kt @ state) * beta[t, h])
                close(o[t, h], qt @ state, 1e-3)
            close(ht[n, h], state, 1e-3)


@triton.jit
def inverse_of_lower(A, Out, C: tl.constexpr):
    i = tl.arange(0, C)
    at = tl.program_id(0) * C * C + i[:, None] * C + i[None, :]
    b_a = -tl.where(i[:, None] > i[None, :], tl.load(A + at), 0.0)
    for j in range(1, C):
        mask = i == j
        row = tl.sum(tl.where(mask[:, None], b_a, 0.0), 0)
        row = row + tl.sum(row[:, None] * b_a, 0) * (i < j)
        b_a = tl.where(mask[:, None], row, b_a)
    b_a += i[:, None] == i[None, :]
    tl.store(Out + at, b_a)


@RUNS
def test_inverse_of_unit_lower_triangles(run):
    a, o = random(3, 8, 8) * 0.5, zeros(3, 8, 8)
    launch(run, inverse_of_lower, (3,), a, o, C=8)
    close(o, np.linalg.inv(np.tril(a, -1) + np.eye(8)), 1e-3)


@triton.jit
def wkv(w, u, k, v, o, state, T, C, B: tl.constexpr):
    c = tl.program_id(0) * B + tl.arange(0, B)
    live = c < C
    decay, bonus = tl.load(w + c, live, 0.0), tl.load(u + c, live, 0.0)
    alpha, beta = tl.load(state + c, live, 0.0), tl.load(state + C + c, live, 0.0)
    eps = tl.load(state + 2 * C + c, live, -1e38)
    for t in range(T):
        kt, vt = tl.load(k + t * C + c, live, 0.0), tl.load(v + t * C + c, live, 0.0)
        ukt = bonus + kt
        tau = tl.maximum(ukt, eps)
        e1, e2 = tl.exp(eps - tau), tl.exp(ukt - tau)
        tl.store(o + t * C + c, (e1 * alpha + e2 * vt) / (e1 * beta + e2), live)
        w_eps = decay + eps
        eps_next = tl.maximum(w_eps, kt)
        e1, e2 = tl.exp(w_eps - eps_next), tl.exp(kt - eps_next)
        alpha, beta, eps = e1 * alpha + e2 * vt, e1 * beta + e2, eps_next
    tl.store(state + c, alpha, live)
    tl.store(state + C + c, beta, live)
    tl.store(state + 2 * C + c, eps, live)


@RUNS
def test_weighted_averages_with_a_running_exponent(run):
    T, C = 7, 11
    w, u, k, v = -np.abs(random(C)), random(C, seed=1), random(T, C, seed=2), random(T, C, seed=3)
    state, o = np.stack([np.zeros(C), np.zeros(C), np.full(C, -1e38)]).astype(np.float32), zeros(T, C)
    launch(run, wkv, (2,), w, u, k, v, o, state, T, C, B=8)
    for t in range(T):
        past = [np.exp(w.astype(np.float64) * (t - 1 - i) + k[i]) for i in range(t)]
        now = np.exp(u.astype(np.float64) + k[t])
        top = sum((p * v[i] for i, p in enumerate(past)), now * v[t])
        close(o[t], top / sum(past, now), 1e-3)


@triton.jit
def later_maximum(a, ia, b, ib):
    take = (b > a) | ((b == a) & (ib > ia))
    return tl.where(take, b, a), tl.where(take, ib, ia)


@triton.jit
def running_maximum(x_ptr, v_ptr, i_ptr, n, B: tl.constexpr, R: tl.constexpr):
    rows, cols = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, B)
    at = rows[:, None] * n + cols[None, :]
    x = tl.load(x_ptr + at, mask=(cols < n)[None, :], other=-float("inf"))
    index = tl.broadcast_to(cols[None, :], (R, B))
    v, i = tl.associative_scan((x, index), axis=1, combine_fn=later_maximum)
    tl.store(v_ptr + at, v, mask=(cols < n)[None, :])
    tl.store(i_ptr + at, i.to(tl.int64), mask=(cols < n)[None, :])


@RUNS
def test_running_maxima_with_their_places(run):
    x = integers(9, 4, 13).astype(np.float32)
    v, i = zeros(4, 13), zeros(4, 13, dtype=np.int64)
    launch(run, running_maximum, (2,), x, v, i, 13, B=16, R=2)
    best = np.maximum.accumulate(x, 1)
    same(v, best)
    same(i, [[max(j for j in range(t + 1) if x[r, j] == best[r, t]) for t in range(13)] for r in range(4)])


@triton.jit
def segment_join(flag_a, a, flag_b, b):
    return flag_a | flag_b, tl.where(flag_b, b, a + b)


@triton.jit
def segmented(x_ptr, flag_ptr, o_ptr, n, REVERSE: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    flag = tl.load(flag_ptr + at, mask=at < n, other=0).to(tl.int1)
    _, total = tl.associative_scan((flag, x), 0, segment_join, reverse=REVERSE)
    tl.store(o_ptr + at, total, mask=at < n)


@RUNS
def test_sums_that_begin_again_at_flags(run):
    x, flag = integers(9, 27), integers(4, 27, seed=1) == 0
    for reverse in (False, True):
        o = zeros(27, dtype=np.int32)
        launch(run, segmented, (1,), x, flag, o, 27, REVERSE=reverse, B=32)
        expected, total = np.zeros(27, int), 0
        for t in range(26, -1, -1) if reverse else range(27):
            total = x[t] if flag[t] else total + x[t]
            expected[t] = total
        same(o, expected)


@triton.jit
def complex_step(ar, ai, br, bi, cr, ci, dr, di):
    return (
        ar * cr - ai * ci,
        ar * ci + ai * cr,
        cr * br - ci * bi + dr,
        cr * bi + ci * br + di,
    )


@triton.jit
def complex_recurrence(a_ptr, b_ptr, o_ptr, n, B: tl.constexpr):
    at, part = tl.arange(0, B), tl.arange(0, 2)
    live = (at < n)[:, None]
    a = tl.load(a_ptr + at[:, None] * 2 + part[None, :], live, 0.0)
    b = tl.load(b_ptr + at[:, None] * 2 + part[None, :], live, 0.0)
    ar, ai = tl.split(a)
    br, bi = tl.split(b)
    _, _, hr, hi = tl.associative_scan((ar, ai, br, bi), 0, complex_step)
    tl.store(o_ptr + at[:, None] * 2 + part[None, :], tl.join(hr, hi), live)


@RUNS
def test_a_recurrence_of_complex_numbers(run):
    a = (0.9 * np.exp(1j * random(21))).astype(np.complex64)
    b = (random(21, seed=1) + 1j * random(21, seed=2)).astype(np.complex64)
    o = zeros(21, 2)
    launch(run, complex_recurrence, (1,), a.view(np.float32), b.view(np.float32), o, 21, B=32)
    h, expected = 0, []
    for x, y in zip(a, b, strict=True):
        h = x * h + y
        expected.append([h.real, h.imag])
    close(o, expected, 1e-3)


@triton.jit
def scan_over_rows(x_ptr, o_ptr, T, S, BT: tl.constexpr, BS: tl.constexpr, REVERSE: tl.constexpr):
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    carried = tl.zeros([BS], dtype=tl.float32)
    for step in range(tl.cdiv(T, BT)):
        block = tl.cdiv(T, BT) - 1 - step if REVERSE else step
        t = block * BT + tl.arange(0, BT)
        mask = (t < T)[:, None] & (s < S)[None, :]
        x = tl.load(x_ptr + t[:, None] * S + s[None, :], mask=mask, other=0.0).to(tl.float32)
        c = tl.cumsum(x, axis=0, reverse=REVERSE) + carried[None, :]
        tl.store(o_ptr + t[:, None] * S + s[None, :], c.to(o_ptr.dtype.element_ty), mask=mask)
        carried += tl.sum(x, 0)


@RUNS
def test_sums_along_time_in_both_directions(run):
    x = random(21, 11, dtype=np.float16)
    for reverse in (False, True):
        o = zeros(21, 11)
        launch(run, scan_over_rows, (2,), x, o, 21, 11, BT=8, BS=8, REVERSE=reverse)
        wide = x.astype(np.float32)
        close(o, wide[::-1].cumsum(0)[::-1] if reverse else wide.cumsum(0), 1e-3)


@triton.jit
def hgrn(x_ptr, g_ptr, o_ptr, T, D, BD: tl.constexpr):
    d = tl.program_id(0) * BD + tl.arange(0, BD)
    mask = d < D
    h = tl.zeros([BD], tl.float32)
    p_x, p_g, p_o = x_ptr + d, g_ptr + d, o_ptr + d
    for t in range(T - 1, -1, -1):
        x = tl.load(p_x + t * D, mask=mask, other=0)
        h = tl.exp(tl.load(p_g + t * D, mask=mask, other=0)) * h + x
        tl.store(p_o + t * D, h, mask=mask)


@RUNS
def test_a_recurrence_from_the_end(run):
    x, g, o = random(9, 11), -np.abs(random(9, 11, seed=1)), zeros(9, 11)
    launch(run, hgrn, (2,), x, g, o, 9, 11, BD=8)
    h, expected = 0, []
    for t in range(8, -1, -1):
        h = np.exp(g[t]) * h + x[t]
        expected.append(h)
    close(o, expected[::-1], 1e-3)


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def product_outside(x_ptr, o_ptr, n, B: tl.constexpr):
    """The product of all other elements, without a division."""
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    before = tl.associative_scan(x, 0, multiply)
    after = tl.cumprod(x, 0, reverse=True)
    left = tl.where(at > 0, tl.gather(before, tl.maximum(at - 1, 0), 0), 1.0)
    right = tl.where(at < B - 1, tl.gather(after, tl.minimum(at + 1, B - 1), 0), 1.0)
    tl.store(o_ptr + at, left * right, mask=at < n)


@RUNS
def test_products_of_all_other_elements(run):
    x, o = random(11) + 2, zeros(11)
    x[3] = 0
    launch(run, product_outside, (1,), x, o, 11, B=16)
    close(o, [np.prod(np.delete(x, i)) for i in range(11)], 1e-3)
