"""What a server of language models runs around attention: caches in pages, splits, tables, masks."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, softmax, zeros

import trisect as triton
import trisect.language as tl

D = 16


@triton.jit
def write_cache(
    key_ptr,
    value_ptr,
    key_cache,
    value_cache,
    slot_ptr,
    stride: tl.int64,
    PAGE: tl.constexpr,
    X: tl.constexpr,
    D: tl.constexpr,
):
    token = tl.program_id(0)
    slot = tl.load(slot_ptr + token).to(tl.int64)
    if slot < 0:
        return
    page, offset = slot // PAGE, slot % PAGE
    d = tl.arange(0, D)
    k, v = tl.load(key_ptr + token * stride + d), tl.load(value_ptr + token * stride + d)
    tl.store(key_cache + page * D * PAGE + (d // X) * PAGE * X + offset * X + d % X, k)
    tl.store(value_cache + page * D * PAGE + d * PAGE + offset, v)


@RUNS
def test_tokens_written_to_pages(run):
    k, v = random(5, D, dtype=np.float16), random(5, D, seed=1, dtype=np.float16)
    slots = np.array([9, -1, 0, 7, 4], np.int64)
    kc, vc = zeros(3, D // 8, 4, 8, dtype=np.float16), zeros(3, D, 4, dtype=np.float16)
    launch(run, write_cache, (5,), k, v, kc, vc, slots, D, PAGE=4, X=8, D=D)
    ek, ev = np.zeros_like(kc), np.zeros_like(vc)
    for token, slot in enumerate(slots):
        if slot >= 0:
            ek[slot // 4, :, slot % 4] = k[token].reshape(-1, 8)
            ev[slot // 4, :, slot % 4] = v[token]
    same(kc, ek)
    same(vc, ev)


@triton.jit
def decode_stage_1(
    Q, K, V, B_req, B_len, Mid, LseOut, scale, pages, HEADS: tl.constexpr, SPLITS: tl.constexpr,
    N: tl.constexpr, H: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    batch, split = tl.program_id(0), tl.program_id(2)
    heads, d = tl.program_id(1) * H + tl.arange(0, H), tl.arange(0, D)
    live = heads < HEADS
    length = tl.load(B_len + batch)
    per_split = tl.cdiv(tl.cdiv(length, SPLITS), N) * N
    begin = per_split * split
    end = tl.minimum(begin + per_split, length)
    if end > begin:
        q = tl.load(Q + (batch * HEADS + heads)[:, None] * D + d[None, :], mask=live[:, None], other=0.0)
        m, norm = tl.zeros([H], tl.float32) - float("inf"), tl.zeros([H], tl.float32)
        acc = tl.zeros([H, D], tl.float32)
        for start in range(begin, end, N):
            at = start + tl.arange(0, N)
            place = tl.load(B_req + batch * pages + at, mask=at < end, other=0)
            k = tl.load(K + place[None, :] * D + d[:, None], mask=at[None, :] < end, other=0.0)
            qk = tl.dot(q, k, input_precision="ieee") * scale
            qk = tl.where(live[:, None] & (at[None, :] < end), qk, float("-inf"))
            v = tl.load(V + place[:, None] * D + d[None, :], mask=at[:, None] < end, other=0.0)
            new = tl.maximum(tl.max(qk, 1), m)
            safe = tl.where(live, new, 0.0)
            alpha, p = tl.exp(tl.where(live, m - safe, 0.0)), tl.exp(qk - safe[:, None])
            acc = acc * alpha[:, None] + tl.dot(p, v, input_precision="ieee")
            norm = norm * alpha + tl.sum(p, 1)
            m = new
        at = (batch * HEADS + heads) * SPLITS + split
        tl.store(Mid + at[:, None] * D + d[None, :], acc / norm[:, None], mask=live[:, None])
        tl.store(LseOut + at, m + tl.log(norm), mask=live)


@triton.jit
def decode_stage_2(
    Mid, Lse, B_len, Out, HEADS: tl.constexpr, SPLITS: tl.constexpr, N: tl.constexpr, D: tl.constexpr
):
    batch, head = tl.program_id(0), tl.program_id(1)
    length, d = tl.load(B_len + batch), tl.arange(0, D)
    e_sum, e_max, acc = 0.0, -float("inf"), tl.zeros([D], dtype=tl.float32)
    per_split = tl.cdiv(tl.cdiv(length, SPLITS), N) * N
    for split in range(0, SPLITS):
        if per_split * split < length:
            at = (batch * HEADS + head) * SPLITS + split
            tv = tl.load(Mid + at * D + d)
            lse = tl.load(Lse + at)
            new_max = tl.maximum(lse, e_max)
            old = tl.exp(e_max - new_max)
            part = tl.exp(lse - new_max)
            acc = acc * old + part * tv
            e_sum = e_sum * old + part
            e_max = new_max
    tl.store(Out + (batch * HEADS + head) * D + d, acc / e_sum)


@RUNS
def test_decode_of_grouped_heads_in_two_stages(run):
    heads, splits, lengths = 5, 3, np.array([9, 40, 17], np.int32)
    q, k, v = random(3, heads, D), random(60, D, seed=1), random(60, D, seed=2)
    places = np.stack([np.random.default_rng(s).permutation(60)[:40] for s in range(3)]).astype(np.int32)
    mid, lse, o = zeros(3, heads, splits, D), zeros(3, heads, splits), zeros(3, heads, D)
    launch(
        run, decode_stage_1, (3, 1, splits), q, k, v, places, lengths, mid, lse, 0.25, 40, HEADS=heads,
        SPLITS=splits, N=16, H=16, D=D,
    )  # fmt: skip
    launch(run, decode_stage_2, (3, heads), mid, lse, lengths, o, HEADS=heads, SPLITS=splits, N=16, D=D)
    for b, n in enumerate(lengths):
        keys, values = k[places[b, :n]], v[places[b, :n]]
        close(o[b], softmax(q[b] @ keys.T * 0.25) @ values, 1e-3)


@triton.jit
def latent_decode(
    q_ptr,
    cache_ptr,
    o_ptr,
    n,
    stride,
    scale,
    H: tl.constexpr,
    C: tl.constexpr,
    R: tl.constexpr,
    N: tl.constexpr,
):
    h, c, r = tl.arange(0, H), tl.arange(0, C), C + tl.arange(0, R)
    q = tl.load(q_ptr + h[:, None] * (C + R) + c[None, :])
    q_rope = tl.load(q_ptr + h[:, None] * (C + R) + r[None, :])
    m, norm = tl.full((H,), -float("inf"), tl.float32), tl.full((H,), 0, tl.float32)
    acc = tl.zeros((H, C), tl.float32)
    for start in range(0, n, N):
        rows = start + tl.arange(0, N)
        live = rows < n
        kv = tl.load(cache_ptr + rows[:, None] * stride + c[None, :], mask=live[:, None], other=0)
        k_rope = tl.load(cache_ptr + rows[None, :] * stride + r[:, None], mask=live[None, :], other=0)
        s = tl.dot(q, tl.trans(kv), input_precision="ieee")
        s += tl.dot(q_rope, k_rope, input_precision="ieee")
        s = tl.where(live[None, :], s * scale, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        alpha = tl.exp(m - new)
        acc = tl.dot(p.to(kv.dtype), kv, acc=acc * alpha[:, None], input_precision="ieee")
        norm, m = norm * alpha + tl.sum(p, axis=1), new
    tl.store(o_ptr + h[:, None] * C + c[None, :], acc / norm[:, None])


@RUNS
def test_decode_over_a_latent_cache(run):
    q, cache, o = random(16, 48), random(21, 50, seed=1), zeros(16, 32)
    launch(run, latent_decode, (1,), q, cache, o, 21, 50, 0.2, H=16, C=32, R=16, N=16)
    close(o, softmax(q @ cache[:, :48].T * 0.2) @ cache[:, :32], 1e-3)


@triton.jit
def tree_mask(parent_ptr, mask_ptr, n, words, B: tl.constexpr):
    node, at = tl.program_id(0), tl.arange(0, B)
    seen = at == node
    up = tl.load(parent_ptr + node)
    while up >= 0:
        seen |= at == up
        up = tl.load(parent_ptr + up)
    bits = tl.reshape(seen.to(tl.uint32) << (at % 8).to(tl.uint32), (B // 8, 8))
    tl.store(
        mask_ptr + node * words + tl.arange(0, B // 8),
        tl.sum(bits, axis=1).to(tl.uint8),
        mask=tl.arange(0, B // 8) < words,
    )


@RUNS
def test_masks_of_a_draft_tree(run):
    parents = np.array([-1, 0, 0, 1, 3, 2, 5, 4, 7, 7, 6], np.int32)
    mask = zeros(11, 2, dtype=np.uint8)
    launch(run, tree_mask, (11,), parents, mask, 11, 2, B=16)
    expected = np.zeros((11, 16), bool)
    for node in range(11):
        up = node
        while up >= 0:
            expected[node, up] = True
            up = parents[up]
    same(mask, np.packbits(expected, axis=1, bitorder="little"))


@triton.jit
def merge_states(a_ptr, a_lse, b_ptr, b_lse, o_ptr, o_lse, D: tl.constexpr, PADDED: tl.constexpr):
    token, heads, head = tl.program_id(0), tl.num_programs(1), tl.program_id(1)
    p, s = (
        tl.load(a_lse + head * tl.num_programs(0) + token),
        tl.load(b_lse + head * tl.num_programs(0) + token),
    )
    p = float("-inf") if p == float("inf") else p
    s = float("-inf") if s == float("inf") else s
    top = tl.maximum(p, s)
    p, s = p - top, s - top
    total = tl.exp(p) + tl.exp(s)
    if o_lse is not None:
        tl.store(o_lse + head * tl.num_programs(0) + token, tl.log(total) + top)
    at = tl.arange(0, PADDED)
    where = (token * heads + head) * D + at
    a, b = tl.load(a_ptr + where, mask=at < D), tl.load(b_ptr + where, mask=at < D)
    tl.store(o_ptr + where, a * (tl.exp(p) / total) + b * (tl.exp(s) / total), mask=at < D)


@RUNS
def test_two_partial_results_joined(run):
    a, b = random(3, 2, 11), random(3, 2, 11, seed=1)
    la, lb = random(2, 3, seed=2), random(2, 3, seed=3)
    la[0, 1] = np.inf
    o, lse = zeros(3, 2, 11), zeros(2, 3)
    launch(run, merge_states, (3, 2), a, la, b, lb, o, lse, D=11, PADDED=16)
    wa = np.exp(np.where(np.isinf(la), -np.inf, la)).T[..., None]
    wb = np.exp(lb).T[..., None]
    close(o, (a * wa + b * wb) / (wa + wb))
    close(lse, np.log(wa + wb)[..., 0].T)


@triton.jit
def request_tables(
    table_ptr, ids_ptr, old_ptr, lengths_ptr, new_ptr, out_ptr, width: tl.constexpr, B: tl.constexpr
):
    request = tl.program_id(0)
    row = table_ptr + tl.load(ids_ptr + request) * width
    before, after = tl.load(old_ptr + request), tl.load(lengths_ptr + request)
    # Where this request's new pages begin among all of them: a sum over the requests before it.
    offset = tl.cast(0, tl.int64)
    for i in range(request):
        offset += tl.load(lengths_ptr + i) - tl.load(old_ptr + i)
    for i in range(tl.cdiv(after - before, B)):
        at = tl.arange(0, B) + i * B
        live = at < after - before
        tl.store(row + before + at, tl.load(out_ptr + offset + at, mask=live), mask=live)
    if request == tl.num_programs(0) - 1:
        tl.store(new_ptr, offset + after - before)


@RUNS
def test_tables_of_requests_grow(run):
    table, ids = np.full((4, 12), -1, np.int32), np.array([2, 0, 3], np.int64)
    old, new, total = np.array([1, 4, 0], np.int64), np.array([6, 5, 11], np.int64), zeros(1, dtype=np.int64)
    fresh = np.arange(100, 117, dtype=np.int32)
    launch(run, request_tables, (3,), table, ids, old, new, total, fresh, width=12, B=4)
    expected, taken = np.full_like(table, -1), 0
    for row, a, b in zip(ids, old, new, strict=True):
        expected[row, a:b] = fresh[taken : taken + b - a]
        taken += b - a
    same(table, expected)
    assert total[0] == 17


@triton.jit
def bitmask_logits(logits_ptr, mask_ptr, rows_ptr, n, words, B: tl.constexpr):
    row = tl.load(rows_ptr + tl.program_id(0))
    for start in tl.range(0, n, B):
        at = start + tl.arange(0, B)
        word_at = start // 32 + tl.arange(0, B // 32)
        packed = tl.load(mask_ptr + tl.program_id(0) * words + word_at, mask=word_at < words, other=0)
        allowed = ((packed[:, None] >> (tl.arange(0, 32)[None, :])) & 1) != 0
        banned = not tl.reshape(allowed, (B,))
        tl.store(logits_ptr + row * n + at, -float("inf"), mask=(at < n) & banned)


@RUNS
def test_a_grammar_masks_logits(run):
    allowed = integers(2, 2, 96).astype(bool)
    packed = np.packbits(allowed, axis=1, bitorder="little").view(np.int32)
    logits, rows = random(4, 83), np.array([3, 1], np.int32)
    expected = logits.copy()
    for i, row in enumerate(rows):
        expected[row, ~allowed[i, :83]] = -np.inf
    launch(run, bitmask_logits, (2,), logits, packed, rows, 83, 3, B=64)
    same(logits, expected)


@triton.jit
def penalties(
    logits_ptr, tokens_ptr, lengths_ptr, n, most, repeat, frequency, V: tl.constexpr, B: tl.constexpr
):
    row = tl.program_id(0)
    length = tl.load(lengths_ptr + row)
    counts = tl.zeros([V], tl.int32)
    for start in range(0, length, B):
        at = start + tl.arange(0, B)
        token = tl.load(tokens_ptr + row * most + at, mask=at < length, other=0)
        counts += tl.histogram(token, V, mask=at < length)
    at = tl.arange(0, V)
    x = tl.load(logits_ptr + row * n + at, mask=at < n, other=0)
    x = tl.where(counts > 0, tl.where(x > 0, x / repeat, x * repeat), x)
    tl.store(logits_ptr + row * n + at, x - frequency * counts, mask=at < n)


@RUNS
def test_penalties_of_repeated_tokens(run):
    logits, tokens, lengths = random(3, 29), integers(29, 3, 20), np.array([20, 0, 7], np.int32)
    expected = logits.copy()
    for row, n in enumerate(lengths):
        counts = np.bincount(tokens[row, :n], minlength=29)
        x = expected[row]
        x = np.where(counts > 0, np.where(x > 0, x / 1.3, x * 1.3), x)
        expected[row] = x - 0.5 * counts
    launch(run, penalties, (3,), logits, tokens, lengths, 29, 20, 1.3, 0.5, V=32, B=8)
    close(logits, expected)
