"""Programs that meet: flags, tickets, chains of semaphores, look-back, a barrier of the grid, locks."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def chained_scan(x_ptr, o_ptr, flag_ptr, total_ptr, n, B: tl.constexpr):
    pid = tl.program_id(0)
    at = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    before = 0
    if pid > 0:
        while tl.atomic_add(flag_ptr + pid - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(total_ptr + pid - 1)
    tl.store(total_ptr + pid, before + tl.sum(x))
    tl.atomic_xchg(flag_ptr + pid, 1, sem="release")
    tl.store(o_ptr + at, tl.cumsum(x) + before, mask=at < n)


@RUNS
def test_a_scan_chained_from_program_to_program(run):
    x, o, flag, total = (
        integers(9, 61),
        zeros(61, dtype=np.int32),
        zeros(8, dtype=np.int32),
        zeros(8, dtype=np.int32),
    )
    launch(run, chained_scan, (8,), x, o, flag, total, 61, B=8)
    same(o, x.cumsum())


@triton.jit
def look_back(x_ptr, o_ptr, state_ptr, ticket_ptr, n, B: tl.constexpr):
    """One word holds state (1 own sum, 2 all before too) and value, as it must change at once."""
    block = tl.atomic_add(ticket_ptr, 1)
    at = block * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    mine = tl.sum(x).to(tl.uint64)
    if block > 0:
        tl.atomic_xchg(state_ptr + block, (tl.full((), 1, tl.uint64) << 32) | mine, sem="release")
    before = tl.full((), 0, tl.uint64)
    back = block - 1
    while back >= 0:
        word = tl.atomic_add(state_ptr + back, tl.full((), 0, tl.uint64), sem="acquire")
        state = word >> 32
        if state != 0:
            before += word & 0xFFFFFFFF
            back = tl.where(state == 2, -1, back - 1)
    tl.atomic_xchg(state_ptr + block, (tl.full((), 2, tl.uint64) << 32) | (before + mine), sem="release")
    tl.store(o_ptr + at, tl.cumsum(x).to(tl.uint64) + before, mask=at < n)


@RUNS
def test_decoupled_look_back(run):
    x, o = integers(9, 75), zeros(75, dtype=np.uint64)
    state, ticket = zeros(10, dtype=np.uint64), zeros(1, dtype=np.int32)
    launch(run, look_back, (10,), x, o, state, ticket, 75, B=8)
    same(o, x.cumsum())


@triton.jit
def two_phases(x_ptr, part_ptr, o_ptr, arrived_ptr, n, P: tl.constexpr, B: tl.constexpr):
    pid, at = tl.program_id(0), tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(part_ptr + pid, tl.sum(x * x))
    tl.debug_barrier()
    tl.atomic_add(arrived_ptr, 1, sem="acq_rel")
    while tl.load(arrived_ptr, volatile=True) < P:
        pass
    total = tl.sum(tl.load(part_ptr + tl.arange(0, P), volatile=True))
    tl.store(o_ptr + at, x / tl.sqrt(total), mask=at < n)


@RUNS
def test_a_barrier_of_the_whole_grid(run):
    x, part, o, arrived = random(29), zeros(4), zeros(29), zeros(1, dtype=np.int32)
    launch(run, two_phases, (4,), x, part, o, arrived, 29, P=4, B=8)
    close(o, x / np.linalg.norm(x))


@triton.jit
def ordered_add(x_ptr, o_ptr, turn_ptr, n, P: tl.constexpr, B: tl.constexpr):
    """Sums in the order of programs: the same bits every time."""
    pid, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + pid * n + at, mask=at < n, other=0.0)
    while tl.atomic_cas(turn_ptr, pid, pid, sem="acquire") != pid:
        pass
    old = tl.load(o_ptr + at, mask=at < n, other=0.0)
    tl.store(o_ptr + at, old + x, mask=at < n)
    tl.debug_barrier()
    tl.atomic_xchg(turn_ptr, (pid + 1) % P, sem="release")


@RUNS
def test_sums_in_the_order_of_a_semaphore(run):
    x, o, turn = random(6, 13), zeros(13), zeros(1, dtype=np.int32)
    launch(run, ordered_add, (6,), x, o, turn, 13, P=6, B=16)
    expected = zeros(13)
    for row in x:
        expected += row
    same(o, expected)
    assert turn[0] == 0


@triton.jit
def hand_over(x_ptr, slot_ptr, full_ptr, o_ptr, steps, B: tl.constexpr):
    at = tl.arange(0, B)
    if tl.program_id(0) == 0:
        for i in range(steps):
            while tl.atomic_add(full_ptr + i % 2, 0, sem="acquire") != 0:
                pass
            tl.store(slot_ptr + i % 2 * B + at, tl.load(x_ptr + i * B + at) * 2)
            tl.debug_barrier()
            tl.atomic_xchg(full_ptr + i % 2, 1, sem="release")
    else:
        total = tl.zeros([B], tl.float32)
        for i in range(steps):
            while tl.atomic_add(full_ptr + i % 2, 0, sem="acquire") != 1:
                pass
            total += tl.load(slot_ptr + i % 2 * B + at)
            tl.debug_barrier()
            tl.atomic_xchg(full_ptr + i % 2, 0, sem="release")
        tl.store(o_ptr + at, total)


@RUNS
def test_two_programs_hand_over_blocks_in_two_slots(run):
    x, slots, full, o = random(7, 8), zeros(2, 8), zeros(2, dtype=np.int32), zeros(8)
    launch(run, hand_over, (2,), x, slots, full, o, 7, B=8)
    close(o, 2 * x.sum(0))


@triton.jit
def last_of_group(x_ptr, part_ptr, count_ptr, o_ptr, N: tl.constexpr, SPLIT: tl.constexpr, B: tl.constexpr):
    """Splits of one row meet at a counter; the last one adds up and sets it back."""
    row, split, at = tl.program_id(0), tl.program_id(1), tl.arange(0, B)
    x = tl.load(x_ptr + row * N + split * B + at, mask=split * B + at < N, other=0.0)
    tl.store(part_ptr + row * SPLIT + split, tl.max(tl.abs(x)))
    tl.debug_barrier()
    if count(count_ptr + row, SPLIT):
        peak = tl.max(tl.load(part_ptr + row * SPLIT + tl.arange(0, SPLIT)))
        for start in range(0, N, B):
            x = tl.load(x_ptr + row * N + start + at, mask=start + at < N, other=0.0)
            tl.store(o_ptr + row * N + start + at, x / peak, mask=start + at < N)


@triton.jit
def count(count_ptr, most: tl.constexpr):
    last = tl.atomic_add(count_ptr, 1, sem="acq_rel") == most - 1
    if last:
        tl.atomic_xchg(count_ptr, 0, sem="relaxed")
    return last


@RUNS
def test_the_last_split_of_a_row_scales_it(run):
    x, part, counts, o = random(3, 29), zeros(3, 4), zeros(3, dtype=np.int32), zeros(3, 29)
    for _ in range(2):
        launch(run, last_of_group, (3, 4), x, part, counts, o, N=29, SPLIT=4, B=8)
        close(o, x / np.abs(x).max(1, keepdims=True))
        same(counts, [0, 0, 0])


@triton.jit
def reader_writer(x_ptr, table_ptr, lock_ptr, bins, n, B: tl.constexpr):
    """A lock a bin, taken in a loop whose state is carried."""
    pid = tl.program_id(0)
    for i in range(B):
        at = pid * B + i
        if at < n:
            bin_ = tl.load(x_ptr + at) % bins
            taken = False
            while not taken:
                taken = tl.atomic_cas(lock_ptr + bin_, 0, 1, sem="acquire", scope="gpu") == 0
            tl.store(table_ptr + bin_, tl.load(table_ptr + bin_) * 3 + 1)
            tl.debug_barrier()
            tl.atomic_cas(lock_ptr + bin_, 1, 0, sem="release", scope="gpu")


@RUNS
def test_a_lock_for_each_bin(run):
    x, table, locks = integers(50, 26), zeros(5, dtype=np.int64), zeros(5, dtype=np.int32)
    launch(run, reader_writer, (4,), x, table, locks, 5, 26, B=8)
    expected = [0] * 5
    for v in x:
        expected[v % 5] = expected[v % 5] * 3 + 1
    same(table, expected)
    assert not locks.any()
