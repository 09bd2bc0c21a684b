"""Tiles outside their tensor: strides, masks of two dimensions, loops over columns and keys."""

import torch
from language import tl, triton
from tensors import floats, listed, zeros

from cases import group

fails, clean = group("out-of-bounds")


@triton.jit
def copy_tile(src, dst, rows, columns, stride_r, stride_c, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.program_id(1) * C + tl.arange(0, C)[None, :]
    inside = (r < rows) & (c < columns)
    x = tl.load(src + r * stride_r + c * stride_c, mask=inside, other=0.0)  # fault
    tl.store(dst + r * columns + c, x, mask=inside)


@fails(tensor="src", index=(8, 0), lane=(0, 8), lanes=22 * 8)
def strides_swapped():
    copy_tile[(1, 1)](floats(8, 30), zeros(8, 30), 8, 30, 1, 30, R=8, C=32)


@clean()
def strides_in_order():
    copy_tile[(1, 1)](floats(8, 30), zeros(8, 30), 8, 30, 30, 1, R=8, C=32)


@fails(tensor="src", index=(0, 10), lane=(1, 0), lanes=22 + 22 + 6)
def sliced_view_read_as_contiguous():
    base = floats(8, 32)
    copy_tile[(1, 1)](base[:, :10], zeros(8, 10), 8, 10, 10, 1, R=8, C=16)


@clean()
def sliced_view_read_by_its_strides():
    base = floats(8, 32)
    copy_tile[(1, 1)](base[:, :10], zeros(8, 10), 8, 10, 32, 1, R=8, C=16)


@fails(tensor="src", index=(6, 0), lane=(0, 6), lanes=4 * 10 + 2)
def transposed_view_with_gaps():
    view = floats(12, 16)[:, :6].t()
    copy_tile[(1, 1)](view, zeros(6, 12), 6, 12, 12, 1, R=8, C=16)


@clean()
def transposed_view_by_its_strides():
    view = floats(12, 16)[:, :6].t()
    copy_tile[(1, 1)](view, zeros(6, 12), 6, 12, *view.stride(), R=8, C=16)


@fails(tensor="src", index=(0, 16), lane=(1, 0), lanes=48)
def expanded_view_read_as_contiguous():
    view = floats(16).expand(4, 16)
    copy_tile[(1, 1)](view, zeros(4, 16), 4, 16, 16, 1, R=4, C=16)


@clean()
def expanded_view_by_its_strides():
    view = floats(16).expand(4, 16)
    copy_tile[(1, 1)](view, zeros(4, 16), 4, 16, *view.stride(), R=4, C=16)


@fails(tensor="src", index=(0, 1), lane=(0, 1), lanes=8 * 5 + 1)
def every_other_column_with_a_full_stride():
    view = floats(8, 20)[:, ::2]
    copy_tile[(1, 1)](view, zeros(8, 10), 8, 10, 20, 3, R=8, C=16)


@clean()
def every_other_column():
    view = floats(8, 20)[:, ::2]
    copy_tile[(1, 1)](view, zeros(8, 10), 8, 10, 20, 2, R=8, C=16)


@fails(tensor="src", program=(1, 0, 0), index=(9, 0), lane=(1, 0), lanes=16)
def rows_counted_one_too_many():
    copy_tile[(2, 2)](floats(9, 20), zeros(10, 20), 10, 20, 20, 1, R=8, C=16)


@clean()
def rows_counted_right():
    copy_tile[(2, 2)](floats(9, 20), zeros(9, 20), 9, 20, 20, 1, R=8, C=16)


@triton.jit
def copy_tile_one_mask(src, dst, rows, columns, EITHER: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    inside = (r < rows) | (c < columns) if EITHER else (r < rows) & (c < columns)
    x = tl.load(src + r * columns + c, mask=inside, other=0.0)  # fault
    tl.store(dst + r * columns + c, x, mask=(r < rows) & (c < columns))


@fails(tensor="src", program=1, index=(12, 0), lane=(4, 0), lanes=64)
def masks_joined_by_or():
    copy_tile_one_mask[(2,)](floats(12, 16), zeros(12, 16), 12, 16, EITHER=True, R=8, C=16)


@clean()
def masks_joined_by_and():
    copy_tile_one_mask[(2,)](floats(12, 16), zeros(12, 16), 12, 16, EITHER=False, R=8, C=16)


@triton.jit
def scale_rows(src, dst, rows, columns, AXIS: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(AXIS)
    c = tl.arange(0, C)
    x = tl.load(src + r * columns + c, mask=c < columns, other=0.0)  # fault
    tl.store(dst + r * columns + c, x * 2, mask=(c < columns) & (r < rows))


@fails(tensor="src", program=(0, 4, 0), index=(4, 0), lane=(0,), lanes=10)
def program_id_of_the_wrong_axis():
    scale_rows[(1, 6)](floats(4, 10), zeros(4, 10), 4, 10, AXIS=1, C=16)


@clean()
def program_id_of_the_right_axis():
    scale_rows[(4, 1)](floats(4, 10), zeros(4, 10), 4, 10, AXIS=0, C=16)


@triton.jit
def scale_from_one(src, dst, columns, BASE: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(2) + BASE
    c = tl.arange(0, C)
    x = tl.load(src + r * columns + c)  # fault
    tl.store(dst + tl.program_id(2) * columns + c, x)


@fails(tensor="src", program=(0, 0, 3), index=(4, 0), lane=(0,), lanes=16)
def rows_counted_from_one():
    scale_from_one[(1, 1, 4)](floats(4, 16), zeros(4, 16), 16, BASE=1, C=16)


@clean()
def rows_counted_from_zero():
    scale_from_one[(1, 1, 4)](floats(4, 16), zeros(4, 16), 16, BASE=0, C=16)


@triton.jit
def write_transposed(src, dst, rows, columns, stride, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    inside = (r < rows) & (c < columns)
    x = tl.load(src + r * columns + c, mask=inside, other=0.0)
    tl.store(dst + c * stride + r, x, mask=inside)  # fault


@fails(tensor="dst", index=(12, 0), lane=(0, 6), lanes=36)
def transposed_store_by_the_source_stride():
    write_transposed[(1,)](floats(6, 12), zeros(12, 6), 6, 12, 12, R=8, C=16)


@clean()
def transposed_store_by_its_own_stride():
    write_transposed[(1,)](floats(6, 12), zeros(12, 6), 6, 12, 6, R=8, C=16)


@triton.jit
def add_batches(a, b, out, stride_a, stride_b, n, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(a + batch * stride_a + offsets, mask=offsets < n, other=0.0)
    y = tl.load(b + batch * stride_b + offsets, mask=offsets < n, other=0.0)  # fault
    tl.store(out + batch * n + offsets, x + y, mask=offsets < n)


@fails(tensor="b", program=2, index=(3, 4), lane=(0,), lanes=12)
def batch_stride_of_the_other_tensor():
    add_batches[(3,)](floats(3, 20)[:, :12], floats(3, 12), zeros(3, 12), 20, 20, 12, BLOCK=16)


@clean()
def batch_stride_of_each_tensor():
    add_batches[(3,)](floats(3, 20)[:, :12], floats(3, 12), zeros(3, 12), 20, 12, 12, BLOCK=16)


@triton.jit
def row_sums(src, out, columns, MASKED: tl.constexpr, C: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((C,), tl.float32)
    for start in range(0, columns, C):
        c = start + tl.arange(0, C)
        if MASKED:
            total += tl.load(src + row * columns + c, mask=c < columns, other=0.0)
        else:
            total += tl.load(src + row * columns + c)  # fault
    tl.store(out + row, tl.sum(total, axis=0))


@fails(tensor="src", program=2, index=(3, 0), lane=(8,), lanes=8)
def loop_over_columns_without_a_mask():
    row_sums[(3,)](floats(3, 40), zeros(3), 40, MASKED=False, C=16)


@clean()
def loop_over_columns_with_a_mask():
    row_sums[(3,)](floats(3, 40), zeros(3), 40, MASKED=True, C=16)


@triton.jit
def sums_by_count(src, out, columns, blocks, C: tl.constexpr):
    total = tl.zeros((C,), tl.float32)
    for block in range(0, blocks):
        total += tl.load(src + block * C + tl.arange(0, C))  # fault
    tl.store(out, tl.sum(total, axis=0))


@fails(tensor="src", index=(40,), lane=(8,), lanes=8)
def trip_count_rounded_up():
    sums_by_count[(1,)](floats(40), zeros(1), 40, triton.cdiv(40, 16), C=16)


@clean()
def trip_count_rounded_down():
    sums_by_count[(1,)](floats(40), zeros(1), 40, 40 // 16, C=16)


@triton.jit
def grouped_tiles(src, dst, tiles_m, tiles_n, GROUP: tl.constexpr, LIMIT: tl.constexpr, B: tl.constexpr):
    program = tl.program_id(0)
    width = GROUP * tiles_n
    first = (program // width) * GROUP
    size = min(tiles_m - first, GROUP) if LIMIT else GROUP
    tile_m = first + (program % width) % size
    tile_n = (program % width) // size
    offsets = (tile_m * tiles_n + tile_n) * B + tl.arange(0, B)
    x = tl.load(src + offsets)  # fault
    tl.store(dst + offsets, x)


@fails(tensor="src", program=5, index=(3, 0, 0), lane=(0,), lanes=16)
def swizzle_without_a_short_last_group():
    grouped_tiles[(6,)](floats(3, 2, 16), zeros(3, 2, 16), 3, 2, GROUP=2, LIMIT=False, B=16)


@clean()
def swizzle_with_a_short_last_group():
    grouped_tiles[(6,)](floats(3, 2, 16), zeros(3, 2, 16), 3, 2, GROUP=2, LIMIT=True, B=16)


@triton.jit
def convolve_rows(src, weights, dst, n, TAPS: tl.constexpr, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for tap in tl.static_range(TAPS):
        at = offsets + tap - TAPS // 2
        live = (offsets < n) & (at < n)
        if PADDED:
            live = live & (at >= 0)
        x = tl.load(src + at, mask=live, other=0.0)  # fault
        total += x * tl.load(weights + tap)
    tl.store(dst + offsets, total, mask=offsets < n)


@fails(tensor="src", index=(-1,), lane=(0,), lanes=1)
def convolution_without_left_padding():
    convolve_rows[(1,)](floats(20), floats(3), zeros(20), 20, TAPS=3, PADDED=False, BLOCK=32)


@clean()
def convolution_with_padding():
    convolve_rows[(1,)](floats(20), floats(3), zeros(20), 20, TAPS=3, PADDED=True, BLOCK=32)


@triton.jit
def matmul(a, b, c, M, N, K, MASK_K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = (tl.program_id(0) * BM + tl.arange(0, BM)) % M
    rn = (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK if MASK_K else BK
        x = tl.load(a + rm[:, None] * K + (k * BK + rk)[None, :], mask=rk[None, :] < left, other=0.0)
        y = tl.load(b + (k * BK + rk)[:, None] * N + rn[None, :], mask=rk[:, None] < left, other=0.0)  # fault
        acc += tl.dot(x, y, input_precision="ieee")
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    tl.store(c + om[:, None] * N + on[None, :], acc, mask=(om[:, None] < M) & (on[None, :] < N))


@fails(tensor="b", program=(0, 0, 0), index=(40, 0), lane=(8, 0), lanes=8 * 16)
def matmul_without_a_mask_over_k():
    matmul[(2, 2)](
        floats(24, 40), floats(40, 24), zeros(24, 24), 24, 24, 40, MASK_K=False, BM=16, BN=16, BK=16
    )


@clean()
def matmul_with_a_mask_over_k():
    matmul[(2, 2)](
        floats(24, 40), floats(40, 24), zeros(24, 24), 24, 24, 40, MASK_K=True, BM=16, BN=16, BK=16
    )


@triton.jit
def attention_scores(q, k, out, length, scale, MASKED: tl.constexpr, B: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    x = tl.load(q + rows[:, None] * D + d[None, :], mask=rows[:, None] < length, other=0.0)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, length, B):
        columns = start + tl.arange(0, B)
        live = (columns[:, None] < length) | (not MASKED)
        y = tl.load(k + columns[:, None] * D + d[None, :], mask=live, other=0.0)  # fault
        scores = tl.dot(x, tl.trans(y), input_precision="ieee") * scale
        scores = tl.where(columns[None, :] < length, scores, -float("inf"))
        total += tl.sum(tl.exp(scores), axis=1)
    tl.store(out + rows, total, mask=rows < length)


@fails(tensor="k", program=0, index=(24, 0), lane=(8, 0), lanes=128)
def attention_keys_past_the_sequence():
    attention_scores[(2,)](floats(24, 16), floats(24, 16), zeros(24), 24, 0.25, MASKED=False, B=16, D=16)


@clean()
def attention_keys_masked_at_the_sequence():
    attention_scores[(2,)](floats(24, 16), floats(24, 16), zeros(24), 24, 0.25, MASKED=True, B=16, D=16)


@triton.jit
def paged_rows(pages, cache, out, page_size, PAGES: tl.constexpr, D: tl.constexpr):
    total = tl.zeros((D,), tl.float32)
    for page in range(PAGES):
        block = tl.load(pages + tl.program_id(0) * PAGES + page)
        for row in range(page_size):
            total += tl.load(cache + (block * page_size + row) * D + tl.arange(0, D))  # fault
    tl.store(out + tl.program_id(0) * D + tl.arange(0, D), total)


@fails(tensor="cache", program=1, index=(5, 0, 0), lane=(0,), lanes=16)
def page_table_names_a_missing_page():
    pages = listed([[0, 2], [1, 5]])
    paged_rows[(2,)](pages, floats(5, 4, 16), zeros(2, 16), 4, PAGES=2, D=16)


@clean()
def page_table_names_known_pages():
    pages = listed([[0, 2], [1, 4]])
    paged_rows[(2,)](pages, floats(5, 4, 16), zeros(2, 16), 4, PAGES=2, D=16)


@triton.heuristics(
    {"BM": lambda arguments: 4, "BN": lambda arguments: triton.next_power_of_2(arguments["N"])}
)
@triton.jit
def smallest_of_rows(src, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.arange(0, BN)
    x = tl.load(src + rows[:, None] * N + columns[None, :], mask=True)  # fault
    low, at = tl.min(x, 1, return_indices=True, return_indices_tie_break_left=True)
    best = tl.full([BM], float("inf"), tl.float32)
    tl.store(out + rows, tl.where(low < best, at, 0), mask=True)


@fails(tensor="src", program=1, index=(8, 0), lane=(3, 7), lanes=1)
def mask_that_is_always_true():
    smallest_of_rows[(2,)](floats(8, 7), zeros(8, dtype=torch.int32), 8, 7)


@clean()
def mask_that_is_always_true_over_whole_rows():
    smallest_of_rows[(2,)](floats(8, 8), zeros(8, dtype=torch.int32), 8, 8)
