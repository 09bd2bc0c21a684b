"""Mixtures of experts: gates, aligned blocks of tokens, grouped products, sums of what experts gave."""

import ml_dtypes
import numpy as np
from running import RUNS, close, integers, launch, random, same, sigmoid, softmax, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def gate(logits_ptr, weight_ptr, index_ptr, n, E: tl.constexpr, K: tl.constexpr, B: tl.constexpr):
    rows, e = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, E)
    x = tl.load(logits_ptr + rows[:, None] * E + e[None, :], mask=rows[:, None] < n, other=0.0)
    p = tl.softmax(x, dim=1, keep_dims=True)
    total = tl.zeros([B], tl.float32)
    for k in tl.static_range(K):
        best, where = tl.max(p, axis=1, return_indices=True, return_indices_tie_break_left=True)
        tl.store(weight_ptr + rows * K + k, best, mask=rows < n)
        tl.store(index_ptr + rows * K + k, where.to(tl.int64), mask=rows < n)
        total += best
        p = tl.where(e[None, :] == where[:, None], -1.0, p)
    for k in tl.static_range(K):
        w = tl.load(weight_ptr + rows * K + k, mask=rows < n)
        tl.store(weight_ptr + rows * K + k, w / total, mask=rows < n)


@RUNS
def test_gates_of_the_best_experts(run):
    x, weight, index = random(11, 8), zeros(11, 3), zeros(11, 3, dtype=np.int64)
    launch(run, gate, (3,), x, weight, index, 11, E=8, K=3, B=4)
    order = np.argsort(-x, 1)[:, :3]
    same(index, order)
    p = np.take_along_axis(softmax(x), order, 1)
    close(weight, p / p.sum(1, keepdims=True))


@triton.jit
def grouped_gate(
    x_ptr, bias_ptr, o_ptr, scale, E: tl.constexpr, GROUPS: tl.constexpr, KEEP: tl.constexpr, K: tl.constexpr
):
    row, e = tl.program_id(0), tl.arange(0, E)
    score = tl.sigmoid(tl.load(x_ptr + row * E + e))
    choice = score + tl.load(bias_ptr + e)
    by_group = tl.reshape(choice, (GROUPS, E // GROUPS))
    # A group's worth is the sum of its two best.
    two = tl.sum(tl.topk(by_group, 2), axis=1)
    rank = tl.sum((two[None, :] > two[:, None]).to(tl.int32), axis=1)
    alive = tl.broadcast_to((rank < KEEP)[:, None], (GROUPS, E // GROUPS)).reshape(E)
    choice = tl.where(alive, choice, float("-inf"))
    taken = tl.zeros([E], tl.int1)
    for _ in tl.static_range(K):
        taken = taken | (e == tl.argmax(choice, 0))
        choice = tl.where(taken, float("-inf"), choice)
    weight = tl.where(taken, score, 0.0)
    tl.store(o_ptr + row * E + e, weight / tl.sum(weight) * scale)


@RUNS
def test_gates_of_groups_of_experts(run):
    x, bias, o = random(5, 16), random(16, seed=1) * 0.1, zeros(5, 16)
    launch(run, grouped_gate, (5,), x, bias, o, 2.5, E=16, GROUPS=4, KEEP=2, K=3)
    score = sigmoid(x)
    expected = np.zeros_like(o)
    for row in range(5):
        choice = (score[row] + bias).reshape(4, 4)
        keep = np.argsort(-np.sort(choice, 1)[:, -2:].sum(1))[:2]
        masked = np.full((4, 4), -np.inf)
        masked[keep] = choice[keep]
        best = np.argsort(-masked.ravel())[:3]
        expected[row, best] = score[row, best] / score[row, best].sum() * 2.5
    close(o, expected)


@triton.jit
def count_stage(ids_ptr, counts_ptr, per_program, n, E: tl.constexpr):
    pid = tl.program_id(0)
    row = (pid + 1) * E
    for i in range(per_program):
        if pid * per_program + i < n:
            expert = tl.load(ids_ptr + pid * per_program + i)
            count = tl.load(counts_ptr + row + expert)
            tl.store(counts_ptr + row + expert, count + 1)


@triton.jit
def running_stage(counts_ptr, E: tl.constexpr, P: tl.constexpr):
    expert, last = tl.program_id(0), 0
    for i in range(1, P + 1):
        last = last + tl.load(counts_ptr + i * E + expert)
        tl.store(counts_ptr + i * E + expert, last)


@triton.jit
def offsets_stage(total_ptr, counts_ptr, starts_ptr, E: tl.constexpr, P: tl.constexpr, BLOCK: tl.constexpr):
    last = 0
    for i in range(1, E + 1):
        last = last + tl.cdiv(tl.load(counts_ptr + P * E + i - 1), BLOCK) * BLOCK
        tl.store(starts_ptr + i, last)
    tl.store(total_ptr, last)


@triton.jit
def sorted_stage(
    ids_ptr,
    sorted_ptr,
    block_expert_ptr,
    counts_ptr,
    starts_ptr,
    per_program,
    n,
    E: tl.constexpr,
    BLOCK: tl.constexpr,
):
    pid = tl.program_id(0)
    start, end = tl.load(starts_ptr + pid), tl.load(starts_ptr + pid + 1)
    for i in range(start, end, BLOCK):
        tl.store(block_expert_ptr + i // BLOCK, pid)
    first = pid * per_program
    for i in range(first, tl.minimum(first + per_program, n)):
        expert = tl.load(ids_ptr + i)
        count = tl.load(counts_ptr + pid * E + expert)
        tl.store(sorted_ptr + count + tl.load(starts_ptr + expert), i)
        tl.store(counts_ptr + pid * E + expert, count + 1)


@RUNS
def test_tokens_aligned_to_blocks_by_expert(run):
    E, BLOCK, n = 4, 8, 29
    ids = integers(4, n)
    counts, starts, total = (
        zeros(E + 1, E, dtype=np.int32),
        zeros(E + 1, dtype=np.int32),
        zeros(1, dtype=np.int32),
    )
    places, experts = np.full(n + E * BLOCK, n, np.int32), np.full(16, -1, np.int32)
    per = -(-n // E)
    launch(run, count_stage, (E,), ids, counts, per, n, E=E)
    launch(run, running_stage, (E,), counts, E=E, P=E)
    launch(run, offsets_stage, (1,), total, counts, starts, E=E, P=E, BLOCK=BLOCK)
    launch(run, sorted_stage, (E,), ids, places, experts, counts, starts, per, n, E=E, BLOCK=BLOCK)
    expected, blocks = [], []
    for expert in range(E):
        mine = list(np.flatnonzero(ids == expert))
        mine += [n] * (-len(mine) % BLOCK)
        blocks += [expert] * (len(mine) // BLOCK)
        expected += mine
    assert total[0] == len(expected)
    same(places[: len(expected)], expected)
    same(experts[: len(blocks)], blocks)


@triton.jit
def fused_experts(
    a_ptr, b_ptr, c_ptr, weights_ptr, places_ptr, experts_ptr, total_ptr, N, K, tokens, sbe,
    WEIGHTED: tl.constexpr, TOP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    GROUP: tl.constexpr, compute_type: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    padded = tl.load(total_ptr)
    pids_m, pids_n = tl.cdiv(padded, BM), tl.cdiv(N, BN)
    first = pid // (GROUP * pids_n) * GROUP
    if first * BM >= padded:
        return
    size = min(pids_m - first, GROUP)
    pid_m = first + ((pid % (GROUP * pids_n)) % size)
    pid_n = (pid % (GROUP * pids_n)) // size
    if pid_m * BM >= padded:
        return
    token = tl.load(places_ptr + pid_m * BM + tl.arange(0, BM).to(tl.int64))
    live = token < tokens
    rn = (pid_n * BN + tl.arange(0, BN).to(tl.int64)) % N
    rk = tl.arange(0, BK)
    a_at = a_ptr + (token[:, None] // TOP * K + rk[None, :])
    expert = tl.load(experts_ptr + pid_m).to(tl.int64)
    b_at = b_ptr + expert * sbe + (rk[:, None] + rn[None, :] * K)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_at, mask=live[:, None] & (rk[None, :] < K - k * BK), other=0.0)
        b = tl.load(b_at, mask=rk[:, None] < K - k * BK, other=0.0)
        acc += tl.dot(a, b)
        a_at += BK
        b_at += BK
    if WEIGHTED:
        acc = acc * tl.load(weights_ptr + token, mask=live, other=0)[:, None]
    cn = pid_n * BN + tl.arange(0, BN)
    tl.store(
        c_ptr + N * token[:, None] + cn[None, :], acc.to(compute_type), mask=live[:, None] & (cn[None, :] < N)
    )


@RUNS
def test_products_of_sorted_tokens(run):
    a, b = random(9, 24, dtype=ml_dtypes.bfloat16), random(3, 21, 24, seed=1, dtype=ml_dtypes.bfloat16)
    top = np.argsort(random(9, 3, seed=2), 1)[:, :2].astype(np.int32)
    weights, c = np.abs(random(9, 2, seed=3)), np.zeros((9, 2, 21), ml_dtypes.bfloat16)
    places, experts = [], []
    for expert in range(3):
        mine = list(np.flatnonzero(top.ravel() == expert))
        mine += [18] * (-len(mine) % 16)
        experts += [expert] * (len(mine) // 16)
        places += mine
    arrays = [np.array(x, np.int32) for x in (places, experts, [len(places)])]
    grid = (2 * (len(experts) + 1),)
    launch(
        run, fused_experts, grid, a, b, c, weights, *arrays, 21, 24, 18, 21 * 24, WEIGHTED=True, TOP=2, BM=16,
        BN=16, BK=16, GROUP=2, compute_type=tl.bfloat16,
    )  # fmt: skip
    wide = np.einsum("tk,tenk->ten", a.astype(np.float32), b.astype(np.float32)[top])
    close(c.astype(np.float32), wide * weights[..., None], 3e-2)


@triton.jit
def permute_tokens(x_ptr, ids_ptr, next_ptr, o_ptr, where_ptr, D: tl.constexpr):
    token, d = tl.program_id(0), tl.arange(0, D)
    expert = tl.load(ids_ptr + token)
    place = tl.atomic_add(next_ptr + expert, 1)
    tl.store(o_ptr + place * D + d, tl.load(x_ptr + token * D + d))
    tl.store(where_ptr + token, place)


@triton.jit
def combine_tokens(x_ptr, where_ptr, weight_ptr, o_ptr, TOP: tl.constexpr, D: tl.constexpr):
    token, d = tl.program_id(0), tl.arange(0, D)
    acc = tl.zeros([D], tl.float32)
    for k in range(TOP):
        place = tl.load(where_ptr + token * TOP + k)
        if place >= 0:
            w = tl.load(weight_ptr + token * TOP + k)
            acc += w * tl.load(x_ptr + place * D + d).to(tl.float32)
    tl.store(o_ptr + token * D + d, acc.to(o_ptr.dtype.element_ty))


@RUNS
def test_tokens_scattered_to_experts_and_back(run):
    x, ids = random(12, 8), integers(3, 12)
    next_place = np.cumsum(np.bincount(ids, minlength=3)).astype(np.int32) - np.bincount(
        ids, minlength=3
    ).astype(np.int32)
    moved, where = zeros(12, 8), zeros(12, dtype=np.int32)
    launch(run, permute_tokens, (12,), x, ids, next_place, moved, where, D=8)
    same(np.sort(where), np.arange(12))
    same(moved[where], x)
    same(np.sort(ids[np.argsort(where)]), ids[np.argsort(where)])
    where, weight, o = where.reshape(6, 2).copy(), np.abs(random(6, 2, seed=4)), zeros(6, 8, dtype=np.float16)
    where[2, 1] = -1
    launch(run, combine_tokens, (6,), moved, where, weight, o, TOP=2, D=8)
    parts = np.where(where[..., None] >= 0, moved[where] * weight[..., None], 0)
    close(o, parts.sum(1), 2e-3)


@triton.jit
def load_balance(p_ptr, ids_ptr, loss_ptr, count_ptr, n, E: tl.constexpr, B: tl.constexpr):
    expert = tl.program_id(0)
    chance, count = tl.zeros([B], tl.float32), tl.zeros([B], tl.int32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        chance += tl.load(p_ptr + at * E + expert, mask=at < n, other=0.0)
        count += tl.load(ids_ptr + at, mask=at < n, other=-1) == expert
    total = tl.sum(count, 0)
    tl.store(count_ptr + expert, total)
    tl.atomic_add(loss_ptr, E * (tl.sum(chance, 0) / n) * (total / n))


@RUNS
def test_loss_of_unbalanced_experts(run):
    p, loss, counts = softmax(random(21, 4)), zeros(1), zeros(4, dtype=np.int32)
    ids = p.argmax(1).astype(np.int64)
    launch(run, load_balance, (4,), p, ids, loss, counts, 21, E=4, B=8)
    same(counts, np.bincount(ids, minlength=4))
    close(loss, [4 * (p.mean(0) * counts / 21).sum()])


@triton.jit
def gradient_of_experts(x_ptr, dy_ptr, starts_ptr, dw_ptr, K: tl.constexpr, N: tl.constexpr, B: tl.constexpr):
    expert = tl.program_id(0)
    begin, end = tl.load(starts_ptr + expert), tl.load(starts_ptr + expert + 1)
    k, n = tl.arange(0, K), tl.arange(0, N)
    acc = tl.zeros((K, N), tl.float32)
    for start in range(begin, end, B):
        rows = start + tl.arange(0, B)
        x = tl.load(x_ptr + rows[None, :] * K + k[:, None], mask=rows[None, :] < end, other=0.0)
        dy = tl.load(dy_ptr + rows[:, None] * N + n[None, :], mask=rows[:, None] < end, other=0.0)
        acc = tl.dot(x, dy, acc, input_precision="ieee")
    tl.store(dw_ptr + (expert * K + k[:, None]) * N + n[None, :], acc)


@RUNS
def test_gradients_of_experts_over_ragged_rows(run):
    starts = np.array([0, 17, 17, 26], np.int32)
    x, dy, dw = random(26, 16), random(26, 16, seed=1), zeros(3, 16, 16)
    launch(run, gradient_of_experts, (3,), x, dy, starts, dw, K=16, N=16, B=16)
    close(dw, [x[a:b].T @ dy[a:b] for a, b in zip(starts[:-1], starts[1:], strict=True)], 1e-3)
