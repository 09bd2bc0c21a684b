"""Loops over atomics that end by themselves: queues of tiles, streamed k, tables, compare-and-swap."""

import numpy as np
from running import RUNS, close, integers, launch, random, same, zeros

import trisect as triton
import trisect.language as tl


@triton.jit
def stream_step(a_ptr, b_ptr, acc, m, n, k, N, K, B: tl.constexpr):
    at = tl.arange(0, B)
    a = tl.load(a_ptr + (m * B + at)[:, None] * K + (k * B + at)[None, :])
    b = tl.load(b_ptr + (k * B + at)[:, None] * N + (n * B + at)[None, :])
    return tl.dot(a, b, acc, input_precision="ieee")


@triton.jit
def streamed(a_ptr, b_ptr, c_ptr, M, N, K, per_program, B: tl.constexpr):
    steps_k, tiles_n, at = K // B, N // B, tl.arange(0, B)
    step = tl.program_id(0) * per_program
    last = tl.minimum(step + per_program, steps_k * tiles_n * (M // B))
    while step < last:
        tile = step // steps_k
        until = tl.minimum((tile + 1) * steps_k, last)
        m, n = tile // tiles_n, tile % tiles_n
        acc = tl.zeros((B, B), tl.float32)
        whole = (until - step) == steps_k
        for k in range(step - tile * steps_k, until - tile * steps_k):
            acc = stream_step(a_ptr, b_ptr, acc, m, n, k, N, K, B)
        c_at = c_ptr + (m * B + at)[:, None] * N + (n * B + at)[None, :]
        if whole:
            tl.store(c_at, acc)
        else:
            tl.atomic_add(c_at, acc)
        step = until


@RUNS
def test_streamed_k(run):
    a, b, c = random(32, 80), random(80, 48, seed=1), zeros(32, 48)
    launch(run, streamed, (4,), a, b, c, 32, 48, 80, 8, B=16)
    close(c, a @ b, 1e-3)


@triton.jit
def queued(a_ptr, b_ptr, c_ptr, next_ptr, M, N, K, B: tl.constexpr):
    tiles_n, at = N // B, tl.arange(0, B)
    tiles = (M // B) * tiles_n
    tile = tl.atomic_add(next_ptr, 1)
    while tile < tiles:
        acc = tl.zeros((B, B), tl.float32)
        for k in range(K // B):
            acc = stream_step(a_ptr, b_ptr, acc, tile // tiles_n, tile % tiles_n, k, N, K, B)
        tl.store(c_ptr + (tile // tiles_n * B + at)[:, None] * N + (tile % tiles_n * B + at)[None, :], acc)
        tile = tl.atomic_add(next_ptr, 1)


@RUNS
def test_tiles_from_a_queue(run):
    a, b, c, counter = random(32, 32), random(32, 48, seed=1), zeros(32, 48), zeros(1, dtype=np.int32)
    launch(run, queued, (3,), a, b, c, counter, 32, 48, 32, B=16)
    close(c, a @ b, 1e-3)
    assert counter[0] == 6 + 3


@triton.jit
def hash_insert(key_ptr, table_ptr, slots_ptr, n, SIZE: tl.constexpr):
    i = tl.program_id(0)
    key = tl.load(key_ptr + i)
    slot = (key * 2654435761) % SIZE
    empty = tl.full((), -1, tl.int64)
    found = tl.atomic_cas(table_ptr + slot, empty, key)
    tries = 0
    while (found != -1) & (found != key) & (tries < SIZE):
        slot = (slot + 1) % SIZE
        found = tl.atomic_cas(table_ptr + slot, empty, key)
        tries += 1
    tl.store(slots_ptr + i, slot)


@RUNS
def test_keys_put_into_a_table_by_open_addressing(run):
    keys = integers(1000, 21).astype(np.int64)
    keys[5] = keys[3]
    table, slots = np.full(32, -1, np.int64), zeros(21, dtype=np.int64)
    launch(run, hash_insert, (21,), keys, table, slots, 21, SIZE=32)
    same(table[slots], keys)
    same(np.sort(table[table >= 0]), np.unique(keys))


@triton.jit
def largest(x_ptr, best_ptr, n, B: tl.constexpr):
    """The largest float by compare-and-swap of its bits."""
    at = tl.program_id(0) * B + tl.arange(0, B)
    mine = tl.max(tl.load(x_ptr + at, mask=at < n, other=-float("inf")), 0)
    old = tl.atomic_or(best_ptr, 0)
    done = old.to(tl.float32, bitcast=True) >= mine
    while not done:
        seen = tl.atomic_cas(best_ptr, old, mine.to(tl.int32, bitcast=True))
        done = (seen == old) | (seen.to(tl.float32, bitcast=True) >= mine)
        old = seen


@RUNS
def test_a_maximum_by_compare_and_swap(run):
    x, best = random(61), np.array([-np.inf], np.float32)
    launch(run, largest, (8,), x, best.view(np.int32), 61, B=8)
    same(best, [x.max()])


@triton.jit
def flood(starts_ptr, edges_ptr, queue_ptr, tail_ptr, seen_ptr, B: tl.constexpr):
    """Breadth first by one program: the queue grows while it is read."""
    head = 0
    while head < tl.atomic_add(tail_ptr, 0):
        node = tl.load(queue_ptr + head)
        for start in range(tl.load(starts_ptr + node), tl.load(starts_ptr + node + 1), B):
            at = start + tl.arange(0, B)
            live = at < tl.load(starts_ptr + node + 1)
            target = tl.load(edges_ptr + at, mask=live, other=0)
            fresh = live & (tl.atomic_xchg(seen_ptr + target, 1, mask=live) == 0)
            place = tl.atomic_add(tail_ptr, tl.sum(fresh.to(tl.int32)))
            tl.store(queue_ptr + place + tl.cumsum(fresh.to(tl.int32)) - 1, target, mask=fresh)
            tl.debug_barrier()
        head += 1


@RUNS
def test_a_graph_walked_breadth_first(run):
    link = integers(5, 17, 17) == 0
    link[:, 16] = False
    starts = np.concatenate([[0], link.sum(1).cumsum()]).astype(np.int32)
    edges = np.argwhere(link)[:, 1].astype(np.int32)
    queue, tail, seen = np.zeros(17, np.int32), np.ones(1, np.int32), np.zeros(17, np.int32)
    seen[0] = 1
    launch(run, flood, (1,), starts, edges, queue, tail, seen, B=4)
    reached = {0}
    while more := {j for i in reached for j in np.flatnonzero(link[i])} - reached:
        reached |= more
    same(np.sort(queue[: tail[0]]), sorted(reached))
