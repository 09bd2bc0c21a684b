"""Quantised numbers: int4 in several packings, nf4, fp8 with block scales, mxfp4, two and three bits."""

import ml_dtypes
import numpy as np
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl

E4M3 = ml_dtypes.float8_e4m3fn
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)
AWQ = np.array([0, 2, 4, 6, 1, 3, 5, 7])


@triton.jit
def awq(
    packed_ptr,
    zero_ptr,
    scale_ptr,
    o_ptr,
    rows,
    columns,
    GROUP: tl.constexpr,
    BR: tl.constexpr,
    BC: tl.constexpr,
):
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    c = tl.program_id(1) * BC + tl.arange(0, BC)
    live = (r < rows)[:, None] & (c < columns)[None, :]
    word = tl.load(packed_ptr + columns * r[:, None] + c[None, :], live, 0)
    word = tl.interleave(word, word)
    word = tl.interleave(word, word)
    word = tl.interleave(word, word)
    order = ((tl.arange(0, 2) * 4)[None, :] + tl.arange(0, 4)[:, None]).reshape(8)
    shifts = tl.broadcast_to((order * 4)[None, :], (BR * BC, 8)).reshape(BR, BC * 8)
    wide = tl.program_id(1) * BC * 8 + tl.arange(0, BC * 8)
    zeros = tl.load(zero_ptr + (r // GROUP)[:, None] * columns + c[None, :], live, 0)
    zeros = tl.interleave(zeros, zeros)
    zeros = tl.interleave(zeros, zeros)
    zeros = tl.interleave(zeros, zeros)
    live_wide = (r < rows)[:, None] & (wide < columns * 8)[None, :]
    scale = tl.load(scale_ptr + (r // GROUP)[:, None] * columns * 8 + wide[None, :], live_wide, 0.0)
    value = ((word >> shifts) & 0xF) - ((zeros >> shifts) & 0xF)
    tl.store(o_ptr + r[:, None] * columns * 8 + wide[None, :], (value * scale).to(scale.dtype), live_wide)


@RUNS
def test_awq_packing(run):
    weight, zero = integers(16, 10, 24), integers(16, 2, 24, seed=1)
    scale, o = random(2, 24, dtype=np.float16), zeros(10, 24, dtype=np.float16)

    def packed(x):
        nibbles = x.reshape(len(x), -1, 8)
        words = sum(nibbles[..., AWQ[i]].astype(np.uint64) << (4 * i) for i in range(8))
        return words.astype(np.uint32).view(np.int32)

    # Nibble i of a word holds column AWQ[i].
    launch(run, awq, (2, 2), packed(weight), packed(zero), scale, o, 10, 3, GROUP=5, BR=8, BC=2)
    group = np.arange(10) // 5
    close(o, (weight - zero[group]) * scale[group].astype(np.float32), 2e-3)


@triton.jit
def gptq(x_ptr, q_ptr, scale_ptr, zero_ptr, g_ptr, o_ptr, M, N, K, B: tl.constexpr, BK: tl.constexpr):
    rm, rn = tl.arange(0, B), tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=rm[:, None] < M, other=0.0)
        group = tl.load(g_ptr + rk)
        word = tl.load(q_ptr + (rk // 8)[:, None] * N + rn[None, :])
        zero = tl.load(zero_ptr + group[:, None] * (N // 8) + (rn // 8)[None, :])
        scale = tl.load(scale_ptr + group[:, None] * N + rn[None, :])
        value = (word >> ((rk % 8) * 4)[:, None]) & 0xF
        zero = ((zero >> ((rn % 8) * 4)[None, :]) & 0xF) + 1
        acc += tl.dot(x, ((value - zero) * scale).to(x.dtype))
    tl.store(o_ptr + rm[:, None] * N + rn[None, :], acc, mask=rm[:, None] < M)


@RUNS
def test_gptq_products_with_shuffled_groups(run):
    weight, zero = integers(16, 64, 32), integers(15, 4, 32, seed=1)
    group = np.random.default_rng(5).permutation(np.arange(64) // 16).astype(np.int32)
    scale, x, o = random(4, 32, dtype=np.float16), random(5, 64, seed=2, dtype=np.float16), zeros(5, 32)
    q = sum(weight[i::8].astype(np.uint64) << (4 * i) for i in range(8)).astype(np.uint32).view(np.int32)
    z = sum(zero[:, i::8].astype(np.uint64) << (4 * i) for i in range(8)).astype(np.uint32).view(np.int32)
    launch(run, gptq, (2,), x, q, scale, z, group, o, 5, 32, 64, B=16, BK=32)
    dense = ((weight - zero[group] - 1) * scale[group]).astype(np.float16).astype(np.float32)
    close(o, x.astype(np.float32) @ dense, 2e-2)


@triton.jit
def nf4(packed_ptr, absmax_ptr, code_ptr, o_ptr, n, BLOCK: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    byte = tl.load(packed_ptr + at, mask=at < n, other=0)
    table = tl.load(code_ptr + tl.arange(0, 16))
    high, low = (byte >> 4).to(tl.int32), (byte & 0xF).to(tl.int32)
    scale = tl.load(absmax_ptr + at * 2 // BLOCK, mask=at < n, other=0.0)
    pair = tl.join(tl.gather(table, high, 0) * scale, tl.gather(table, low, 0) * scale)
    wide = tl.program_id(0) * 2 * B + tl.arange(0, 2 * B)
    tl.store(o_ptr + wide, pair.reshape(2 * B), mask=wide < 2 * n)


@RUNS
def test_nf4_by_a_table(run):
    code = np.sort(random(16)).astype(np.float32)
    packed, absmax, o = integers(256, 45, dtype=np.uint8), np.abs(random(6, seed=1)), zeros(90)
    launch(run, nf4, (3,), packed, absmax, code, o, 45, BLOCK=16, B=16)
    nibbles = np.stack([packed >> 4, packed & 15], 1).ravel()
    same(o, code[nibbles] * np.repeat(absmax, 16)[:90])


@triton.jit
def choose_nf4(x):
    code = tl.where(x > 0.03979014977812767, 1, 0)
    limits: tl.constexpr = (
        -0.8480964,
        -0.6106329,
        -0.4599952,
        -0.3398786,
        -0.2346074,
        -0.1377303,
        -0.0455025,
    )
    index = tl.full(x.shape, 0, tl.int32)
    for i in tl.static_range(len(limits)):
        index += (x > limits[i]).to(tl.int32)
    return index + code


@triton.jit
def quantise_nf4(x_ptr, o_ptr, absmax_ptr, n, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    at = tl.program_id(0) * BLOCK * BLOCKS + tl.arange(0, BLOCK * BLOCKS)
    x = tl.reshape(tl.load(x_ptr + at, mask=at < n, other=0.0), (BLOCKS, BLOCK))
    absmax = tl.max(tl.abs(x), axis=1)
    index = choose_nf4(x / tl.maximum(absmax, 1e-12)[:, None])
    first, second = index.reshape((BLOCKS, BLOCK // 2, 2)).split()
    packed = first << 4 | second & 0xF
    where = tl.program_id(0) * BLOCK * BLOCKS // 2 + tl.arange(0, BLOCK * BLOCKS // 2)
    tl.store(
        o_ptr + where, tl.reshape(packed, (BLOCK * BLOCKS // 2,)).to(tl.uint8), mask=where < tl.cdiv(n, 2)
    )
    blocks = tl.program_id(0) * BLOCKS + tl.arange(0, BLOCKS)
    tl.store(absmax_ptr + blocks, absmax, mask=blocks < tl.cdiv(n, BLOCK))


@RUNS
def test_blocks_quantised_to_pairs_of_nibbles(run):
    x, o, absmax = random(61), zeros(31, dtype=np.uint8), zeros(8)
    launch(run, quantise_nf4, (2,), x, o, absmax, 61, BLOCK=8, BLOCKS=4)
    whole = np.concatenate([x, np.zeros(3, np.float32)]).reshape(8, 8)
    same(absmax, np.abs(whole).max(1))
    limits = np.float32(
        [
            -0.8480964,
            -0.6106329,
            -0.4599952,
            -0.3398786,
            -0.2346074,
            -0.1377303,
            -0.0455025,
            0.03979014977812767,
        ]
    )
    index = ((whole / absmax[:, None]).ravel()[:, None] > limits).sum(1)
    same(o, (index[::2] << 4 | index[1::2])[:31])


@triton.jit
def fp8_blocks(a_ptr, b_ptr, sa_ptr, sb_ptr, c_ptr, M, N, K, GROUP: tl.constexpr, B: tl.constexpr):
    rm = (tl.program_id(0) * B + tl.arange(0, B)) % M
    rn = (tl.program_id(1) * B + tl.arange(0, B)) % N
    rk = tl.arange(0, GROUP)
    sa_at = sa_ptr + rm * tl.cdiv(K, GROUP)
    sb_at = sb_ptr + rn // GROUP * tl.cdiv(K, GROUP)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, GROUP)):
        live = rk < K - k * GROUP
        a = tl.load(a_ptr + rm[:, None] * K + (k * GROUP + rk)[None, :], mask=live[None, :], other=0.0)
        b = tl.load(b_ptr + rn[None, :] * K + (k * GROUP + rk)[:, None], mask=live[:, None], other=0.0)
        acc += tl.dot(a, b) * tl.load(sa_at + k)[:, None] * tl.load(sb_at + k)[None, :]
    cm, cn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    tl.store(
        c_ptr + cm[:, None] * N + cn[None, :], acc.to(tl.bfloat16), mask=(cm < M)[:, None] & (cn < N)[None, :]
    )


@RUNS
def test_fp8_products_with_scales_of_blocks(run):
    a, b = random(20, 72).astype(E4M3), random(50, 72, seed=1).astype(E4M3)
    sa, sb = np.abs(random(20, 3, seed=2)), np.abs(random(2, 3, seed=3))
    c = np.zeros((20, 50), ml_dtypes.bfloat16)
    launch(run, fp8_blocks, (2, 4), a, b, sa, sb, c, 20, 50, 72, GROUP=32, B=16)
    wide_a = a.astype(np.float32) * np.repeat(sa, 32, 1)[:, :72]
    wide_b = b.astype(np.float32) * np.repeat(np.repeat(sb, 32, 0), 32, 1)[:50, :72]
    close(c, wide_a @ wide_b.T, 3e-2)


@triton.jit
def to_fp8_groups(x_ptr, q_ptr, s_ptr, groups, n, eps, limit, B: tl.constexpr, POWER: tl.constexpr):
    row, group = tl.program_id(0).to(tl.int64), tl.program_id(1)
    at = group * n + tl.arange(0, B)
    live = tl.arange(0, B) < n
    x = tl.load(x_ptr + row * n * groups + at, mask=live, other=0.0).to(tl.float32)
    raw = tl.maximum(tl.max(tl.abs(x)), eps) / limit
    scale = tl.math.exp2(tl.ceil(tl.math.log2(raw))) if POWER else raw
    q = tl.clamp(x / scale, -limit, limit).to(q_ptr.dtype.element_ty)
    tl.store(q_ptr + row * n * groups + at, q, mask=live)
    tl.store(s_ptr + row * groups + group, scale)


@RUNS
def test_rows_quantised_to_fp8_by_group(run):
    x = (random(3, 2, 13) * 5).astype(ml_dtypes.bfloat16)
    for power in (False, True):
        q, s = np.zeros((3, 2, 13), E4M3), zeros(3, 2)
        launch(run, to_fp8_groups, (3, 2), x, q, s, 2, 13, 1e-10, 448.0, B=16, POWER=power)
        wide = x.astype(np.float32)
        scale = np.abs(wide).max(2) / 448
        close(s, 2 ** np.ceil(np.log2(scale)) if power else scale)
        close(q.astype(np.float32) * s[..., None], wide, 7e-2)


@triton.jit
def mxfp4_unpack(packed_ptr, scale_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    byte = tl.load(packed_ptr + at, mask=at < n, other=0).to(tl.uint16)
    # e2m1 to bf16 by bits: the sign to the top, exponent and mantissa beside one another, then a product.
    low = ((byte & 0x8) << 12) | ((byte & 0x7) << 6)
    high = ((byte & 0x80) << 8) | ((byte & 0x70) << 2)
    pair = tl.join(low, high).to(tl.bfloat16, bitcast=True)
    exponent = tl.load(scale_ptr + at // 16, mask=at < n, other=0).to(tl.uint16) << 7
    scale = exponent.to(tl.bfloat16, bitcast=True).to(tl.float32)
    value = pair.to(tl.float32) * 8.507059173023462e37 * scale[:, None]
    where = 2 * at[:, None] + tl.arange(0, 2)[None, :]
    tl.store(o_ptr + where, value, mask=(at < n)[:, None])


@RUNS
def test_mxfp4_by_bits(run):
    packed, scale, o = integers(256, 48, dtype=np.uint8), np.array([120, 127, 131], np.uint8), zeros(96)
    launch(run, mxfp4_unpack, (2,), packed, scale, o, 48, B=32)
    nibbles = np.stack([packed & 15, packed >> 4], 1).ravel()
    same(o, E2M1[nibbles] * np.repeat(2.0 ** (scale.astype(int) - 127), 32))


@triton.jit
def scaled_dot(a_ptr, sa_ptr, b_ptr, sb_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, half, k, block = (
        tl.arange(0, M),
        tl.arange(0, N),
        tl.arange(0, K // 2),
        tl.arange(0, K),
        tl.arange(0, K // 32),
    )
    a = tl.load(a_ptr + m[:, None] * (K // 2) + half[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n[None, :])
    sa = tl.load(sa_ptr + m[:, None] * (K // 32) + block[None, :])
    sb = tl.load(sb_ptr + n[:, None] * (K // 32) + block[None, :])
    acc = tl.dot_scaled(a, sa, "e2m1", b, sb, "e4m3", tl.zeros((M, N), tl.float32))
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc)


@RUNS
def test_scaled_products_of_two_formats(run):
    a, b = integers(256, 16, 32, dtype=np.uint8), random(64, 16, seed=1).astype(E4M3)
    sa, sb, c = (
        integers(130, 16, 2, low=124, dtype=np.uint8),
        integers(130, 16, 2, low=124, seed=1, dtype=np.uint8),
        zeros(16, 16),
    )
    launch(run, scaled_dot, (1,), a, sa, b, sb, c, M=16, N=16, K=64)
    wide_a = E2M1[np.stack([a & 15, a >> 4], 2).reshape(16, 64)] * np.repeat(
        2.0 ** (sa.astype(int) - 127), 32, 1
    )
    wide_b = b.astype(np.float32) * np.repeat(2.0 ** (sb.astype(int) - 127), 32, 1).T
    close(c, wide_a @ wide_b, 1e-3)


@triton.jit
def ternary(packed_ptr, x_ptr, scale, o_ptr, K, N: tl.constexpr, B: tl.constexpr):
    row, n = tl.program_id(0), tl.arange(0, N)
    acc = tl.zeros((N,), tl.int32)
    for k in range(0, K // 4, B):
        at = k + tl.arange(0, B)
        live = at < K // 4
        byte = tl.load(packed_ptr + n[None, :] * (K // 4) + at[:, None], mask=live[:, None], other=0x55)
        for i in tl.static_range(4):
            weight = ((byte >> (2 * i)) & 3).to(tl.int8) - 1
            x = tl.load(x_ptr + row * K + i * (K // 4) + at, mask=live, other=0)
            acc += tl.sum(x[:, None].to(tl.int32) * weight, axis=0)
    tl.store(o_ptr + row * N + n, acc.to(tl.float32) / scale)


@RUNS
def test_ternary_weights_in_two_bits(run):
    weight, x, o = integers(2, 16, 44, low=-1), integers(128, 3, 44, low=-127, dtype=np.int8), zeros(3, 16)
    packed = sum((weight.reshape(16, 4, 11)[:, i] + 1) << (2 * i) for i in range(4)).astype(np.uint8)
    launch(run, ternary, (3,), packed, x, 3.5, o, 44, N=16, B=8)
    close(o, x.astype(np.int32) @ weight.T / 3.5)


@triton.jit
def three_bits(packed_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    bit = at * 3
    low = tl.load(packed_ptr + bit // 32, mask=at < n, other=0)
    crosses = (bit % 32 > 29) & (at < n)
    high = tl.load(packed_ptr + bit // 32 + 1, mask=crosses, other=0)
    shift = (bit % 32).to(tl.uint32)
    value = (low >> shift) | tl.where(crosses, high << (32 - shift) % 32, 0)
    tl.store(o_ptr + at, (value & 7).to(tl.uint8), mask=at < n)


@RUNS
def test_three_bits_across_words(run):
    x, o = integers(8, 43), zeros(43, dtype=np.uint8)
    bits = np.unpackbits(x.astype(np.uint8)[:, None], axis=1, bitorder="little")[:, :3].ravel()
    padded = np.concatenate([bits, np.zeros(-len(bits) % 32, np.uint8)])
    launch(run, three_bits, (1,), np.packbits(padded, bitorder="little").view(np.uint32), o, 43, B=64)
    same(o, x)
