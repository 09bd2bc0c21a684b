"""Undefined values on their way: what an operation drops, and what goes through bodies and products."""

import torch
from language import tl, triton
from tensors import floats, full, ints, zeros

from cases import group

fails, clean = group("undefined-value")


@triton.jit
def times_flag(src, flags, out, n, ZERO: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    live = (lanes < n).to(x.dtype)
    if not ZERO:
        live += 1
    tl.store(out + lanes, x * live)  # fault


@clean()
def undefined_integer_times_zero():
    times_flag[(1,)](ints(20), zeros(1), zeros(32, dtype=torch.int32), 20, ZERO=True, BLOCK=32)


@fails(lane=(20,), lanes=12)
def undefined_integer_times_one():
    times_flag[(1,)](ints(20), zeros(1), zeros(32, dtype=torch.int32), 20, ZERO=False, BLOCK=32)


@fails(lane=(20,), lanes=12)
def undefined_float_times_zero():
    times_flag[(1,)](floats(20), zeros(1), zeros(32), 20, ZERO=True, BLOCK=32)


@triton.jit
def bits_kept(src, out, n, KEPT: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    bits = tl.where(lanes < n, 255, KEPT)
    tl.store(out + lanes, x & bits)  # fault


@clean()
def undefined_bits_are_cleared():
    bits_kept[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, KEPT=0, BLOCK=32)


@fails(lane=(20,), lanes=12)
def undefined_bits_are_kept():
    bits_kept[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, KEPT=1, BLOCK=32)


@triton.jit
def integer_products(a, b, out, K, PADDED: tl.constexpr, B: tl.constexpr, BK: tl.constexpr):
    r, c, k = tl.arange(0, B), tl.arange(0, B), tl.arange(0, BK)
    x = tl.load(a + r[:, None] * K + k[None, :], mask=k[None, :] < K)  # born
    if PADDED:
        y = tl.load(b + k[:, None] * B + c[None, :], mask=k[:, None] < K, other=0)
    else:
        y = tl.load(b + k[:, None] * B + c[None, :])
    tl.store(out + r[:, None] * B + c[None, :], tl.dot(x, y))  # fault


@clean()
def integer_dot_with_a_zero_tail():
    a, b = ints(16, 20, dtype=torch.int8), ints(20, 16, dtype=torch.int8)
    integer_products[(1,)](a, b, zeros(16, 16, dtype=torch.int32), 20, PADDED=True, B=16, BK=32)


@fails(lane=(0, 0), lanes=16 * 16)
def integer_dot_over_an_undefined_tail():
    a, b = full(1, 16, 20, dtype=torch.int8), full(1, 32, 16, dtype=torch.int8)
    integer_products[(1,)](a, b, zeros(16, 16, dtype=torch.int32), 20, PADDED=False, B=16, BK=32)


@triton.jit
def best_valid(a, i, b, j):
    """The larger value; a negative place makes its value count for nothing."""
    right = (j >= 0) & ((i < 0) | (b > a))
    return tl.where(right, b, a), tl.where(right, j, i)


@triton.jit
def best_of_valid(src, value, place, n, MARKED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    if MARKED:
        at = tl.where(lanes < n, lanes, -1)
    else:
        at = lanes
    best, where = tl.reduce((x, at), 0, best_valid)
    tl.store(value, best)  # fault
    tl.store(place, where)


@clean()
def body_ignores_what_is_marked_invalid():
    best_of_valid[(1,)](floats(20), zeros(1), zeros(1, dtype=torch.int32), 20, MARKED=True, BLOCK=32)


@fails(lane=())
def body_compares_undefined_lanes():
    best_of_valid[(1,)](floats(20), zeros(1), zeros(1, dtype=torch.int32), 20, MARKED=False, BLOCK=32)


@triton.jit
def best_place(src, place, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    if PADDED:
        x = tl.where(lanes < n, x, float("inf"))
    tl.store(place, tl.argmin(x, axis=0))  # fault


@clean()
def argmin_after_where():
    best_place[(1,)](floats(20), zeros(1, dtype=torch.int32), 20, PADDED=True, BLOCK=32)


@fails(lane=())
def argmin_over_padding():
    best_place[(1,)](floats(20), zeros(1, dtype=torch.int32), 20, PADDED=False, BLOCK=32)


@triton.jit
def mean_and_count(m, n, p, q):
    both = n + q
    return (m * n + p * q) // both, both


@triton.jit
def joined_means(src, counts, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    m, n = tl.reduce((tl.load(src + lanes), tl.load(counts + lanes)), 0, mean_and_count)
    tl.store(out, m)  # fault
    tl.store(out + 1, n)


@fails(lane=())
def body_divides_by_zero():
    out = zeros(2, dtype=torch.int32)
    joined_means[(1,)](ints(16), zeros(16, dtype=torch.int32), out, BLOCK=16)


@clean()
def body_divides_by_a_count():
    out = zeros(2, dtype=torch.int32)
    joined_means[(1,)](ints(16), full(1, 16, dtype=torch.int32), out, BLOCK=16)


@triton.jit
def latest(a, f, b, g):
    """The value that was set last: a segmented copy."""
    return tl.where(g > 0, b, a), f | g


@triton.jit
def filled_forward(src, given, out, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    known = tl.load(given + lanes)
    x = tl.load(src + lanes, mask=known > 0)  # born
    filled, _ = tl.associative_scan((x, known), 0, latest)
    tl.store(out + lanes, filled, mask=lanes >= stored)  # fault


def every_fourth():
    given = zeros(16, dtype=torch.int32)
    given[2::4] = 1
    return given


@clean()
def scan_fills_gaps_from_the_left():
    filled_forward[(1,)](floats(16), every_fourth(), zeros(16), 2, BLOCK=16)


@fails(lane=(1,), lanes=1)
def scan_starts_in_a_gap():
    filled_forward[(1,)](floats(16), every_fourth(), zeros(16), 1, BLOCK=16)


@triton.jit
def swapped(a, b):
    return b, a


@triton.jit
def mapped(src, low, high, n, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    a, b = tl.map_elementwise(swapped, lanes.to(tl.float32), x)
    tl.store(low + lanes, a, mask=lanes < stored)  # fault
    tl.store(high + lanes, b)


@clean()
def map_keeps_lanes_apart():
    mapped[(1,)](floats(20), zeros(32), zeros(32), 20, 20, BLOCK=32)


@fails(lane=(20,), lanes=1)
def map_hands_on_an_undefined_lane():
    mapped[(1,)](floats(20), zeros(32), zeros(32), 20, 21, BLOCK=32)


@triton.jit
def halvings(x):
    rounds = 0
    while x > 1:
        x = x // 2
        rounds += 1
    return rounds


@triton.jit
def counted(src, out, n, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    tl.store(out + lanes, tl.map_elementwise(halvings, x), mask=lanes < stored)  # fault


@clean()
def loop_of_a_dead_lane_in_a_map():
    counted[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, 20, BLOCK=32)


@fails(lane=(20,), lanes=4)
def loop_of_a_live_undefined_lane_in_a_map():
    counted[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, 24, BLOCK=32)


@triton.jit
def doubled(src, out, n, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    y = tl.inline_asm_elementwise("add.f32 $0, $1, $1;", "=f,f", [x], tl.float32, is_pure=True, pack=1)
    tl.store(out + lanes, y, mask=lanes < stored)  # fault


@clean()
def assembly_on_dead_lanes():
    doubled[(1,)](floats(20), zeros(32), 20, 20, BLOCK=32)


@fails(lane=(20,), lanes=1)
def assembly_on_an_undefined_lane():
    doubled[(1,)](floats(20), zeros(32), 20, 21, BLOCK=32)


@triton.jit
def cleared(src, out, n, KEPT: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n)  # born
    bits = tl.where(lanes < n, 255, KEPT)
    y = tl.inline_asm_elementwise("and.b32 $0, $1, $2;", "=r,r,r", [x, bits], tl.int32, is_pure=True, pack=1)
    tl.store(out + lanes, y)  # fault


@clean()
def assembly_clears_undefined_bits():
    cleared[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, KEPT=0, BLOCK=32)


@fails(lane=(20,), lanes=12)
def assembly_keeps_undefined_bits():
    cleared[(1,)](ints(20), zeros(32, dtype=torch.int32), 20, KEPT=16, BLOCK=32)


@triton.jit
def packed_sum(a, b, out, n, stored, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(a + lanes, mask=lanes < n)  # born
    y = tl.load(b + lanes)
    z = tl.inline_asm_elementwise("add.f16x2 $0, $1, $2;", "=r,r,r", [x, y], tl.float16, is_pure=True, pack=2)
    tl.store(out + lanes, z, mask=lanes < stored)  # fault


@clean()
def packed_halves_are_apart():
    half = torch.float16
    packed_sum[(1,)](floats(19, dtype=half), floats(32, dtype=half), zeros(32, dtype=half), 19, 19, BLOCK=32)


@fails(lane=(19,), lanes=1)
def packed_half_is_undefined():
    half = torch.float16
    packed_sum[(1,)](floats(19, dtype=half), floats(32, dtype=half), zeros(32, dtype=half), 19, 20, BLOCK=32)


@triton.jit
def scaled(a, sa, b, sb, out, M, rows_stored, B: tl.constexpr, BK: tl.constexpr):
    r, c, k, g = tl.arange(0, B), tl.arange(0, B), tl.arange(0, BK), tl.arange(0, BK // 32)
    x = tl.load(a + r[:, None] * BK + k[None, :], mask=r[:, None] < M)  # born
    y = tl.load(b + k[:, None] * B + c[None, :])
    p = tl.load(sa + r[:, None] * (BK // 32) + g[None, :])
    q = tl.load(sb + c[:, None] * (BK // 32) + g[None, :])
    acc = tl.dot_scaled(x, p, "e4m3", y, q, "e4m3")
    tl.store(out + r[:, None] * B + c[None, :], acc, mask=r[:, None] < rows_stored)  # fault


def scales_of_one(lines, length):
    return full(127, lines, length // 32, dtype=torch.uint8)


def scaled_factors(rows, columns, length):
    """Elements and scales of both factors."""
    kind = torch.float8_e4m3fn
    a, b = floats(rows, length).to(kind), floats(length, columns).to(kind)
    return a, scales_of_one(rows, length), b, scales_of_one(columns, length)


@clean()
def scaled_product_of_live_rows():
    scaled[(1,)](*scaled_factors(32, 32, 64), zeros(32, 32), 20, 20, B=32, BK=64)


@fails(lane=(20, 0), lanes=32)
def scaled_product_of_an_undefined_row():
    scaled[(1,)](*scaled_factors(32, 32, 64), zeros(32, 32), 20, 21, B=32, BK=64)


@triton.jit
def scaled_by_group(a, sa, b, sb, out, groups, PADDED: tl.constexpr, B: tl.constexpr, BK: tl.constexpr):
    r, c, k, g = tl.arange(0, B), tl.arange(0, B), tl.arange(0, BK), tl.arange(0, BK // 32)
    x = tl.load(a + r[:, None] * BK + k[None, :])
    y = tl.load(b + k[:, None] * B + c[None, :])
    p = tl.load(sa + r[:, None] * (BK // 32) + g[None, :])
    if PADDED:
        q = tl.load(sb + c[:, None] * (BK // 32) + g[None, :], mask=g[None, :] < groups, other=127)
    else:
        q = tl.load(sb + c[:, None] * (BK // 32) + g[None, :], mask=g[None, :] < groups)  # born
    acc = tl.dot_scaled(x, p, "e4m3", y, q, "e4m3")
    tl.store(out + r[:, None] * B + c[None, :], acc)  # fault


@clean()
def scaled_product_with_padded_scales():
    scaled_by_group[(1,)](*scaled_factors(32, 32, 64), zeros(32, 32), 1, PADDED=True, B=32, BK=64)


@fails(lane=(0, 0), lanes=32 * 32)
def scaled_product_with_undefined_scales():
    scaled_by_group[(1,)](*scaled_factors(32, 32, 64), zeros(32, 32), 1, PADDED=False, B=32, BK=64)


@triton.jit
def small_floats(a, sa, b, sb, out, K, PADDED: tl.constexpr, B: tl.constexpr, BK: tl.constexpr):
    r, c, k, g = tl.arange(0, B), tl.arange(0, B), tl.arange(0, BK // 2), tl.arange(0, BK // 32)
    x = tl.load(a + r[:, None] * (BK // 2) + k[None, :], mask=k[None, :] < K // 2)  # born
    if PADDED:
        y = tl.load(b + k[:, None] * B + c[None, :], mask=k[:, None] < K // 2, other=0)
    else:
        y = tl.load(b + k[:, None] * B + c[None, :])
    p = tl.load(sa + r[:, None] * (BK // 32) + g[None, :])
    q = tl.load(sb + c[:, None] * (BK // 32) + g[None, :])
    tl.store(out + r[:, None] * B + c[None, :], tl.dot_scaled(x, p, "e2m1", y, q, "e2m1"))  # fault


def small_factors(rows, columns, length):
    """Ones as pairs of e2m1, and scales of one."""
    a = full(0x22, rows, length // 2, dtype=torch.uint8)
    b = full(0x22, length // 2, columns, dtype=torch.uint8)
    return a, scales_of_one(rows, length), b, scales_of_one(columns, length)


@clean()
def small_floats_against_a_zero_tail():
    small_floats[(1,)](*small_factors(32, 32, 64), zeros(32, 32), 48, PADDED=True, B=32, BK=64)


@fails(lane=(0, 0), lanes=32 * 32)
def small_floats_against_a_live_tail():
    small_floats[(1,)](*small_factors(32, 32, 64), zeros(32, 32), 48, PADDED=False, B=32, BK=64)
