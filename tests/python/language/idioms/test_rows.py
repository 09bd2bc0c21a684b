"""Rows and streams: norms, softmax, scans with carried state, dropout, sorted choices, losses."""

import numpy as np
from running import RUNS, close, launch, random

import trisect as triton
import trisect.language as tl


@triton.jit
def welford_join(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    share = tl.where(n == 0, 0.0, n_b / tl.where(n == 0, 1.0, n))
    delta = mean_b - mean_a
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def welford(x_ptr, o_ptr, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    mean, m2, count = tl.zeros([B], tl.float32), tl.zeros([B], tl.float32), tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
        new = count + tl.where(at < n, 1.0, 0.0)
        delta = tl.where(at < n, x - mean, 0.0)
        mean += delta / tl.maximum(new, 1.0)
        m2 += tl.where(at < n, delta * (x - mean), 0.0)
        count = new
    mean, m2, count = tl.reduce((mean, m2, count), 0, welford_join)
    inverse = tl.rsqrt(m2 / count + eps)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + row * n + at, mask=at < n, eviction_policy="evict_first")
        tl.store(o_ptr + row * n + at, (x - mean) * inverse, mask=at < n)


@RUNS
def test_welford_norm(run):
    x = random(3, 37) + 5
    o = np.zeros_like(x)
    launch(run, welford, (3,), x, o, 37, 1e-5, B=16)
    close(o, (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5), 1e-3)


@triton.jit
def rms_norm(x_ptr, w_ptr, residual_ptr, o_ptr, n, eps, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    mask = at < n
    x = tl.load(x_ptr + row * n + at, mask=mask, other=0.0) + tl.load(
        residual_ptr + row * n + at, mask=mask, other=0.0
    )
    tl.store(residual_ptr + row * n + at, x, mask=mask)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + eps)
    tl.store(o_ptr + row * n + at, x * scale * tl.load(w_ptr + at, mask=mask), mask=mask)


@RUNS
def test_rms_norm_with_a_residual(run):
    x, w, residual = random(4, 13), random(13, seed=1), random(4, 13, seed=2)
    o, total = np.zeros_like(x), x + residual
    launch(run, rms_norm, (4,), x, w, residual, o, 13, 1e-6, B=16)
    close(residual, total)
    close(o, total / np.sqrt((total**2).mean(1, keepdims=True) + 1e-6) * w, 1e-3)


@triton.jit
def softmax_rows(x_ptr, o_ptr, rows, n, B: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        at = tl.arange(0, B)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(o_ptr + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


@RUNS
def test_softmax_by_persistent_programs(run):
    x = random(7, 11)
    o = np.zeros_like(x)
    launch(run, softmax_rows, (3,), x, o, 7, 11, B=16)
    e = np.exp(x - x.max(1, keepdims=True))
    close(o, e / e.sum(1, keepdims=True))


@triton.jit
def cross_entropy(x_ptr, label_ptr, loss_ptr, n, IGNORED: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    if label == IGNORED:
        tl.store(loss_ptr + row, 0.0)
        return
    m, total = -float("inf"), 0.0
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=-float("inf"))
        m_new = tl.maximum(m, tl.max(x, 0))
        total = total * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), 0)
        m = m_new
    tl.store(loss_ptr + row, tl.log(total) + m - tl.load(x_ptr + row * n + label))


@RUNS
def test_cross_entropy_with_an_ignored_label(run):
    x, labels = random(4, 21), np.array([3, -100, 20, 0], np.int64)
    loss = np.ones(4, np.float32)
    launch(run, cross_entropy, (4,), x, labels, loss, 21, IGNORED=-100, B=8)
    whole = np.log(np.exp(x).sum(1))
    close(loss, [0 if k < 0 else whole[i] - x[i, k] for i, k in enumerate(labels)], 1e-3)


@triton.jit
def first_order(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def recurrence(a_ptr, b_ptr, o_ptr, n, B: tl.constexpr):
    state = 0.0
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        a = tl.load(a_ptr + at, mask=at < n, other=1.0)
        b = tl.load(b_ptr + at, mask=at < n, other=0.0)
        decay, local = tl.associative_scan((a, b), 0, first_order)
        h = decay * state + local
        tl.store(o_ptr + at, h, mask=at < n)
        state = tl.sum(tl.where(tl.arange(0, B) == B - 1, h, 0.0), 0)


@RUNS
def test_a_scan_with_carried_state(run):
    a, b = np.random.default_rng(0).uniform(0.2, 0.9, 27).astype(np.float32), random(27, seed=1)
    o = np.zeros(27, np.float32)
    launch(run, recurrence, (1,), a, b, o, 27, B=8)
    expected, h = [], 0.0
    for x, y in zip(a, b, strict=True):
        h = x * h + y
        expected.append(h)
    close(o, expected, 1e-3)


@triton.jit
def exclusive_offsets(x_ptr, o_ptr, total_ptr, n, B: tl.constexpr):
    carried = 0
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + at, mask=at < n, other=0)
        tl.store(o_ptr + at, tl.cumsum(x, 0) - x + carried, mask=at < n)
        carried += tl.sum(x, 0)
    tl.store(total_ptr, carried)


@RUNS
def test_exclusive_offsets(run):
    x = np.random.default_rng(0).integers(0, 9, 29).astype(np.int32)
    o, total = np.zeros(29, np.int32), np.zeros(1, np.int32)
    launch(run, exclusive_offsets, (1,), x, o, total, 29, B=8)
    np.testing.assert_array_equal(o, np.cumsum(x) - x)
    assert total[0] == x.sum()


@triton.jit
def dropout(x_ptr, o_ptr, n, p, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, at) > p
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(o_ptr + at, tl.where(keep, x / (1 - p), 0.0), mask=at < n)


@RUNS
def test_seeded_dropout(run):
    x, o, again = np.ones(1000, np.float32), np.zeros(1000, np.float32), np.zeros(1000, np.float32)
    for out in (o, again):
        launch(run, dropout, (8,), x, out, 1000, 0.25, 1234, B=128)
    np.testing.assert_array_equal(o, again)
    close(o[o != 0], np.full((o != 0).sum(), 1 / 0.75))
    assert 0.68 < (o != 0).mean() < 0.82


@triton.jit
def top_k(x_ptr, value_ptr, index_ptr, n, K: tl.constexpr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=-float("inf"))
    for k in tl.static_range(K):
        best = tl.argmax(x, 0)
        tl.store(index_ptr + row * K + k, best)
        tl.store(value_ptr + row * K + k, tl.max(x, 0))
        x = tl.where(at == best, -float("inf"), x)


@RUNS
def test_top_k_by_repeated_maxima(run):
    x = random(3, 13)
    value, index = np.zeros((3, 4), np.float32), np.zeros((3, 4), np.int32)
    launch(run, top_k, (3,), x, value, index, 13, K=4, B=16)
    np.testing.assert_array_equal(index, np.argsort(-x, 1)[:, :4])
    close(value, -np.sort(-x, 1)[:, :4])


@triton.jit
def packed_sort(x_ptr, key_ptr, B: tl.constexpr):
    at = tl.arange(0, B)
    bits = tl.load(x_ptr + at).to(tl.int32, bitcast=True)
    ordered = tl.where(bits < 0, ~bits, bits | -2147483648).to(tl.uint32, bitcast=True)
    both = (ordered.to(tl.uint64) << 32) | at.to(tl.uint64)
    tl.store(key_ptr + at, (tl.sort(both, descending=True) & 0xFFFFFFFF).to(tl.int32))


@RUNS
def test_indices_sorted_by_packed_keys(run):
    x, keys = random(32), np.zeros(32, np.int32)
    launch(run, packed_sort, (1,), x, keys, B=32)
    np.testing.assert_array_equal(keys, np.argsort(-x))


@triton.jit
def swiglu(gate_ptr, up_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    gate = tl.load(gate_ptr + at, mask=at < n, other=0).to(tl.float32)
    up = tl.load(up_ptr + at, mask=at < n, other=0)
    tl.store(o_ptr + at, (gate * tl.sigmoid(gate)).to(up.dtype) * up, mask=at < n)


@RUNS
def test_gated_activation_in_half(run):
    gate, up = random(50, dtype=np.float16), random(50, seed=1, dtype=np.float16)
    o = np.zeros(50, np.float16)
    launch(run, swiglu, (4,), gate, up, o, 50, B=16)
    wide = gate.astype(np.float32)
    close(o.astype(np.float32), wide / (1 + np.exp(-wide)) * up, 1e-2)


@triton.jit
def embedding(index_ptr, table_ptr, o_ptr, D: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, D)
    tl.store(o_ptr + row * D + at, tl.load(table_ptr + tl.load(index_ptr + row) * D + at))


@triton.jit
def embedding_backward(index_ptr, grad_ptr, table_ptr, D: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, D)
    tl.atomic_add(table_ptr + tl.load(index_ptr + row) * D + at, tl.load(grad_ptr + row * D + at))


@RUNS
def test_embedding_and_its_gradient(run):
    index, table = np.array([2, 0, 2, 5], np.int64), random(6, 8)
    o, grad = np.zeros((4, 8), np.float32), np.zeros_like(table)
    launch(run, embedding, (4,), index, table, o, D=8)
    np.testing.assert_array_equal(o, table[index])
    launch(run, embedding_backward, (4,), index, o, grad, D=8)
    expected = np.zeros_like(table)
    np.add.at(expected, index, o)
    close(grad, expected)


@triton.jit
def locked_sum(x_ptr, total_ptr, lock_ptr, B: tl.constexpr):
    part = tl.sum(tl.load(x_ptr + tl.program_id(0) * B + tl.arange(0, B)), 0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(total_ptr, tl.load(total_ptr) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@RUNS
def test_a_sum_under_a_lock(run):
    x, total, lock = random(64), np.zeros(1, np.float32), np.zeros(1, np.int32)
    launch(run, locked_sum, (8,), x, total, lock, B=8)
    close(total, [x.sum()])
    assert lock[0] == 0


@triton.jit
def last_one_adds(x_ptr, part_ptr, count_ptr, o_ptr, P: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(part_ptr + pid, tl.sum(tl.load(x_ptr + pid * B + tl.arange(0, B)), 0))
    if tl.atomic_add(count_ptr, 1, sem="acq_rel") == P - 1:
        tl.store(o_ptr, tl.sum(tl.load(part_ptr + tl.arange(0, P)), 0))


@RUNS
def test_the_last_program_adds_up(run):
    x, part, count, o = random(64), np.zeros(8, np.float32), np.zeros(1, np.int32), np.zeros(1, np.float32)
    launch(run, last_one_adds, (8,), x, part, count, o, P=8, B=8)
    close(o, [x.sum()])


@triton.jit
def histogram(x_ptr, o_ptr, n, BINS: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    counts = tl.histogram(tl.load(x_ptr + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.atomic_add(o_ptr + tl.arange(0, BINS), counts)


@RUNS
def test_counts_of_values(run):
    x, o = np.random.default_rng(0).integers(0, 8, 50).astype(np.int32), np.zeros(8, np.int32)
    launch(run, histogram, (4,), x, o, 50, BINS=8, B=16)
    np.testing.assert_array_equal(o, np.bincount(x, minlength=8))


@triton.jit
def pair_op(pair, op: tl.constexpr):
    a, b = pair
    return op(a, b), (a, b)


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def tuples(pointers, n, ops: tl.constexpr, B: tl.constexpr):
    x_ptr, (y_ptr, o_ptr) = pointers
    at = tl.arange(0, B)
    x, y = tl.load(x_ptr + at, mask=at < n, other=0), tl.load(y_ptr + at, mask=at < n, other=0)
    for i in tl.static_range(len(ops)):
        x, (_, y) = pair_op((x, y), ops[i])
    tl.store(o_ptr + at, x, mask=at < n)


@RUNS
def test_tuples_of_pointers_and_functions(run):
    x, y, o = random(13), random(13, seed=1), np.zeros(13, np.float32)
    launch(run, tuples, (1,), (x, (y, o)), 13, ops=(larger, leaky_sum), B=16)
    close(o, np.maximum(x, y) + 0.5 * y)


@triton.jit
def leaky_sum(a, b):
    return a + 0.5 * b
