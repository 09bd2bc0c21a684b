"""Sums and products that wrap around on their way to an address, an index or a mask."""

import torch
from language import tl, triton
from tensors import far, floats, full, ints, listed, zeros

from cases import group

fails, clean = group("integer-overflow")


@triton.jit
def far_row(src, dst, row, stride, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    r = row.to(tl.int64) if WIDE else row
    tl.store(dst + lanes, tl.load(src + r * stride + lanes))  # fault


@fails(lane=(0,), lanes=16)
def row_times_stride():
    far_row[(1,)](far((4, 16), (2**30, 1)), zeros(16), 3, 2**30, WIDE=False, BLOCK=16)


@clean()
def wide_row_times_stride():
    far_row[(1,)](far((4, 16), (2**30, 1)), zeros(16), 3, 2**30, WIDE=True, BLOCK=16)


@clean()
def row_times_stride_below_the_limit():
    far_row[(1,)](far((4, 16), (2**29, 1)), zeros(16), 3, 2**29, WIDE=False, BLOCK=16)


@triton.jit
def program_rows(dst, stride, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0).to(tl.int64) if WIDE else tl.program_id(0)
    tl.store(dst + program * stride + tl.arange(0, BLOCK), 1.0)  # fault


@fails(program=2, lane=(0,), lanes=16)
def program_id_times_stride():
    program_rows[(3,)](far((3, 16), (3 * 2**29, 1)), 3 * 2**29, WIDE=False, BLOCK=16)


@clean()
def wide_program_id_times_stride():
    program_rows[(3,)](far((3, 16), (3 * 2**29, 1)), 3 * 2**29, WIDE=True, BLOCK=16)


@triton.jit
def tile_offsets(src, dst, stride, WIDE: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    if WIDE:
        r = r.to(tl.int64)
    c = tl.arange(0, C)
    x = tl.load(src + r[:, None] * stride + c[None, :])  # fault
    tl.store(dst + (tl.program_id(0) * R + tl.arange(0, R))[:, None] * C + c[None, :], x)


@fails(program=1, lane=(0, 0), lanes=4 * 16)
def rows_of_a_tile_times_stride():
    tile_offsets[(2,)](far((8, 16), (2**29, 1)), zeros(8, 16), 2**29, WIDE=False, R=4, C=16)


@clean()
def wide_rows_of_a_tile_times_stride():
    tile_offsets[(2,)](far((8, 16), (2**29, 1)), zeros(8, 16), 2**29, WIDE=True, R=4, C=16)


@triton.jit
def batched(src, dst, stride_b, stride_h, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    batch, head = tl.program_id(0), tl.program_id(1)
    if WIDE:
        start = batch.to(tl.int64) * stride_b + head.to(tl.int64) * stride_h
    else:
        start = batch * stride_b + head * stride_h
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + start + lanes)  # fault
    tl.store(dst + (batch * 2 + head) * BLOCK + lanes, x)


@fails(program=(1, 1, 0), lane=(0,), lanes=16)
def sum_of_two_strides():
    batched[(2, 2)](far((2, 2, 16), (2**30, 2**30, 1)), zeros(4, 16), 2**30, 2**30, WIDE=False, BLOCK=16)


@clean()
def wide_sum_of_two_strides():
    batched[(2, 2)](far((2, 2, 16), (2**30, 2**30, 1)), zeros(4, 16), 2**30, 2**30, WIDE=True, BLOCK=16)


@triton.jit
def from_start(src, dst, start, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = start.to(tl.int64) + lanes if WIDE else start + lanes
    tl.store(dst + lanes, tl.load(src + at))  # fault


@fails(lane=(8,), lanes=8)
def start_plus_lane():
    from_start[(1,)](
        far((2**31 + 64,), (1,), torch.int8), zeros(16, dtype=torch.int8), 2**31 - 8, WIDE=False, BLOCK=16
    )


@clean()
def wide_start_plus_lane():
    from_start[(1,)](
        far((2**31 + 64,), (1,), torch.int8), zeros(16, dtype=torch.int8), 2**31 - 8, WIDE=True, BLOCK=16
    )


@clean()
def start_plus_lane_up_to_the_limit():
    from_start[(1,)](
        far((2**31 + 64,), (1,), torch.int8), zeros(16, dtype=torch.int8), 2**31 - 16, WIDE=False, BLOCK=16
    )


@triton.jit
def masked_by_sum(src, dst, start, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = start.to(tl.int64) + lanes if WIDE else start + lanes
    x = tl.load(src + lanes, mask=at < n, other=0.0)  # fault
    tl.store(dst + lanes, x)


@fails(lane=(8,), lanes=8)
def mask_bound_wraps():
    masked_by_sum[(1,)](floats(16), zeros(16), 2**31 - 8, 2**31 - 4, WIDE=False, BLOCK=16)


@clean()
def wide_mask_bound():
    masked_by_sum[(1,)](floats(16), zeros(16), 2**31 - 8, 2**31 - 4, WIDE=True, BLOCK=16)


@triton.jit
def masked_by_product(src, dst, rows, columns, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = rows.to(tl.int64) * columns if WIDE else rows * columns
    x = tl.load(src + lanes, mask=lanes < total, other=0.0)  # fault
    tl.store(dst + lanes, x)


@fails(lane=(0,), lanes=16)
def element_count_wraps():
    masked_by_product[(1,)](floats(16), zeros(16), 65536, 32768, WIDE=False, BLOCK=16)


@clean()
def wide_element_count():
    masked_by_product[(1,)](floats(16), zeros(16), 65536, 32768, WIDE=True, BLOCK=16)


@clean()
def element_count_at_the_limit():
    masked_by_product[(1,)](floats(16), zeros(16), 65536, 32767, WIDE=False, BLOCK=16)


@triton.jit
def narrow_index(index, src, dst, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    i = tl.load(index + lanes)
    at = i.to(tl.int32) * 16 if WIDE else i * 16
    tl.store(dst + lanes, tl.load(src + at))  # fault


@fails(lane=(8,), lanes=8)
def byte_index_times_sixteen():
    narrow_index[(1,)](ints(16, dtype=torch.int8), floats(256), zeros(16), WIDE=False, BLOCK=16)


@clean()
def byte_index_widened_first():
    narrow_index[(1,)](ints(16, dtype=torch.int8), floats(256), zeros(16), WIDE=True, BLOCK=16)


@fails(lane=(0,), lanes=16)
def short_index_times_sixteen():
    index = full(4000, 16, dtype=torch.int16)
    narrow_index[(1,)](index, far((70000,), (1,)), zeros(16), WIDE=False, BLOCK=16)


@clean()
def short_index_widened_first():
    index = full(4000, 16, dtype=torch.int16)
    narrow_index[(1,)](index, far((70000,), (1,)), zeros(16), WIDE=True, BLOCK=16)


@triton.jit
def gather_rows(index, table, dst, stride, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.load(index + tl.program_id(0))
    if WIDE:
        row = row.to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    x = tl.load(table + row * stride + lanes)  # fault
    tl.store(dst + tl.program_id(0) * BLOCK + lanes, x)


@fails(program=1, lane=(0,), lanes=16)
def token_times_width():
    gather_rows[(2,)](listed([1, 5]), far((6, 16), (2**29, 1)), zeros(2, 16), 2**29, WIDE=False, BLOCK=16)


@clean()
def wide_token_times_width():
    gather_rows[(2,)](listed([1, 5]), far((6, 16), (2**29, 1)), zeros(2, 16), 2**29, WIDE=True, BLOCK=16)


@triton.jit
def stepping(src, dst, step, rows, POINTER: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    if POINTER:
        at = src + lanes
        for _ in range(0, rows):
            total += tl.load(at)
            at += step
    else:
        offsets = lanes
        for _ in range(0, rows):
            total += tl.load(src + offsets)  # fault
            offsets += step
    tl.store(dst + lanes, total)


@fails(lane=(0,), lanes=16)
def offset_stepped_past_the_limit():
    stepping[(1,)](far((4, 16), (2**30, 1)), zeros(16), 2**30, 4, POINTER=False, BLOCK=16)


@clean()
def pointer_stepped_past_the_limit():
    stepping[(1,)](far((4, 16), (2**30, 1)), zeros(16), 2**30, 4, POINTER=True, BLOCK=16)


@triton.jit(do_not_specialize=["block"])
def unsigned_remainder(src, dst, n, block, SIGNED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    if SIGNED:
        left = n - block * BLOCK
        live = lanes < left
    else:
        left = n.to(tl.uint32) - (block * BLOCK).to(tl.uint32)
        live = lanes.to(tl.uint32) < left
    x = tl.load(src + lanes, mask=live, other=0.0)
    tl.store(dst + lanes, x)


@clean()
def signed_difference_below_zero():
    unsigned_remainder[(1,)](floats(16), zeros(16), 20, 2, SIGNED=True, BLOCK=16)


@clean()
def unsigned_difference_above_zero():
    unsigned_remainder[(1,)](floats(16), zeros(16), 20, 1, SIGNED=False, BLOCK=16)


@triton.jit
def dead_products(src, dst, stride, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes * stride, mask=lanes < n, other=0.0)  # fault
    tl.store(dst + lanes, x)


@fails(lane=(4,), lanes=1)
def product_wraps_in_a_live_lane():
    dead_products[(1,)](far((5, 1), (2**29, 1)), zeros(16), 2**29, 5, BLOCK=16)


@clean()
def product_wraps_in_dead_lanes():
    dead_products[(1,)](far((5, 1), (2**29, 1)), zeros(16), 2**29, 4, BLOCK=16)


@triton.jit
def there_and_back(src, dst, huge, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = lanes + huge
    at = at - huge
    tl.store(dst + lanes, tl.load(src + at))


@clean()
def sum_that_wraps_back():
    there_and_back[(1,)](floats(16), zeros(16), 2**31 - 4, BLOCK=16)


@triton.jit
def lcg(states, out, rounds, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    state = tl.load(states + lanes)
    for _ in range(0, rounds):
        state = state * 1103515245 + 12345
    tl.store(out + lanes, state)


@clean()
def linear_congruence_stored():
    lcg[(1,)](ints(16), zeros(16, dtype=torch.int32), 20, BLOCK=16)


@triton.jit
def hashed_slots(keys, table, out, MASK: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    h = tl.load(keys + lanes).to(tl.uint32)
    h = (h ^ (h >> 16)) * 2246822507
    h = (h ^ (h >> 13)) * 3266489909
    slot = ((h ^ (h >> 16)) & MASK).to(tl.int32)
    tl.store(out + lanes, tl.load(table + slot))


@clean()
def hash_masked_to_a_slot():
    hashed_slots[(1,)](ints(32), floats(64), zeros(32), MASK=63, BLOCK=32)


@triton.jit
def hashed_modulo(keys, table, out, size, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    h = tl.load(keys + lanes).to(tl.uint32) * 2654435761
    slot = (h % size.to(tl.uint32)).to(tl.int32)
    tl.store(out + lanes, tl.load(table + slot))


@clean()
def hash_reduced_to_a_slot():
    hashed_modulo[(1,)](ints(32) + 100, floats(61), zeros(32), 61, BLOCK=32)


@triton.jit
def random_rows(src, dst, seed, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    row = (tl.rand(seed, lanes) * n).to(tl.int32)
    tl.store(dst + lanes, tl.load(src + tl.minimum(row, n - 1)))


@clean()
def random_rows_of_philox():
    random_rows[(1,)](floats(20), zeros(32), 7, 20, BLOCK=32)


@triton.jit
def checksum(src, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n, other=0)
    a = tl.sum(x * 65599, axis=0)
    if a > 0:
        tl.store(out, a)
    else:
        tl.store(out, -a)


@clean()
def checksum_that_wraps():
    checksum[(1,)](ints(20) + 100000, zeros(1, dtype=torch.int32), 20, BLOCK=32)


@triton.jit
def block_far(src, dst, rows, stride, B: tl.constexpr):
    at = tl.make_block_ptr(src, (rows, B), (stride, 1), (rows - 1, 0), (1, B), (1, 0))
    tl.store(dst + tl.arange(0, B)[None, :], tl.load(at))


@clean()
def block_pointer_multiplies_wide():
    block_far[(1,)](far((4, 16), (2**30, 1)), zeros(16), 4, 2**30, B=16)


@triton.jit
def rows_by_length(src, lengths, out, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    n = tl.load(lengths + lanes)
    if WIDE:
        n = n.to(tl.int64)
    ends = tl.cumsum(n, axis=0)  # born
    starts = ends - n
    tl.store(out + lanes, tl.load(src + starts, mask=lanes >= 4, other=0.0))  # fault


@fails(lane=(4,), lanes=4)
def running_sum_of_lengths_wraps():
    lengths = full(2**29, 8, dtype=torch.int32)
    rows_by_length[(1,)](far((8, 1), (2**29, 1)), lengths, zeros(8), WIDE=False, BLOCK=8)


@clean()
def running_sum_of_lengths_is_wide():
    lengths = full(2**29, 8, dtype=torch.int32)
    rows_by_length[(1,)](far((8, 1), (2**29, 1)), lengths, zeros(8), WIDE=True, BLOCK=8)


@clean()
def running_sum_wraps_behind_the_last_row():
    lengths = full(2**28, 8, dtype=torch.int32)
    lengths[7] = 2**30
    rows_by_length[(1,)](far((8, 1), (2**28, 1)), lengths, zeros(8), WIDE=False, BLOCK=8)


@triton.jit
def last_end(src, lengths, out, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    n = tl.load(lengths + lanes)
    if WIDE:
        n = n.to(tl.int64)
    total = tl.sum(n, axis=0)  # born
    tl.store(out, tl.load(src + total - 1))  # fault


@fails(lane=())
def sum_of_lengths_wraps():
    last_end[(1,)](far((2**32,), (1,)), full(2**29, 8, dtype=torch.int32), zeros(1), WIDE=False, BLOCK=8)


@clean()
def sum_of_lengths_is_wide():
    last_end[(1,)](far((2**32,), (1,)), full(2**29, 8, dtype=torch.int32), zeros(1), WIDE=True, BLOCK=8)


@triton.jit
def joined_extents(a, m, b, n):
    return tl.maximum(a, b), m + n  # born


@triton.jit
def extent_by_body(src, sizes, lengths, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    size, total = tl.reduce((tl.load(sizes + lanes), tl.load(lengths + lanes)), 0, joined_extents)
    tl.store(out, tl.load(src + total - size))  # fault


@fails(lane=())
def body_adds_up_lengths_that_wrap():
    lengths = full(3 * 2**27, 8, dtype=torch.int32)
    extent_by_body[(1,)](far((2**32,), (1,)), ints(8), lengths, zeros(1), BLOCK=8)


@clean()
def body_adds_up_lengths():
    lengths = full(2**27, 8, dtype=torch.int32)
    extent_by_body[(1,)](far((2**32,), (1,)), ints(8), lengths, zeros(1), BLOCK=8)
