"""Blocks reshaped and moved: block pointers, descriptors, transposes, joins, gathers, flips, factors."""

import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl
from trisect.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def transposed(x_ptr, o_ptr, M, N, sxm, sxn, som, son, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    x = tl.make_block_ptr(x_ptr, (M, N), (sxm, sxn), (m, n), (BM, BN), (1, 0))
    o = tl.make_block_ptr(o_ptr, (N, M), (som, son), (n, m), (BN, BM), (1, 0))
    tl.store(o, tl.load(x, boundary_check=(0, 1)).T, boundary_check=(0, 1))


@RUNS
def test_a_transpose_by_tiles(run):
    x, o = random(21, 13, dtype=np.float16), zeros(13, 21, dtype=np.float16)
    launch(run, transposed, (2, 2), x, o, 21, 13, 13, 1, 21, 1, BM=16, BN=8)
    same(o, x.T)


@triton.jit
def softmax_by_block_pointers(x_ptr, o_ptr, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    x_at = tl.make_block_ptr(x_ptr, (M, N), (stride, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    o_at = tl.make_block_ptr(o_ptr, (M, N), (stride, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    m, norm = tl.full([BM], float("-inf"), tl.float32), tl.zeros([BM], tl.float32)
    for start in range(0, N, BN):
        x = tl.load(x_at, boundary_check=(1,), padding_option="zero")
        x = tl.where((start + tl.arange(0, BN) < N)[None, :], x, float("-inf"))
        new = tl.maximum(m, tl.max(x, 1))
        norm = norm * tl.exp(m - new) + tl.sum(tl.exp(x - new[:, None]), 1)
        m = new
        x_at = x_at.advance((0, BN))
    x_at = tl.advance(x_at, (0, -(tl.cdiv(N, BN) * BN)))
    for _ in range(0, N, BN):
        x = tl.load(x_at, boundary_check=(0, 1), padding_option="nan")
        tl.store(o_at, tl.exp(x - m[:, None]) / norm[:, None], boundary_check=(0, 1))
        x_at, o_at = tl.advance(x_at, (0, BN)), tl.advance(o_at, (0, BN))


@RUNS
def test_block_pointers_there_and_back(run):
    x, o = random(8, 21), zeros(8, 21)
    launch(run, softmax_by_block_pointers, (2,), x, o, 8, 21, 21, BM=4, BN=8)
    e = np.exp(x - x.max(1, keepdims=True))
    close(o, e / e.sum(1, keepdims=True))


@triton.jit
def gathered_rows(desc, out, rows_ptr, start, B: tl.constexpr, N: tl.constexpr):
    rows = tl.load(rows_ptr + tl.arange(0, B))
    out.scatter(desc.gather(rows, start) * 2, tl.arange(0, B).to(tl.int32), 0)


@RUNS
def test_rows_gathered_and_scattered_by_descriptors(run):
    x, rows, o = random(23, 20), integers(23, 8), zeros(8, 16)
    launch(
        run, gathered_rows, (1,), TensorDescriptor.from_tensor(x, [1, 16]),
        TensorDescriptor.from_tensor(o, [1, 16]), rows, 8, B=8, N=16,
    )  # fmt: skip
    expected = zeros(8, 16)
    expected[:, :12] = x[rows, 8:] * 2
    same(o, expected)


@triton.jit
def added_tiles(desc, x_ptr, M, N, B: tl.constexpr):
    pid, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(
        x_ptr + pid * M * N + at[:, None] * N + at[None, :], (at < M)[:, None] & (at < N)[None, :], 0.0
    )
    desc.atomic_add([0, 0], x)


@RUNS
def test_tiles_added_by_a_descriptor(run):
    x, o = random(5, 13, 12), zeros(13, 12)
    launch(run, added_tiles, (5,), TensorDescriptor.from_tensor(o, [16, 16]), x, 13, 12, B=16)
    close(o, x.sum(0), 1e-3)


@triton.jit
def five_dimensions(x_ptr, o_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    desc = tl.make_tensor_descriptor(
        x_ptr,
        shape=[A, B, C, D],
        strides=[B * C * D, C * D, D, 1],
        block_shape=[1, B, C, D],
        padding_option="nan",
    )
    x = desc.load([tl.program_id(0), 0, 0, 0]).reshape(B, C, D)
    y = tl.permute(x, (2, 0, 1)).reshape(D * B * C)
    tl.store(o_ptr + tl.program_id(0) * (D * B * C) + tl.arange(0, D * B * C), y)


@RUNS
def test_a_descriptor_of_four_dimensions(run):
    x, o = random(3, 2, 4, 4), zeros(3, 4, 2, 4)
    launch(run, five_dimensions, (3,), x, o, A=3, B=2, C=4, D=4)
    same(o, x.transpose(0, 3, 1, 2))


@triton.jit
def woven(x_ptr, y_ptr, o_ptr, B: tl.constexpr):
    at = tl.arange(0, B)
    x, y = tl.load(x_ptr + at), tl.load(y_ptr + at)
    wide = tl.interleave(x, y)
    even, odd = wide.reshape(B, 2).split()
    both = tl.cat(even, odd, can_reorder=True)
    quarter = tl.join(tl.join(x, y), tl.join(y, x))
    tl.store(o_ptr + tl.arange(0, 2 * B), wide)
    tl.store(o_ptr + 2 * B + tl.arange(0, 2 * B), both + 0 * wide)
    tl.store(o_ptr + 4 * B + tl.arange(0, 4 * B), quarter.reshape(4 * B))


@RUNS
def test_blocks_woven_and_split(run):
    x, y, o = random(8), random(8, seed=1), zeros(64)
    launch(run, woven, (1,), x, y, o, B=8)
    same(o[:16], np.stack([x, y], 1).ravel())
    same(np.sort(o[16:32]), np.sort(np.concatenate([x, y])))
    same(o[32:], np.stack([np.stack([x, y], 1), np.stack([y, x], 1)], 2).ravel())


@triton.jit
def hadamard(x_ptr, o_ptr, n, scale, LOG: tl.constexpr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
    for i in tl.static_range(LOG):
        x = x.reshape(B >> (i + 1), 2, 1 << i).permute(0, 2, 1)
        a, b = tl.split(x)
        x = tl.join(a + b, a - b).permute(0, 2, 1).reshape(B)
    tl.store(o_ptr + row * n + at, x * scale, mask=at < n)


@RUNS
def test_a_hadamard_transform_by_butterflies(run):
    x, o, h = random(3, 13), zeros(3, 13), np.ones((1, 1))
    for _ in range(4):
        h = np.block([[h, h], [h, -h]])
    launch(run, hadamard, (3,), x, o, 13, 0.25, LOG=4, B=16)
    close(o, (np.pad(x, ((0, 0), (0, 3))) @ h * 0.25)[:, :13])


@triton.jit
def flipped(x_ptr, o_ptr, n, R: tl.constexpr, B: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, B)
    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=(c < n)[None, :], other=0.0)
    tl.store(o_ptr + r[:, None] * B + c[None, :], tl.flip(tl.flip(x, 1), 0))


@RUNS
def test_rows_and_columns_turned(run):
    x, o = random(4, 13), zeros(4, 16)
    launch(run, flipped, (1,), x, o, 13, R=4, B=16)
    same(o, np.pad(x, ((0, 0), (0, 3)))[::-1, ::-1])


@triton.jit
def looked_up(
    table_ptr, index_ptr, o_ptr, R: tl.constexpr, C: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr
):
    r, c, n = tl.arange(0, R), tl.arange(0, C), tl.arange(0, N)
    table = tl.load(table_ptr + r[:, None] * C + c[None, :])
    if AXIS == 0:
        at = n[:, None] * C + c[None, :]
    else:
        at = r[:, None] * N + n[None, :]
    tl.store(o_ptr + at, tl.gather(table, tl.load(index_ptr + at), axis=AXIS))


@RUNS
@pytest.mark.parametrize("axis", [0, 1])
def test_gathers_along_each_axis(run, axis):
    table = random(8, 4)
    index = integers(8, 16, 4) if axis == 0 else integers(4, 8, 16)
    o = np.zeros(index.shape, np.float32)
    launch(run, looked_up, (1,), table, index, o, R=8, C=4, N=16, AXIS=axis)
    same(o, np.take_along_axis(table, index, axis))


@triton.jit
def trace_and_triangle(x_ptr, o_ptr, trace_ptr, n, K: tl.constexpr, UPPER: tl.constexpr, B: tl.constexpr):
    i, j = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    inside = (i < n) & (j < n)
    x = tl.load(x_ptr + tl.program_id(0) * n * n + i * n + j, mask=inside, other=0.0)
    kept = (j - i >= K) if UPPER else (j - i <= K)
    tl.store(o_ptr + tl.program_id(0) * n * n + i * n + j, tl.where(kept, x, 0.0), mask=inside)
    tl.store(trace_ptr + tl.program_id(0), tl.sum(tl.where(i == j, x, 0.0)))


@RUNS
def test_triangles_and_traces(run):
    x = random(3, 7, 7)
    for upper, k in ((True, 1), (False, -2)):
        o, trace = np.zeros_like(x), zeros(3)
        launch(run, trace_and_triangle, (3,), x, o, trace, 7, K=k, UPPER=upper, B=8)
        same(o, np.triu(x, k) if upper else np.tril(x, k))
        close(trace, np.trace(x, axis1=1, axis2=2))


@triton.jit
def outer_products(a_ptr, b_ptr, o_ptr, M, N, P, Q, B: tl.constexpr):
    """The product of Kronecker, an element of the left a program."""
    i, j = tl.program_id(0), tl.program_id(1)
    p, q = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    inside = (p < P) & (q < Q)
    b = tl.load(b_ptr + p * Q + q, mask=inside, other=0.0)
    tl.store(o_ptr + (i * P + p) * (N * Q) + j * Q + q, tl.load(a_ptr + i * N + j) * b, mask=inside)


@RUNS
def test_the_product_of_kronecker(run):
    a, b, o = random(2, 3), random(3, 4, seed=1), zeros(6, 12)
    launch(run, outer_products, (2, 3), a, b, o, 2, 3, 3, 4, B=4)
    same(o, np.kron(a, b))


@triton.jit
def cholesky(x_ptr, o_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    at = tl.program_id(0) * N * N + i[:, None] * N + i[None, :]
    a = tl.load(x_ptr + at)
    lower = tl.zeros([N, N], tl.float32)
    for j in range(N):
        column = tl.sum(tl.where((i == j)[None, :], a, 0.0), 1)
        pivot = tl.sqrt(tl.sum(tl.where(i == j, column, 0.0), 0))
        column = tl.where(i >= j, column / pivot, 0.0)
        lower = tl.where((i == j)[None, :], column[:, None], lower)
        a -= column[:, None] * column[None, :]
    tl.store(o_ptr + at, lower)


@RUNS
def test_the_factor_of_cholesky(run):
    r = random(2, 8, 8)
    x, o = r @ r.transpose(0, 2, 1) + 4 * np.eye(8, dtype=np.float32), zeros(2, 8, 8)
    launch(run, cholesky, (2,), x.astype(np.float32), o, N=8)
    close(o, np.linalg.cholesky(x), 1e-3)
