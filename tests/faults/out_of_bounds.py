"""Accesses outside the view that was passed: masks, indices, strides, views and atomics."""

import torch
from language import tl, triton
from tensors import floats, ints, listed, zeros

from cases import group

fails, clean = group("out-of-bounds")


@triton.jit
def copy_upto(src, dst, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets <= n
    x = tl.load(src + offsets, mask=inside, other=0.0)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(tensor="src", program=1, index=(100,), lane=(36,), lanes=1)
def mask_takes_one_too_many():
    copy_upto[(2,)](floats(100), zeros(100), 100, BLOCK=64)


@clean()
def mask_takes_the_last_index():
    copy_upto[(2,)](floats(100), zeros(100), 99, BLOCK=64)


@triton.jit
def copy_unmasked(src, dst, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + offsets)  # fault
    tl.store(dst + offsets, x)


@fails(tensor="src", program=1, index=(100,), lane=(36,), lanes=28)
def ragged_tail_without_a_mask():
    copy_unmasked[(2,)](floats(100), zeros(128), BLOCK=64)


@clean()
def whole_blocks_without_a_mask():
    copy_unmasked[(2,)](floats(128), zeros(128), BLOCK=64)


@fails(tensor="src", program=2, index=(128,), lane=(0,), lanes=64)
def grid_one_program_too_large():
    copy_unmasked[(3,)](floats(128), zeros(192), BLOCK=64)


@clean()
def grid_smaller_than_the_tensor():
    copy_unmasked[(1,)](floats(128), zeros(128), BLOCK=64)


@triton.jit
def store_unmasked(src, dst, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.store(dst + offsets, x * 2)  # fault


@fails(tensor="dst", program=1, index=(100,), lane=(36,), lanes=28)
def load_masked_store_not():
    store_unmasked[(2,)](floats(100), zeros(100), 100, BLOCK=64)


@clean()
def store_into_a_padded_tensor():
    store_unmasked[(2,)](floats(100), zeros(128), 100, BLOCK=64)


@triton.jit
def store_masked_by_padded_length(src, dst, n, BLOCK: tl.constexpr):
    padded = tl.cdiv(n, BLOCK) * BLOCK
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.store(dst + offsets, x, mask=offsets < padded)  # fault


@fails(tensor="dst", program=1, index=(100,), lane=(36,), lanes=28)
def mask_against_the_padded_length():
    store_masked_by_padded_length[(2,)](floats(100), zeros(100), 100, BLOCK=64)


@clean()
def padded_length_equals_length():
    store_masked_by_padded_length[(2,)](floats(128), zeros(128), 128, BLOCK=64)


@triton.jit
def difference(src, dst, n, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    left = tl.load(src + offsets - 1, mask=(offsets >= FIRST) & (offsets < n), other=0.0)  # fault
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.store(dst + offsets, x - left, mask=offsets < n)


@fails(tensor="src", index=(-1,), lane=(0,), lanes=1)
def stencil_reads_left_of_the_start():
    difference[(1,)](floats(30), zeros(30), 30, FIRST=0, BLOCK=32)


@clean()
def stencil_masks_the_first_lane():
    difference[(1,)](floats(30), zeros(30), 30, FIRST=1, BLOCK=32)


@triton.jit
def forward_difference(src, dst, n, edge, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    right = tl.load(src + offsets + 1, mask=offsets < edge, other=0.0)  # fault
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.store(dst + offsets, right - x, mask=offsets < n)


@fails(tensor="src", index=(30,), lane=(29,), lanes=1)
def stencil_reads_right_of_the_end():
    forward_difference[(1,)](floats(30), zeros(30), 30, 30, BLOCK=32)


@clean()
def stencil_masks_the_last_lane():
    forward_difference[(1,)](floats(30), zeros(30), 30, 29, BLOCK=32)


@triton.jit
def reverse(src, dst, n, last, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + last - offsets, mask=offsets < n, other=0.0)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(tensor="src", index=(20,), lane=(0,), lanes=1)
def reversal_counts_from_n():
    reverse[(1,)](floats(20), zeros(20), 20, 20, BLOCK=32)


@clean()
def reversal_counts_from_the_last():
    reverse[(1,)](floats(20), zeros(20), 20, 19, BLOCK=32)


@triton.jit
def copy_bytes_as_elements(src, dst, n, SCALE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets * SCALE, mask=offsets < n, other=0.0)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(tensor="src", index=(32,), lane=(8,), lanes=24)
def offset_counted_in_bytes():
    copy_bytes_as_elements[(1,)](floats(32), zeros(32), 32, SCALE=4, BLOCK=32)


@clean()
def offset_with_a_true_stride():
    copy_bytes_as_elements[(1,)](floats(128), zeros(32), 32, SCALE=4, BLOCK=32)


@triton.jit
def previous(src, dst, shift, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(dst + offsets, tl.load(src + offsets - shift))  # fault


@fails(tensor="src", index=(-1,), lane=(0,), lanes=1)
def before_a_view_with_an_offset():
    base = floats(64)
    previous[(1,)](base[16:32], zeros(16), 1, BLOCK=16)


@clean()
def the_same_bytes_through_the_base():
    base = floats(64)
    previous[(1,)](base[15:31], zeros(16), 0, BLOCK=16)


@fails(tensor="src", index=(10,), lane=(10,), lanes=6)
def past_a_view_inside_its_allocation():
    base = floats(64)
    previous[(1,)](base[:10], zeros(16), 0, BLOCK=16)


@clean()
def whole_view_inside_its_allocation():
    base = floats(64)
    previous[(1,)](base[:16], zeros(16), 0, BLOCK=16)


@fails(tensor="src", index=(16,), lane=(8,), lanes=8)
def lands_in_another_argument():
    base = floats(48)
    previous[(1,)](base[:16], base[16:48], -8, BLOCK=16)


@clean()
def neighbours_in_one_allocation():
    base = floats(48)
    previous[(1,)](base[:16], base[16:48], 0, BLOCK=16)


@triton.jit
def first_of(src, dst, index):
    tl.store(dst, tl.load(src + index))  # fault


@fails(tensor="src", index=(4,))
def scalar_past_the_end():
    first_of[(1,)](ints(4), zeros(1, dtype=torch.int32), 4)


@clean()
def scalar_at_the_end():
    first_of[(1,)](ints(4), zeros(1, dtype=torch.int32), 3)


@fails(tensor="src", index=(0,))
def scalar_of_an_empty_tensor():
    first_of[(1,)](ints(8)[4:4], zeros(1, dtype=torch.int32), 0)


@clean()
def scalar_of_a_single_element():
    first_of[(1,)](ints(8)[4:5], zeros(1, dtype=torch.int32), 0)


@triton.jit
def embedding(ids, table, out, width, stride, BLOCK: tl.constexpr):
    row = tl.load(ids + tl.program_id(0))
    columns = tl.arange(0, BLOCK)
    x = tl.load(table + row * stride + columns, mask=columns < width, other=0.0)  # fault
    tl.store(out + tl.program_id(0) * width + columns, x, mask=columns < width)


@fails(tensor="table", program=2, index=(7, 0), lane=(0,), lanes=10)
def token_outside_the_vocabulary():
    embedding[(3,)](listed([0, 4, 7]), floats(7, 10), zeros(3, 10), 10, 10, BLOCK=16)


@clean()
def last_token_of_the_vocabulary():
    embedding[(3,)](listed([0, 4, 6]), floats(7, 10), zeros(3, 10), 10, 10, BLOCK=16)


@fails(tensor="table", program=1, index=(-1, 0), lane=(0,), lanes=10)
def padding_token_is_minus_one():
    embedding[(2,)](listed([3, -1]), floats(7, 10), zeros(2, 10), 10, 10, BLOCK=16)


@triton.jit
def embedding_padded(ids, table, out, width, BLOCK: tl.constexpr):
    row = tl.load(ids + tl.program_id(0))
    columns = tl.arange(0, BLOCK)
    x = tl.load(table + row * width + columns, mask=(columns < width) & (row >= 0), other=0.0)
    tl.store(out + tl.program_id(0) * width + columns, x, mask=columns < width)


@clean()
def padding_token_is_masked():
    embedding_padded[(2,)](listed([3, -1]), floats(7, 10), zeros(2, 10), 10, BLOCK=16)


@triton.jit
def count_values(values, counts, n, bins, CHECKED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(values + offsets, mask=offsets < n, other=0)
    live = offsets < n
    if CHECKED:
        live = live & (value < bins)
    tl.atomic_add(counts + value, 1, mask=live)  # fault


@fails(tensor="counts", index=(9,), lane=(2,), lanes=4)
def atomic_into_a_missing_bin():
    count_values[(2,)](listed([0, 3, 9, 1] * 5), zeros(8, dtype=torch.int32), 20, 8, CHECKED=False, BLOCK=16)


@clean()
def atomic_with_the_bin_checked():
    count_values[(2,)](listed([0, 3, 9, 1] * 5), zeros(8, dtype=torch.int32), 20, 8, CHECKED=True, BLOCK=16)


@triton.jit
def take_ticket(lock, out, slot):
    old = tl.atomic_cas(lock + slot, 0, 1)  # fault
    tl.store(out, old)


@fails(tensor="lock", index=(4,))
def compare_and_swap_past_the_locks():
    take_ticket[(1,)](zeros(4, dtype=torch.int32), zeros(1, dtype=torch.int32), 4)


@clean()
def compare_and_swap_on_the_last_lock():
    take_ticket[(1,)](zeros(4, dtype=torch.int32), zeros(1, dtype=torch.int32), 3)
