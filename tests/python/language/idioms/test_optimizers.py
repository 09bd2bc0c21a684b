"""Steps of optimisers: Adam, momentum in bytes, factors, many tensors, clipping, orthogonal steps."""

import ml_dtypes
import numpy as np
import pytest
from running import RUNS, close, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def adam_step(
    p_ptr, g_ptr, m_ptr, v_ptr, step_ptr, n, lr, beta1, beta2, eps, decay, DECOUPLED: tl.constexpr,
    AMSGRAD: tl.constexpr, MAXIMIZE: tl.constexpr, B: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    p = tl.load(p_ptr + at, mask=mask, other=0.0)
    g = tl.load(g_ptr + at, mask=mask, other=0.0).to(tl.float32)
    m, v = tl.load(m_ptr + at, mask=mask, other=0.0), tl.load(v_ptr + at, mask=mask, other=0.0)
    step = tl.load(step_ptr).to(tl.float32)
    if MAXIMIZE:
        g = -g
    if DECOUPLED:
        p *= 1 - lr * decay
    else:
        g += decay * p
    m = beta1 * m + (1 - beta1) * g
    v_new = beta2 * v + (1 - beta2) * g * g
    v = tl.maximum(v, v_new) if AMSGRAD else v_new
    first = 1 - tl.exp2(step * tl.log2(beta1))
    second = 1 - tl.exp2(step * tl.log2(beta2))
    p -= lr * (m / first) / (tl.sqrt(v / second) + eps)
    tl.store(p_ptr + at, p, mask=mask)
    tl.store(m_ptr + at, m, mask=mask)
    tl.store(v_ptr + at, v, mask=mask)


@RUNS
@pytest.mark.parametrize("decoupled", [False, True])
def test_steps_of_adam(run, decoupled):
    p, m, v, step = random(37), zeros(37), zeros(37), zeros(1, dtype=np.int64)
    q, a, b = p.astype(np.float64), 0.0, 0.0
    for t in range(1, 4):
        g = random(37, seed=t).astype(ml_dtypes.bfloat16)
        step[0] = t
        launch(
            run, adam_step, (3,), p, g, m, v, step, 37, 1e-2, 0.9, 0.99, 1e-8, 0.1, DECOUPLED=decoupled,
            AMSGRAD=False, MAXIMIZE=False, B=16,
        )  # fmt: skip
        g = g.astype(np.float64)
        q, g = (q * (1 - 1e-3), g) if decoupled else (q, g + 0.1 * q)
        a, b = 0.9 * a + 0.1 * g, 0.99 * b + 0.01 * g * g
        q = q - 1e-2 * (a / (1 - 0.9**t)) / (np.sqrt(b / (1 - 0.99**t)) + 1e-8)
    close(p, q, 1e-3)


@triton.jit
def momentum_in_bytes(p_ptr, g_ptr, q_ptr, scale_ptr, n, lr, beta, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    at = block * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(g_ptr + at, mask=at < n, other=0.0)
    m = tl.load(q_ptr + at, mask=at < n, other=0).to(tl.float32) * tl.load(scale_ptr + block)
    m = beta * m + g
    scale = tl.maximum(tl.max(tl.abs(m)), 1e-12) / 127
    q = tl.extra.libdevice.rint(m / scale)
    tl.store(q_ptr + at, q.to(tl.int8), mask=at < n)
    tl.store(scale_ptr + block, scale)
    sign = (m > 0).to(tl.float32) - (m < 0).to(tl.float32)
    tl.store(p_ptr + at, tl.load(p_ptr + at, mask=at < n) - lr * sign, mask=at < n)


@RUNS
def test_momentum_kept_in_bytes(run):
    p, q, scale = random(45), zeros(45, dtype=np.int8), zeros(3)
    expected, whole = p.copy(), np.zeros(45)
    for t in range(3):
        g = random(45, seed=t + 1)
        old = q.astype(np.float64) * np.repeat(scale, 16)[:45]
        launch(run, momentum_in_bytes, (3,), p, g, q, scale, 45, 0.1, 0.9, BLOCK=16)
        whole = 0.9 * old + g
        expected -= 0.1 * np.sign(whole)
        assert np.abs(q * np.repeat(scale, 16)[:45] - whole).max() <= scale.max() * 0.51
    close(p, expected)


@triton.jit
def factored(
    g_ptr, row_ptr, col_ptr, rows, cols, beta, eps, AXIS: tl.constexpr, R: tl.constexpr, C: tl.constexpr
):
    i = tl.program_id(0)
    if AXIS == 1:
        c = tl.arange(0, C)
        g = tl.load(g_ptr + i * cols + c, mask=c < cols, other=0.0)
        mean = tl.sum(tl.where(c < cols, g * g + eps, 0.0)) / cols
        target = row_ptr + i
    else:
        r = tl.arange(0, R)
        g = tl.load(g_ptr + r * cols + i, mask=r < rows, other=0.0)
        mean = tl.sum(tl.where(r < rows, g * g + eps, 0.0)) / rows
        target = col_ptr + i
    tl.store(target, beta * tl.load(target) + (1 - beta) * mean)


@triton.jit
def factored_step(p_ptr, g_ptr, row_ptr, col_ptr, rows, cols, lr, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    i = tl.arange(0, 2 * R)
    mean = tl.sum(tl.load(row_ptr + i, mask=i < rows, other=0.0)) / rows
    v = tl.load(row_ptr + r, mask=r < rows, other=1.0)[:, None] / mean
    v = v * tl.load(col_ptr + c, mask=c < cols, other=1.0)
    at, mask = r[:, None] * cols + c, (r < rows)[:, None] & (c < cols)
    p, g = tl.load(p_ptr + at, mask=mask), tl.load(g_ptr + at, mask=mask)
    tl.store(p_ptr + at, p - lr * g * tl.rsqrt(v), mask=mask)


@RUNS
def test_second_moments_by_rows_and_columns(run):
    p, g, row, col = random(7, 5), random(7, 5, seed=1), np.abs(random(7, seed=2)), np.abs(random(5, seed=3))
    er, ec = (0.9 * old + 0.1 * (g * g + 1e-6).mean(axis) for old, axis in ((row, 1), (col, 0)))
    expected = p - 0.1 * g / np.sqrt(er[:, None] / er.mean() * ec)
    launch(run, factored, (7,), g, row, col, 7, 5, 0.9, 1e-6, AXIS=1, R=8, C=8)
    launch(run, factored, (5,), g, row, col, 7, 5, 0.9, 1e-6, AXIS=0, R=8, C=8)
    launch(run, factored_step, (2,), p, g, row, col, 7, 5, 0.1, R=4, C=8)
    close(row, er)
    close(col, ec)
    close(p, expected)


@triton.jit
def clip_many(
    pointer_ptr, size_ptr, block_ptr, offset_ptr, norm_ptr, most, B: tl.constexpr, APPLY: tl.constexpr
):
    tensor = tl.load(block_ptr + tl.program_id(0))
    start = tl.load(offset_ptr + tl.program_id(0))
    base = tl.load(pointer_ptr + tensor).to(tl.pointer_type(tl.float32))
    at = start + tl.arange(0, B)
    mask = at < tl.load(size_ptr + tensor)
    g = tl.load(base + at, mask=mask, other=0.0)
    if APPLY:
        norm = tl.sqrt(tl.load(norm_ptr))
        tl.store(base + at, g * tl.minimum(most / (norm + 1e-6), 1.0), mask=mask)
    else:
        tl.atomic_add(norm_ptr, tl.sum(g * g), sem="relaxed")


@RUNS
def test_many_gradients_clipped_by_one_norm(run):
    gradients = [random(n, seed=n) for n in (5, 37, 16)]
    expected = np.concatenate(gradients)
    blocks = [(t, start) for t, g in enumerate(gradients) for start in range(0, len(g), 16)]
    tables = [
        np.array([g.ctypes.data for g in gradients], np.uint64),
        np.array([len(g) for g in gradients], np.int64),
        np.array([t for t, _ in blocks], np.int32), np.array([s for _, s in blocks], np.int32), zeros(1),
    ]  # fmt: skip
    for apply in (False, True):
        launch(run, clip_many, (len(blocks),), *tables, 2.0, B=16, APPLY=apply)
    norm = np.sqrt((expected**2).sum())
    close(np.concatenate(gradients), expected * 2 / (norm + 1e-6))


@triton.jit
def newton_schulz(x_ptr, o_ptr, steps, N: tl.constexpr, M: tl.constexpr):
    r, c = tl.arange(0, N), tl.arange(0, M)
    x = tl.load(x_ptr + r[:, None] * M + c[None, :])
    x = x / (tl.sqrt(tl.sum(x * x)) + 1e-7)
    for _ in range(steps):
        a = tl.dot(x, x.T, input_precision="ieee")
        b = -4.7750 * a + 2.0315 * tl.dot(a, a, input_precision="ieee")
        x = 3.4445 * x + tl.dot(b, x, input_precision="ieee")
    tl.store(o_ptr + r[:, None] * M + c[None, :], x)


@RUNS
def test_steps_made_orthogonal(run):
    x, o = random(16, 32), zeros(16, 32)
    launch(run, newton_schulz, (1,), x, o, 4, N=16, M=32)
    y = x.astype(np.float64) / (np.linalg.norm(x) + 1e-7)
    for _ in range(4):
        a = y @ y.T
        y = 3.4445 * y + (-4.7750 * a + 2.0315 * a @ a) @ y
    close(o, y, 1e-2)


@triton.jit
def scaled_and_checked(x_ptr, o_ptr, found_ptr, n, scale, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32)
    bad = (x != x) | (tl.abs(x) == float("inf"))
    if tl.max(bad.to(tl.int32)) != 0:
        tl.store(found_ptr, 1.0)
    tl.store(o_ptr + at, tl.where(bad, 0.0, x * scale), mask=at < n)


@RUNS
def test_gradients_unscaled_and_checked(run):
    x, o = random(37, dtype=np.float16), zeros(37)
    for bad in (None, 20, 36):
        found = zeros(1)
        y = x.copy()
        if bad is not None:
            y[bad] = np.inf if bad == 20 else np.nan
        launch(run, scaled_and_checked, (3,), y, o, found, 37, 0.125, B=16)
        assert found[0] == (bad is not None)
        same(o, np.where(np.isfinite(y), y.astype(np.float32) * 0.125, 0))


@triton.jit
def average(p_ptr, ema_ptr, n, decay, warm: tl.constexpr, step, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    if warm:
        decay = tl.minimum(decay, (1.0 + step) / (10.0 + step))
    ema, p = tl.load(ema_ptr + at, mask=at < n), tl.load(p_ptr + at, mask=at < n)
    tl.store(ema_ptr + at, ema + (1 - decay) * (p.to(tl.float32) - ema), mask=at < n)


@RUNS
def test_running_averages_of_weights(run):
    p, ema = random(29, dtype=np.float16), random(29, seed=1)
    expected = ema.astype(np.float64)
    for step in (0, 1, 5000):
        launch(run, average, (2,), p, ema, 29, 0.999, True, step, B=16)
        d = min(0.999, (1 + step) / (10 + step))
        expected = expected + (1 - d) * (p.astype(np.float64) - expected)
    close(ema, expected)
