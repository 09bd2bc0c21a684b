"""Positions: rotary embeddings in their layouts, sections and gradients, sinusoids, buckets, slopes."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def rotate(x, cos, sin, INTERLEAVED: tl.constexpr, ROWS: tl.constexpr, HALF: tl.constexpr):
    if INTERLEAVED:
        a, b = tl.split(x.reshape(ROWS, HALF, 2))
        return tl.join(a * cos - b * sin, a * sin + b * cos).reshape(ROWS, 2 * HALF)
    else:
        a, b = tl.split(tl.permute(x.reshape(ROWS, 2, HALF), (0, 2, 1)))
        return tl.permute(tl.join(a * cos - b * sin, b * cos + a * sin), (0, 2, 1)).reshape(ROWS, 2 * HALF)


@triton.jit
def rotary(
    q_ptr, positions_ptr, cache_ptr, heads, D, ROTARY: tl.constexpr, INTERLEAVED: tl.constexpr,
    CONJUGATE: tl.constexpr, BH: tl.constexpr,
):  # fmt: skip
    token, h = tl.program_id(0), tl.program_id(1) * BH + tl.arange(0, BH)
    position = tl.load(positions_ptr + token).to(tl.int64)
    half: tl.constexpr = ROTARY // 2
    c = tl.arange(0, half)
    cos = tl.load(cache_ptr + position * ROTARY + c)[None, :]
    sin = tl.load(cache_ptr + position * ROTARY + half + c)[None, :]
    if CONJUGATE:
        sin = -sin
    at = (token * heads + h[:, None]) * D + tl.arange(0, ROTARY)[None, :]
    mask = (h < heads)[:, None]
    x = tl.load(q_ptr + at, mask=mask, other=0.0)
    tl.store(q_ptr + at, rotate(x, cos, sin, INTERLEAVED, BH, half), mask=mask)


def rotary_reference(x, angle, interleaved):
    r = angle.shape[-1]
    y = x.copy()
    a, b = (x[..., : 2 * r : 2], x[..., 1 : 2 * r : 2]) if interleaved else (x[..., :r], x[..., r : 2 * r])
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    u, v = a * cos - b * sin, b * cos + a * sin
    if interleaved:
        y[..., : 2 * r : 2], y[..., 1 : 2 * r : 2] = u, v
    else:
        y[..., :r], y[..., r : 2 * r] = u, v
    return y


@RUNS
@pytest.mark.parametrize("interleaved", [False, True])
def test_part_of_a_head_turned_in_place_and_back(run, interleaved):
    x, positions = random(4, 5, 13), np.array([0, 7, 2, 7], np.int64)
    angle = positions[:, None] / 100.0 ** (np.arange(4) / 4)
    table = np.arange(9)[:, None] / 100.0 ** (np.arange(4) / 4)
    cache = np.concatenate([np.cos(table), np.sin(table)], 1).astype(np.float32)
    y = x.copy()
    for conjugate in (False, True):
        launch(
            run, rotary, (4, 2), y, positions, cache, 5, 13, ROTARY=8, INTERLEAVED=interleaved,
            CONJUGATE=conjugate, BH=4,
        )  # fmt: skip
        close(y, x if conjugate else rotary_reference(x, angle, interleaved), 1e-4)


@triton.jit
def sections(
    q_ptr,
    k_ptr,
    cos_ptr,
    sin_ptr,
    tokens,
    D: tl.constexpr,
    T: tl.constexpr,
    H: tl.constexpr,
    QH,
    KH,
    BQ: tl.constexpr,
):
    """Angles of time, height and width, each for its section of the head."""
    token = tl.program_id(0)
    half: tl.constexpr = D // 2
    at = tl.arange(0, half)
    which = tl.where(at < T, 0, tl.where(at < T + H, 1, 2))
    cos = tl.load(cos_ptr + (which * tokens + token) * half + at)
    sin = tl.load(sin_ptr + (which * tokens + token) * half + at)
    h = tl.arange(0, BQ)[:, None]
    for i in tl.static_range(2):
        base, heads = (q_ptr, QH) if i == 0 else (k_ptr, KH)
        first = base + (token * heads + h) * D + at[None, :]
        a = tl.load(first, mask=h < heads, other=0)
        b = tl.load(first + half, mask=h < heads, other=0)
        tl.store(first, a * cos - b * sin, mask=h < heads)
        tl.store(first + half, b * cos + a * sin, mask=h < heads)


@RUNS
def test_three_positions_in_sections_of_a_head(run):
    q, k, angle = random(3, 5, 16), random(3, 2, 16, seed=1), random(3, 3, 8, seed=2)
    which = np.array([0, 0, 1, 1, 1, 2, 2, 2])
    chosen = angle[which, :, np.arange(8)].T
    expected = [rotary_reference(x, chosen, False) for x in (q, k)]
    launch(run, sections, (3,), q, k, np.cos(angle), np.sin(angle), 3, D=16, T=2, H=3, QH=5, KH=2, BQ=8)
    close(q, expected[0])
    close(k, expected[1])


@triton.jit
def timestep(t_ptr, o_ptr, D, log_period, scale, FLIP: tl.constexpr, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    half = D // 2
    angle = tl.load(t_ptr + row).to(tl.float32) * tl.exp(-log_period * i.to(tl.float32) / half) * scale
    first, second = (tl.cos(angle), tl.sin(angle)) if FLIP else (tl.sin(angle), tl.cos(angle))
    tl.store(o_ptr + row * D + i, first, mask=i < half)
    tl.store(o_ptr + row * D + half + i, second, mask=i < half)
    if D % 2 == 1:
        tl.store(o_ptr + row * D + D - 1, 0.0)


@RUNS
@pytest.mark.parametrize("width", [10, 13])
def test_sinusoids_of_time_steps(run, width):
    t, o = np.array([0, 3, 250, 999], np.int64), np.ones((4, width), np.float32)
    launch(run, timestep, (4,), t, o, width, float(np.log(10000.0)), 1.0, FLIP=True, B=8)
    half = width // 2
    angle = t[:, None] * np.exp(-np.log(10000.0) * np.arange(half) / half)
    close(o, np.concatenate([np.cos(angle), np.sin(angle), np.zeros((4, width % 2))], 1), 1e-3)


@triton.jit
def bucketed(
    table_ptr, o_ptr, n, HEADS: tl.constexpr, BUCKETS: tl.constexpr, MOST: tl.constexpr, B: tl.constexpr
):
    i, j = tl.program_id(0), tl.arange(0, B)
    away = j - i
    half: tl.constexpr = BUCKETS // 2
    exact: tl.constexpr = half // 2
    side = tl.where(away > 0, half, 0)
    size = tl.abs(away)
    grown = tl.log(tl.maximum(size, 1).to(tl.float32) / exact) * ((half - exact) / 2.0794415416798357)
    far = tl.minimum(exact + grown.to(tl.int32), half - 1)
    bucket = side + tl.where(size < exact, size, far)
    h = tl.arange(0, HEADS)
    bias = tl.load(table_ptr + bucket[None, :] * HEADS + h[:, None], mask=(j < n)[None, :])
    tl.store(o_ptr + (h[:, None] * n + i) * n + j[None, :], bias, mask=(j < n)[None, :])
    tl.static_assert(MOST == exact * 8)


@RUNS
def test_biases_by_buckets_of_distance(run):
    table, o = random(16, 2), zeros(2, 27, 27)
    launch(run, bucketed, (27,), table, o, 27, HEADS=2, BUCKETS=16, MOST=32, B=32)
    away = np.arange(27) - np.arange(27)[:, None]
    size = np.abs(away)
    far = 4 + (np.log(np.maximum(size, 1) / 4) * 4 / np.log(8)).astype(int)
    bucket = np.where(away > 0, 8, 0) + np.where(size < 4, size, np.minimum(far, 7))
    # A distance of 4 * 8^(k/4) lies on a border; float32 and float64 may differ there.
    safe = ~np.isin(size, [int(round(4 * 8 ** (k / 4))) for k in range(5)])
    close(np.where(safe, o, 0), np.where(safe, table[bucket].transpose(2, 0, 1), 0))


@triton.jit
def learned_positions(
    ids_ptr, types_ptr, words, places, types, o_ptr, past, T, D, PAD: tl.constexpr, B: tl.constexpr
):
    batch, t, d = tl.program_id(0), tl.program_id(1), tl.arange(0, B)
    token = tl.load(ids_ptr + batch * T + t)
    # Padding keeps its own position; the others count the tokens before them.
    at = tl.arange(0, B)
    seen = tl.load(ids_ptr + batch * T + at, mask=at <= t, other=PAD) != PAD
    place = tl.where(token == PAD, PAD, tl.sum(seen.to(tl.int32)) + PAD + past)
    x = tl.load(words + token * D + d, mask=d < D) + tl.load(places + place * D + d, mask=d < D)
    if types_ptr is not None:
        x += tl.load(types + tl.load(types_ptr + batch * T + t) * D + d, mask=d < D)
    tl.store(o_ptr + (batch * T + t) * D + d, x, mask=d < D)


@RUNS
def test_embeddings_of_tokens_places_and_types(run):
    ids, kinds = integers(9, 2, 7, low=1), integers(2, 2, 7, seed=1)
    ids[0, 5:], ids[1, 2] = 1, 1
    words, places, types, o = random(9, 11), random(16, 11, seed=2), random(2, 11, seed=3), zeros(2, 7, 11)
    for used in (kinds, None):
        launch(run, learned_positions, (2, 7), ids, used, words, places, types, o, 2, 7, 11, PAD=1, B=16)
        live = ids != 1
        place = np.where(live, live.cumsum(1) + 1 + 2, 1)
        close(o, words[ids] + places[place] + (types[kinds] if used is not None else 0))


@triton.jit
def shifted_scores(x_ptr, o_ptr, T, B: tl.constexpr):
    """Relative positions to absolute ones: a row moves by its own number."""
    i, j = tl.program_id(0), tl.arange(0, B)
    flat = i * (2 * T - 1) + (T - 1 - i) + j
    tl.store(o_ptr + i * T + j, tl.load(x_ptr + flat, mask=j < T), mask=j < T)


@RUNS
def test_scores_of_relative_positions_moved(run):
    x, o = random(9, 17), zeros(9, 9)
    launch(run, shifted_scores, (9,), x, o, 9, B=16)
    same(o, [x[i, 8 - i : 17 - i] for i in range(9)])
