"""Reductions: pairs with their places, logs of sums, moments, several axes, stages, logic, lost digits."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, uniform, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def smaller_pair(value, index, other, other_index):
    first = (value < other) | ((value == other) & (index < other_index))
    return tl.where(first, value, other), tl.where(first, index, other_index)


@triton.jit
def place_of_minimum(x_ptr, v_ptr, i_ptr, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    best, where = float("inf"), -1
    for start in range(0, n, B):
        x = tl.load(x_ptr + row * n + start + at, mask=start + at < n, other=float("inf"))
        v, i = tl.reduce((x, start + at), axis=0, combine_fn=smaller_pair)
        best, where = smaller_pair(v, i, best, where.to(tl.int32) if start > 0 else 2147483647)
    tl.store(v_ptr + row, best)
    tl.store(i_ptr + row, where.to(tl.int64))


@RUNS
def test_the_first_place_of_a_minimum(run):
    x = integers(6, 5, 29).astype(np.float32)
    v, i = zeros(5), zeros(5, dtype=np.int64)
    launch(run, place_of_minimum, (5,), x, v, i, 29, B=8)
    same(v, x.min(1))
    same(i, x.argmin(1))


@triton.jit
def join_logs(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    safe = tl.where(m == -float("inf"), 0.0, m)
    return m, s1 * tl.exp(m1 - safe) + s2 * tl.exp(m2 - safe)


@triton.jit
def log_of_sums(x_ptr, o_ptr, n, R: tl.constexpr, B: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, B)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=(c < n)[None, :], other=-float("inf"))
    m, s = tl.reduce((x, tl.where(x > -float("inf"), 1.0, 0.0)), 1, join_logs)
    tl.store(o_ptr + r, m + tl.log(s))


@RUNS
def test_logs_of_sums_of_exponentials(run):
    x, o = random(8, 21) * 30, zeros(8)
    x[3, 4] = -np.inf
    launch(run, log_of_sums, (2,), x, o, 21, R=4, B=32)
    wide = x.astype(np.float64)
    close(o, np.log(np.exp(wide - wide.max(1, keepdims=True)).sum(1)) + wide.max(1))


@triton.jit
def moments(x_ptr, o_ptr, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    mask = at < n
    x = tl.load(x_ptr + row * n + at, mask=mask, other=0.0).to(tl.float64)
    mean = tl.sum(x) / n
    away = tl.where(mask, x - mean, 0.0)
    square = away * away
    var = tl.sum(square) / n
    tl.store(o_ptr + row * 4, mean)
    tl.store(o_ptr + row * 4 + 1, var)
    tl.store(o_ptr + row * 4 + 2, tl.sum(square * away) / n / (var * tl.sqrt(var)))
    tl.store(o_ptr + row * 4 + 3, tl.sum(square * square) / n / (var * var) - 3)


@RUNS
def test_moments_in_double(run):
    x, o = random(3, 27), zeros(3, 4, dtype=np.float64)
    launch(run, moments, (3,), x, o, 27, B=32)
    away = x.astype(np.float64) - x.astype(np.float64).mean(1, keepdims=True)
    m2, m3, m4 = ((away**k).mean(1) for k in (2, 3, 4))
    close(o, np.stack([x.astype(np.float64).mean(1), m2, m3 / m2**1.5, m4 / m2**2 - 3], 1), 1e-9)


@triton.jit
def kept_axes(x_ptr, o_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    at = a * B * C + b * C + c
    x = tl.load(x_ptr + at)
    top = tl.max(x, axis=None, keep_dims=True)
    middle = tl.sum(x, axis=1, keep_dims=True) / B
    low = tl.min(tl.min(x, axis=-1, keep_dims=True), axis=0, keep_dims=True)
    tl.store(o_ptr + at, (x - low) / (top - low) + middle)


@RUNS
def test_reductions_that_keep_their_axes(run):
    x, o = random(2, 4, 8), zeros(2, 4, 8)
    launch(run, kept_axes, (1,), x, o, A=2, B=4, C=8)
    low = x.min((0, 2), keepdims=True)
    close(o, (x - low) / (x.max() - low) + x.mean(1, keepdims=True), 1e-3)


@triton.jit
def logic_or(a, b):
    return a or b


@triton.jit
def logic_and(a, b):
    return a and b


@triton.jit
def any_all(x_ptr, any_ptr, all_ptr, parity_ptr, n, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    some, every = tl.zeros([R, B], tl.int1), tl.full([R, B], 1, tl.int1)
    parity = tl.zeros([R], tl.int32)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)[None, :]
        x = tl.load(x_ptr + r * n + c, c < n, other=0)
        some = some | (x != 0)
        every = every & ((x != 0) | (c >= n))
        parity ^= tl.xor_sum(x.to(tl.int32), axis=1)
    tl.store(any_ptr + r, tl.reduce(some, axis=1, combine_fn=logic_or)[:, None])
    tl.store(all_ptr + r, tl.reduce(every, 1, logic_and)[:, None])
    tl.store(parity_ptr + tl.program_id(0) * R + tl.arange(0, R), parity)


@RUNS
@pytest.mark.filterwarnings("ignore:Logical operators")
def test_whether_any_or_all_are_set(run):
    x = (integers(9, 8, 19) > 0).astype(np.int8) * integers(100, 8, 19, low=1, seed=1, dtype=np.int8)
    x[2], x[5] = 0, 7
    some, every, parity = zeros(8, dtype=bool), zeros(8, dtype=bool), zeros(8, dtype=np.int32)
    launch(run, any_all, (2,), x, some, every, parity, 19, R=4, B=8)
    same(some, x.any(1))
    same(every, x.all(1))
    same(parity, np.bitwise_xor.reduce(x.astype(np.int32), axis=1))


@triton.jit
def compensated(x_ptr, o_ptr, n, B: tl.constexpr):
    total, lost = tl.zeros([B], tl.float32), tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + at, mask=at < n, other=0.0)
        t = total + x
        big = tl.abs(total) >= tl.abs(x)
        lost += tl.where(big, (total - t) + x, (x - t) + total)
        total = t
    tl.store(o_ptr, tl.sum(total.to(tl.float64) + lost.to(tl.float64)))


@RUNS
def test_sums_that_keep_what_rounding_loses(run):
    x, o = random(300), zeros(1, dtype=np.float64)
    x[::3] *= 1e8
    x[1::3] = -x[::3]
    launch(run, compensated, (1,), x, o, 300, B=4)
    exact = x.astype(np.float64).sum()
    close(o, [exact], 1e-4)


@triton.jit
def parts_of_norm(x_ptr, part_ptr, n, ORD: tl.constexpr, B: tl.constexpr):
    acc = 0.0
    for start in range(tl.program_id(0) * B, n, tl.num_programs(0) * B):
        at = start + tl.arange(0, B)
        x = tl.abs(tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32))
        if ORD == float("inf"):
            acc = tl.maximum(acc, tl.max(x))
        elif ORD == 0:
            acc += tl.sum((x != 0).to(tl.float32))
        else:
            acc += tl.sum(tl.exp2(ORD * tl.log2(tl.where(x > 0, x, 1.0))) * (x > 0))
    tl.store(part_ptr + tl.program_id(0), acc)


@triton.jit
def whole_norm(part_ptr, o_ptr, P, ORD: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, B)
    part = tl.load(part_ptr + at, mask=at < P, other=0.0)
    if ORD == float("inf"):
        out = tl.max(part)
    else:
        out = tl.sum(part) if ORD == 0 else tl.exp2(tl.log2(tl.sum(part)) / ORD)
    tl.store(o_ptr, out)


@RUNS
@pytest.mark.parametrize("order", [0, 1, 2.5, float("inf")])
def test_norms_in_two_stages(run, order):
    x, part, o = random(61, dtype=np.float16), zeros(3), zeros(1)
    x[5] = 0
    launch(run, parts_of_norm, (3,), x, part, 61, ORD=order, B=8)
    launch(run, whole_norm, (1,), part, o, 3, ORD=order, B=4)
    close(o, [np.linalg.norm(x.astype(np.float64), order)], 1e-3)


@triton.jit
def by_atomics(x_ptr, max_ptr, min_ptr, sum_ptr, or_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.atomic_max(max_ptr, tl.max(tl.where(at < n, x, -float("inf"))))
    tl.atomic_min(min_ptr, tl.min(tl.where(at < n, x, float("inf"))))
    tl.atomic_add(sum_ptr, tl.sum(x.to(tl.float64)), sem="release", scope="gpu")
    tl.atomic_or(or_ptr, 1 << tl.program_id(0))


@RUNS
def test_atomic_extremes_of_floats(run):
    for x in (random(53), np.abs(random(53)) + 1, -np.abs(random(53)) - 1):
        top, low, total, bits = (
            np.array([-np.inf], np.float32),
            np.array([np.inf], np.float32),
            zeros(1, dtype=np.float64),
            zeros(1, dtype=np.int32),
        )
        launch(run, by_atomics, (7,), x, top, low, total, bits, 53, B=8)
        same(top, [x.max()])
        same(low, [x.min()])
        close(total, [x.astype(np.float64).sum()])
        same(bits, [127])


@triton.jit
def weighted_counts(x_ptr, w_ptr, o_ptr, n, low, width, BINS: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    place = tl.floor((x - low) / width).to(tl.int32)
    inside = (at < n) & (place >= 0) & (place < BINS)
    bins = tl.arange(0, BINS)
    hits = (place[:, None] == bins[None, :]) & inside[:, None]
    w = tl.load(w_ptr + at, mask=at < n, other=0.0)
    tl.atomic_add(o_ptr + bins, tl.sum(tl.where(hits, w[:, None], 0.0), 0), sem="relaxed")


@RUNS
def test_weighted_counts_of_ranges(run):
    x, w, o = uniform(61, low=-1.2, high=1.2), uniform(61, seed=1), zeros(8)
    launch(run, weighted_counts, (4,), x, w, o, 61, -1.0, 0.25, BINS=8, B=16)
    close(o, np.histogram(x, 8, (-1, 1), weights=w)[0], 1e-3)


@triton.jit
def distances(a_ptr, b_ptr, o_ptr, M, N, K, METRIC: tl.constexpr, B: tl.constexpr):
    m, n = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros([B, B], tl.float32)
    for k in range(K):
        a = tl.load(a_ptr + m * K + k, mask=m < M, other=0.0)
        b = tl.load(b_ptr + n * K + k, mask=n < N, other=0.0)
        away = tl.abs(a[:, None] - b[None, :])
        if METRIC == "manhattan":
            acc += away
        elif METRIC == "chebyshev":
            acc = tl.maximum(acc, away)
        else:
            acc += away * away
    if METRIC == "euclid":
        acc = tl.sqrt(acc)
    tl.store(o_ptr + m[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])


@RUNS
@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "euclid"])
def test_distances_of_all_pairs(run, metric):
    a, b, o = random(11, 5), random(9, 5, seed=1), zeros(11, 9)
    launch(run, distances, (2, 2), a, b, o, 11, 9, 5, METRIC=metric, B=8)
    away = np.abs(a[:, None] - b)
    close(
        o, {"manhattan": away.sum(2), "chebyshev": away.max(2), "euclid": np.sqrt((away**2).sum(2))}[metric]
    )
