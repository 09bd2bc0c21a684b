"""Programs of one grid that share rows, slots, barriers and words of a tensor without an order."""

import torch
from language import tl, triton
from tensors import floats, full, ints, listed, zeros

from cases import group

fails, clean = group("race")
I32 = torch.int32


@triton.jit
def write_row(src, out, columns, SHARE: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(src + program * columns + c)
    tl.store(out + (program // SHARE) * columns + c, x)  # fault


@fails(tensor="out", program=0, other=1, index=(0, 0))
def two_programs_one_output_row():
    write_row[(4,)](floats(4, 16), zeros(4, 16), 16, SHARE=2, BLOCK=16)


@clean()
def one_program_one_output_row():
    write_row[(4,)](floats(4, 16), zeros(4, 16), 16, SHARE=1, BLOCK=16)


@triton.jit
def transpose_in_place(x, n, HALF: tl.constexpr, B: tl.constexpr):
    i, j = tl.program_id(0), tl.program_id(1)
    if (not HALF) or i <= j:
        r, c = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
        a = tl.load(x + (i * B + r) * n + j * B + c)
        b = tl.load(x + (j * B + r) * n + i * B + c)
        tl.store(x + (i * B + r) * n + j * B + c, tl.trans(b))
        tl.store(x + (j * B + r) * n + i * B + c, tl.trans(a))


@fails(tensor="x", program=(1, 0, 0), other=(0, 1, 0), index=(0, 8))
def transpose_in_place_by_both_halves():
    transpose_in_place[(2, 2)](floats(16, 16), 16, HALF=False, B=8)


@clean()
def transpose_in_place_by_one_half():
    transpose_in_place[(2, 2)](floats(16, 16), 16, HALF=True, B=8)


@triton.jit
def reverse_in_place(x, n):
    i = tl.program_id(0)
    a = tl.load(x + i)
    b = tl.load(x + n - 1 - i)
    tl.store(x + i, b)
    tl.store(x + n - 1 - i, a)


@fails(tensor="x", program=7, other=8, index=(8,))
def reversal_by_every_program():
    reverse_in_place[(16,)](floats(16), 16)


@clean()
def reversal_by_half_of_the_programs():
    reverse_in_place[(8,)](floats(16), 16)


@triton.jit
def mixed_counter(counter, RESET: tl.constexpr):
    if RESET:
        if tl.program_id(0) == 0:
            tl.store(counter, 0)
    tl.atomic_add(counter, 1, sem="relaxed")


@fails(tensor="counter", program=0, other=1, index=(0,))
def counter_reset_inside_the_kernel():
    mixed_counter[(4,)](full(7, 1, dtype=I32), RESET=True)


@clean()
def counter_reset_before_the_kernel():
    mixed_counter[(4,)](zeros(1, dtype=I32), RESET=False)


@triton.jit
def through_slots(src, slots, out, SLOTS: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    slot = slots + (program % SLOTS) * BLOCK + lanes
    tl.store(slot, tl.load(src + program * BLOCK + lanes) * 2.0)  # fault
    tl.store(out + program * BLOCK + lanes, tl.load(slot))


@fails(tensor="slots", program=0, other=2, index=(0,))
def two_scratch_slots_for_four_programs():
    through_slots[(4,)](floats(64), zeros(64), zeros(64), SLOTS=2, BLOCK=16)


@clean()
def four_scratch_slots_for_four_programs():
    through_slots[(4,)](floats(64), zeros(64), zeros(64), SLOTS=4, BLOCK=16)


@triton.jit
def grid_barrier(src, out, count, BARRIER: tl.constexpr, BLOCK: tl.constexpr):
    program, programs = tl.program_id(0), tl.num_programs(0)
    lanes = tl.arange(0, BLOCK)
    tl.store(out + program * BLOCK + lanes, tl.load(src + program * BLOCK + lanes))
    tl.debug_barrier()
    if BARRIER:
        tl.atomic_add(count, 1)
        while tl.atomic_add(count, 0) < programs:
            pass
    other = (program + 1) % programs
    x = tl.load(out + other * BLOCK + lanes)
    tl.store(src + program * BLOCK + lanes, x)


@fails(tensor="out", program=0, other=1, index=(16,))
def block_barrier_used_for_the_grid():
    grid_barrier[(3,)](floats(48), zeros(48), zeros(1, dtype=I32), BARRIER=False, BLOCK=16)


@clean()
def barrier_over_the_grid():
    grid_barrier[(3,)](floats(48), zeros(48), zeros(1, dtype=I32), BARRIER=True, BLOCK=16)


@triton.jit
def in_turns(out, turn, ORDERED: tl.constexpr):
    program = tl.program_id(0)
    if ORDERED:
        while tl.atomic_add(turn, 0) != program:
            pass
    tl.store(out, tl.load(out) * 2.0 + program)  # fault
    tl.atomic_add(turn, 1)


@fails(tensor="out", program=0, other=1, index=(0,))
def turns_taken_without_waiting():
    in_turns[(4,)](zeros(1), zeros(1, dtype=I32), ORDERED=False)


@clean()
def turns_taken_in_order():
    in_turns[(4,)](zeros(1), zeros(1, dtype=I32), ORDERED=True)


@triton.jit
def chained_scan(src, sums, flags, out, WAIT: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + program * BLOCK + lanes)
    before = 0.0
    if program > 0:
        if WAIT:
            while tl.atomic_add(flags + program - 1, 0, sem="acquire") == 0:
                pass
        before = tl.load(sums + program - 1)
    tl.store(sums + program, before + tl.sum(x, axis=0))
    tl.atomic_xchg(flags + program, 1, sem="release")
    tl.store(out + program * BLOCK + lanes, tl.cumsum(x, axis=0) + before)


@fails(tensor="sums", program=0, other=1, index=(0,))
def scan_over_blocks_without_waiting():
    chained_scan[(3,)](floats(48), zeros(3), zeros(3, dtype=I32), zeros(48), WAIT=False, BLOCK=16)


@clean()
def scan_over_blocks_with_waiting():
    chained_scan[(3,)](floats(48), zeros(3), zeros(3, dtype=I32), zeros(48), WAIT=True, BLOCK=16)


@triton.jit
def softmax_in_place(x, rows, columns, STEP: tl.constexpr, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, STEP):
        at = x + row * columns + tl.arange(0, BLOCK)
        e = tl.exp(tl.load(at))
        tl.store(at, e / tl.sum(e, axis=0))


@fails(tensor="x", program=0, other=2, index=(2, 0))
def persistent_rows_with_a_wrong_step():
    softmax_in_place[(3,)](floats(6, 16), 6, 16, STEP=2, BLOCK=16)


@clean()
def persistent_rows_with_the_grid_as_step():
    softmax_in_place[(3,)](floats(6, 16), 6, 16, STEP=3, BLOCK=16)


@triton.jit
def scatter_rows(index, src, dst, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    row = tl.load(index + program)
    c = tl.arange(0, BLOCK)
    tl.store(dst + row * BLOCK + c, tl.load(src + program * BLOCK + c))  # fault


@fails(tensor="dst", program=0, other=2, index=(2, 0))
def scatter_with_a_repeated_row():
    index = listed([2, 0, 2])
    scatter_rows[(3,)](index, floats(3, 16), zeros(3, 16), BLOCK=16)


@clean()
def scatter_of_a_permutation():
    index = listed([2, 0, 1])
    scatter_rows[(3,)](index, floats(3, 16), zeros(3, 16), BLOCK=16)


@triton.jit
def block_tiles(src, dst, n, step, BLOCK: tl.constexpr):
    start = tl.program_id(0) * step
    s = tl.make_block_ptr(src, (n,), (1,), (start,), (BLOCK,), (0,))
    d = tl.make_block_ptr(dst, (n,), (1,), (start,), (BLOCK,), (0,))
    x = tl.load(s, boundary_check=(0,), padding_option="zero")
    tl.store(d, x + tl.program_id(0), boundary_check=(0,))  # fault


@fails(tensor="dst", program=0, other=1, index=(12,))
def overlapping_block_pointers():
    block_tiles[(3,)](floats(40), zeros(40), 40, 12, BLOCK=16)


@clean()
def adjacent_block_pointers():
    block_tiles[(3,)](floats(40), zeros(40), 40, 16, BLOCK=16)


@triton.jit
def shared_reads(table, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(table + lanes)
    tl.store(out + tl.program_id(0) * BLOCK + lanes, x + tl.program_id(0))


@clean()
def one_table_read_by_all():
    shared_reads[(4,)](floats(16), zeros(4, 16), BLOCK=16)


@fails(index=(56,))
def table_overlaps_the_output():
    base = zeros(80)
    shared_reads[(4,)](base[56:72], base[:64], BLOCK=16)


@clean()
def table_beside_the_output():
    base = zeros(80)
    shared_reads[(4,)](base[64:], base[:64], BLOCK=16)


@triton.jit
def bytes_of_a_word(out, BYTES: tl.constexpr):
    program = tl.program_id(0)
    tl.store(out + program * BYTES, program + 1)


@clean()
def neighbouring_bytes():
    bytes_of_a_word[(8,)](zeros(8, dtype=torch.uint8), BYTES=1)


@triton.jit
def parity_sums(src, out):
    tl.atomic_add(out + tl.program_id(0) % 2, tl.load(src + tl.program_id(0)))


@clean()
def atomics_from_many_programs():
    parity_sums[(16,)](ints(16), zeros(2, dtype=I32))
