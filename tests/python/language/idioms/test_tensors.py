"""Tensors addressed: strides of every kind, shapes in tables, concatenation, selection, padding, repeats."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def copied(x_ptr, o_ptr, s0: tl.int64, s1: tl.int64, s2: tl.int64, d1, d2, size, B: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    i, j, k = at // (d1 * d2), at // d2 % d1, at % d2
    x = tl.load(x_ptr + i * s0 + j * s1 + k * s2, mask=at < size)
    tl.store(o_ptr + at, x, mask=at < size)


@RUNS
def test_views_with_negative_and_zero_strides(run):
    base = random(6, 5, 8)
    for view in (base[::-1, ::2, ::-3], base.transpose(2, 0, 1), np.broadcast_to(base[0, :, :1], (4, 5, 7))):
        o = np.zeros(view.shape, np.float32)
        strides = [s // 4 for s in view.strides]
        grid = (triton.cdiv(o.size, 32),)
        launch(run, copied, grid, view, o, *strides, *view.shape[1:], o.size, B=32)
        same(o, view)


@triton.jit
def any_rank(x_ptr, o_ptr, meta_ptr, size, RANK: tl.constexpr, B: tl.constexpr):
    """Shape and strides of both tensors lie in memory."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    left = at.to(tl.int64)
    source, target = tl.zeros([B], tl.int64), tl.zeros([B], tl.int64)
    for i in tl.static_range(RANK - 1, -1, -1):
        n = tl.load(meta_ptr + i)
        index = left % n
        left = left // n
        source += index * tl.load(meta_ptr + RANK + i)
        target += index * tl.load(meta_ptr + 2 * RANK + i)
    tl.store(o_ptr + target, tl.load(x_ptr + source, mask=at < size, other=0), mask=at < size)


@RUNS
def test_a_copy_of_any_rank(run):
    for x in (random(7), random(3, 5).T, random(2, 3, 2, 4).transpose(1, 3, 0, 2)):
        o = np.zeros(x.shape, np.float32)
        meta = np.array([*x.shape, *(s // 4 for s in x.strides), *(s // 4 for s in o.strides)], np.int64)
        launch(run, any_rank, (triton.cdiv(x.size, 16),), x, o, meta, x.size, RANK=x.ndim, B=16)
        same(o, x)


@triton.jit
def concatenated(pointers, sizes, o_ptr, width, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    start = 0
    for i in tl.static_range(len(pointers)):
        x = tl.load(pointers[i] + row * sizes[i] + at, mask=at < sizes[i])
        tl.store(o_ptr + row * width + start + at, x, mask=at < sizes[i])
        start += sizes[i]


@RUNS
def test_tensors_side_by_side(run):
    xs = tuple(random(3, n, seed=n) for n in (5, 1, 8))
    o = zeros(3, 14)
    launch(run, concatenated, (3,), xs, (5, 1, 8), o, 14, B=8)
    same(o, np.concatenate(xs, 1))


@triton.jit
def chunk_table(pointer_ptr, starts_ptr, o_ptr, count, total, LOG: tl.constexpr, B: tl.constexpr):
    """Each lane finds its tensor by halving."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    low = tl.zeros([B], tl.int32)
    for i in tl.static_range(LOG - 1, -1, -1):
        trial = low + (1 << i)
        begins = tl.load(starts_ptr + trial, mask=trial < count, other=2147483647)
        low = tl.where(begins <= at, trial, low)
    base = tl.load(pointer_ptr + low).to(tl.pointer_type(tl.float32))
    inside = at - tl.load(starts_ptr + low)
    tl.store(o_ptr + at, tl.load(base + inside, mask=at < total), mask=at < total)


@RUNS
def test_many_tensors_by_a_table_of_addresses(run):
    xs = [random(n, seed=n) for n in (5, 17, 1, 9, 3)]
    starts = np.cumsum([0] + [len(x) for x in xs])[:-1].astype(np.int32)
    table, o = np.array([x.ctypes.data for x in xs], np.int64), zeros(35)
    launch(run, chunk_table, (3,), table, starts, o, 5, 35, LOG=3, B=16)
    same(o, np.concatenate(xs))


@triton.jit
def selected(x_ptr, index_ptr, o_ptr, count, N, inner, limit, B: tl.constexpr):
    outer, k = tl.program_id(0), tl.program_id(1)
    at = tl.program_id(2) * B + tl.arange(0, B)
    index = tl.load(index_ptr + k)
    index = tl.where(index < 0, index + limit, index)
    tl.device_assert((index >= 0) & (index < limit), "index out of range")
    x = tl.load(x_ptr + (outer * N + index) * inner + at, mask=at < inner, other=0)
    tl.store(o_ptr + (outer * count + k) * inner + at, x, mask=at < inner)


@RUNS
def test_selection_along_a_middle_axis(run):
    x, index, o = random(3, 6, 11), np.array([-1, 0, 3, 3, -6], np.int64), zeros(3, 5, 11)
    launch(run, selected, (3, 5, 2), x, index, o, 5, 6, 11, 6, B=8)
    same(o, x[:, index])


@triton.jit
def scattered(o_ptr, index_ptr, x_ptr, rows, cols, width, REDUCE: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < rows * cols
    target = at // cols * width + tl.load(index_ptr + at, mask=mask, other=0)
    x = tl.load(x_ptr + at, mask=mask, other=0)
    if REDUCE == "sum":
        tl.atomic_add(o_ptr + target, x, mask=mask, sem="relaxed")
    elif REDUCE == "amax":
        tl.atomic_max(o_ptr + target, x, mask=mask)
    else:
        tl.atomic_min(o_ptr + target, x, mask=mask)


@RUNS
@pytest.mark.parametrize("reduce", ["sum", "amax", "amin"])
def test_scatters_that_reduce(run, reduce):
    x, index, o = integers(50, 4, 9, low=-50), integers(5, 4, 9, seed=1), integers(9, 4, 5, seed=2)
    expected = o.copy()
    ufunc = {"sum": np.add, "amax": np.maximum, "amin": np.minimum}[reduce]
    ufunc.at(expected, (np.arange(4)[:, None], index), x)
    launch(run, scattered, (3,), o, index, x, 4, 9, 5, REDUCE=reduce, B=16)
    same(o, expected)


@triton.jit
def padded(x_ptr, o_ptr, H, W, OH, OW, top, left, value, B: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, OW, B):
        w = start + tl.arange(0, B)
        inside = (row >= top) & (row < top + H) & (w >= left) & (w < left + W)
        x = tl.load(x_ptr + (row - top) * W + w - left, mask=inside, other=value)
        tl.store(o_ptr + row * OW + w, x, mask=w < OW)


@RUNS
def test_a_border_of_one_value(run):
    for dtype, value in ((np.float32, -1.5), (np.int16, -7), (np.float16, float("inf"))):
        x, o = integers(99, 3, 5).astype(dtype), np.zeros((7, 11), dtype)
        launch(run, padded, (7,), x, o, 3, 5, 7, 11, 1, 4, value, B=8)
        same(o, np.pad(x, ((1, 3), (4, 2)), constant_values=value))


@triton.jit
def repeated(x_ptr, ends_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.program_id(0)
    begin = tl.load(ends_ptr + i - 1, mask=i > 0, other=0)
    end = tl.load(ends_ptr + i)
    value = tl.load(x_ptr + i)
    for start in range(begin, end, B):
        at = start + tl.arange(0, B)
        tl.store(o_ptr + at, value + tl.zeros([B], value.dtype), mask=at < end)


@RUNS
def test_elements_repeated_by_counts(run):
    x, counts = integers(99, 7, dtype=np.int64), np.array([3, 0, 9, 1, 0, 0, 4])
    o = zeros(17, dtype=np.int64)
    launch(run, repeated, (7,), x, counts.cumsum(), o, 7, B=4)
    same(o, np.repeat(x, counts))


@triton.jit
def rolled_and_strided(x_ptr, o_ptr, n, shift, step, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    source = (at * step - shift) % n
    source = tl.where(source < 0, source + n, source)
    tl.store(o_ptr + at, tl.load(x_ptr + source, mask=at < n), mask=at < n)


@RUNS
def test_indices_that_go_round(run):
    x = random(37)
    for shift, step in ((0, 1), (5, 1), (-5, 1), (40, 1), (3, 7)):
        o = zeros(37)
        launch(run, rolled_and_strided, (3,), x, o, 37, shift, step, B=16)
        same(o, x[(np.arange(37) * step - shift) % 37])


@triton.jit
def ramps(o_ptr, n, start, step, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    half = n // 2
    forward = start + at * step
    backward = start + step * (n - 1) - step * (n - 1 - at)
    value = tl.where(at < half, forward, backward)
    tl.store(o_ptr + at, value.to(o_ptr.dtype.element_ty), mask=at < n)


@RUNS
def test_evenly_spaced_numbers(run):
    for dtype, start, step in ((np.float32, -1.0, 0.125), (np.int64, 7, -3), (np.float64, 0.5, 0.25)):
        o = np.zeros(29, dtype)
        launch(run, ramps, (2,), o, 29, start, step, B=16)
        same(o, (start + np.arange(29) * step).astype(dtype))


@triton.jit
def one_hot(index_ptr, o_ptr, n, CLASSES: tl.constexpr, ON, OFF, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    index = tl.load(index_ptr + r, mask=r < n, other=-1)
    value = tl.where(index[:, None] == c[None, :], ON, OFF)
    tl.store(o_ptr + r[:, None] * CLASSES + c[None, :], value, mask=(r < n)[:, None] & (c < CLASSES)[None, :])


@RUNS
def test_one_hot_rows(run):
    index, o = integers(6, 9), zeros(9, 6)
    index[4] = -1
    launch(run, one_hot, (3,), index, o, 9, CLASSES=6, ON=0.9, OFF=0.02, R=4, C=8)
    close(o, np.where(index[:, None] == np.arange(6), 0.9, 0.02))


@triton.jit
def in_place(x_ptr, swap_ptr, n, ROW: tl.constexpr, B: tl.constexpr):
    """Two rows change places in one program."""
    a, b = tl.load(swap_ptr + tl.program_id(0) * 2), tl.load(swap_ptr + tl.program_id(0) * 2 + 1)
    at = tl.arange(0, B)
    first, second = tl.load(x_ptr + a * ROW + at, mask=at < n), tl.load(x_ptr + b * ROW + at, mask=at < n)
    tl.store(x_ptr + a * ROW + at, second, mask=at < n)
    tl.store(x_ptr + b * ROW + at, first, mask=at < n)


@RUNS
def test_rows_change_places(run):
    x, pairs = random(8, 11), np.array([[0, 5], [3, 2], [7, 7]], np.int32)
    order = np.array([5, 1, 3, 2, 4, 0, 6, 7])
    expected = x[order]
    launch(run, in_place, (3,), x, pairs, 11, ROW=11, B=16)
    same(x, expected)
