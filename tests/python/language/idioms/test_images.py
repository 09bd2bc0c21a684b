"""Images and signals: convolutions, pools, resampling, borders, colours, integral images, boxes."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, sigmoid, uniform, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def convolution(
    x_ptr, w_ptr, b_ptr, y_ptr, H, W, OH, OW, C: tl.constexpr, CO, KH: tl.constexpr, KW: tl.constexpr,
    STRIDE: tl.constexpr, PAD: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    batch = tl.program_id(2)
    pixel = tl.program_id(0) * BM + tl.arange(0, BM)
    channel = tl.program_id(1) * BN + tl.arange(0, BN)
    oh, ow = pixel // OW, pixel % OW
    acc = tl.zeros((BM, BN), tl.float32)
    TAPS: tl.constexpr = C * KH * KW
    for start in range(0, TAPS, BK):
        tap = start + tl.arange(0, BK)
        c, kh, kw = tap // (KH * KW), tap // KW % KH, tap % KW
        h = oh[:, None] * STRIDE - PAD + kh[None, :]
        w = ow[:, None] * STRIDE - PAD + kw[None, :]
        inside = (h >= 0) & (h < H) & (w >= 0) & (w < W) & (tap < TAPS)[None, :] & (oh < OH)[:, None]
        x = tl.load(x_ptr + ((batch * C + c[None, :]) * H + h) * W + w, mask=inside, other=0.0)
        weight_mask = (tap < TAPS)[:, None] & (channel < CO)[None, :]
        weight = tl.load(w_ptr + channel[None, :] * TAPS + tap[:, None], mask=weight_mask, other=0.0)
        acc = tl.dot(x, weight, acc, input_precision="ieee")
    if b_ptr is not None:
        acc += tl.load(b_ptr + channel, mask=channel < CO)[None, :]
    y_at = y_ptr + ((batch * CO + channel[None, :]) * OH + oh[:, None]) * OW + ow[:, None]
    tl.store(y_at, acc, mask=(oh < OH)[:, None] & (channel < CO)[None, :])


def patches(x, kh, kw, stride, pad):
    """All windows of the padded image: batch, channel, row, column, kernel row, kernel column."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    return np.lib.stride_tricks.sliding_window_view(x, (kh, kw), (2, 3))[:, :, ::stride, ::stride]


@RUNS
@pytest.mark.parametrize("stride,pad", [(1, 1), (2, 0)])
def test_a_convolution_as_a_product(run, stride, pad):
    x, w, b = random(2, 3, 7, 6), random(5, 3, 3, 3, seed=1), random(5, seed=2)
    expected = np.einsum("bchwij,ocij->bohw", patches(x, 3, 3, stride, pad), w) + b[:, None, None]
    y = np.zeros(expected.shape, np.float32)

    def grid(meta):
        return (triton.cdiv(y.shape[2] * y.shape[3], meta["BM"]), triton.cdiv(5, meta["BN"]), 2)

    launch(
        run, convolution, grid, x, w, b, y, 7, 6, *y.shape[2:], C=3, CO=5, KH=3, KW=3, STRIDE=stride, PAD=pad,
        BM=16, BN=16, BK=16,
    )  # fmt: skip
    close(y, expected, 1e-3)


@triton.jit
def depthwise(x_ptr, w_ptr, y_ptr, H, W, C, K: tl.constexpr, B: tl.constexpr):
    plane = tl.program_id(0)
    at = tl.program_id(1) * B + tl.arange(0, B)
    h, w = at // W, at % W
    acc = tl.zeros([B], tl.float32)
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            hh, ww = h + (i - K // 2), w + (j - K // 2)
            mask = (hh >= 0) & (hh < H) & (ww >= 0) & (ww < W)
            x = tl.load(x_ptr + plane * H * W + hh * W + ww, mask=mask, other=0.0)
            acc = tl.fma(x, tl.load(w_ptr + (plane % C) * K * K + i * K + j), acc)
    tl.store(y_ptr + plane * H * W + at, acc, mask=at < H * W)


@RUNS
def test_a_convolution_by_channel(run):
    x, w = random(2, 3, 5, 7), random(3, 3, 3, seed=1)
    y = np.zeros_like(x)
    launch(run, depthwise, (6, 3), x, w, y, 5, 7, 3, K=3, B=16)
    close(y, np.einsum("bchwij,cij->bchw", patches(x, 3, 3, 1, 1), w))


@triton.jit
def causal_conv(
    x_ptr,
    w_ptr,
    b_ptr,
    o_ptr,
    cu_ptr,
    state_ptr,
    D,
    W: tl.constexpr,
    SILU: tl.constexpr,
    BT: tl.constexpr,
    BD: tl.constexpr,
):
    sequence, d = tl.program_id(0), tl.program_id(2) * BD + tl.arange(0, BD)
    begin, end = tl.load(cu_ptr + sequence), tl.load(cu_ptr + sequence + 1)
    t = tl.program_id(1) * BT + tl.arange(0, BT)
    if tl.program_id(1) * BT >= end - begin:
        return
    acc = tl.zeros((BT, BD), tl.float32)
    if b_ptr is not None:
        acc += tl.load(b_ptr + d, mask=d < D, other=0.0)[None, :]
    for i in tl.static_range(-W + 1, 1):
        source = t + i
        mask = (source >= 0)[:, None] & (begin + source < end)[:, None] & (d < D)[None, :]
        x = tl.load(x_ptr + (begin + source)[:, None] * D + d[None, :], mask=mask, other=0.0)
        # Before the first token stands the state that the last call left.
        held = (source < 0)[:, None] & (d < D)[None, :]
        x += tl.load(
            state_ptr + (sequence * (W - 1) + source + W - 1)[:, None] * D + d[None, :], mask=held, other=0.0
        )
        acc += x * tl.load(w_ptr + d * W + i + W - 1, mask=d < D, other=0.0)[None, :]
    if SILU:
        acc = acc * tl.sigmoid(acc)
    tl.store(
        o_ptr + (begin + t)[:, None] * D + d[None, :], acc, mask=(begin + t < end)[:, None] & (d < D)[None, :]
    )


@RUNS
def test_a_causal_convolution_with_a_state(run):
    cu, x, w, b = np.array([0, 2, 13], np.int32), random(13, 11), random(11, 4, seed=1), random(11, seed=2)
    state, o = random(2, 3, 11, seed=3), zeros(13, 11)
    launch(run, causal_conv, (2, 2, 2), x, w, b, o, cu, state, 11, W=4, SILU=True, BT=8, BD=8)
    for s in range(2):
        whole = np.concatenate([state[s], x[cu[s] : cu[s + 1]]])
        y = np.stack([(whole[t : t + 4] * w.T).sum(0) for t in range(cu[s + 1] - cu[s])]) + b
        close(o[cu[s] : cu[s + 1]], y * sigmoid(y))


@triton.jit
def conv_update(x_ptr, state_ptr, w_ptr, o_ptr, slot_ptr, D, W: tl.constexpr, B: tl.constexpr):
    batch, d = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    slot = tl.load(slot_ptr + batch).to(tl.int64)
    mask = d < D
    x = tl.load(x_ptr + batch * D + d, mask=mask)
    acc = x * tl.load(w_ptr + d * W + W - 1, mask=mask)
    base = state_ptr + slot * D * (W - 1) + d * (W - 1)
    for i in tl.static_range(W - 1):
        held = tl.load(base + i, mask=mask)
        acc += held * tl.load(w_ptr + d * W + i, mask=mask)
        if i > 0:
            tl.store(base + i - 1, held, mask=mask)
    tl.store(base + W - 2, x, mask=mask)
    tl.store(o_ptr + batch * D + d, acc, mask=mask)


@RUNS
def test_one_token_moves_the_state_of_a_convolution(run):
    x, state, w, slot = (
        random(2, 11),
        random(4, 11, 3, seed=1),
        random(11, 4, seed=2),
        np.array([3, 1], np.int32),
    )
    o, whole = zeros(2, 11), np.concatenate([state[slot], x[..., None]], 2)
    launch(run, conv_update, (2, 2), x, state, w, o, slot, 11, W=4, B=8)
    close(o, (whole * w).sum(2))
    same(state[slot], whole[..., 1:])


@triton.jit
def max_pool(
    x_ptr, o_ptr, where_ptr, H, W, OH, OW, K: tl.constexpr, S: tl.constexpr, P: tl.constexpr, B: tl.constexpr
):
    plane, at = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    oh, ow = at // OW, at % OW
    best, where = tl.full([B], float("-inf"), tl.float32), tl.full([B], -1, tl.int64)
    for i in range(K):
        for j in range(K):
            h, w = oh * S - P + i, ow * S - P + j
            ok = (h >= 0) & (h < H) & (w >= 0) & (w < W)
            x = tl.load(x_ptr + plane * H * W + h * W + w, mask=ok, other=float("-inf"))
            better = x > best
            best, where = tl.where(better, x, best), tl.where(better, h * W + w, where)
    tl.store(o_ptr + plane * OH * OW + at, best, mask=at < OH * OW)
    tl.store(where_ptr + plane * OH * OW + at, where, mask=at < OH * OW)


@triton.jit
def max_pool_backward(dy_ptr, where_ptr, dx_ptr, size, out_size, B: tl.constexpr):
    plane, at = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    mask = at < out_size
    where = tl.load(where_ptr + plane * out_size + at, mask=mask, other=0)
    tl.atomic_add(
        dx_ptr + plane * size + where, tl.load(dy_ptr + plane * out_size + at, mask=mask), mask=mask
    )


@RUNS
def test_pools_of_maxima_and_back(run):
    x = random(3, 7, 6)
    o, where, dx = zeros(3, 4, 3), zeros(3, 4, 3, dtype=np.int64), np.zeros_like(x)
    launch(run, max_pool, (3, 1), x, o, where, 7, 6, 4, 3, K=3, S=2, P=1, B=16)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))[:, ::2, ::2]
    same(o, windows.max((3, 4)))
    same(np.take_along_axis(x.reshape(3, -1), where.reshape(3, -1), 1), o.reshape(3, -1))
    dy = random(3, 4, 3, seed=1)
    launch(run, max_pool_backward, (3, 1), dy, where, dx, 42, 12, B=16)
    expected = np.zeros((3, 42), np.float32)
    for plane in range(3):
        np.add.at(expected[plane], where[plane].ravel(), dy[plane].ravel())
    close(dx.reshape(3, -1), expected)


@triton.jit
def mean_pool(
    x_ptr, o_ptr, H, W, OH, OW, KH: tl.constexpr, KW: tl.constexpr, COUNT_PAD: tl.constexpr, B: tl.constexpr
):
    plane, at = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    h = (at // OW)[:, None, None] * 2 - 1 + tl.arange(0, KH)[None, :, None]
    w = (at % OW)[:, None, None] * 2 - 1 + tl.arange(0, KW)[None, None, :]
    ok = (h >= 0) & (h < H) & (w >= 0) & (w < W)
    x = tl.load(x_ptr + plane * H * W + h * W + w, mask=ok, other=0.0)
    total = tl.sum(tl.sum(x, 2), 1)
    if COUNT_PAD:
        total = total / (KH * KW)
    else:
        total = total / tl.sum(tl.sum(ok.to(tl.float32), 2), 1)
    tl.store(o_ptr + plane * OH * OW + at, total, mask=at < OH * OW)


@RUNS
def test_pools_of_means_with_and_without_the_border(run):
    x = random(2, 7, 5)
    padded = np.pad(x, ((0, 0), (1, 2), (1, 2)))
    ones = np.pad(np.ones_like(x), ((0, 0), (1, 2), (1, 2)))
    views = [np.lib.stride_tricks.sliding_window_view(p, (4, 2), (1, 2))[:, ::2, ::2] for p in (padded, ones)]
    total, count = (v.sum((3, 4))[:, :3, :3] for v in views)
    for whole in (False, True):
        o = zeros(2, 3, 3)
        launch(run, mean_pool, (2, 2), x, o, 7, 5, 3, 3, KH=4, KW=2, COUNT_PAD=whole, B=8)
        close(o, total / 8 if whole else total / count)


@triton.jit
def bilinear(x_ptr, o_ptr, H, W, OH, OW, scale_h, scale_w, ALIGN: tl.constexpr, B: tl.constexpr):
    plane, at = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    oh, ow = (at // OW).to(tl.float32), (at % OW).to(tl.float32)
    if ALIGN:
        h, w = oh * scale_h, ow * scale_w
    else:
        h = tl.maximum((oh + 0.5) * scale_h - 0.5, 0.0)
        w = tl.maximum((ow + 0.5) * scale_w - 0.5, 0.0)
    h0, w0 = tl.floor(h).to(tl.int32), tl.floor(w).to(tl.int32)
    h1, w1 = tl.minimum(h0 + 1, H - 1), tl.minimum(w0 + 1, W - 1)
    fh, fw = h - h0, w - w0
    base, mask = x_ptr + plane * H * W, at < OH * OW
    top = tl.load(base + h0 * W + w0, mask) * (1 - fw) + tl.load(base + h0 * W + w1, mask) * fw
    bottom = tl.load(base + h1 * W + w0, mask) * (1 - fw) + tl.load(base + h1 * W + w1, mask) * fw
    tl.store(o_ptr + plane * OH * OW + at, top * (1 - fh) + bottom * fh, mask)


@RUNS
@pytest.mark.parametrize("align", [False, True])
def test_an_image_resized_between_its_pixels(run, align):
    x, o = random(2, 5, 4), zeros(2, 7, 9)
    scale = (4 / 6, 3 / 8) if align else (5 / 7, 4 / 9)
    launch(run, bilinear, (2, 4), x, o, 5, 4, 7, 9, *scale, ALIGN=align, B=16)

    def weights(n, m, s):
        at = np.arange(m) * s if align else np.maximum((np.arange(m) + 0.5) * s - 0.5, 0)
        low = np.floor(at).astype(int)
        out = np.zeros((m, n))
        np.add.at(out, (np.arange(m), low), 1 - (at - low))
        np.add.at(out, (np.arange(m), np.minimum(low + 1, n - 1)), at - low)
        return out

    close(o, np.einsum("ph,chw,qw->cpq", weights(5, 7, scale[0]), x, weights(4, 9, scale[1])), 1e-3)


@triton.jit
def sampled(x_ptr, grid_ptr, o_ptr, H, W, C, points, ZEROS: tl.constexpr, B: tl.constexpr):
    p = tl.program_id(0) * B + tl.arange(0, B)
    live = p < points
    gx, gy = tl.load(grid_ptr + p * 2, live, 0.0), tl.load(grid_ptr + p * 2 + 1, live, 0.0)
    x, y = ((gx + 1) * W - 1) * 0.5, ((gy + 1) * H - 1) * 0.5
    if not ZEROS:
        x, y = tl.clamp(x, 0.0, W - 1.0), tl.clamp(y, 0.0, H - 1.0)
    x0, y0 = tl.floor(x), tl.floor(y)
    for c in range(C):
        acc = tl.zeros([B], tl.float32)
        for corner in tl.static_range(4):
            cx, cy = x0 + (corner & 1), y0 + (corner >> 1)
            weight = (1 - tl.abs(x - cx)) * (1 - tl.abs(y - cy))
            ok = live & (cx >= 0) & (cx < W) & (cy >= 0) & (cy < H)
            at = (c * H + cy.to(tl.int32)) * W + cx.to(tl.int32)
            acc += weight * tl.load(x_ptr + at, mask=ok, other=0.0)
        tl.store(o_ptr + c * points + p, acc, mask=live)


@RUNS
def test_an_image_read_at_any_points(run):
    x, grid = random(2, 5, 6), uniform(13, 2, low=-1.3, high=1.3, seed=1)
    for zero in (False, True):
        o = zeros(2, 13)
        launch(run, sampled, (2,), x, grid, o, 5, 6, 2, 13, ZEROS=zero, B=8)
        px, py = ((grid[:, 0] + 1) * 6 - 1) / 2, ((grid[:, 1] + 1) * 5 - 1) / 2
        if not zero:
            px, py = np.clip(px, 0, 5), np.clip(py, 0, 4)
        expected = np.zeros((2, 13))
        for i, (a, b) in enumerate(zip(px, py, strict=True)):
            for h in range(5):
                for w in range(6):
                    expected[:, i] += x[:, h, w] * max(0, 1 - abs(a - w)) * max(0, 1 - abs(b - h))
        close(o, expected, 1e-3)


@triton.jit
def mirrored(at, n):
    at = tl.where(at < 0, -at, at)
    return tl.where(at >= n, 2 * (n - 1) - at, at)


@triton.jit
def bordered(x_ptr, o_ptr, H, W, left, top, OW, size, MODE: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    h, w = at // OW - top, at % OW - left
    if MODE == "reflect":
        h, w = mirrored(h, H), mirrored(w, W)
    elif MODE == "edge":
        h, w = tl.clamp(h.to(tl.float32), 0.0, H - 1.0).to(tl.int32), tl.minimum(tl.maximum(w, 0), W - 1)
    else:
        h, w = (h + H) % H, (w + W) % W
    tl.store(o_ptr + at, tl.load(x_ptr + h * W + w, mask=at < size), mask=at < size)


@RUNS
@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
def test_borders_from_the_inside(run, mode):
    x, o = random(4, 5), zeros(9, 10)
    launch(run, bordered, (6,), x, o, 4, 5, 3, 2, 10, 90, MODE=mode, B=16)
    same(o, np.pad(x, ((2, 3), (3, 2)), mode=mode))


@triton.jit
def shuffle_pixels(x_ptr, o_ptr, C, H, W, R: tl.constexpr, INVERSE: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < C * H * W * R * R
    w, h, c = at % (W * R), at // (W * R) % (H * R), at // (W * R * H * R)
    packed = ((c * R * R + h % R * R + w % R) * H + h // R) * W + w // R
    if INVERSE:
        tl.store(o_ptr + packed, tl.load(x_ptr + at, mask), mask)
    else:
        tl.store(o_ptr + at, tl.load(x_ptr + packed, mask), mask)


@RUNS
def test_channels_become_pixels_and_back(run):
    x = random(2 * 9, 3, 5)
    wide, back = zeros(2, 9, 15), np.zeros_like(x)
    launch(run, shuffle_pixels, (9,), x, wide, 2, 3, 5, R=3, INVERSE=False, B=32)
    same(wide, x.reshape(2, 3, 3, 3, 5).transpose(0, 3, 1, 4, 2).reshape(2, 9, 15))
    launch(run, shuffle_pixels, (9,), wide, back, 2, 3, 5, R=3, INVERSE=True, B=32)
    same(back, x)


@triton.jit
def integral(x_ptr, o_ptr, H, W, BH: tl.constexpr, BW: tl.constexpr):
    h, w = tl.arange(0, BH), tl.arange(0, BW)
    mask = (h[:, None] < H) & (w[None, :] < W)
    x = tl.load(x_ptr + h[:, None] * W + w[None, :], mask=mask, other=0).to(tl.int32)
    total = tl.cumsum(tl.cumsum(x, axis=0), axis=1)
    tl.store(o_ptr + (h[:, None] + 1) * (W + 1) + w[None, :] + 1, total, mask=mask)


@RUNS
def test_an_integral_image_of_bytes(run):
    x, o = integers(256, 13, 11, dtype=np.uint8), zeros(14, 12, dtype=np.int32)
    launch(run, integral, (1,), x, o, 13, 11, BH=16, BW=16)
    same(o[1:, 1:], x.astype(int).cumsum(0).cumsum(1))
    same(o[0], np.zeros(12))


@triton.jit
def grey_and_sobel(rgb_ptr, grey_ptr, edge_ptr, H, W, B: tl.constexpr):
    row, w = tl.program_id(0), tl.arange(0, B)
    gx, gy = tl.zeros([B], tl.int32), tl.zeros([B], tl.int32)
    for i in tl.static_range(-1, 2):
        for j in tl.static_range(-1, 2):
            h, ww = row + i, w + j
            ok = (h >= 0) & (h < H) & (ww >= 0) & (ww < W)
            base = rgb_ptr + (h * W + ww) * 3
            r, g, b = tl.load(base, ok, 0), tl.load(base + 1, ok, 0), tl.load(base + 2, ok, 0)
            y = (r.to(tl.int32) * 77 + g.to(tl.int32) * 150 + b.to(tl.int32) * 29) >> 8
            gx += y * (j * (2 - i * i))
            gy += y * (i * (2 - j * j))
            if i == 0 and j == 0:
                tl.store(grey_ptr + row * W + w, y.to(tl.uint8), mask=w < W)
    size = tl.sqrt((gx * gx + gy * gy).to(tl.float32))
    tl.store(edge_ptr + row * W + w, tl.minimum(size, 255.0).to(tl.uint8), mask=w < W)


@RUNS
def test_edges_of_a_colour_image(run):
    rgb, grey, edge = (
        integers(256, 6, 13, 3, dtype=np.uint8),
        zeros(6, 13, dtype=np.uint8),
        zeros(6, 13, dtype=np.uint8),
    )
    launch(run, grey_and_sobel, (6,), rgb, grey, edge, 6, 13, B=16)
    y = (rgb.astype(int) @ [77, 150, 29]) >> 8
    same(grey, y)
    p = np.pad(y, 1)
    down = p[:-2] + 2 * p[1:-1] + p[2:]
    across = p[:, :-2] + 2 * p[:, 1:-1] + p[:, 2:]
    size = np.sqrt(((down[:, 2:] - down[:, :-2]) ** 2 + (across[2:] - across[:-2]) ** 2).astype(np.float32))
    same(edge, np.minimum(size, 255).astype(np.uint8))


@triton.jit
def equalised(x_ptr, o_ptr, n, B: tl.constexpr):
    counts = tl.zeros([256], tl.int32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        counts += tl.histogram(tl.load(x_ptr + at, at < n, other=0).to(tl.int32), 256, mask=at < n)
    c = tl.cumsum(counts, 0)
    first = tl.min(tl.where(counts > 0, c, 2147483647), 0)
    table = ((c - first) * 255 // tl.maximum(n - first, 1)).to(tl.uint8)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + at, at < n, other=0)
        tl.store(o_ptr + at, tl.gather(table, x.to(tl.int32), 0), mask=at < n)


@RUNS
def test_a_histogram_made_even(run):
    x, o = (random(150) * 20 + 100).astype(np.uint8), zeros(150, dtype=np.uint8)
    launch(run, equalised, (1,), x, o, 150, B=64)
    c = np.bincount(x, minlength=256).cumsum()
    first = c[x.min()]
    same(o, np.maximum(((c - first) * 255 // (150 - first)), 0)[x])
