"""Programs that touch one byte without an order between them, one of them writing."""

import torch
from language import tl, triton
from tensors import floats, full, ints, zeros

from cases import group

fails, clean = group("race")
I32 = torch.int32


@triton.jit
def add_to_total(src, out, ATOMIC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(src + offsets), axis=0)
    if ATOMIC:
        tl.atomic_add(out, part)
    else:
        tl.store(out, tl.load(out) + part)  # fault


@fails(tensor="out", program=0, other=1, index=(0,))
def plain_accumulation():
    add_to_total[(4,)](floats(64), zeros(1), ATOMIC=False, BLOCK=16)


@clean()
def atomic_accumulation():
    add_to_total[(4,)](floats(64), zeros(1), ATOMIC=True, BLOCK=16)


@clean()
def plain_accumulation_by_one_program():
    add_to_total[(1,)](floats(64), zeros(1), ATOMIC=False, BLOCK=16)


@triton.jit
def tiles(src, dst, step, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    offsets = program * step + tl.arange(0, BLOCK)
    x = tl.load(src + offsets)
    tl.store(dst + offsets, x + program)  # fault


@fails(tensor="dst", program=0, other=1, index=(15,))
def overlapping_tiles():
    tiles[(4,)](floats(64), zeros(64), 15, BLOCK=16)


@clean()
def adjacent_tiles():
    tiles[(4,)](floats(64), zeros(64), 16, BLOCK=16)


@triton.jit
def smooth(src, dst, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(src + offsets - 1, mask=offsets > 0, other=0.0)
    x = tl.load(src + offsets)
    right = tl.load(src + offsets + 1, mask=offsets < n - 1, other=0.0)
    tl.store(dst + offsets, (left + x + right) / 3)


@fails(tensor="src", program=0, other=1, index=(15,))
def stencil_in_place():
    x = floats(64)
    smooth[(4,)](x, x, 64, BLOCK=16)


@clean()
def stencil_into_another_tensor():
    smooth[(4,)](floats(64), zeros(64), 64, BLOCK=16)


@triton.jit
def mean_of_parts(src, parts, count, out, TICKET: tl.constexpr, SEM: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    programs = tl.num_programs(0)
    x = tl.load(src + program * BLOCK + tl.arange(0, BLOCK))
    tl.store(parts + program, tl.sum(x, axis=0))
    if TICKET:
        last = tl.atomic_add(count, 1, sem=SEM) == programs - 1
    else:
        last = program == programs - 1
    if last:
        total = 0.0
        for i in range(0, programs):
            total += tl.load(parts + i)  # fault
        tl.store(out, total)


@fails(tensor="parts", program=0, other=3, index=(0,))
def last_program_reads_parts_at_once():
    mean_of_parts[(4,)](
        floats(64), zeros(4), zeros(1, dtype=I32), zeros(1), TICKET=False, SEM="acq_rel", BLOCK=16
    )


@clean()
def last_ticket_reads_parts():
    mean_of_parts[(4,)](
        floats(64), zeros(4), zeros(1, dtype=I32), zeros(1), TICKET=True, SEM="acq_rel", BLOCK=16
    )


@fails(tensor="parts", program=0, other=3, index=(0,))
def relaxed_ticket_reads_parts():
    mean_of_parts[(4,)](
        floats(64), zeros(4), zeros(1, dtype=I32), zeros(1), TICKET=True, SEM="relaxed", BLOCK=16
    )


@fails(tensor="parts", program=0, other=3, index=(0,))
def acquiring_ticket_never_releases():
    mean_of_parts[(4,)](
        floats(64), zeros(4), zeros(1, dtype=I32), zeros(1), TICKET=True, SEM="acquire", BLOCK=16
    )


@triton.jit
def locked_add(lock, out, TAKE: tl.constexpr, GIVE: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1, sem=TAKE) == 1:
        pass
    tl.store(out, tl.load(out) + 1.0)  # fault
    tl.atomic_xchg(lock, 0, sem=GIVE)


@clean()
def lock_taken_and_released():
    locked_add[(4,)](zeros(1, dtype=I32), zeros(1), TAKE="acq_rel", GIVE="acq_rel")


@clean()
def lock_acquired_and_released():
    locked_add[(4,)](zeros(1, dtype=I32), zeros(1), TAKE="acquire", GIVE="release")


@fails(tensor="out", program=0, other=1, index=(0,))
def lock_released_relaxed():
    locked_add[(4,)](zeros(1, dtype=I32), zeros(1), TAKE="acquire", GIVE="relaxed")


@fails(tensor="out", program=0, other=1, index=(0,))
def lock_taken_relaxed():
    locked_add[(4,)](zeros(1, dtype=I32), zeros(1), TAKE="relaxed", GIVE="release")


@triton.jit
def locked_pair(lock, first, second, EARLY: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(first, tl.load(first) + 1.0)
    if EARLY:
        tl.atomic_xchg(lock, 0)
    tl.store(second, tl.load(second) + 1.0)  # fault
    if not EARLY:
        tl.atomic_xchg(lock, 0)


@fails(tensor="second", program=0, other=1, index=(0,))
def lock_released_too_early():
    locked_pair[(4,)](zeros(1, dtype=I32), zeros(1), zeros(1), EARLY=True)


@clean()
def lock_released_at_the_end():
    locked_pair[(4,)](zeros(1, dtype=I32), zeros(1), zeros(1), EARLY=False)


@triton.jit
def two_locks(locks, out, STRIDE: tl.constexpr):
    lock = locks + tl.program_id(0) * STRIDE
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out, tl.load(out) + 1.0)  # fault
    tl.atomic_xchg(lock, 0)


@fails(tensor="out", program=0, other=1, index=(0,))
def each_program_takes_its_own_lock():
    two_locks[(4,)](zeros(4, dtype=I32), zeros(1), STRIDE=1)


@clean()
def all_programs_take_one_lock():
    two_locks[(4,)](zeros(4, dtype=I32), zeros(1), STRIDE=0)


@triton.jit
def hand_over(data, flag, out, SEND: tl.constexpr, WAIT: tl.constexpr, SCOPE: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(data, 42.0)
        tl.atomic_xchg(flag, 1, sem=SEND, scope=SCOPE)  # fault
    else:
        while tl.atomic_add(flag, 0, sem=WAIT, scope=SCOPE) == 0:
            pass
        tl.store(out, tl.load(data))  # fault


@clean()
def flag_released_and_acquired():
    hand_over[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), SEND="release", WAIT="acquire", SCOPE="gpu")


@clean()
def flag_over_the_whole_system():
    hand_over[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), SEND="release", WAIT="acquire", SCOPE="sys")


@fails(tensor="data", program=0, other=1, index=(0,))
def flag_sent_relaxed():
    hand_over[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), SEND="relaxed", WAIT="acquire", SCOPE="gpu")


@fails(tensor="data", program=0, other=1, index=(0,))
def flag_awaited_relaxed():
    hand_over[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), SEND="release", WAIT="relaxed", SCOPE="gpu")


@fails(tensor="flag", program=0, other=1, index=(0,))
def flag_within_the_block_only():
    hand_over[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), SEND="release", WAIT="acquire", SCOPE="cta")


@triton.jit
def flag_first(data, flag, out, FIRST: tl.constexpr):
    if tl.program_id(0) == 0:
        if FIRST:
            tl.atomic_xchg(flag, 1)
        tl.store(data, 42.0)
        if not FIRST:
            tl.atomic_xchg(flag, 1)
    else:
        while tl.atomic_add(flag, 0) == 0:
            pass
        tl.store(out, tl.load(data))


@fails(tensor="data", program=0, other=1, index=(0,))
def flag_set_before_the_data():
    flag_first[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), FIRST=True)


@clean()
def flag_set_after_the_data():
    flag_first[(2,)](zeros(1), zeros(1, dtype=I32), zeros(1), FIRST=False)


@triton.jit
def stream_k(src, parts, flags, out, WAIT: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    acc = tl.load(src + program * BLOCK + lanes)
    if program % 2 == 1:
        tl.store(parts + program * BLOCK + lanes, acc)
        tl.debug_barrier()
        tl.atomic_xchg(flags + program, 1, sem="release")
    else:
        if WAIT:
            while tl.atomic_cas(flags + program + 1, 1, 1, sem="acquire") != 1:
                pass
            tl.debug_barrier()
        acc += tl.load(parts + (program + 1) * BLOCK + lanes)  # fault
        tl.store(out + (program // 2) * BLOCK + lanes, acc)


@fails(tensor="parts", program=0, other=1, index=(16,))
def stream_k_without_waiting():
    stream_k[(4,)](floats(64), zeros(64), zeros(4, dtype=I32), zeros(32), WAIT=False, BLOCK=16)


@clean()
def stream_k_with_waiting():
    stream_k[(4,)](floats(64), zeros(64), zeros(4, dtype=I32), zeros(32), WAIT=True, BLOCK=16)


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
    index = torch.tensor([2, 0, 2], dtype=I32)
    scatter_rows[(3,)](index, floats(3, 16), zeros(3, 16), BLOCK=16)


@clean()
def scatter_of_a_permutation():
    index = torch.tensor([2, 0, 1], dtype=I32)
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
