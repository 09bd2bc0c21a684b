"""Lanes that a mask left undefined, where they decide something."""

import torch
from language import tl, triton
from tensors import floats, ints, listed, zeros

from cases import group

fails, clean = group("undefined-value")


@triton.jit
def masked_total(src, out, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    else:
        x = tl.load(src + offsets, mask=offsets < n)  # born
    tl.store(out, tl.sum(x, axis=0))  # fault


@fails(lane=())
def sum_over_lanes_without_other():
    masked_total[(1,)](floats(20), zeros(1), 20, PADDED=False, BLOCK=32)


@clean()
def sum_over_lanes_with_other():
    masked_total[(1,)](floats(20), zeros(1), 20, PADDED=True, BLOCK=32)


@clean()
def sum_over_a_full_mask():
    masked_total[(1,)](floats(32), zeros(1), 32, PADDED=False, BLOCK=32)


@triton.jit
def scale_columns(src, dst, n, wide, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n)  # born
    tl.store(dst + offsets, x * 2.0, mask=offsets < wide)  # fault


@fails(lane=(20,), lanes=12)
def store_wider_than_the_load():
    scale_columns[(1,)](floats(20), zeros(32), 20, 32, BLOCK=32)


@clean()
def store_as_wide_as_the_load():
    scale_columns[(1,)](floats(20), zeros(32), 20, 20, BLOCK=32)


@triton.jit
def softmax_row(src, dst, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        x = tl.load(src + offsets, mask=offsets < n, other=-float("inf"))
    else:
        x = tl.load(src + offsets, mask=offsets < n)  # born
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(dst + offsets, e / tl.sum(e, axis=0), mask=offsets < n)  # fault


@fails(lane=(0,), lanes=20)
def softmax_without_other():
    softmax_row[(1,)](floats(20), zeros(20), 20, PADDED=False, BLOCK=32)


@clean()
def softmax_with_minus_infinity():
    softmax_row[(1,)](floats(20), zeros(20), 20, PADDED=True, BLOCK=32)


@triton.jit
def variance(src, out, n, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    live = offsets < n
    x = tl.load(src + offsets, mask=live)  # born
    if GUARDED:
        mean = tl.sum(tl.where(live, x, 0.0), axis=0) / n
        centred = tl.where(live, x - mean, 0.0)
    else:
        mean = tl.sum(x, axis=0) / n
        centred = x - mean
    tl.store(out, tl.sum(centred * centred, axis=0) / n)  # fault


@fails(lane=())
def variance_over_padding():
    variance[(1,)](floats(20), zeros(1), 20, GUARDED=False, BLOCK=32)


@clean()
def variance_guarded_by_where():
    variance[(1,)](floats(20), zeros(1), 20, GUARDED=True, BLOCK=32)


@triton.jit
def prefix_sums(src, dst, n, REVERSE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n)  # born
    sums = tl.cumsum(x, axis=0, reverse=REVERSE)
    tl.store(dst + offsets, sums, mask=offsets < n)  # fault


@fails(lane=(0,), lanes=20)
def reverse_scan_starts_in_the_padding():
    prefix_sums[(1,)](floats(20), zeros(20), 20, REVERSE=True, BLOCK=32)


@clean()
def scan_ends_before_the_padding():
    prefix_sums[(1,)](floats(20), zeros(20), 20, REVERSE=False, BLOCK=32)


@triton.jit
def sorted_row(src, dst, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        x = tl.load(src + offsets, mask=offsets < n, other=float("inf"))
    else:
        x = tl.load(src + offsets, mask=offsets < n)  # born
    tl.store(dst + offsets, tl.sort(x), mask=offsets < n)  # fault


@fails(lane=(0,), lanes=10)
def sort_of_padding_without_other():
    sorted_row[(1,)](floats(10), zeros(10), 10, PADDED=False, BLOCK=16)


@clean()
def sort_with_infinite_padding():
    sorted_row[(1,)](floats(10), zeros(10), 10, PADDED=True, BLOCK=16)


@triton.jit
def best(src, out, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        x = tl.load(src + offsets, mask=offsets < n, other=-1.0)
    else:
        x = tl.load(src + offsets, mask=offsets < n)  # born
    tl.store(out, tl.argmax(x, axis=0))  # fault


@fails(lane=())
def argmax_over_padding():
    best[(1,)](floats(20), zeros(1, dtype=torch.int32), 20, PADDED=False, BLOCK=32)


@clean()
def argmax_with_small_padding():
    best[(1,)](floats(20), zeros(1, dtype=torch.int32), 20, PADDED=True, BLOCK=32)


@triton.jit
def dot_tail(a, b, c, K, PADDED: tl.constexpr, B: tl.constexpr, BK: tl.constexpr):
    rows, columns, k = tl.arange(0, B), tl.arange(0, B), tl.arange(0, BK)
    if PADDED:
        x = tl.load(a + rows[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    else:
        x = tl.load(a + rows[:, None] * K + k[None, :], mask=k[None, :] < K)  # born
    y = tl.load(b + k[:, None] * B + columns[None, :], mask=k[:, None] < K, other=0.0)
    acc = tl.dot(x, y, input_precision="ieee")
    tl.store(c + rows[:, None] * B + columns[None, :], acc)  # fault


@fails(lane=(0, 0), lanes=16 * 16)
def dot_over_an_undefined_tail():
    dot_tail[(1,)](floats(16, 20), floats(20, 16), zeros(16, 16), 20, PADDED=False, B=16, BK=32)


@clean()
def dot_over_a_zero_tail():
    dot_tail[(1,)](floats(16, 20), floats(20, 16), zeros(16, 16), 20, PADDED=True, B=16, BK=32)


@triton.jit
def dot_rows(a, b, c, M, B: tl.constexpr, stored):
    rows, columns, k = tl.arange(0, B), tl.arange(0, B), tl.arange(0, B)
    x = tl.load(a + rows[:, None] * B + k[None, :], mask=rows[:, None] < M)  # born
    y = tl.load(b + k[:, None] * B + columns[None, :])
    acc = tl.dot(x, y, input_precision="ieee")
    tl.store(c + rows[:, None] * B + columns[None, :], acc, mask=rows[:, None] < stored)  # fault


@fails(lane=(10, 0), lanes=6 * 16)
def dot_rows_stored_past_m():
    dot_rows[(1,)](floats(10, 16), floats(16, 16), zeros(16, 16), 10, B=16, stored=16)


@clean()
def dot_rows_stored_up_to_m():
    dot_rows[(1,)](floats(10, 16), floats(16, 16), zeros(16, 16), 10, B=16, stored=10)


@triton.jit
def padded_block(src, out, n, PADDING: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.make_block_ptr(src, (n,), (1,), (0,), (BLOCK,), (0,))
    x = tl.load(at, boundary_check=(0,), padding_option=PADDING)  # born
    tl.store(out, tl.sum(x, axis=0))  # fault


@fails(lane=())
def block_pointer_without_padding_option():
    padded_block[(1,)](floats(20), zeros(1), 20, PADDING="", BLOCK=32)


@clean()
def block_pointer_with_padding_option():
    padded_block[(1,)](floats(20), zeros(1), 20, PADDING="zero", BLOCK=32)


@triton.jit
def indirect(index, src, dst, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        at = tl.load(index + offsets, mask=offsets < n, other=0)
    else:
        at = tl.load(index + offsets, mask=offsets < n)  # born
    x = tl.load(src + at)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(lane=(20,), lanes=12)
def address_from_undefined_lanes():
    indirect[(1,)](ints(20), floats(20), zeros(20), 20, PADDED=False, BLOCK=32)


@clean()
def address_from_padded_lanes():
    indirect[(1,)](ints(20), floats(20), zeros(20), 20, PADDED=True, BLOCK=32)


@triton.jit
def scatter_masked(index, dst, n, wide, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    at = tl.load(index + offsets, mask=offsets < n)  # born
    tl.store(dst + at, 1.0, mask=offsets < wide)  # fault


@fails(lane=(20,), lanes=4)
def scatter_through_undefined_lanes():
    scatter_masked[(1,)](ints(20), zeros(32), 20, 24, BLOCK=32)


@clean()
def scatter_through_live_lanes():
    scatter_masked[(1,)](ints(20), zeros(32), 20, 20, BLOCK=32)


@triton.jit
def threshold(src, dst, n, ANDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n)  # born
    chosen = x > 0.5
    if ANDED:
        chosen = tl.where(offsets < n, chosen, False)
    tl.store(dst + offsets, 1.0, mask=chosen)  # fault


@fails(lane=(20,), lanes=12)
def store_mask_from_undefined_lanes():
    threshold[(1,)](floats(20), zeros(32), 20, ANDED=False, BLOCK=32)


@clean()
def store_mask_guarded():
    threshold[(1,)](floats(20), zeros(32), 20, ANDED=True, BLOCK=32)


@triton.jit
def optional_flag(flag, out, given, PADDED: tl.constexpr):
    if PADDED:
        value = tl.load(flag, mask=given > 0, other=0)
    else:
        value = tl.load(flag, mask=given > 0)  # born
    if value > 1:  # fault
        tl.store(out, 1.0)


@fails(lane=())
def branch_on_a_masked_scalar():
    optional_flag[(1,)](listed([5]), zeros(1), -1, PADDED=False)


@clean()
def branch_on_a_scalar_with_other():
    optional_flag[(1,)](listed([5]), zeros(1), -1, PADDED=True)


@triton.jit
def optional_count(count, out, given, PADDED: tl.constexpr):
    if PADDED:
        n = tl.load(count, mask=given > 0, other=0)
    else:
        n = tl.load(count, mask=given > 0)  # born
    total = 0
    for i in range(0, n):  # fault
        total += i
    tl.store(out, total)


@fails(lane=())
def trip_count_of_a_masked_scalar():
    optional_count[(1,)](listed([5]), zeros(1, dtype=torch.int32), -1, PADDED=False)


@clean()
def trip_count_of_a_scalar_with_other():
    optional_count[(1,)](listed([5]), zeros(1, dtype=torch.int32), -1, PADDED=True)


@triton.jit
def until_small(src, out, n, PADDED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if PADDED:
        x = tl.load(src + offsets, mask=offsets < n, other=0)
    else:
        x = tl.load(src + offsets, mask=offsets < n)  # born
    rounds = 0
    while tl.max(x, axis=0) > 1:  # fault
        x = x >> 1
        rounds += 1
    tl.store(out, rounds)


@fails(lane=())
def loop_condition_over_padding():
    until_small[(1,)](ints(20), zeros(1, dtype=torch.int32), 20, PADDED=False, BLOCK=32)


@clean()
def loop_condition_over_padded_lanes():
    until_small[(1,)](ints(20), zeros(1, dtype=torch.int32), 20, PADDED=True, BLOCK=32)
