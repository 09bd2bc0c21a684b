"""A launch that is alone, on one thread, adds without locks: nobody may see a difference.

What: every type, kind and order of places gives what locked atomics give; launches of eight threads, of other
threads' numbers and tiers on one buffer lose nothing; an interrupt, a fault and a fork leave the gate open.
"""

import mmap
import os
import signal
import threading
import time

import numpy as np
import pytest

import trisect
import trisect.language as tl

TIMES = 40


@trisect.jit
def add_rows(id_ptr, out_ptr, n, ROW: tl.constexpr, ORDER: tl.constexpr):
    """Each program adds a row of ones to one of some rows."""
    row = tl.load(id_ptr + tl.program_id(0))
    i = tl.arange(0, ROW)
    tl.atomic_add(out_ptr + row * ROW + i, 1.0, mask=i < n, sem=ORDER)


@trisect.jit
def add_places(at_ptr, out_ptr, x_ptr, n, BLOCK: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = i < n
    tl.atomic_add(out_ptr + tl.load(at_ptr + i, mask=on), tl.load(x_ptr + i, mask=on), mask=on, scope=SCOPE)


@trisect.jit
def add_scalars(out_ptr, rounds):
    for _ in range(rounds):
        tl.atomic_add(out_ptr, 1)


@trisect.jit
def add_or_fail(at_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.load(at_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(out_ptr + at, 1)
    tl.device_assert(at < 64, "too far")


def together(*calls):
    """Runs the calls on threads of their own; raises what one of them raised."""
    raised = []
    start = threading.Barrier(len(calls))

    def run(call):
        start.wait()
        try:
            call()
        except BaseException as error:  # noqa: BLE001
            raised.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Without comparisons: tier 0 would take minutes for the long loops."""
    monkeypatch.setenv("TRISECT_TIER", "cpu")
    monkeypatch.setenv("TRISECT_CHECK", "off")


@pytest.mark.parametrize("order", ["relaxed", "acq_rel"])
@pytest.mark.parametrize("n", [64, 37])
def test_eight_launches_on_one_thread_each_lose_nothing(order, n):
    rows = np.random.default_rng(0).integers(0, 3, 512, dtype=np.int32)
    out = np.zeros((3, 64), np.float32)

    def launch():
        for _ in range(TIMES):
            add_rows[(512,)](rows, out, n, ROW=64, ORDER=order, num_threads=1)

    together(*[launch] * 8)
    want = np.zeros_like(out)
    want[:, :n] = 8 * TIMES * np.bincount(rows, minlength=3)[:, None]
    assert np.array_equal(out, want)


def test_launches_of_every_kind_at_once_lose_nothing():
    at = np.random.default_rng(1).integers(0, 50, 4096, dtype=np.int32)
    ones, out = np.ones(4096, np.int32), np.zeros(50, np.int32)

    def launch(scope, **options):
        for _ in range(TIMES):
            add_places[(16,)](at, out, ones, 4096, BLOCK=256, SCOPE=scope, **options)

    together(
        lambda: launch("gpu", num_threads=1),
        lambda: launch("gpu", num_threads=2),
        lambda: launch("sys", num_threads=1),
        lambda: launch("gpu", tier="interp"),
        lambda: launch("cta", num_threads=1),
    )
    assert np.array_equal(out, 5 * TIMES * np.bincount(at, minlength=50))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int32, np.int64])
@pytest.mark.parametrize("places", ["along", "backwards", "twice", "anywhere"])
@pytest.mark.parametrize("n", [1024, 1001])
def test_alone_gives_the_bits_of_tier_0(dtype, places, n):
    rng = np.random.default_rng(2)
    orders = {
        "along": np.arange(1024),
        "backwards": np.arange(1024)[::-1],
        "twice": np.arange(1024) // 2,
        "anywhere": rng.integers(0, 1024, 1024),
    }
    at = orders[places].astype(np.int32)
    x = (rng.standard_normal(1024) * 20).astype(dtype)
    start = (rng.standard_normal(1024) * 20).astype(dtype)
    results = []
    # Sums depend on their order, that of programs on one thread.
    for options in ({}, {"tier": "interp"}):
        out = start.copy()
        add_places[(8,)](at, out, x, n, BLOCK=128, SCOPE="gpu", num_threads=1, **options)
        results.append(out)
    assert results[0].tobytes() == results[1].tobytes()


def test_both_forms_are_compared(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "auto")
    monkeypatch.setenv("TRISECT_CHECK", "always")
    out = np.zeros(1, np.int32)
    for _ in range(6):
        add_scalars[(1,)](out, 3, num_threads=1)
    assert out[0] == 18


def test_a_fault_leaves_the_gate():
    at = np.full(256, 3, np.int32)
    at[200] = 70
    out = np.zeros(128, np.int32)
    for _ in range(3):
        with pytest.raises(trisect.KernelFault, match="too far"):
            add_or_fail[(4,)](at, out, BLOCK=64, num_threads=1, debug=True)
    out[:] = 0
    good = np.full(256, 5, np.int32)
    together(*[lambda: add_or_fail[(4,)](good, out, BLOCK=64, num_threads=2, debug=True)] * 3)
    assert out[5] == 3 * 256


def test_an_interrupt_leaves_the_gate():
    out = np.zeros(1, np.int32)
    add_scalars[(1,)](out, 1, num_threads=1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            add_scalars[(1,)](out, 1 << 30, num_threads=1)
    out[:] = 0
    together(*[lambda: add_scalars[(2,)](out, 1000, num_threads=2)] * 2)
    assert out[0] == 4000


def test_one_that_waits_can_be_interrupted():
    """Another thread is alone for long; this one stands before the gate."""
    out, other = np.zeros(1, np.int32), np.zeros(1, np.int32)
    add_scalars[(1,)](out, 1, num_threads=1)
    long = threading.Thread(target=lambda: add_scalars[(1,)](out, 1 << 30, num_threads=1))
    long.start()
    time.sleep(0.1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while long.is_alive():
            add_scalars[(4,)](other, 1 << 28, num_threads=2)
    long.join()
    assert out[0] == 1 + (1 << 30)


def test_a_fork_finds_the_gate_open():
    out = np.zeros(1, np.int32)
    add_scalars[(1,)](out, 1, num_threads=1)
    long = threading.Thread(target=lambda: add_scalars[(1,)](out, 1 << 29, num_threads=1))
    long.start()
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        mine = np.zeros(1, np.int32)
        add_scalars[(2,)](mine, 100, num_threads=2)
        add_scalars[(1,)](mine, 100, num_threads=1)
        os._exit(0 if mine[0] == 300 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    long.join()
    assert out[0] == 1 + (1 << 29)


def test_processes_that_share_memory_lose_nothing():
    shared = mmap.mmap(-1, 4096)
    out = np.frombuffer(shared, np.int32, 1)
    rounds = 3_000_000
    add_scalars[(1,)](out, 1, num_threads=1)
    out[0] = 0
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            add_scalars[(16,)](out, rounds, num_threads=1)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert out[0] == 2 * 16 * rounds
