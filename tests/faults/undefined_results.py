"""Operations whose result is undefined (quotients, shifts, conversions, gathers, bins)."""

import torch
from language import tl, triton
from tensors import floats, full, ints, zeros

from cases import group

fails, clean = group("undefined-value")


@triton.jit
def divide(x, y, out, n, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets, mask=offsets < n, other=0)
    b = tl.load(y + offsets, mask=offsets < n, other=0)
    if GUARDED:
        b = tl.where(b == 0, 1, b)
    q = a // b  # born
    tl.store(out + offsets, q, mask=offsets < n)  # fault


@fails(lane=(0,), lanes=1)
def quotient_by_zero_stored():
    divide[(1,)](ints(20), ints(20), zeros(20, dtype=torch.int32), 20, GUARDED=False, BLOCK=32)


@clean()
def quotient_by_zero_in_padding():
    y = ints(20) + 1
    divide[(1,)](ints(20), y, zeros(20, dtype=torch.int32), 20, GUARDED=False, BLOCK=32)


@clean()
def quotient_by_guarded_zero():
    divide[(1,)](ints(20), ints(20), zeros(20, dtype=torch.int32), 20, GUARDED=True, BLOCK=32)


@fails(lane=(0,), lanes=16)
def smallest_integer_by_minus_one():
    x = full(-(2**31), 16, dtype=torch.int32)
    y = full(-1, 16, dtype=torch.int32)
    divide[(1,)](x, y, zeros(16, dtype=torch.int32), 16, GUARDED=True, BLOCK=16)


@clean()
def next_integer_by_minus_one():
    x = full(-(2**31) + 1, 16, dtype=torch.int32)
    y = full(-1, 16, dtype=torch.int32)
    divide[(1,)](x, y, zeros(16, dtype=torch.int32), 16, GUARDED=True, BLOCK=16)


@triton.jit
def remainder(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    r = tl.load(x + offsets) % tl.load(y + offsets)  # born
    tl.store(out + offsets, r)  # fault


@fails(lane=(0,), lanes=1)
def remainder_by_zero():
    remainder[(1,)](ints(16), ints(16), zeros(16, dtype=torch.int32), BLOCK=16)


@clean()
def remainder_by_positive():
    remainder[(1,)](ints(16), ints(16) + 1, zeros(16, dtype=torch.int32), BLOCK=16)


@triton.jit
def shift_left(x, by, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    shifted = tl.load(x + offsets) << tl.load(by + offsets)  # born
    tl.store(out + offsets, shifted)  # fault


@fails(lane=(31,), lanes=1)
def shift_by_the_width():
    shift_left[(1,)](ints(32), ints(32) + 1, zeros(32, dtype=torch.int32), BLOCK=32)


@clean()
def shift_by_less_than_the_width():
    shift_left[(1,)](ints(32), ints(32), zeros(32, dtype=torch.int32), BLOCK=32)


@fails(lane=(0,), lanes=1)
def shift_by_a_negative_count():
    shift_left[(1,)](ints(16), ints(16) - 1, zeros(16, dtype=torch.int32), BLOCK=16)


@clean()
def shift_of_a_wider_type():
    by = ints(32, dtype=torch.int64) + 1
    shift_left[(1,)](by, by, zeros(32, dtype=torch.int64), BLOCK=32)


@triton.jit
def rotate_right(x, out, by, BLOCK: tl.constexpr, GUARDED: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets).to(tl.uint32)
    back = (32 - by) & 31 if GUARDED else 32 - by
    rotated = (value >> by) | (value << back)  # born
    tl.store(out + offsets, rotated.to(tl.int32, bitcast=True))  # fault


@fails(lane=(0,), lanes=16)
def rotation_by_nothing():
    rotate_right[(1,)](ints(16), zeros(16, dtype=torch.int32), 0, BLOCK=16, GUARDED=False)


@clean()
def rotation_with_a_masked_count():
    rotate_right[(1,)](ints(16), zeros(16, dtype=torch.int32), 0, BLOCK=16, GUARDED=True)


@triton.jit
def to_integer(x, out, n, TYPE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    y = tl.load(x + offsets, mask=offsets < n, other=0.0).to(TYPE)  # born
    tl.store(out + offsets, y, mask=offsets < n)  # fault


@fails(lane=(5,), lanes=1)
def integer_of_nan():
    x = floats(16)
    x[5] = float("nan")
    to_integer[(1,)](x, zeros(16, dtype=torch.int32), 16, TYPE=tl.int32, BLOCK=16)


@clean()
def integer_of_finite():
    to_integer[(1,)](floats(16), zeros(16, dtype=torch.int32), 16, TYPE=tl.int32, BLOCK=16)


@clean()
def integer_of_nan_not_stored():
    x = floats(16)
    x[5] = float("nan")
    to_integer[(1,)](x, zeros(16, dtype=torch.int32), 5, TYPE=tl.int32, BLOCK=16)


@fails(lane=(4,), lanes=12)
def integer_too_large():
    to_integer[(1,)](floats(16) * 1e10, zeros(16, dtype=torch.int32), 16, TYPE=tl.int32, BLOCK=16)


@clean()
def integer_wide_enough():
    to_integer[(1,)](floats(16) * 1e10, zeros(16, dtype=torch.int64), 16, TYPE=tl.int64, BLOCK=16)


@fails(lane=(7,), lanes=9)
def byte_of_three_hundred():
    to_integer[(1,)](floats(16) * 300, zeros(16, dtype=torch.int8), 16, TYPE=tl.int8, BLOCK=16)


@clean()
def byte_of_one_hundred():
    to_integer[(1,)](floats(16) * 100, zeros(16, dtype=torch.int8), 16, TYPE=tl.int8, BLOCK=16)


@triton.jit
def quantize(x, out, scale, CLAMPED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    scaled = tl.load(x + offsets) / scale
    if CLAMPED:
        scaled = tl.clamp(scaled, -127.0, 127.0)
    q = scaled.to(tl.int8)  # born
    tl.store(out + offsets, q)  # fault


@fails(lane=(3,), lanes=13)
def quantized_without_a_clamp():
    quantize[(1,)](floats(16), zeros(16, dtype=torch.int8), 1e-3, CLAMPED=False, BLOCK=16)


@clean()
def quantized_with_a_clamp():
    quantize[(1,)](floats(16), zeros(16, dtype=torch.int8), 1e-3, CLAMPED=True, BLOCK=16)


@triton.jit
def take_slots(counter, out, n, wide, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    old = tl.atomic_add(counter + offsets, 1, mask=offsets < n)  # born
    tl.store(out + offsets, old, mask=offsets < wide)  # fault


@fails(lane=(10,), lanes=6)
def result_of_a_masked_atomic_stored():
    take_slots[(1,)](ints(16), zeros(16, dtype=torch.int32), 10, 16, BLOCK=16)


@clean()
def result_of_a_live_atomic_stored():
    take_slots[(1,)](ints(16), zeros(16, dtype=torch.int32), 10, 10, BLOCK=16)


@triton.jit
def exchange(cells, out, n, total, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    old = tl.atomic_xchg(cells + offsets, 0, mask=offsets < n)  # born
    old = tl.where(offsets < total, old, 0)
    tl.store(out, tl.sum(old, axis=0))  # fault


@fails(lane=())
def sum_over_masked_exchanges():
    exchange[(1,)](ints(16), zeros(1, dtype=torch.int32), 10, 16, BLOCK=16)


@clean()
def sum_over_live_exchanges():
    exchange[(1,)](ints(16), zeros(1, dtype=torch.int32), 10, 10, BLOCK=16)


@triton.jit
def gather_lanes(src, index, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    picked = tl.gather(tl.load(src + offsets), tl.load(index + offsets), axis=0)  # born
    tl.store(out + offsets, picked)  # fault


@fails(lane=(15,), lanes=1)
def gather_outside_its_block():
    gather_lanes[(1,)](floats(16), ints(16) + 1, zeros(16), BLOCK=16)


@clean()
def gather_inside_its_block():
    gather_lanes[(1,)](floats(16), 15 - ints(16), zeros(16), BLOCK=16)


@fails(lane=(0,), lanes=1)
def gather_with_a_negative_index():
    gather_lanes[(1,)](floats(16), ints(16) - 1, zeros(16), BLOCK=16)


@triton.jit
def gather_wrapped(src, index, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    picked = tl.gather(tl.load(src + offsets), tl.load(index + offsets) & (BLOCK - 1), axis=0)
    tl.store(out + offsets, picked)


@clean()
def gather_with_a_wrapped_index():
    gather_wrapped[(1,)](floats(16), ints(16) - 1, zeros(16), BLOCK=16)


@triton.jit
def bins(src, out, n, MASKED: tl.constexpr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n, other=BINS)
    if MASKED:
        counts = tl.histogram(x, BINS, mask=offsets < n)
    else:
        counts = tl.histogram(x, BINS)  # born
    tl.store(out + tl.arange(0, BINS), counts)  # fault


@fails(lane=(0,), lanes=16)
def histogram_of_a_value_past_the_bins():
    bins[(1,)](ints(12), zeros(16, dtype=torch.int32), 12, MASKED=False, BLOCK=16, BINS=16)


@clean()
def histogram_with_a_mask():
    bins[(1,)](ints(12), zeros(16, dtype=torch.int32), 12, MASKED=True, BLOCK=16, BINS=16)


@fails(lane=(0,), lanes=16)
def histogram_of_a_negative_value():
    bins[(1,)](ints(16) - 1, zeros(16, dtype=torch.int32), 16, MASKED=False, BLOCK=16, BINS=16)


@clean()
def histogram_of_every_bin():
    bins[(1,)](ints(16), zeros(16, dtype=torch.int32), 16, MASKED=False, BLOCK=16, BINS=16)


@triton.jit
def transpose_tile(src, dst, rows, stored, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    x = tl.load(src + r[:, None] * C + c[None, :], mask=r[:, None] < rows)  # born
    y = tl.trans(x)
    tl.store(dst + c[:, None] * R + r[None, :], y, mask=r[None, :] < stored)  # fault


@fails(lane=(0, 5), lanes=16 * 3)
def undefined_row_becomes_a_column():
    transpose_tile[(1,)](floats(5, 16), zeros(16, 8), 5, 8, R=8, C=16)


@clean()
def undefined_row_transposed_unstored():
    transpose_tile[(1,)](floats(5, 16), zeros(16, 8), 5, 5, R=8, C=16)


@triton.jit
def pairs(src, dst, n, stored, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n)  # born
    even, odd = tl.split(tl.reshape(x, (BLOCK // 2, 2)))
    half = tl.arange(0, BLOCK // 2)
    tl.store(dst + half, even + odd, mask=half < stored)  # fault


@fails(lane=(9,), lanes=1)
def pair_with_an_undefined_partner():
    pairs[(1,)](floats(19), zeros(16), 19, 10, BLOCK=32)


@clean()
def pairs_of_live_lanes():
    pairs[(1,)](floats(19), zeros(16), 19, 9, BLOCK=32)


@triton.jit
def unknown_choice(flags, a, b, out, n, stored, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    flag = tl.load(flags + offsets, mask=offsets < n)  # born
    x = tl.where(flag > 0, tl.load(a + offsets), tl.load(b + offsets))
    tl.store(out + offsets, x, mask=offsets < stored)  # fault


@fails(lane=(10,), lanes=6)
def choice_by_an_undefined_flag():
    unknown_choice[(1,)](ints(10), floats(16), zeros(16), zeros(16), 10, 16, BLOCK=16)


@clean()
def choice_by_a_live_flag():
    unknown_choice[(1,)](ints(10), floats(16), zeros(16), zeros(16), 10, 10, BLOCK=16)


@triton.jit
def float_quotient(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) / tl.load(y + offsets))


@clean()
def float_quotient_by_zero():
    float_quotient[(1,)](floats(16), zeros(16), zeros(16), BLOCK=16)


@triton.jit
def random_dropout(src, dst, n, seed, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n)
    keep = tl.rand(seed, offsets) > 0.5
    tl.store(dst + offsets, tl.where(keep, x * 2.0, 0.0), mask=offsets < n)


@clean()
def dropout_of_masked_lanes():
    random_dropout[(1,)](floats(20), zeros(20), 20, 1234, BLOCK=32)


@triton.jit
def running_peak(src, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    peak = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        x = tl.load(src + start + lanes, mask=start + lanes < n)
        peak = tl.where(start + lanes < n, tl.maximum(peak, x), peak)
    tl.store(out, tl.max(peak, axis=0))


@clean()
def undefined_lanes_dropped_in_a_loop():
    running_peak[(1,)](floats(40), zeros(1), 40, BLOCK=16)
