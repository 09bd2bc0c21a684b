"""Programs that plainly write equal values to the same bytes: work done twice."""

import torch
from language import tl, triton
from tensors import floats, zeros

from cases import group

fails, clean = group("redundant-store")


@triton.jit
def copy_tiles(src, dst, step, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * step + tl.arange(0, BLOCK)
    tl.store(dst + offsets, tl.load(src + offsets))  # fault


@fails(tensor="dst", program=0, other=1, index=(12,), value=12 / 64)
def overlapping_copies():
    copy_tiles[(4,)](floats(64), zeros(64), 12, BLOCK=16)


@clean()
def adjacent_copies():
    copy_tiles[(4,)](floats(64), zeros(64), 16, BLOCK=16)


@triton.jit
def wrapped_rows(src, dst, n, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = offsets % n
    x = tl.load(src + at)
    if MASKED:
        tl.store(dst + at, x, mask=offsets < n)
    else:
        tl.store(dst + at, x)  # fault


@fails(tensor="dst", program=0, other=1, index=(0,), lane=(8,), value=0.0)
def wrapped_tail_stored():
    wrapped_rows[(2,)](floats(24), zeros(24), 24, MASKED=False, BLOCK=16)


@clean()
def wrapped_tail_masked():
    wrapped_rows[(2,)](floats(24), zeros(24), 24, MASKED=True, BLOCK=16)


@triton.jit
def shifted_tail(src, dst, n, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if SHIFT:
        start = min(start, n - BLOCK)
    offsets = start + tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.store(dst + offsets, x * 2.0, mask=offsets < n)  # fault


@fails(tensor="dst", program=0, other=1, index=(8,), lane=(0,))
def last_tile_shifted_back():
    shifted_tail[(2,)](floats(24), zeros(24), 24, SHIFT=True, BLOCK=16)


@clean()
def last_tile_masked():
    shifted_tail[(2,)](floats(24), zeros(24), 24, SHIFT=False, BLOCK=16)


@fails(tensor="dst", program=(0, 0, 0), other=(0, 1, 0), index=(0,), value=0.0)
def unused_second_axis_of_the_grid():
    copy_tiles[(2, 2)](floats(32), zeros(32), 16, BLOCK=16)


@clean()
def grid_of_one_axis():
    copy_tiles[(2, 1)](floats(32), zeros(32), 16, BLOCK=16)


@triton.jit
def header(out, length, FIRST: tl.constexpr):
    if (not FIRST) or tl.program_id(0) == 0:
        tl.store(out, length)  # fault


@fails(tensor="out", program=0, other=1, index=(0,), value=7)
def every_program_writes_the_header():
    header[(3,)](zeros(1, dtype=torch.int32), 7, FIRST=False)


@clean()
def one_program_writes_the_header():
    header[(3,)](zeros(1, dtype=torch.int32), 7, FIRST=True)


@triton.jit
def row_statistics(src, sums, columns, tiles, PER_TILE: tl.constexpr, BLOCK: tl.constexpr):
    row, tile = tl.program_id(0), tl.program_id(1)
    x = tl.load(src + row * columns + tl.arange(0, BLOCK))
    at = sums + row * tiles + tile if PER_TILE else sums + row
    tl.store(at, tl.sum(x, axis=0))  # fault


@fails(tensor="sums", program=(0, 0, 0), other=(0, 1, 0), index=(0,), value=sum(range(16)) / 48)
def statistics_computed_by_each_tile():
    row_statistics[(3, 2)](floats(3, 16), zeros(3), 16, 2, PER_TILE=False, BLOCK=16)


@clean()
def statistics_kept_by_each_tile():
    row_statistics[(3, 2)](floats(3, 16), zeros(3, 2), 16, 2, PER_TILE=True, BLOCK=16)


@triton.jit
def count_done(done, ATOMIC: tl.constexpr):
    if ATOMIC:
        tl.atomic_xchg(done, 1)
    else:
        tl.store(done, 1)  # fault


@fails(tensor="done", program=0, other=1, index=(0,), value=1)
def done_flag_stored_by_all():
    count_done[(3,)](zeros(1, dtype=torch.int32), ATOMIC=False)


@clean()
def done_flag_exchanged_by_all():
    count_done[(3,)](zeros(1, dtype=torch.int32), ATOMIC=True)


@triton.jit
def twice(src, dst, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + offsets)
    tl.store(dst + offsets, x)
    tl.store(dst + offsets, x)


@clean()
def one_program_stores_twice():
    twice[(2,)](floats(32), zeros(32), BLOCK=16)
