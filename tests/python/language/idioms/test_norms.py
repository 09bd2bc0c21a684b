"""Norms, forward and backward: layer, rms, group, batch, weight; sums of partial gradients over programs."""

import numpy as np
import pytest
from running import RUNS, close, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


def normal(x, eps=1e-5, axis=-1):
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


@triton.jit
def layer_norm(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    mean = 0
    _mean = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        _mean += tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    mean = tl.sum(_mean, axis=0) / N
    _var = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.0)
        _var += x * x
    rstd = 1 / tl.sqrt(tl.sum(_var, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        mask = cols < N
        w, b = tl.load(W + cols, mask=mask), tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.0).to(tl.float32)
        tl.store(Y + cols, (x - mean) * rstd * w + b, mask=mask)


@RUNS
def test_layer_norm_in_two_passes(run):
    x, w, b = random(3, 29, dtype=np.float16), random(29, seed=1), random(29, seed=2)
    y, mean, rstd = np.zeros_like(x), zeros(3), zeros(3)
    launch(run, layer_norm, (3,), x, y, w, b, mean, rstd, 29, 29, 1e-5, BLOCK=8)
    wide = x.astype(np.float32)
    close(y, normal(wide) * w + b, 5e-3)
    close(mean, wide.mean(1), 1e-3)
    close(rstd, 1 / np.sqrt(wide.var(1) + 1e-5), 1e-3)


@triton.jit
def layer_norm_dx(
    DX,
    DY,
    DW,
    DB,
    X,
    W,
    Mean,
    Rstd,
    Lock,
    stride,
    N,
    GROUPS: tl.constexpr,
    BLOCK: tl.constexpr,
    LOCKED: tl.constexpr,
):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(X + row * stride + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + row * stride + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean, rstd = tl.load(Mean + row), tl.load(Rstd + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.0)
    wdy = tl.where(mask, w * dy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + row * stride + cols, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)
    group = row % GROUPS
    DW += group * N + cols
    DB += group * N + cols
    if LOCKED:
        Lock += group
        Count = Lock + GROUPS
        while tl.atomic_cas(Lock, 0, 1) == 1:
            pass
        if tl.load(Count) == 0:
            tl.atomic_xchg(Count, 1)
            dw, db = dy * xhat, dy
        else:
            dw = dy * xhat + tl.load(DW, mask=mask)
            db = dy + tl.load(DB, mask=mask)
        tl.store(DW, dw, mask=mask)
        tl.store(DB, db, mask=mask)
        tl.debug_barrier()
        tl.atomic_xchg(Lock, 0)
    else:
        tl.atomic_add(DW, dy * xhat, mask=mask)
        tl.atomic_add(DB, dy, mask=mask)


@triton.jit
def layer_norm_dw(DW, DB, FINAL_DW, FINAL_DB, M, N, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    dw, db = tl.zeros((BM, BN), dtype=tl.float32), tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, M, BM):
        rows = i + tl.arange(0, BM)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        offs = rows[:, None] * N + cols[None, :]
        dw += tl.load(DW + offs, mask=mask, other=0.0)
        db += tl.load(DB + offs, mask=mask, other=0.0)
    tl.store(FINAL_DW + cols, tl.sum(dw, axis=0), mask=cols < N)
    tl.store(FINAL_DB + cols, tl.sum(db, axis=0), mask=cols < N)


@RUNS
@pytest.mark.parametrize("locked", [False, True])
def test_layer_norm_gradients_by_groups_of_rows(run, locked):
    x, dy, w = random(7, 13), random(7, 13, seed=1), random(13, seed=2)
    dx, dw, db, lock = np.zeros_like(x), zeros(3, 13), zeros(3, 13), zeros(6, dtype=np.int32)
    mean, rstd = x.mean(1), 1 / np.sqrt(x.var(1) + 1e-5)
    args = (dx, dy, dw, db, x, w, mean, rstd, lock, 13, 13)
    launch(run, layer_norm_dx, (7,), *args, GROUPS=3, BLOCK=16, LOCKED=locked)
    final_dw, final_db = zeros(13), zeros(13)
    launch(run, layer_norm_dw, (2,), dw, db, final_dw, final_db, 3, 13, BM=2, BN=8)
    xhat, wdy = normal(x), w * dy
    c1, c2 = (xhat * wdy).mean(1, keepdims=True), wdy.mean(1, keepdims=True)
    close(dx, (wdy - xhat * c1 - c2) * rstd[:, None], 1e-3)
    close(final_dw, (dy * xhat).sum(0), 1e-3)
    close(final_db, dy.sum(0), 1e-3)


@triton.jit
def rms_backward(
    dY, dX, X, W, RSTD, dW, n_rows, n_cols, offset, per_program, CASTING: tl.constexpr, BLOCK: tl.constexpr
):
    program = tl.program_id(0).to(tl.int64)
    first = program * per_program
    last = min((program + 1) * per_program, n_rows)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    dw_row = tl.zeros((BLOCK,), dtype=tl.float32)
    w = tl.load(W + cols, mask=mask, other=0.0) + offset
    for row in range(first, last):
        dy = tl.load(dY + row * n_cols + cols, mask=mask, other=0.0)
        x = tl.load(X + row * n_cols + cols, mask=mask, other=0.0).to(tl.float32)
        rstd = tl.load(RSTD + row)
        if CASTING == "llama":
            m = (dy * w).to(tl.float32)
            dw_row += dy * (x * rstd).to(dy.dtype)
        elif CASTING == "gemma":
            m = dy.to(tl.float32) * w
            dw_row += dy.to(tl.float32) * (x * rstd)
        else:
            tl.static_assert(False, "unknown casting")
        dx = rstd * m + rstd * (-(1 / n_cols) * rstd * rstd * tl.sum(m * x, axis=0) * x)
        tl.store(dX + row * n_cols + cols, dx.to(dX.dtype.element_ty), mask=mask)
    tl.store(dW + program * n_cols + cols, dw_row, mask=mask)


@RUNS
@pytest.mark.parametrize("casting", ["llama", "gemma"])
def test_rms_norm_gradients_over_runs_of_rows(run, casting):
    x, dy, w = random(7, 11), random(7, 11, seed=1), random(11, seed=2)
    rstd = 1 / np.sqrt((x * x).mean(1) + 1e-6)
    dx, dw = np.zeros_like(x), zeros(3, 11)
    launch(run, rms_backward, (3,), dy, dx, x, w, rstd, dw, 7, 11, 1.0, 3, CASTING=casting, BLOCK=16)
    m, r = dy * (w + 1), rstd[:, None]
    close(dx, r * m - r**3 * (m * x).mean(1, keepdims=True) * x, 1e-3)
    close(dw.sum(0), (dy * x * r).sum(0), 1e-3)


@triton.jit
def group_norm(X, Y, W, B, channels, hw, eps, PER: tl.constexpr, BC: tl.constexpr, BS: tl.constexpr):
    batch, group = tl.program_id(0), tl.program_id(1)
    base = X + (batch * channels + group * PER) * hw
    c, s = tl.arange(0, BC), tl.arange(0, BS)
    total, squares = 0.0, 0.0
    for start in range(0, hw, BS):
        mask = (c < PER)[:, None] & (start + s < hw)[None, :]
        x = tl.load(base + c[:, None] * hw + start + s[None, :], mask=mask, other=0.0)
        total += tl.sum(x)
        squares += tl.sum(x * x)
    size = PER * hw
    mean = total / size
    rstd = tl.rsqrt(squares / size - mean * mean + eps)
    for channel in range(group * PER, (group + 1) * PER):
        w = tl.load(W + channel)
        shift = tl.load(B + channel) - mean * rstd * w
        for start in range(0, hw, BS):
            at = (batch * channels + channel) * hw + start + s
            x = tl.load(X + at, mask=start + s < hw)
            tl.store(Y + at, tl.fma(x, (rstd * w).broadcast_to(x.shape), shift), mask=start + s < hw)


@RUNS
def test_group_norm(run):
    x, w, b = random(2, 6, 7, 3), random(6, seed=1), random(6, seed=2)
    y = np.zeros_like(x)
    launch(run, group_norm, (2, 2), x, y, w, b, 6, 21, 1e-5, PER=3, BC=4, BS=8)
    expected = normal(x.reshape(2, 2, -1)).reshape(x.shape) * w[:, None, None] + b[:, None, None]
    close(y, expected, 1e-3)


@triton.jit
def chan(mean, m2, count, other_mean, other_m2, other_count):
    total = count + other_count
    delta = other_mean - mean
    part = other_count / tl.maximum(total, 1.0)
    return mean + delta * part, m2 + other_m2 + delta * delta * count * part, total


@triton.jit
def batch_statistics(
    X, Mean, Var, RunningMean, RunningVar, batch, channels, hw, momentum, B: tl.constexpr, S: tl.constexpr
):
    channel = tl.program_id(0)
    mean, m2, count = 0.0, 0.0, 0.0
    for b in range(0, batch, B):
        for s in range(0, hw, S):
            bi, si = b + tl.arange(0, B)[:, None], s + tl.arange(0, S)[None, :]
            mask = (bi < batch) & (si < hw)
            x = tl.load(X + (bi * channels + channel) * hw + si, mask=mask, other=0.0)
            tile_mean, tile_m2, tile_count = tl.reduce(
                (x.reshape(B * S), tl.zeros([B * S], tl.float32), mask.to(tl.float32).reshape(B * S)), 0, chan
            )
            mean, m2, count = chan(mean, m2, count, tile_mean, tile_m2, tile_count)
    tl.store(Mean + channel, mean)
    tl.store(Var + channel, m2 / count)
    old_mean, old_var = tl.load(RunningMean + channel), tl.load(RunningVar + channel)
    tl.store(RunningMean + channel, (1 - momentum) * old_mean + momentum * mean)
    tl.store(RunningVar + channel, (1 - momentum) * old_var + momentum * m2 / (count - 1))


@RUNS
def test_batch_statistics_by_welford(run):
    x = random(5, 3, 13) + 3
    mean, var, rm, rv = zeros(3), zeros(3), random(3, seed=1), np.abs(random(3, seed=2))
    expected_mean, expected_var = 0.9 * rm + 0.1 * x.mean((0, 2)), 0.9 * rv + 0.1 * x.var((0, 2), ddof=1)
    launch(run, batch_statistics, (3,), x, mean, var, rm, rv, 5, 3, 13, 0.1, B=2, S=8)
    close(mean, x.mean((0, 2)), 1e-3)
    close(var, x.var((0, 2)), 1e-3)
    close(rm, expected_mean, 1e-3)
    close(rv, expected_var, 1e-3)


@triton.jit
def norm_of_heads(
    qkv, w_q, w_k, o, eps, HQ: tl.constexpr, HK: tl.constexpr, D: tl.constexpr, B: tl.constexpr
):
    token = tl.program_id(0)
    heads, d = tl.arange(0, B), tl.arange(0, D)
    at = token * (HQ + 2 * HK) * D + heads[:, None] * D + d[None, :]
    live = (heads < HQ + HK)[:, None]
    x = tl.load(qkv + at, mask=live, other=0.0)
    rms = tl.rsqrt(tl.sum(x * x, 1, keep_dims=True) / D + eps)
    w = tl.where((heads < HQ)[:, None], tl.load(w_q + d)[None, :], tl.load(w_k + d)[None, :])
    tl.store(o + token * (HQ + HK) * D + heads[:, None] * D + d[None, :], x * rms * w, mask=live)


@RUNS
def test_norms_of_query_and_key_heads(run):
    x, wq, wk, o = random(3, 5, 8), random(8, seed=1), random(8, seed=2), zeros(3, 4, 8)
    launch(run, norm_of_heads, (3,), x, wq, wk, o, 1e-6, HQ=3, HK=1, D=8, B=4)
    y = x[:, :4] / np.sqrt((x[:, :4] ** 2).mean(-1, keepdims=True) + 1e-6)
    close(o, y * np.array([wq, wq, wq, wk]), 1e-3)


@triton.jit
def unit_rows(X, Y, Inverse, dY, dX, N, eps, BACKWARD: tl.constexpr, B: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, B)
    at, mask = row * N + cols, cols < N
    x = tl.load(X + at, mask=mask, other=0.0)
    if BACKWARD:
        inverse = tl.load(Inverse + row)
        dy = tl.load(dY + at, mask=mask, other=0.0)
        y = x * inverse
        tl.store(dX + at, (dy - y * tl.sum(y * dy)) * inverse, mask=mask)
    else:
        inverse = 1.0 / tl.sqrt_rn(tl.sum(x * x) + eps)
        tl.store(Y + at, x * inverse, mask=mask)
        tl.store(Inverse + row, inverse)


@RUNS
def test_rows_of_length_one_and_back(run):
    x, dy, y, dx, inverse = random(4, 9), random(4, 9, seed=1), zeros(4, 9), zeros(4, 9), zeros(4)
    launch(run, unit_rows, (4,), x, y, inverse, None, None, 9, 1e-6, BACKWARD=False, B=16)
    r = 1 / np.sqrt((x * x).sum(1, keepdims=True) + 1e-6)
    close(y, x * r)
    launch(run, unit_rows, (4,), x, None, inverse, dy, dx, 9, 1e-6, BACKWARD=True, B=16)
    close(dx, (dy - x * r * (x * r * dy).sum(1, keepdims=True)) * r)


@triton.jit
def modulated(X, Scale, Shift, Gate, Residual, Y, per_batch, N, eps, B: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, B)
    batch, mask = row // per_batch, tl.arange(0, B) < N
    x = tl.load(X + row * N + cols, mask=mask, other=0.0)
    mean = tl.sum(x, 0) / N
    away = tl.where(mask, x - mean, 0.0)
    x = away / tl.sqrt(tl.sum(away * away, 0) / N + eps)
    y = x * (1 + tl.load(Scale + batch * N + cols, mask)) + tl.load(Shift + batch * N + cols, mask)
    y = y * tl.load(Gate + batch * N + cols, mask) + tl.load(Residual + row * N + cols, mask)
    tl.store(Y + row * N + cols, y, mask)


@RUNS
def test_a_norm_modulated_by_its_batch(run):
    x, residual, y = random(2, 3, 11), random(2, 3, 11, seed=4), zeros(2, 3, 11)
    scale, shift, gate = (random(2, 1, 11, seed=s) for s in range(1, 4))
    launch(run, modulated, (6,), x, scale, shift, gate, residual, y, 3, 11, 1e-5, B=16)
    close(y, (normal(x) * (1 + scale) + shift) * gate + residual, 1e-3)
    same(y.shape, x.shape)
