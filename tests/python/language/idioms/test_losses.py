"""Losses with their gradients: cross-entropy in place, fused with its product, divergences, preferences."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, sigmoid, softmax, zeros

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice


def log_softmax(x):
    return x - x.max(-1, keepdims=True) - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))


@triton.jit
def liger_style(
    X_ptr, X_stride, Y_ptr, loss_ptr, z_loss_ptr, n_cols, n_valid, ignored: tl.constexpr,
    smoothing: tl.constexpr, z_scale, reduction: tl.constexpr, cap, HAS_CAP: tl.constexpr, B: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    y = tl.load(Y_ptr + row)
    X_ptr += row * X_stride
    if y == ignored:
        for i in range(0, n_cols, B):
            at = i + tl.arange(0, B)
            tl.store(X_ptr + at, 0.0, mask=at < n_cols)
        return
    m = float("-inf")
    d = 0.0
    ori = tl.load(X_ptr + y).cast(tl.float32)
    if HAS_CAP:
        ori = cap * libdevice.tanh(ori / cap)
    x_sum = 0.0
    eps = smoothing / n_cols
    for i in range(0, n_cols, B):
        at = i + tl.arange(0, B)
        x = tl.load(X_ptr + at, mask=at < n_cols, other=float("-inf")).cast(tl.float32)
        if HAS_CAP:
            x = cap * libdevice.tanh(x / cap)
        m_new = tl.maximum(m, tl.max(x))
        if smoothing > 0:
            x_sum += tl.sum(tl.where(at < n_cols, -eps * x, 0.0))
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new))
        m = m_new
    lse = m + tl.log(d)
    for i in range(0, n_cols, B):
        at = i + tl.arange(0, B)
        x = tl.load(X_ptr + at, mask=at < n_cols, other=float("-inf")).cast(tl.float32)
        if HAS_CAP:
            inner = libdevice.tanh(x / cap)
            x = cap * inner
        g = tl.exp(x - m) / d
        g += 2 * z_scale * lse * g
        g += -eps
        g = tl.where(at != y, g, g - (1 - smoothing))
        if reduction == "mean":
            g = g / n_valid
        if HAS_CAP:
            g = g * (1 - inner * inner)
        tl.store(X_ptr + at, g, mask=at < n_cols)
    tl.debug_barrier()
    loss = lse - ori
    if smoothing > 0:
        loss = loss * (1 - smoothing) + x_sum + smoothing * lse
    z_loss = z_scale * lse * lse
    loss += z_loss
    if reduction == "mean":
        z_loss = z_loss / n_valid
        loss = loss / n_valid
    tl.store(loss_ptr + row, loss)
    tl.store(z_loss_ptr + row, z_loss)


@RUNS
@pytest.mark.parametrize("cap", [None, 5.0])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_cross_entropy_that_writes_its_gradient_over_the_logits(run, cap, smoothing):
    x, y = random(5, 21) * 3, np.array([3, -100, 20, 0, 7], np.int64)
    logits, loss, z_loss = x.copy(), zeros(5), zeros(5)
    launch(
        run, liger_style, (5,), logits, 21, y, loss, z_loss, 21, 4, ignored=-100, smoothing=smoothing,
        z_scale=1e-3, reduction="mean", cap=cap, HAS_CAP=cap is not None, B=8, num_warps=8,
    )  # fmt: skip
    wide = x.astype(np.float64)
    capped = cap * np.tanh(wide / cap) if cap else wide
    lse = np.log(np.exp(capped).sum(1))
    p, gradient, expected = softmax(capped), np.zeros_like(wide), np.zeros(5)
    for i, label in enumerate(y):
        if label < 0:
            continue
        expected[i] = (lse[i] - capped[i, label]) * (1 - smoothing) + smoothing * (lse[i] - capped[i].mean())
        expected[i] += 1e-3 * lse[i] ** 2
        g = p[i] * (1 + 2e-3 * lse[i]) - smoothing / 21
        g[label] -= 1 - smoothing
        gradient[i] = g * (1 - np.tanh(wide[i] / cap) ** 2 if cap else 1) / 4
    close(loss, expected / 4, 1e-3)
    close(logits, gradient, 1e-3)


@triton.jit
def linear_ce(
    h_ptr, w_ptr, y_ptr, lse_ptr, picked_ptr, T, V, H, BT: tl.constexpr, BV: tl.constexpr, BH: tl.constexpr
):
    t = tl.program_id(0) * BT + tl.arange(0, BT)
    y = tl.load(y_ptr + t, mask=t < T, other=-1)
    m, norm = tl.full([BT], float("-inf"), tl.float32), tl.zeros([BT], tl.float32)
    picked = tl.zeros([BT], tl.float32)
    for v0 in range(0, V, BV):
        v = v0 + tl.arange(0, BV)
        logits = tl.zeros([BT, BV], tl.float32)
        for h0 in range(0, H, BH):
            h = h0 + tl.arange(0, BH)
            x = tl.load(h_ptr + t[:, None] * H + h[None, :], (t < T)[:, None] & (h < H)[None, :], other=0.0)
            w = tl.load(w_ptr + v[None, :] * H + h[:, None], (v < V)[None, :] & (h < H)[:, None], other=0.0)
            logits = tl.dot(x, w, logits, input_precision="ieee")
        logits = tl.where((v < V)[None, :], logits, float("-inf"))
        picked += tl.sum(tl.where(v[None, :] == y[:, None], logits, 0.0), 1)
        new = tl.maximum(m, tl.max(logits, 1))
        norm = norm * tl.exp(m - new) + tl.sum(tl.exp(logits - new[:, None]), 1)
        m = new
    tl.store(lse_ptr + t, m + tl.log(norm), mask=t < T)
    tl.store(picked_ptr + t, picked, mask=t < T)


@RUNS
def test_cross_entropy_without_logits_in_memory(run):
    h, w, y = random(19, 21), random(37, 21, seed=1), integers(37, 19).astype(np.int64)
    lse, picked = zeros(19), zeros(19)
    launch(run, linear_ce, (2,), h, w, y, lse, picked, 19, 37, 21, BT=16, BV=16, BH=16)
    logits = h @ w.T
    close(lse - picked, -log_softmax(logits)[np.arange(19), y], 1e-3)


@triton.jit
def kl_divergence(
    y_ptr, gt_ptr, loss_ptr, n, eps, reduction: tl.constexpr, log_target: tl.constexpr, B: tl.constexpr
):
    row = tl.program_id(0)
    y_ptr += row * n
    gt_ptr += row * n
    total = 0.0
    for i in range(0, n, B):
        at = i + tl.arange(0, B)
        mask = at < n
        y = tl.load(y_ptr + at, mask=mask, other=0.0)
        t = tl.load(gt_ptr + at, mask=mask, other=0.0)
        if not log_target:
            loss = t * (tl.log(tl.maximum(t, eps)) - y)
        else:
            loss = tl.exp(t) * (t - y)
        if reduction == 0:
            tl.store(loss_ptr + row * n + at, loss, mask=mask)
        else:
            total += tl.sum(loss, axis=0)
    if reduction != 0:
        tl.store(loss_ptr + row, total)


@RUNS
def test_kl_divergence_in_its_forms(run):
    y, t = log_softmax(random(3, 13)), softmax(random(3, 13, seed=1))
    expected = t * (np.log(t) - y)
    for log_target in (False, True):
        whole, rows = zeros(3, 13), zeros(3)
        target = np.log(t) if log_target else t
        launch(run, kl_divergence, (3,), y, target, whole, 13, 1e-10, reduction=0, log_target=log_target, B=8)
        launch(run, kl_divergence, (3,), y, target, rows, 13, 1e-10, reduction=2, log_target=log_target, B=8)
        close(whole, expected)
        close(rows, expected.sum(1))


@triton.jit
def jsd(X, Y, loss_ptr, dX, beta: tl.constexpr, scale, n, B: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, B)
    mask = tl.arange(0, B) < n
    x = tl.load(X + at, mask=mask, other=float("-inf")).to(tl.float32)
    y = tl.load(Y + at, mask=mask, other=float("-inf")).to(tl.float32)
    if beta == 0.0:
        top = tl.max(y, axis=0)
        p = tl.exp(y - top) * tl.exp(top)
        loss = tl.where(mask, p * (y - x), 0.0)
        dx = -p
    elif beta == 1.0:
        q = tl.exp(x)
        loss = tl.where(mask, q * (x - y), 0.0)
        dx = loss + q
    else:
        top = tl.maximum(tl.max(x, axis=0), tl.max(y, axis=0))
        scaled = tl.exp(top)
        q, p = tl.exp(x - top) * scaled, tl.exp(y - top) * scaled
        m = beta * p + (1 - beta) * q
        log_m = tl.log(tl.where(mask, m, 1.0))
        loss = tl.where(mask, beta * p * (y - log_m) + (1 - beta) * q * (x - log_m), 0.0)
        dx = tl.where(mask, (1 - beta) * q * (x - log_m), 0.0)
    tl.store(loss_ptr + at, loss * scale, mask=mask)
    tl.store(dX + at, dx * scale, mask=mask)


@RUNS
@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
def test_jensen_shannon_divergence(run, beta):
    x, y = log_softmax(random(3, 13)), log_softmax(random(3, 13, seed=1))
    loss, dx = zeros(3, 13), zeros(3, 13)
    launch(run, jsd, (3,), x, y, loss, dx, beta=beta, scale=0.5, n=13, B=16)
    p, q = np.exp(y), np.exp(x)
    if beta == 0.0:
        expected, gradient = p * (y - x), -p
    elif beta == 1.0:
        expected, gradient = q * (x - y), q * (x - y) + q
    else:
        log_m = np.log(beta * p + (1 - beta) * q)
        expected = beta * p * (y - log_m) + (1 - beta) * q * (x - log_m)
        gradient = (1 - beta) * q * (x - log_m)
    close(loss, expected * 0.5)
    close(dx, gradient * 0.5)


@triton.jit
def log_sigmoid(x):
    return tl.minimum(x, 0.0) - tl.log(1.0 + tl.exp(-tl.abs(x)))


@triton.jit
def preference(chosen, rejected, ref_chosen, ref_rejected, loss_ptr, reward_ptr, n, beta, B: tl.constexpr):
    at = tl.arange(0, B)
    mask = at < n
    c, r = tl.load(chosen + at, mask, 0.0), tl.load(rejected + at, mask, 0.0)
    rc, rr = tl.load(ref_chosen + at, mask, 0.0), tl.load(ref_rejected + at, mask, 0.0)
    margin = beta * ((c - rc) - (r - rr))
    tl.store(reward_ptr + at, margin, mask)
    tl.store(loss_ptr, -tl.sum(tl.where(mask, log_sigmoid(margin), 0.0)) / n)


@RUNS
def test_preferences_against_a_reference(run):
    parts = [random(13, seed=s) for s in range(4)]
    loss, reward = zeros(1), zeros(13)
    launch(run, preference, (1,), *parts, loss, reward, 13, 0.7, B=16)
    margin = 0.7 * ((parts[0] - parts[2]) - (parts[1] - parts[3]))
    close(reward, margin)
    close(loss, [-np.log(sigmoid(margin)).mean()])


@triton.jit
def grpo(
    logits_ptr,
    ids_ptr,
    old_ptr,
    adv_ptr,
    loss_ptr,
    clipped_ptr,
    L,
    N,
    low,
    high,
    temperature,
    B: tl.constexpr,
):
    sequence, step = tl.program_id(0).cast(tl.int64), tl.program_id(1)
    logits_ptr += (sequence * (L + 1) + step) * N
    target = tl.load(ids_ptr + sequence * L + step)
    m, norm = float("-inf"), 0.0
    for start in range(0, N, B):
        at = start + tl.arange(0, B)
        x = tl.load(logits_ptr + at, mask=at < N, other=float("-inf")).to(tl.float32) / temperature
        new = tl.maximum(m, tl.max(x))
        norm = norm * tl.exp(m - new) + tl.sum(tl.exp(x - new))
        m = new
    logp = tl.load(logits_ptr + target).to(tl.float32) / temperature - (m + tl.log(norm))
    old = logp if old_ptr is None else tl.load(old_ptr + sequence * L + step).to(tl.float32)
    ratio = tl.exp(logp - old)
    clipped = tl.clamp(ratio, 1 - low, 1 + high)
    advantage = tl.load(adv_ptr + sequence)
    tl.store(loss_ptr + sequence * L + step, -tl.minimum(ratio * advantage, clipped * advantage))
    outside = ((ratio < 1 - low) & (advantage < 0)) | ((ratio > 1 + high) & (advantage > 0))
    tl.store(clipped_ptr + sequence * L + step, outside)


@RUNS
def test_clipped_policy_ratios(run):
    logits, ids, adv = (
        random(3, 6, 21),
        integers(21, 3, 5).astype(np.int64),
        np.array([1, -0.5, 0.2], np.float32),
    )
    logp = np.take_along_axis(log_softmax(logits[:, :-1] / 0.9), ids[..., None], 2)[..., 0]
    old = (logp + random(3, 5, seed=1) * 0.3).astype(np.float32)
    for known in (old, None):
        loss, clipped = zeros(3, 5), zeros(3, 5, dtype=bool)
        launch(run, grpo, (3, 5), logits, ids, known, adv, loss, clipped, 5, 21, 0.2, 0.28, 0.9, B=8)
        ratio = np.exp(logp - old) if known is not None else np.ones((3, 5))
        a = adv[:, None]
        close(loss, -np.minimum(ratio * a, np.clip(ratio, 0.8, 1.28) * a), 1e-3)
        assert (clipped == (((ratio < 0.8) & (a < 0)) | ((ratio > 1.28) & (a > 0)))).all()


@triton.jit
def focal(x_ptr, t_ptr, loss_ptr, grad_ptr, n, alpha, GAMMA: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x, t = tl.load(x_ptr + at, at < n, 0.0), tl.load(t_ptr + at, at < n, 0)
    positive = t > 0
    p = tl.sigmoid(x)
    pt = tl.where(positive, p, 1 - p)
    a = tl.where(positive, alpha, 1 - alpha)
    away = 1 - pt
    weight = away
    for _ in tl.static_range(GAMMA - 1):
        weight *= away
    sign = tl.where(positive, 1.0, -1.0)
    log_pt = log_sigmoid(x * sign)
    tl.store(loss_ptr + at, -a * weight * log_pt, at < n)
    tl.store(grad_ptr + at, a * sign * weight * (GAMMA * pt * log_pt - away), at < n)


@RUNS
def test_focal_loss_and_gradient(run):
    x, t = random(37) * 2, integers(2, 37)
    loss, grad = zeros(37), zeros(37)
    launch(run, focal, (3,), x, t, loss, grad, 37, 0.25, GAMMA=2, B=16)

    def reference(x):
        pt = np.where(t > 0, sigmoid(x), 1 - sigmoid(x))
        return -np.where(t > 0, 0.25, 0.75) * (1 - pt) ** 2 * np.log(pt)

    wide = x.astype(np.float64)
    close(loss, reference(wide))
    close(grad, (reference(wide + 1e-6) - reference(wide - 1e-6)) / 2e-6, 1e-3)


@triton.jit
def huber(x_ptr, y_ptr, w_ptr, loss_ptr, n, delta, HUBER: tl.constexpr, B: tl.constexpr):
    total = tl.zeros([B], tl.float32)
    for start in range(tl.program_id(0) * B, n, B * tl.num_programs(0)):
        at = start + tl.arange(0, B)
        away = tl.load(x_ptr + at, at < n, other=0.0) - tl.load(y_ptr + at, at < n, other=0.0)
        if HUBER:
            a = tl.abs(away)
            loss = tl.where(a <= delta, 0.5 * away * away, delta * (a - 0.5 * delta))
        else:
            loss = away * away
        if w_ptr is not None:
            loss *= tl.load(w_ptr + at, at < n, other=0.0)
        total += loss
    tl.atomic_add(loss_ptr, tl.sum(total) / n)


@RUNS
@pytest.mark.parametrize("robust", [False, True])
def test_a_mean_loss_over_strided_programs(run, robust):
    x, y, w = random(53), random(53, seed=1), np.abs(random(53, seed=2))
    loss = zeros(1)
    launch(run, huber, (3,), x, y, w if robust else None, loss, 53, 0.6, HUBER=robust, B=8)
    a = np.abs(x - y)
    close(loss, [(np.where(a <= 0.6, a * a / 2, 0.6 * (a - 0.3)) * w if robust else a * a).mean()])
