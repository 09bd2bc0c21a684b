"""Sparse and ragged: rows of CSR, blocks, masks in bits, bags of embeddings, jagged rows, segments, 2:4."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, softmax, uniform, zeros

import trisect as triton
import trisect.language as tl


def csr(rows, columns, share=0.3, seed=0):
    dense = random(rows, columns, seed=seed) * (uniform(rows, columns, seed=seed + 100) < share)
    starts = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int32)
    at = np.argwhere(dense)
    return dense, starts, at[:, 1].astype(np.int32), dense[dense != 0]


@triton.jit
def sparse_rows(starts_ptr, index_ptr, value_ptr, x_ptr, o_ptr, ROWS: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    begin, end = tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)
    acc = tl.zeros([B], tl.float32)
    for start in range(begin, end, B):
        at = start + tl.arange(0, B)
        live = at < end
        column = tl.load(index_ptr + at, mask=live, other=0)
        acc += tl.load(value_ptr + at, mask=live, other=0.0) * tl.load(x_ptr + column, mask=live, other=0.0)
    tl.store(o_ptr + row, tl.sum(acc, 0))


@RUNS
def test_rows_of_csr_times_a_vector(run):
    dense, starts, index, value = csr(9, 31)
    x, o = random(31, seed=1), zeros(9)
    launch(run, sparse_rows, (9,), starts, index, value, x, o, ROWS=9, B=4)
    close(o, dense @ x)


@triton.jit
def sparse_times_dense(starts_ptr, index_ptr, value_ptr, x_ptr, o_ptr, N, B: tl.constexpr):
    row, n = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B,), dtype=tl.float32)
    for i in range(tl.load(starts_ptr + row), tl.load(starts_ptr + row + 1)):
        column, value = tl.load(index_ptr + i), tl.load(value_ptr + i)
        acc += value * tl.load(x_ptr + column * N + n, mask=n < N, other=0.0)
    tl.store(o_ptr + row * N + n, acc, mask=n < N)


@RUNS
def test_csr_times_a_matrix(run):
    dense, starts, index, value = csr(7, 12)
    x, o = random(12, 11, seed=1), zeros(7, 11)
    launch(run, sparse_times_dense, (7, 2), starts, index, value, x, o, 11, B=8)
    close(o, dense @ x)


@triton.jit
def sampled_product(row_ptr, col_ptr, a_ptr, b_ptr, o_ptr, nnz, K, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    live = i < nnz
    row, col = tl.load(row_ptr + i, mask=live, other=0), tl.load(col_ptr + i, mask=live, other=0)
    acc = tl.zeros([BN], tl.float32)
    for k in range(0, K, BK):
        at = k + tl.arange(0, BK)
        mask = live[:, None] & (at < K)[None, :]
        a = tl.load(a_ptr + row[:, None] * K + at[None, :], mask=mask, other=0.0)
        b = tl.load(b_ptr + col[:, None] * K + at[None, :], mask=mask, other=0.0)
        acc += tl.sum(a * b, axis=1)
    tl.store(o_ptr + i, acc, mask=live)


@RUNS
def test_a_product_where_the_mask_is_set(run):
    dense, _, col, _ = csr(9, 13)
    row, a, b = np.argwhere(dense)[:, 0].astype(np.int32), random(9, 21, seed=1), random(13, 21, seed=2)
    o = zeros(len(row))
    launch(run, sampled_product, (triton.cdiv(len(row), 8),), row, col, a, b, o, len(row), 21, BN=8, BK=8)
    close(o, (a @ b.T)[row, col])


@triton.jit
def block_sparse(x_ptr, blocks_ptr, starts_ptr, index_ptr, o_ptr, K, N, B: tl.constexpr):
    column, m = tl.program_id(1), tl.program_id(0) * B + tl.arange(0, B)
    at = tl.arange(0, B)
    acc = tl.zeros([B, B], tl.float32)
    for i in range(tl.load(starts_ptr + column), tl.load(starts_ptr + column + 1)):
        k = tl.load(index_ptr + i) * B + at
        w = tl.load(blocks_ptr + i * B * B + at[:, None] * B + at[None, :])
        acc = tl.dot(tl.load(x_ptr + m[:, None] * K + k[None, :]), w, acc, input_precision="ieee")
    tl.store(o_ptr + m[:, None] * N + (column * B + at)[None, :], acc)


@RUNS
def test_products_with_blocks_of_a_sparse_matrix(run):
    x, starts, index = random(32, 64), np.array([0, 2, 2, 3], np.int32), np.array([0, 3, 1], np.int32)
    blocks, o, w = random(3, 16, 16, seed=1), zeros(32, 48), np.zeros((64, 48), np.float32)
    for column in range(3):
        for i in range(starts[column], starts[column + 1]):
            w[index[i] * 16 : index[i] * 16 + 16, column * 16 : column * 16 + 16] = blocks[i]
    launch(run, block_sparse, (2, 3), x, blocks, starts, index, o, 64, 48, B=16)
    close(o, x @ w, 1e-3)


@triton.jit
def block_sparse_softmax(x_ptr, layout_ptr, o_ptr, n, WIDTH: tl.constexpr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, WIDTH)
    used = tl.load(layout_ptr + (row // B) * (n // B) + at // B, mask=at < n, other=0) != 0
    # Blocks that are kept lie one behind the other.
    before = tl.cumsum((used & (at % B == 0)).to(tl.int32), 0) - 1
    packed = before * B + at % B
    x = tl.load(x_ptr + row * n + packed, mask=used, other=-float("inf"))
    x = x - tl.max(x, 0)
    e = tl.where(used, tl.exp(x), 0.0)
    tl.store(o_ptr + row * n + packed, e / tl.sum(e, 0), mask=used)


@RUNS
def test_softmax_over_kept_blocks(run):
    layout = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], np.int32)
    x, o, expected = random(12, 12), zeros(12, 12), zeros(12, 12)
    launch(run, block_sparse_softmax, (12,), x, layout, o, 12, WIDTH=16, B=4)
    for row in range(12):
        count = layout[row // 4].sum() * 4
        expected[row, :count] = softmax(x[row, :count])
    close(o, expected)


@triton.jit
def bags(index_ptr, offset_ptr, weight_ptr, table_ptr, o_ptr, total, D, MODE: tl.constexpr, B: tl.constexpr):
    bag, d = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    last = bag == tl.num_programs(0) - 1
    begin = tl.load(offset_ptr + bag)
    end = tl.load(offset_ptr + bag + 1, mask=not last, other=total)
    acc = tl.full([B], float("-inf") if MODE == "max" else 0.0, tl.float32)
    for i in range(begin, end):
        row = tl.load(table_ptr + tl.load(index_ptr + i) * D + d, mask=d < D, other=0.0)
        if MODE == "max":
            acc = tl.maximum(acc, row)
        else:
            acc += row if weight_ptr is None else row * tl.load(weight_ptr + i)
    if MODE == "mean":
        acc = acc / tl.maximum(end - begin, 1)
    acc = tl.where(end > begin, acc, 0.0)
    tl.store(o_ptr + bag * D + d, acc, mask=d < D)


@RUNS
def test_bags_of_embeddings(run):
    index, offset, table, w = (
        integers(9, 14).astype(np.int64),
        np.array([0, 5, 5, 12], np.int64),
        random(9, 11),
        random(14),
    )
    ends = [*offset[1:], 14]
    for mode, reduce in (("sum", np.sum), ("mean", np.mean), ("max", np.max)):
        o = zeros(4, 11)
        weight = w if mode == "sum" else None
        launch(run, bags, (4, 2), index, offset, weight, table, o, 14, 11, MODE=mode, B=8)
        rows = table[index] * (w[:, None] if mode == "sum" else 1)
        close(o, [reduce(rows[a:b], 0) if b > a else np.zeros(11) for a, b in zip(offset, ends, strict=True)])


@triton.jit
def jagged_to_dense(x_ptr, starts_ptr, o_ptr, most, pad, D: tl.constexpr, B: tl.constexpr):
    row, t, d = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, D)
    begin = tl.load(starts_ptr + row)
    count = tl.load(starts_ptr + row + 1) - begin
    x = tl.load(x_ptr + (begin + t)[:, None] * D + d[None, :], mask=(t < count)[:, None], other=pad)
    tl.store(o_ptr + (row * most + t)[:, None] * D + d[None, :], x, mask=(t < most)[:, None])


@RUNS
def test_jagged_rows_padded(run):
    starts, x, o = np.array([0, 4, 4, 11, 12], np.int64), random(12, 4), np.full((4, 6, 4), 9, np.float32)
    launch(run, jagged_to_dense, (4, 2), x, starts, o, 6, -1.0, D=4, B=4)
    expected = np.full((4, 6, 4), -1, np.float32)
    for row in range(4):
        part = x[starts[row] : starts[row + 1]][:6]
        expected[row, : len(part)] = part
    same(o, expected)


@triton.jit
def sum_by_key(a, ka, b, kb):
    return tl.where(ka == kb, a + b, b), kb


@triton.jit
def segments(x_ptr, key_ptr, o_ptr, n, B: tl.constexpr):
    """Sums of runs of one key: one atomic for each run in a block."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    live = at < n
    x, key = tl.load(x_ptr + at, mask=live, other=0.0), tl.load(key_ptr + at, mask=live, other=-1)
    total, _ = tl.associative_scan((x, key), 0, sum_by_key)
    following = tl.load(key_ptr + at + 1, mask=at + 1 < n, other=-1)
    lane = tl.arange(0, B)
    last = live & ((following != key) | (lane == B - 1))
    tl.atomic_add(o_ptr + key, total, mask=last)


@RUNS
def test_sums_of_sorted_segments(run):
    key, x, o = np.sort(integers(6, 45)), random(45, seed=1), zeros(6)
    launch(run, segments, (3,), x, key, o, 45, B=16)
    close(o, np.bincount(key, x, minlength=6))


@triton.jit
def two_of_four(x_ptr, value_ptr, meta_ptr, n, B: tl.constexpr):
    group = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + group[:, None] * 4 + tl.arange(0, 4)[None, :], mask=(group < n)[:, None], other=0.0)
    size = tl.abs(x)
    first = tl.argmax(size, axis=1)
    rest = tl.where(tl.arange(0, 4)[None, :] == first[:, None], -1.0, size)
    second = tl.argmax(rest, axis=1)
    low, high = tl.minimum(first, second), tl.maximum(first, second)
    a = tl.sum(tl.where(tl.arange(0, 4)[None, :] == low[:, None], x, 0.0), 1)
    b = tl.sum(tl.where(tl.arange(0, 4)[None, :] == high[:, None], x, 0.0), 1)
    tl.store(
        value_ptr + group[:, None] * 2 + tl.arange(0, 2)[None, :], tl.join(a, b), mask=(group < n)[:, None]
    )
    tl.store(meta_ptr + group, (low | (high << 2)).to(tl.uint8), mask=group < n)


@RUNS
def test_two_of_four_are_kept(run):
    x, value, meta = random(13, 4), zeros(13, 2), zeros(13, dtype=np.uint8)
    launch(run, two_of_four, (2,), x, value, meta, 13, B=8)
    kept = np.sort(np.argsort(-np.abs(x), 1)[:, :2], 1)
    same(value, np.take_along_axis(x, kept, 1))
    same(meta, kept[:, 0] | kept[:, 1] << 2)


@triton.jit
def neighbours(starts_ptr, index_ptr, s_ptr, t_ptr, x_ptr, o_ptr, slope, D: tl.constexpr, B: tl.constexpr):
    """Attention over the edges of a graph."""
    node, d = tl.program_id(0), tl.arange(0, D)
    begin, end = tl.load(starts_ptr + node), tl.load(starts_ptr + node + 1)
    target = tl.load(t_ptr + node)
    m, norm, acc = -float("inf"), 0.0, tl.zeros([D], tl.float32)
    for start in range(begin, end, B):
        at = start + tl.arange(0, B)
        j = tl.load(index_ptr + at, mask=at < end, other=-1)
        e = tl.load(s_ptr + j, mask=j >= 0, other=-float("inf")) + target
        e = tl.where(e > 0, e, e * slope)
        new = tl.maximum(m, tl.max(e, 0))
        p = tl.exp(e - new)
        x = tl.load(x_ptr + j[:, None] * D + d[None, :], mask=(j >= 0)[:, None], other=0.0)
        acc = acc * tl.exp(m - new) + tl.sum(p[:, None] * x, 0)
        norm = norm * tl.exp(m - new) + tl.sum(p, 0)
        m = new
    tl.store(o_ptr + node * D + d, tl.where(norm > 0, acc / tl.maximum(norm, 1e-20), 0.0))


@RUNS
def test_attention_over_the_edges_of_a_graph(run):
    _, starts, index, _ = csr(9, 9, 0.4, seed=3)
    s, t, x, o = random(9), random(9, seed=1), random(9, 8, seed=2), zeros(9, 8)
    launch(run, neighbours, (9,), starts, index, s, t, x, o, 0.2, D=8, B=4)
    for node in range(9):
        j = index[starts[node] : starts[node + 1]]
        e = s[j] + t[node]
        close(o[node], softmax(np.where(e > 0, e, 0.2 * e)) @ x[j] if len(j) else np.zeros(8), 1e-3)
