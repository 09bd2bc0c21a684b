"""Loops that no schedule of the programs ends."""

import torch
from language import tl, triton
from tensors import floats, full, listed, zeros

from cases import group

fails, clean = group("deadlock")
I32 = torch.int32


@triton.jit
def wait_for_flag(flag, out, setters):
    if tl.program_id(0) < setters:
        tl.atomic_xchg(flag, 1)
    else:
        while tl.atomic_add(flag, 0) == 0:  # fault
            pass
        tl.store(out + tl.program_id(0), 1.0)


@fails(program=0)
def flag_that_nobody_sets():
    wait_for_flag[(2,)](zeros(1, dtype=I32), zeros(2), 0)


@clean()
def flag_that_another_program_sets():
    wait_for_flag[(2,)](zeros(1, dtype=I32), zeros(2), 1)


@triton.jit
def critical(lock, out, RELEASE: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1) == 1:  # fault
        pass
    tl.store(out, tl.load(out) + 1.0)
    if RELEASE:
        tl.atomic_xchg(lock, 0)


@fails(program=1)
def lock_never_released():
    critical[(3,)](zeros(1, dtype=I32), zeros(1), RELEASE=False)


@clean()
def lock_always_released():
    critical[(3,)](zeros(1, dtype=I32), zeros(1), RELEASE=True)


@clean()
def lock_never_needed_again():
    critical[(1,)](zeros(1, dtype=I32), zeros(1), RELEASE=False)


@fails(program=0)
def lock_left_taken_by_the_host():
    critical[(1,)](full(1, 1, dtype=I32), zeros(1), RELEASE=True)


@triton.jit
def chain(flags, out, step, last):
    program = tl.program_id(0)
    if program != last:
        while tl.atomic_add(flags + program + step, 0) == 0:  # fault
            pass
    tl.store(out + program, 1.0)
    tl.atomic_xchg(flags + program, 1)


@fails(program=0)
def chain_waits_in_a_circle():
    flags = zeros(6, dtype=I32)
    chain[(4,)](flags[1:5], zeros(4), 0, 9)


@clean()
def chain_waits_for_the_next():
    chain[(4,)](zeros(4, dtype=I32), zeros(4), 1, 3)


@clean()
def chain_waits_for_the_one_before():
    chain[(4,)](zeros(4, dtype=I32), zeros(4), -1, 0)


@triton.jit
def barrier(count, out, target):
    tl.atomic_add(count, 1)
    while tl.atomic_add(count, 0) < target:  # fault
        pass
    tl.store(out + tl.program_id(0), 1.0)


@fails(program=0)
def barrier_for_one_program_too_many():
    barrier[(3,)](zeros(1, dtype=I32), zeros(3), 4)


@clean()
def barrier_for_all_programs():
    barrier[(3,)](zeros(1, dtype=I32), zeros(3), 3)


@triton.jit
def barrier_with_early_exit(count, out, lengths, programs):
    program = tl.program_id(0)
    if tl.load(lengths + program) > 0:
        tl.atomic_add(count, 1)
        while tl.atomic_add(count, 0) < programs:  # fault
            pass
        tl.store(out + program, 1.0)


@fails(program=0)
def program_returns_before_the_barrier():
    lengths = listed([4, 0, 4])
    barrier_with_early_exit[(3,)](zeros(1, dtype=I32), zeros(3), lengths, 3)


@clean()
def no_program_returns_before_the_barrier():
    lengths = listed([4, 1, 4])
    barrier_with_early_exit[(3,)](zeros(1, dtype=I32), zeros(3), lengths, 3)


@triton.jit
def twice_locked(lock, out, AGAIN: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if AGAIN:
        while tl.atomic_cas(lock, 0, 1) == 1:  # fault
            pass
    tl.store(out, 1.0)
    tl.atomic_xchg(lock, 0)


@fails(program=0)
def lock_taken_twice():
    twice_locked[(1,)](zeros(1, dtype=I32), zeros(1), AGAIN=True)


@clean()
def lock_taken_once():
    twice_locked[(1,)](zeros(1, dtype=I32), zeros(1), AGAIN=False)


@triton.jit
def ticket_lock(tickets, serving, out, STEP: tl.constexpr):
    mine = tl.atomic_add(tickets, 1)
    while tl.atomic_add(serving, 0) != mine:  # fault
        pass
    tl.store(out, tl.load(out) + 1.0)
    tl.atomic_add(serving, STEP)


@fails(program=1)
def ticket_lock_skips_a_ticket():
    ticket_lock[(3,)](zeros(1, dtype=I32), zeros(1, dtype=I32), zeros(1), STEP=2)


@clean()
def ticket_lock_serves_each_ticket():
    ticket_lock[(3,)](zeros(1, dtype=I32), zeros(1, dtype=I32), zeros(1), STEP=1)


@triton.jit
def fix_up(parts, flags, out, WAIT_FOR: tl.constexpr):
    program = tl.program_id(0)
    if program == 0:
        while tl.atomic_cas(flags + WAIT_FOR, 1, 1) != 1:  # fault
            pass
        tl.store(out, tl.load(parts + 1))
    else:
        tl.store(parts + program, 3.0)
        tl.atomic_xchg(flags + program, 1)


@fails(program=0)
def fix_up_waits_for_itself():
    fix_up[(2,)](zeros(2), zeros(2, dtype=I32), zeros(1), WAIT_FOR=0)


@clean()
def fix_up_waits_for_the_other():
    fix_up[(2,)](zeros(2), zeros(2, dtype=I32), zeros(1), WAIT_FOR=1)


@triton.jit
def steps(src, out, n, step):
    at = 0
    total = 0.0
    while at < n:  # fault
        total = tl.load(src + at)
        at += step
    tl.store(out, total)


@fails(program=0)
def loop_with_a_step_of_zero():
    steps[(1,)](floats(8), zeros(1), 8, 0)


@clean()
def loop_with_a_step_of_one():
    steps[(1,)](floats(8), zeros(1), 8, 1)


@clean()
def loop_of_many_steps():
    steps[(1,)](floats(20000), zeros(1), 20000, 1)


@triton.jit
def back_and_forth(src, out, n, span):
    at = 0
    found = -1
    while found < 0:  # fault
        if tl.load(src + at) > n:
            found = at
        at = span - at
    tl.store(out, found)


@fails(program=0)
def loop_goes_back_and_forth():
    back_and_forth[(1,)](zeros(8), zeros(1, dtype=I32), 0, 5)


@clean()
def loop_finds_what_it_looks_for():
    src = zeros(8)
    src[5] = 1.0
    back_and_forth[(1,)](src, zeros(1, dtype=I32), 0, 5)


@triton.jit
def digits(out, value, base):
    count = 0
    rest = tl.zeros((16,), tl.int32) + value
    while tl.max(rest, axis=0) > 0:  # fault
        rest = rest // base
        count += 1 if base > 1 else 0
    tl.store(out, count)


@fails(program=0)
def digits_to_the_base_of_one():
    digits[(1,)](zeros(1, dtype=I32), 77, 1)


@clean()
def digits_to_the_base_of_ten():
    digits[(1,)](zeros(1, dtype=I32), 77, 10)


@triton.jit
def wait_with_backoff(flag, out, works):
    if tl.program_id(0) == 0:
        seen = 0
        pause = 1
        while seen == 0:  # fault
            seen = tl.atomic_add(flag, 0, sem="acquire")
            pause = (pause * 2) % 31
        tl.store(out, seen)
    else:
        rounds = 0
        while rounds < works:
            rounds += 1
        tl.atomic_xchg(flag, rounds, sem="release")


@fails(program=0)
def backoff_while_nobody_works():
    wait_with_backoff[(3,)](zeros(1, dtype=I32), zeros(1, dtype=I32), 0)


@clean()
def backoff_while_another_program_works():
    wait_with_backoff[(3,)](zeros(1, dtype=I32), zeros(1, dtype=I32), 20000)
