"""Accesses outside a view through what a kernel reads: pointers in memory, links, packed indices."""

import torch
from language import tl, triton
from tensors import addresses, floats, full, ints, listed, zeros

from cases import group

fails, clean = group("out-of-bounds")


@triton.jit
def row_maxima(src, peaks, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, COLUMNS)[None, :]
    x = tl.load(src + r * columns + c, mask=(r < rows) & (c < columns), other=0)
    tl.atomic_max(peaks + c + 0 * r, x, mask=(r < rows) & (c <= columns - 1))  # fault


@fails(tensor="peaks", index=(6,), lane=(0, 6), lanes=36)
def atomic_maximum_by_the_wrong_axis():
    row_maxima[(1,)](ints(6, 12), zeros(6, dtype=torch.int32), 6, 12, ROWS=8, COLUMNS=16)


@clean()
def atomic_maximum_by_column():
    row_maxima[(1,)](ints(6, 12), zeros(12, dtype=torch.int32), 6, 12, ROWS=8, COLUMNS=16)


@triton.jit
def grouped_sum(table, lengths, a, b, out, BLOCK: tl.constexpr):
    member = tl.program_id(0)
    data = tl.load(table + member).to(tl.pointer_type(tl.float32))
    n = tl.load(lengths + member)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(data + offsets, mask=offsets < n, other=0.0)  # fault
    tl.store(out + member, tl.sum(x, axis=0))


@fails(tensor="b", program=1, index=(12,), lane=(12,), lanes=18)
def pointer_in_memory_with_a_wrong_length():
    a, b = floats(30), floats(12)
    grouped_sum[(2,)](addresses(a, b), listed([30, 30]), a, b, zeros(2), BLOCK=32)


@clean()
def pointer_in_memory_with_its_length():
    a, b = floats(30), floats(12)
    grouped_sum[(2,)](addresses(a, b), listed([30, 12]), a, b, zeros(2), BLOCK=32)


@fails(program=1, lane=(0,), lanes=12)
def null_pointer_in_memory():
    a, b = floats(30), floats(12)
    table = addresses(a, b)
    table[1] = 0
    grouped_sum[(2,)](table, listed([30, 12]), a, b, zeros(2), BLOCK=32)


@clean()
def null_pointer_that_nothing_reads():
    a, b = floats(30), floats(12)
    table = addresses(a, b)
    table[1] = 0
    grouped_sum[(2,)](table, listed([30, 0]), a, b, zeros(2), BLOCK=32)


@triton.jit
def last_of_group(table, out, groups, BLOCK: tl.constexpr):
    data = tl.load(table + groups).to(tl.pointer_type(tl.float32))  # fault
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(data + offsets))


@fails(tensor="table", index=(2,))
def pointer_table_read_past_its_end():
    last_of_group[(1,)](addresses(floats(16), floats(16)), zeros(16), 2, BLOCK=16)


KEPT = [floats(16), floats(16)]


@clean()
def pointer_table_read_at_its_end():
    last_of_group[(1,)](addresses(*KEPT), zeros(16), 1, BLOCK=16)


@triton.jit
def ragged_row(starts, data, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(starts + row)
    last = tl.load(starts + row + 1)  # fault
    offsets = tl.arange(0, BLOCK)
    x = tl.load(data + first + offsets, mask=offsets < last - first, other=0.0)
    tl.store(out + row, tl.sum(x, axis=0))


@fails(tensor="starts", program=2, index=(3,))
def row_starts_without_the_end():
    ragged_row[(3,)](listed([0, 5, 9]), floats(20), zeros(3), BLOCK=16)


@clean()
def row_starts_with_the_end():
    ragged_row[(3,)](listed([0, 5, 9, 20]), floats(20), zeros(3), BLOCK=16)


@triton.jit
def choose(flag, a, b, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    source = tl.where(tl.load(flag) != 0, a, b)
    tl.store(out + offsets, tl.load(source + offsets))  # fault


@fails(tensor="b", index=(16,), lane=(16,), lanes=16)
def selected_pointer_to_the_shorter_tensor():
    choose[(1,)](zeros(1, dtype=torch.int32), floats(32), floats(16), zeros(32), BLOCK=32)


@clean()
def selected_pointer_to_the_longer_tensor():
    choose[(1,)](full(1, 1, dtype=torch.int32), floats(32), floats(16), zeros(32), BLOCK=32)


@triton.jit
def widen(src, dst, n, BLOCK: tl.constexpr):
    wide = src.to(tl.pointer_type(tl.int32))
    offsets = tl.arange(0, BLOCK)
    x = tl.load(wide + offsets, mask=offsets < n, other=0)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(tensor="src", index=(32,), lane=(16,), lanes=16)
def halves_read_as_words_without_halving_the_count():
    widen[(1,)](zeros(32, dtype=torch.float16), zeros(32, dtype=torch.int32), 32, BLOCK=32)


@clean()
def halves_read_as_words():
    widen[(1,)](zeros(32, dtype=torch.float16), zeros(32, dtype=torch.int32), 16, BLOCK=32)


@triton.jit
def follow_links(following, out, start):
    at = start
    steps = 0
    while at >= 0:
        at = tl.load(following + at)  # fault
        steps += 1
    tl.store(out, steps)


@fails(tensor="following", index=(5,))
def linked_list_with_a_wild_link():
    follow_links[(1,)](listed([2, -1, 5, 0]), zeros(1, dtype=torch.int32), 0)


@clean()
def linked_list_with_an_end():
    follow_links[(1,)](listed([2, -1, 1, 0]), zeros(1, dtype=torch.int32), 3)


@triton.jit
def unpack_nibbles(packed, out, n, PER_BYTE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    byte = tl.load(packed + offsets // PER_BYTE, mask=offsets < n, other=0)  # fault
    nibble = (byte >> ((offsets % 2) * 4).to(tl.uint8)) & 15
    tl.store(out + offsets, nibble, mask=offsets < n)


@fails(tensor="packed", index=(16,), lane=(16,), lanes=16)
def packed_nibbles_indexed_as_bytes():
    unpack_nibbles[(1,)](zeros(16, dtype=torch.uint8), zeros(32, dtype=torch.uint8), 32, PER_BYTE=1, BLOCK=32)


@clean()
def packed_nibbles_two_a_byte():
    unpack_nibbles[(1,)](zeros(16, dtype=torch.uint8), zeros(32, dtype=torch.uint8), 32, PER_BYTE=2, BLOCK=32)


@triton.jit
def wrapped_copy(src, dst, n, WRAP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index = offsets % n if WRAP else offsets
    x = tl.load(src + index)  # fault
    tl.store(dst + offsets, x, mask=offsets < n)


@fails(tensor="src", program=1, index=(50,), lane=(18,), lanes=14)
def tail_neither_wrapped_nor_masked():
    wrapped_copy[(2,)](floats(50), zeros(50), 50, WRAP=False, BLOCK=32)


@clean()
def tail_wrapped_around():
    wrapped_copy[(2,)](floats(50), zeros(50), 50, WRAP=True, BLOCK=32)


@triton.jit
def sum_with_prefetch(src, out, blocks, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    following = tl.load(src + lanes)
    total = tl.zeros((BLOCK,), tl.float32)
    for block in range(0, blocks):
        total += following
        live = (lanes >= 0) & ((block + 1 < blocks) | (not GUARDED))
        following = tl.load(src + (block + 1) * BLOCK + lanes, mask=live, other=0.0)  # fault
    tl.store(out + lanes, total + 0.0 * following)


@fails(tensor="src", index=(64,), lane=(0,), lanes=16)
def prefetch_past_the_last_block():
    sum_with_prefetch[(1,)](floats(64), zeros(16), 4, GUARDED=False, BLOCK=16)


@clean()
def prefetch_guarded_at_the_last_block():
    sum_with_prefetch[(1,)](floats(64), zeros(16), 4, GUARDED=True, BLOCK=16)


@triton.jit
def dead_lanes(src, dst, wild, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    live = offsets < n
    x = tl.load(src + tl.where(live, offsets, wild), mask=live, other=0.0)
    tl.store(dst + tl.where(live, offsets, wild), x, mask=live)


@clean()
def wild_addresses_in_dead_lanes():
    dead_lanes[(1,)](floats(20), zeros(20), 1 << 40, 20, BLOCK=32)


@triton.jit
def live_lanes(src, dst, wild, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    live = offsets < n
    x = tl.load(src + tl.where(live, offsets, wild))  # fault
    tl.store(dst + offsets, x, mask=live)


@fails(tensor="src", index=(1 << 40,), lane=(20,), lanes=12)
def wild_addresses_in_live_lanes():
    live_lanes[(1,)](floats(20), zeros(20), 1 << 40, 20, BLOCK=32)


@triton.jit
def clamped(src, dst, n, highest, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    index = tl.minimum(offsets, highest)
    tl.store(dst + offsets, tl.load(src + index), mask=offsets < n)  # fault


@fails(tensor="src", index=(20,), lane=(20,), lanes=12)
def index_clamped_to_the_length():
    clamped[(1,)](floats(20), zeros(20), 20, 20, BLOCK=32)


@clean()
def index_clamped_to_the_last():
    clamped[(1,)](floats(20), zeros(20), 20, 19, BLOCK=32)


@triton.jit
def helper_load(src, offsets, n):
    return tl.load(src + offsets, mask=offsets < n, other=0.0)  # fault


@triton.jit
def through_a_helper(src, dst, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = helper_load(src, offsets, n)
    tl.store(dst + offsets, x)


@fails(tensor="src", index=(20,), lane=(20,), lanes=1)
def wrong_length_in_a_helper():
    through_a_helper[(1,)](floats(20), zeros(32), 21, BLOCK=32)


@clean()
def right_length_in_a_helper():
    through_a_helper[(1,)](floats(20), zeros(32), 20, BLOCK=32)
