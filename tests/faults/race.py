"""Programs of one grid that meet in memory without an order: totals, locks, flags and handed over data."""

import torch
from language import tl, triton
from tensors import floats, zeros

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
