"""Bits and whole numbers: casts of bits, packed flags, magic divisors, codes, exponents, wide products."""

import ml_dtypes
import numpy as np
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice


@triton.jit
def packed_flags(x_ptr, o_ptr, n, limit, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    flag = tl.load(x_ptr + at, mask=at < n, other=-float("inf")) > limit
    shifted = flag.to(tl.uint8).reshape(B // 8, 8) << tl.arange(0, 8).to(tl.uint8)[None, :]
    byte = tl.program_id(0) * (B // 8) + tl.arange(0, B // 8)
    tl.store(o_ptr + byte, tl.sum(shifted, 1).to(tl.uint8), mask=byte * 8 < n)


@RUNS
def test_flags_packed_to_bytes(run):
    x, o = random(43), zeros(6, dtype=np.uint8)
    launch(run, packed_flags, (3,), x, o, 43, 0.1, B=16)
    same(o, np.packbits(x > np.float32(0.1), bitorder="little"))


@triton.jit
def magic_division(x_ptr, q_ptr, r_ptr, n, multiplier, shift, divisor, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    q = (tl.umulhi(x, multiplier.to(tl.uint32)) + x) >> shift
    tl.store(q_ptr + at, q, mask=at < n)
    tl.store(r_ptr + at, x - q * divisor, mask=at < n)


@RUNS
def test_division_by_a_product(run):
    x = integers(2**30, 37, dtype=np.uint32)
    for divisor in (3, 7, 641, 1000003):
        shift = (divisor - 1).bit_length()
        multiplier = (2**32 * (2**shift - divisor)) // divisor + 1
        q, r = zeros(37, dtype=np.uint32), zeros(37, dtype=np.uint32)
        launch(run, magic_division, (3,), x, q, r, 37, multiplier, shift, divisor, B=16)
        same(q, x // divisor)
        same(r, x % divisor)


@triton.jit
def spread(x):
    x = (x | (x << 8)) & 0x00FF00FF
    x = (x | (x << 4)) & 0x0F0F0F0F
    x = (x | (x << 2)) & 0x33333333
    return (x | (x << 1)) & 0x55555555


@triton.jit
def morton(o_ptr, W, H: tl.constexpr, B: tl.constexpr):
    y, x = tl.program_id(0), tl.arange(0, B)
    code = spread(x.to(tl.uint32)) | (spread(y.to(tl.uint32)) << 1)
    tl.store(o_ptr + y * W + x, code, mask=x < W)


@RUNS
def test_codes_along_a_curve(run):
    o = zeros(5, 13, dtype=np.uint32)
    launch(run, morton, (5,), o, 13, H=5, B=16)
    bits = lambda v, s: sum(((v >> i) & 1) << (2 * i + s) for i in range(8))  # noqa: E731
    y, x = np.mgrid[:5, :13]
    same(o, bits(x, 0) | bits(y, 1))


@triton.jit
def count_bits(x):
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    return (((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24


@triton.jit
def bit_facts(x_ptr, pop_ptr, pop2_ptr, clz_ptr, rev_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.store(pop_ptr + at, count_bits(x.to(tl.uint32)).to(tl.int32), mask=at < n)
    tl.store(pop2_ptr + at, libdevice.popc(x), mask=at < n)
    tl.store(clz_ptr + at, libdevice.clz(x), mask=at < n)
    tl.store(rev_ptr + at, libdevice.brev(x), mask=at < n)


@RUNS
def test_counts_of_bits(run):
    x = integers(2**31 - 1, 13, low=-(2**31))
    x[:3] = 0, -1, 1
    outs = [zeros(13, dtype=np.int32) for _ in range(4)]
    launch(run, bit_facts, (1,), x, *outs, 13, B=16)
    words = [format(int(v) & 0xFFFFFFFF, "032b") for v in x]
    same(outs[0], [w.count("1") for w in words])
    same(outs[1], outs[0])
    same(outs[2], [(w + "1").index("1") for w in words])
    same(outs[3].view(np.uint32), [int(w[::-1], 2) for w in words])


@triton.jit
def float_parts(x_ptr, m_ptr, e_ptr, back_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    bits = x.to(tl.int32, bitcast=True)
    exponent = ((bits >> 23) & 0xFF) - 126
    mantissa = ((bits & -2139095041) | (126 << 23)).to(tl.float32, bitcast=True)
    tl.store(m_ptr + at, mantissa, mask=at < n)
    tl.store(e_ptr + at, exponent, mask=at < n)
    scale = ((exponent + 127) << 23).to(tl.float32, bitcast=True)
    tl.store(back_ptr + at, mantissa * scale, mask=at < n)


@RUNS
def test_mantissas_and_exponents(run):
    x, m, e, back = random(29) * 1000, zeros(29), zeros(29, dtype=np.int32), zeros(29)
    launch(run, float_parts, (1,), x, m, e, back, 29, B=32)
    mantissa, exponent = np.frexp(x)
    same(m, mantissa)
    same(e, exponent)
    same(back, x)


@triton.jit
def fast_inverse_root(x_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    y = (0x5F3759DF - (x.to(tl.int32, bitcast=True) >> 1)).to(tl.float32, bitcast=True)
    for _ in tl.static_range(3):
        y = y * (1.5 - 0.5 * x * y * y)
    tl.store(o_ptr + at, y, mask=at < n)


@RUNS
def test_an_inverse_root_from_its_bits(run):
    x, o = np.abs(random(29)) + 0.01, zeros(29)
    launch(run, fast_inverse_root, (1,), x, o, 29, B=32)
    close(o, 1 / np.sqrt(x), 1e-5)


@triton.jit
def to_bf16(x_ptr, even_ptr, zero_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    bits = x.to(tl.uint32, bitcast=True)
    even = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    tl.store(even_ptr + at, even.to(tl.uint16), mask=at < n)
    tl.store(zero_ptr + at, (bits >> 16).to(tl.uint16).to(tl.bfloat16, bitcast=True), mask=at < n)


@RUNS
def test_bf16_by_hand(run):
    x, even, zero = random(29), zeros(29, dtype=np.uint16), np.zeros(29, ml_dtypes.bfloat16)
    launch(run, to_bf16, (1,), x, even, zero, 29, B=32)
    same(even, x.astype(ml_dtypes.bfloat16).view(np.uint16))
    same(zero.view(np.uint16), x.view(np.uint32) >> 16)


@triton.jit
def to_e4m3(x_ptr, o_ptr, n, B: tl.constexpr):
    """Rounds f32 to e4m3 by words, as kernels for older devices do."""
    at = tl.arange(0, B)
    bits = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.uint32, bitcast=True)
    sign = (bits & 0x80000000) >> 24
    size = bits & 0x7FFFFFFF
    # Below 2^-6: add and take away 2^14, whose last place is 2^-9.
    small = (size.to(tl.float32, bitcast=True) + 16384.0).to(tl.uint32, bitcast=True) - 0x46800000
    odd = (size >> 20) & 1
    normal = (size - (120 << 23) + 0x7FFFF + odd) >> 20
    code = tl.where(size < (121 << 23), small, normal)
    code = tl.where(size >= 0x43F00000, 0x7E, code)
    tl.store(o_ptr + at, (code | sign).to(tl.uint8), mask=at < n)


@RUNS
def test_fp8_by_hand(run):
    x, o = (
        random(64) * np.exp2(integers(14, 64, low=-12, seed=1)).astype(np.float32),
        zeros(64, dtype=np.uint8),
    )
    launch(run, to_e4m3, (1,), x, o, 64, B=64)
    limit = np.clip(x, -448, 448)
    same(o, limit.astype(ml_dtypes.float8_e4m3fn).view(np.uint8))


@triton.jit
def wide_product(a_ptr, b_ptr, low_ptr, high_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    a, b = tl.load(a_ptr + at, mask=at < n, other=0), tl.load(b_ptr + at, mask=at < n, other=0)
    mask: tl.constexpr = 0xFFFFFFFF
    al, ah, bl, bh = a & mask, a >> 32, b & mask, b >> 32
    middle = ah * bl + ((al * bl) >> 32)
    cross = al * bh + (middle & mask)
    tl.store(low_ptr + at, a * b, mask=at < n)
    tl.store(high_ptr + at, ah * bh + (middle >> 32) + (cross >> 32), mask=at < n)


@RUNS
def test_products_of_sixty_four_bits(run):
    a, b = integers(2**63, 13, dtype=np.uint64) * np.uint64(2), integers(2**63, 13, seed=1, dtype=np.uint64)
    low, high = zeros(13, dtype=np.uint64), zeros(13, dtype=np.uint64)
    launch(run, wide_product, (1,), a, b, low, high, 13, B=16)
    exact = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
    assert [int(v) for v in low] == [v & (2**64 - 1) for v in exact]
    assert [int(v) for v in high] == [v >> 64 for v in exact]


@triton.jit
def crc(x_ptr, o_ptr, n, B: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.full([B], 0xFFFFFFFF, tl.uint32)
    for i in range(n):
        value ^= tl.load(x_ptr + row * n + i).to(tl.uint32)
        for _ in tl.static_range(8):
            value = tl.where((value & 1) != 0, (value >> 1) ^ 0xEDB88320, value >> 1)
    tl.store(o_ptr + row, ~value)


@RUNS
def test_checksums_of_rows(run):
    import zlib

    x, o = integers(256, 8, 9, dtype=np.uint8), zeros(8, dtype=np.uint32)
    launch(run, crc, (2,), x, o, 9, B=4)
    same(o, [zlib.crc32(row.tobytes()) for row in x])


@triton.jit
def floored(a_ptr, b_ptr, q_ptr, r_ptr, n, B: tl.constexpr):
    """Python's quotient from one that is cut towards zero."""
    at = tl.arange(0, B)
    a, b = tl.load(a_ptr + at, mask=at < n, other=0), tl.load(b_ptr + at, mask=at < n, other=1)
    q, r = a // b, a % b
    wrong = (r != 0) & ((r < 0) != (b < 0))
    tl.store(q_ptr + at, tl.where(wrong, q - 1, q), mask=at < n)
    tl.store(r_ptr + at, tl.where(wrong, r + b, r), mask=at < n)


@RUNS
def test_quotients_rounded_down(run):
    a, b = (
        integers(100, 29, low=-100),
        integers(9, 29, low=1, seed=1) * np.where(integers(2, 29, seed=2), 1, -1),
    )
    for dtype in (np.int32, np.int64, np.int8, np.int16):
        q, r = zeros(29, dtype=dtype), zeros(29, dtype=dtype)
        launch(run, floored, (1,), a.astype(dtype), b.astype(dtype), q, r, 29, B=32)
        same(q, a // b)
        same(r, a % b)


@triton.jit
def sign_flips(x_ptr, s_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    s = tl.load(s_ptr + at, mask=at < n, other=0.0)
    taken = (x.to(tl.uint16, bitcast=True) & 0x7FFF) | (s.to(tl.uint16, bitcast=True) & 0x8000)
    tl.store(o_ptr + at, taken.to(tl.float16, bitcast=True), mask=at < n)


@RUNS
def test_signs_taken_from_another_tensor(run):
    x, s, o = random(29, dtype=np.float16), random(29, seed=1, dtype=np.float16), zeros(29, dtype=np.float16)
    launch(run, sign_flips, (1,), x, s, o, 29, B=32)
    same(o, np.copysign(x, s))
