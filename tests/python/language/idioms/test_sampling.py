"""Random numbers and choices: philox, noise, dropout in masks, gumbel, drafts of tokens, top-p, hashes."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, softmax, uniform, zeros

import trisect as triton
import trisect.language as tl


def philox(key, counter, rounds=10):
    """Philox 4x32 on NumPy: four words for each counter."""
    c = [np.asarray(counter, np.uint64) & 0xFFFFFFFF, *[np.zeros(np.shape(counter), np.uint64)] * 3]
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k0, b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k1, a & 0xFFFFFFFF]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return [x.astype(np.uint32) for x in c]


@triton.jit
def four_words(o_ptr, n, seed, B: tl.constexpr):
    at = tl.program_id(0) * B * 4 + tl.arange(0, B)
    counter = tl.program_id(0) * B + tl.arange(0, B)
    a, b, c, d = tl.randint4x(seed, counter)
    tl.store(o_ptr + at, a, mask=at < n)
    tl.store(o_ptr + at + B, b, mask=at + B < n)
    tl.store(o_ptr + at + 2 * B, c, mask=at + 2 * B < n)
    tl.store(o_ptr + at + 3 * B, d, mask=at + 3 * B < n)


@RUNS
def test_four_words_from_each_counter(run):
    o, seed = zeros(55, dtype=np.uint32), 0x1234567890ABC
    launch(run, four_words, (2,), o, 55, seed, B=8)
    words = philox(seed, np.arange(16))
    same(o, np.concatenate([np.concatenate([w[p * 8 : p * 8 + 8] for w in words]) for p in range(2)])[:55])


@triton.jit
def raw_philox(o_ptr, seed, offset, n, B: tl.constexpr):
    at = tl.arange(0, B)
    seed = seed.to(tl.uint64)
    offset = offset.to(tl.uint64)
    c0 = (offset & 0xFFFFFFFF).to(tl.uint32) + at.to(tl.uint32)
    c1 = ((offset >> 32) & 0xFFFFFFFF).to(tl.uint32)
    zero = c0 * 0
    r, _, _, _ = tl.philox(seed, c0, c1 + zero, zero, zero, 7)
    u = tl.uint_to_uniform_float(r)
    tl.store(o_ptr + at, tl.where(u < 0.5, -1.0, 1.0) * u, mask=at < n)


@RUNS
def test_philox_by_hand(run):
    o = zeros(13)
    launch(run, raw_philox, (1,), o, 77, 5, 13, B=16)
    word = philox(77, np.arange(16) + 5, 7)[0][:13].astype(np.int64)
    signed = np.where(word >= 2**31, word - 2**32, word)
    u = np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10
    close(o, np.where(u < 0.5, -u, u), 1e-6)


@triton.jit
def masked_dropout(x_ptr, o_ptr, bits_ptr, n, p, seed, B: tl.constexpr):
    block = tl.program_id(0) * B
    at = block + tl.arange(0, B)
    keep = (tl.rand(seed, at) > p) & (at < n)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(o_ptr + at, tl.where(keep, x / (1 - p), 0.0), mask=at < n)
    words = keep.reshape(B // 32, 32).to(tl.uint32) << tl.arange(0, 32).to(tl.uint32)[None, :]
    word_at = block // 32 + tl.arange(0, B // 32)
    tl.store(bits_ptr + word_at, tl.reduce(words, 1, bit_or), mask=word_at * 32 < n)


@triton.jit
def bit_or(a, b):
    return a | b


@triton.jit
def dropout_backward(dy_ptr, bits_ptr, dx_ptr, n, p, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    word = tl.load(bits_ptr + at // 32, mask=at < n, other=0)
    keep = (word >> (at % 32).to(tl.uint32)) & 1
    tl.store(dx_ptr + at, tl.load(dy_ptr + at, mask=at < n) * keep / (1 - p), mask=at < n)


@RUNS
def test_dropout_keeps_its_mask_in_bits(run):
    x, dy, o, dx, bits = (
        random(150) + 5,
        random(150, seed=1),
        zeros(150),
        zeros(150),
        zeros(5, dtype=np.uint32),
    )
    launch(run, masked_dropout, (3,), x, o, bits, 150, 0.4, 9, B=64)
    launch(run, dropout_backward, (5,), dy, bits, dx, 150, 0.4, B=32)
    keep = np.unpackbits(bits.view(np.uint8), bitorder="little")[:150]
    same(keep, o != 0)
    close(o, x * keep / 0.6)
    close(dx, dy * keep / 0.6)


@triton.jit
def noise(o_ptr, n, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o_ptr + at, tl.randn(seed, at.to(tl.uint32)), mask=at < n)


@RUNS
def test_normal_noise(run):
    o = zeros(1500)
    launch(run, noise, (6,), o, 1500, 42, B=256)
    assert abs(o.mean()) < 0.1 and abs(o.std() - 1) < 0.06 and np.abs(o).max() < 6
    assert len(np.unique(o)) > 1490


@triton.jit
def gumbel(x_ptr, out_ptr, seed_ptr, pos_ptr, temperature_ptr, n, B: tl.constexpr):
    row = tl.program_id(0)
    temperature = tl.load(temperature_ptr + row).to(tl.float32)
    best, where = -float("inf"), 0
    seed = tl.randint(tl.load(seed_ptr + row), tl.load(pos_ptr + row))
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=float("-inf"))
        if temperature != 0.0:
            u = tl.maximum(tl.rand(seed, at), 1e-7)
            x = tl.where(at < n, x / temperature - tl.log(-tl.log(u)), float("-inf"))
        value, index = tl.max(x, axis=0, return_indices=True)
        if value > best:
            best, where = value, start + index
    tl.store(out_ptr + row, where.to(tl.int64))


@RUNS
def test_tokens_by_gumbel_noise(run):
    logits = np.tile(np.log(np.array([0.5, 0.3, 0.15, 0.05], np.float32)), (300, 5))[:, :17].copy()
    logits[:, 4:] = -30
    out, seeds, places = zeros(300, dtype=np.int64), np.full(300, 7, np.int64), np.arange(300, dtype=np.int64)
    temperature = np.ones(300, np.float32)
    temperature[:20] = 0
    launch(run, gumbel, (300,), logits, out, seeds, places, temperature, 17, B=8)
    assert (out[:20] == 0).all()
    share = np.bincount(out[20:], minlength=4) / 280
    close(share, [0.5, 0.3, 0.15, 0.05], 0.11)


@triton.jit
def rejection(
    out_ptr, starts_ptr, draft_ptr, draft_p, target_p, bonus_ptr, recovered_ptr, uniform_ptr, greedy_ptr,
    most, V, NO_DRAFT: tl.constexpr,
):  # fmt: skip
    request = tl.program_id(0)
    if tl.load(greedy_ptr + request) if greedy_ptr is not None else False:
        return
    start = 0 if request == 0 else tl.load(starts_ptr + request - 1)
    count = tl.load(starts_ptr + request) - start
    rejected = False
    for place in range(count):
        if not rejected:
            token = tl.load(draft_ptr + start + place)
            q = 1 if NO_DRAFT else tl.load(draft_p + (start + place) * V + token)
            p = tl.load(target_p + (start + place) * V + token)
            u = tl.load(uniform_ptr + start + place)
            if q > 0 and p / q >= u:
                chosen = token
            else:
                rejected = True
                chosen = tl.load(recovered_ptr + start + place)
            tl.store(out_ptr + request * (most + 1) + place, chosen)
    if not rejected:
        tl.store(out_ptr + request * (most + 1) + count, tl.load(bonus_ptr + request))


@RUNS
def test_speculative_tokens_accepted_or_replaced(run):
    starts, draft = np.array([3, 3, 5, 9], np.int32), integers(7, 9)
    p, q, u = softmax(random(9, 7)), softmax(random(9, 7, seed=1)), uniform(9, seed=2)
    bonus, recovered = integers(7, 4, seed=3), integers(7, 9, seed=4)
    for greedy in (None, np.array([False, False, True, False])):
        out = np.full((4, 5), -1, np.int32)
        launch(
            run, rejection, (4,), out, starts, draft, q, p, bonus, recovered, u, greedy, 4, 7, NO_DRAFT=False
        )
        expected, begin = np.full((4, 5), -1), 0
        for r, end in enumerate(starts):
            if greedy is None or not greedy[r]:
                for place, i in enumerate(range(begin, end)):
                    accepted = p[i, draft[i]] / q[i, draft[i]] >= u[i]
                    expected[r, place] = draft[i] if accepted else recovered[i]
                    if not accepted:
                        break
                else:
                    expected[r, end - begin] = bonus[r]
            begin = end
        same(out, expected)


@triton.jit
def recovered_tokens(p_ptr, q_ptr, draft_ptr, noise_ptr, out_ptr, V, HAS_Q: tl.constexpr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    p = tl.load(p_ptr + row * V + at, mask=at < V, other=0.0)
    if HAS_Q:
        rest = tl.maximum(p - tl.load(q_ptr + row * V + at, mask=at < V, other=0.0), 0.0)
    else:
        rest = tl.where(at == tl.load(draft_ptr + row), 0.0, p)
    score = rest / tl.load(noise_ptr + row * V + at, mask=at < V, other=float("inf"))
    tl.store(out_ptr + row, tl.argmax(score, axis=-1))


@RUNS
def test_tokens_from_what_the_draft_left(run):
    p, q = softmax(random(5, 13)), softmax(random(5, 13, seed=1))
    noise, draft = uniform(5, 13, low=0.1, seed=2), integers(13, 5)
    for known in (q, None):
        out = zeros(5, dtype=np.int32)
        launch(run, recovered_tokens, (5,), p, known, draft, noise, out, 13, HAS_Q=known is not None, B=16)
        rest = np.maximum(p - q, 0) if known is not None else np.where(np.arange(13) == draft[:, None], 0, p)
        same(out, (rest / noise).argmax(1))


@triton.jit
def nucleus(x_ptr, o_ptr, p, k, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=-float("inf"))
    ordered = tl.sort(x, descending=True)
    weight = tl.softmax(ordered)
    before = tl.cumsum(weight, 0) - weight
    kept = (before <= p) & (at < k)
    limit = tl.min(tl.where(kept, ordered, float("inf")), 0)
    tl.store(o_ptr + row * n + at, tl.where(x >= limit, x, -float("inf")), mask=at < n)


@RUNS
def test_the_nucleus_of_a_distribution(run):
    x, o = random(6, 13) * 2, zeros(6, 13)
    launch(run, nucleus, (6,), x, o, 0.8, 5, 13, B=16)
    for row in range(6):
        order = np.argsort(-x[row])
        weight = softmax(x[row][order])
        keep = order[(weight.cumsum() - weight <= 0.8) & (np.arange(13) < 5)]
        expected = np.full(13, -np.inf)
        expected[keep] = x[row, keep]
        same(o[row], expected.astype(np.float32))


@triton.jit
def stochastic(x_ptr, o_ptr, n, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    bits = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.uint32, bitcast=True)
    noise = tl.randint(seed, at).to(tl.uint32, bitcast=True) & 0xFFFF
    rounded = (bits + noise) >> 16
    tl.store(o_ptr + at, rounded.to(tl.uint16).to(tl.bfloat16, bitcast=True).to(tl.float32), mask=at < n)


@RUNS
def test_rounding_by_chance(run):
    x, o = np.full(1200, 1 + 2**-9, np.float32), zeros(1200)
    launch(run, stochastic, (5,), x, o, 1200, 3, B=256)
    assert set(np.unique(o)) == {np.float32(1), np.float32(1 + 2**-7)}
    assert 0.2 < (o > 1).mean() < 0.3


@triton.jit
def murmur(key):
    key ^= key >> 16
    key *= 0x85EBCA6B
    key ^= key >> 13
    key *= 0xC2B2AE35
    key ^= key >> 16
    return key


@triton.jit
def hashes(x_ptr, o_ptr, n, ROUNDS: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    key = tl.load(x_ptr + at, mask=at < n, other=0).to(tl.uint32)
    state = key
    for i in range(ROUNDS):
        state = murmur(state + i)
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
    tl.store(o_ptr + at, state, mask=at < n)


@RUNS
def test_hashes_in_words_that_wrap(run):
    x, o = integers(2**31 - 1, 37), zeros(37, dtype=np.uint32)
    launch(run, hashes, (3,), x, o, 37, ROUNDS=3, B=16)
    state = x.astype(np.uint32)
    for i in range(3):
        state = state + np.uint32(i)
        state ^= state >> 16
        state *= np.uint32(0x85EBCA6B)
        state ^= state >> 13
        state *= np.uint32(0xC2B2AE35)
        state ^= state >> 16
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
    same(o, state)


@triton.jit
def multinomial(p_ptr, u_ptr, o_ptr, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    p = tl.load(p_ptr + row * n + at, mask=at < n, other=0.0).to(tl.float64)
    c = tl.cumsum(p, 0)
    target = tl.load(u_ptr + row) * tl.sum(p, 0)
    found = tl.sum((c <= target).to(tl.int32), 0)
    tl.store(o_ptr + row, tl.minimum(found, n - 1))


@RUNS
def test_choices_by_running_sums(run):
    p, u, o = softmax(random(9, 13)), uniform(9, seed=1), zeros(9, dtype=np.int64)
    launch(run, multinomial, (9,), p, u, o, 13, B=16)
    c = p.astype(np.float64).cumsum(1)
    same(o, (c <= (u * c[:, -1])[:, None]).sum(1))
