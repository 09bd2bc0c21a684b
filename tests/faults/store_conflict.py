"""Lanes of one store that write different values to one address."""

import torch
from language import tl, triton
from tensors import floats, full, ints, listed, zeros

from cases import group

fails, clean = group("store-conflict")


@triton.jit
def scatter(index, src, dst, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    live = lanes < n
    at = tl.load(index + lanes, mask=live, other=0)
    x = tl.load(src + lanes, mask=live, other=0.0)
    tl.store(dst + at, x, mask=live)  # fault


@fails(tensor="dst", index=(3,), lane=(2,), lanes=1, value=(0.0, 0.5))
def scatter_with_a_repeated_index():
    scatter[(1,)](listed([3, 1, 3, 0]), floats(4), zeros(4), 4, BLOCK=4)


@clean()
def scatter_with_distinct_indices():
    scatter[(1,)](listed([3, 1, 2, 0]), floats(4), zeros(4), 4, BLOCK=4)


@clean()
def repeated_index_in_a_dead_lane():
    scatter[(1,)](listed([3, 1, 2, 3]), floats(4), zeros(4), 3, BLOCK=4)


@clean()
def repeated_index_with_equal_values():
    scatter[(1,)](listed([3, 1, 3, 0]), full(2.5, 4), zeros(4), 4, BLOCK=4)


@triton.jit
def total(src, out, REDUCED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    if REDUCED:
        tl.store(out, tl.sum(x, axis=0))
    else:
        tl.store(out + lanes * 0, x)  # fault


@fails(tensor="out", index=(0,), lane=(1,), lanes=15, value=(0.0, 1 / 16))
def block_stored_where_a_scalar_was_meant():
    total[(1,)](floats(16), zeros(1), REDUCED=False, BLOCK=16)


@clean()
def sum_stored_as_a_scalar():
    total[(1,)](floats(16), zeros(1), REDUCED=True, BLOCK=16)


@triton.jit
def store_tile(src, dst, stride_r, stride_c, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    x = tl.load(src + r * C + c)
    tl.store(dst + r * stride_r + c * stride_c, x)  # fault


@fails(tensor="dst", index=(0, 15), lane=(1, 0), lanes=7, value=(15 / 128, 16 / 128))
def row_stride_smaller_than_a_row():
    store_tile[(1,)](floats(8, 16), zeros(8, 16), 15, 1, R=8, C=16)


@clean()
def row_stride_of_a_row():
    store_tile[(1,)](floats(8, 16), zeros(8, 16), 16, 1, R=8, C=16)


@fails(tensor="dst", index=(0, 0), lane=(0, 1), lanes=8 * 15, value=(0.0, 1 / 128))
def expanded_output():
    view = zeros(8, 1).expand(8, 16)
    store_tile[(1,)](floats(8, 16), view, *view.stride(), R=8, C=16)


@clean()
def padded_output():
    view = zeros(8, 32)[:, :16]
    store_tile[(1,)](floats(8, 16), view, *view.stride(), R=8, C=16)


@fails(tensor="dst", index=(0, 1), lane=(1, 0), lanes=8 * 16 - 23, value=(1 / 128, 16 / 128))
def both_strides_one():
    store_tile[(1,)](floats(8, 16), zeros(8, 16), 1, 1, R=8, C=16)


@clean()
def transposed_output():
    store_tile[(1,)](floats(8, 16), zeros(16, 8), 1, 8, R=8, C=16)


@triton.jit
def wrapped_store(src, dst, n, WRAPPED_LOAD: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = lanes % n
    x = tl.load(src + at) if WRAPPED_LOAD else tl.load(src + lanes)
    tl.store(dst + at, x)  # fault


@fails(tensor="dst", index=(0,), lane=(20,), lanes=12, value=(0.0, 20 / 32))
def wrapped_tail_with_other_values():
    wrapped_store[(1,)](floats(32), zeros(20), 20, WRAPPED_LOAD=False, BLOCK=32)


@clean()
def wrapped_tail_with_the_same_values():
    wrapped_store[(1,)](floats(32), zeros(20), 20, WRAPPED_LOAD=True, BLOCK=32)


@triton.jit
def clamped_store(src, dst, n, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = tl.minimum(lanes, n - 1)
    x = tl.load(src + lanes)
    if MASKED:
        tl.store(dst + at, x, mask=lanes < n)
    else:
        tl.store(dst + at, x)  # fault


@fails(tensor="dst", index=(19,), lane=(20,), lanes=12, value=(19 / 32, 20 / 32))
def tail_clamped_to_the_last_element():
    clamped_store[(1,)](floats(32), zeros(20), 20, MASKED=False, BLOCK=32)


@clean()
def tail_clamped_and_masked():
    clamped_store[(1,)](floats(32), zeros(20), 20, MASKED=True, BLOCK=32)


@triton.jit
def halve(src, dst, REDUCED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes)
    if REDUCED:
        pair = tl.max(tl.reshape(x, (BLOCK // 2, 2)), axis=1)
        tl.store(dst + tl.arange(0, BLOCK // 2), pair)
    else:
        tl.store(dst + lanes // 2, x)  # fault


@fails(tensor="dst", index=(0,), lane=(1,), lanes=8, value=(0.0, 1 / 16))
def two_lanes_to_one_element():
    halve[(1,)](floats(16), zeros(8), REDUCED=False, BLOCK=16)


@clean()
def two_lanes_reduced_to_one():
    halve[(1,)](floats(16), zeros(8), REDUCED=True, BLOCK=16)


@triton.jit
def insert_hashed(keys, table, ATOMIC: tl.constexpr, SLOTS: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    key = tl.load(keys + lanes)
    slot = (key * 40503) & (SLOTS - 1)
    if ATOMIC:
        tl.atomic_max(table + slot, key)
    else:
        tl.store(table + slot, key)  # fault


@fails(tensor="table", index=(0,), lane=(16,), lanes=16, value=(0, 16))
def hash_collisions_stored():
    insert_hashed[(1,)](ints(32), zeros(16, dtype=torch.int32), ATOMIC=False, SLOTS=16, BLOCK=32)


@clean()
def hash_collisions_resolved_by_atomics():
    insert_hashed[(1,)](ints(32), zeros(16, dtype=torch.int32), ATOMIC=True, SLOTS=16, BLOCK=32)


@clean()
def hash_without_collisions():
    insert_hashed[(1,)](ints(16), zeros(16, dtype=torch.int32), ATOMIC=False, SLOTS=16, BLOCK=16)


@triton.jit
def set_flag(out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes * 0, 1, mask=lanes < n)


@clean()
def many_lanes_set_one_flag():
    set_flag[(1,)](zeros(1, dtype=torch.int32), 10, BLOCK=16)


@triton.jit
def row_ids(out, R: tl.constexpr, C: tl.constexpr, BY_ROW: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    value = r + c * 0 if BY_ROW else c + r * 0
    tl.store(out + r + c * 0, value)  # fault


@fails(tensor="out", index=(0,), lane=(0, 1), lanes=8 * 3, value=(0, 1))
def broadcast_columns_into_a_row_vector():
    row_ids[(1,)](zeros(8, dtype=torch.int32), R=8, C=4, BY_ROW=False)


@clean()
def broadcast_rows_into_a_row_vector():
    row_ids[(1,)](zeros(8, dtype=torch.int32), R=8, C=4, BY_ROW=True)


@triton.jit
def block_with_zero_stride(src, dst, stride, B: tl.constexpr):
    lanes = tl.arange(0, B)
    at = tl.make_block_ptr(dst, (B, B), (stride, 1), (0, 0), (B, B), (1, 0))
    x = tl.load(src + lanes[:, None] * B + lanes[None, :])
    tl.store(at, x)  # fault


@fails(tensor="dst", index=(0, 0), lane=(1, 0), lanes=7 * 8, value=(0.0, 8 / 64))
def block_pointer_with_a_stride_of_zero():
    block_with_zero_stride[(1,)](floats(8, 8), zeros(8, 8), 0, B=8)


@clean()
def block_pointer_with_its_stride():
    block_with_zero_stride[(1,)](floats(8, 8), zeros(8, 8), 8, B=8)
