"""Programs that wait for one another, compiled and in tier 0.

Locks, chains against the order of ids, tries that are counted, clocks; waits that nobody ends, in the same
words on both tiers; what ends a launch in the middle of a wait; the cross-check of such kernels.
"""

import math

import numpy as np
import own_process
import pytest

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice

TIERS = pytest.mark.parametrize("tier", ["interp", "cpu"])
THREADS = pytest.mark.parametrize("threads", ["1", "2", "3"])


@triton.jit
def locked_sum(lock, total, x, N: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def locked_errors(lock, total, x, N: tl.constexpr):
    """What is summed may be off by a rounding."""
    at = tl.arange(0, N)
    errors = libdevice.erfc(tl.load(x + tl.program_id(0) * N + at))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total + at, tl.load(total + at) + errors)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def chain(flags, out, count, BACKWARDS: tl.constexpr):
    """Each program adds one to what its neighbour wrote, once that one has come."""
    pid = tl.program_id(0)
    before = pid + 1 if BACKWARDS else pid - 1
    value = 0
    if (before >= 0) & (before < count):
        while tl.load(flags + before, volatile=True) == 0:
            pass
        value = tl.load(out + before)
    tl.store(out + pid, value + 1)
    tl.debug_barrier()
    tl.atomic_xchg(flags + pid, 1)


@triton.jit
def blocks_under_a_lock(lock, block, x, rounds, N: tl.constexpr):
    """A wait in a loop, between blocks that live on across it."""
    at = tl.arange(0, N)
    mine = tl.load(x + tl.program_id(0) * N + at)
    for _ in range(rounds):
        while tl.atomic_xchg(lock, 1) == 1:
            pass
        tl.store(block + at, tl.load(block + at) * 3 + mine)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)
        mine += 1
    tl.store(x + tl.program_id(0) * N + at, mine)


@triton.jit
def patient(flags, out, tries):
    """Waits for the next program, but no more than so many rounds."""
    pid = tl.program_id(0)
    seen, n = 0, 0
    while (seen == 0) & (n < tries):
        seen = tl.atomic_add(flags + pid + 1, 0)
        n += 1
    tl.store(out + pid, seen)
    tl.atomic_xchg(flags + pid, 1)


@triton.jit
def counting(flags, out, counts, tries):
    """As patient, and says how many rounds it took: each tier has its own."""
    pid = tl.program_id(0)
    seen, n = 0, 0
    while (seen == 0) & (n < tries):
        seen = tl.atomic_add(flags + pid + 1, 0)
        n += 1
    tl.store(out + pid, seen)
    tl.store(counts + pid, n * 2 + tl.num_programs(0))
    tl.atomic_xchg(flags + pid, 1)


@triton.jit
def embrace(flags, N: tl.constexpr):
    """Each of two programs waits for the other to go first; all others end."""
    pid = tl.program_id(0)
    if pid < 2:
        while tl.atomic_add(flags + 1 - pid, 0) == 0:
            pass
        tl.atomic_add(flags + pid, 1)


@triton.jit
def pausing(flag, scratch, N: tl.constexpr):
    """A wait for nobody, whose pauses and blocks go round in circles."""
    pause = 1
    block = tl.arange(0, N)
    while tl.atomic_or(flag, 0) == 0:
        pause = pause * 3 % 31
        block = (block + 1) % N
        tl.atomic_max(scratch, 0)
    tl.store(scratch + tl.arange(0, N), block + pause)


@triton.jit
def beating(flag, beats, many, N: tl.constexpr):
    """A wait for nobody in which each program says that it is alive."""
    pid = tl.program_id(0)
    while tl.atomic_add(flag, 0) == 0:
        tl.store(beats + pid, 1)
        tl.store(many + pid * N + tl.arange(0, N), tl.arange(0, N), tl.arange(0, N) < N - 1)
        tl.store(many + pid * N + (tl.arange(0, N) * 3) % N, 5, tl.arange(0, N) < 0)


@triton.jit
def beating_until(flag, beats, N: tl.constexpr):
    """As beating; the last program ends it."""
    pid = tl.program_id(0)
    if pid == tl.num_programs(0) - 1:
        tl.atomic_xchg(flag, 1)
    while tl.atomic_add(flag, 0) == 0:
        tl.store(beats + pid, 1)


@TIERS
@THREADS
def test_a_lock(tier, threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    x = np.arange(300 * 32, dtype=np.int64)
    lock, total = np.zeros(1, np.int32), np.zeros(1, np.int64)
    locked_sum[(300,)](lock, total, x, 32, tier=tier)
    assert total[0] == x.sum() and lock[0] == 0


@TIERS
@THREADS
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("count", [1, 2, 65, 3000])
def test_a_chain(tier, threads, backwards, count, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    flags, out = np.zeros(count, np.int32), np.zeros(count, np.int32)
    chain[(count,)](flags, out, count, backwards, tier=tier)
    expected = np.arange(1, count + 1)
    assert (out == (expected[::-1] if backwards else expected)).all()


@TIERS
@THREADS
def test_blocks_live_on_while_others_run(tier, threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    x = np.arange(9 * 256, dtype=np.int32).reshape(9, 256)
    expected = x + 4
    lock, block = np.zeros(1, np.int32), np.zeros(256, np.int32)
    blocks_under_a_lock[(9,)](lock, block, x, 4, 256, tier=tier)
    assert (x == expected).all() and lock[0] == 0 and block.any()


@TIERS
@THREADS
def test_counted_tries_see_those_that_come(tier, threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    flags, out = np.zeros(33, np.int32), np.zeros(32, np.int32)
    flags[32] = 1
    patient[(32,)](flags, out, 1_000_000_000, tier=tier)
    assert out.tolist() == [1] * 32


@TIERS
@THREADS
def test_who_stores_the_same_while_it_waits_changes_nothing(tier, threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    beats, many = np.zeros(3, np.int32), np.zeros((3, 16), np.int32)
    kind, _, _, _, details = fault_of(beating, (3,), np.zeros(1, np.int32), beats, many, 16, tier=tier)
    assert kind == "deadlock" and beats.tolist() == [1, 1, 1], details
    assert (many[:, :15] == np.arange(15)).all() and not many[:, 15].any()
    flag, beats = np.zeros(1, np.int32), np.zeros(40, np.int32)
    beating_until[(40,)](flag, beats, 16, tier=tier)
    assert flag[0] == 1


@TIERS
def test_counted_tries_end(tier):
    flags, out = np.zeros(4, np.int32), np.full(3, 7, np.int32)
    patient[(3,)](flags, out, 5000, tier=tier)
    assert out[2] == 0


def fault_of(kernel, grid, *args, tier):
    with pytest.raises(triton.KernelFault) as caught:
        kernel[grid](*args, tier=tier)
    fault = caught.value
    return fault.kind, fault.message, fault.line, list(fault.program_id), fault.details


@THREADS
@pytest.mark.parametrize("kernel, grid", [(embrace, (40,)), (pausing, (2,)), (pausing, (7, 2))])
def test_a_wait_that_nobody_ends_reads_the_same_on_both_tiers(kernel, grid, threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)

    def fault(tier):
        arrays = [np.zeros(64, np.int32) for _ in range(len(kernel.arg_names) - 1)]
        return fault_of(kernel, grid, *arrays, 16, tier=tier)

    compiled = fault("cpu")
    assert compiled == fault("interp")
    assert compiled[0] == "deadlock" and "no program left can make" in compiled[1]


@triton.jit
def out_of_bounds(flag, far):
    if tl.program_id(0) == 5:
        tl.store(flag + far, 1)
    while tl.atomic_add(flag, 0) == 0:
        pass


@triton.jit
def asserting(flag, far):
    pid = tl.program_id(0)
    while tl.atomic_add(flag, 0) < pid:
        pass
    tl.device_assert(pid < far, "too far")
    tl.atomic_add(flag, 1)


@THREADS
def test_faults_of_programs_among_others_that_wait(threads, monkeypatch):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    kind, message, *_ = fault_of(out_of_bounds, (9,), np.zeros(1, np.int32), 1 << 45, tier="cpu")
    assert kind == "out-of-bounds" and "program (5, 0, 0)" in message
    with pytest.raises(triton.KernelFault, match="too far") as caught:
        asserting[(9,)](np.zeros(1, np.int32), 6, tier="cpu", debug=True)
    assert caught.value.kind == "assert" and list(caught.value.program_id) == [6, 0, 0]
    total, x = np.zeros(1, np.int64), np.ones(9 * 32, np.int64)
    locked_sum[(9,)](np.zeros(1, np.int32), total, x, 32, tier="cpu")
    assert total[0] == 9 * 32


SCRIPT = """
@triton.jit
def waiting(flag, out, LIMIT: tl.constexpr):
    # The first program's clock goes on: no deadlock, however long the others wait.
    n = tl.full((), 0, tl.int64)
    if tl.program_id(0) == 0:
        while tl.atomic_add(flag, 0) == 0:
            n += 1
    else:
        while tl.atomic_add(flag, 0) == 0:
            pass
    tl.store(out + tl.program_id(0), n)

def chain(count=200):
    flags, out = np.zeros(count, np.int32), np.zeros(count, np.int32)
    chained[(count,)](flags, out, count, tier="cpu")
    return out.tolist() == list(range(count, 0, -1))

@triton.jit
def chained(flags, out, count):
    pid = tl.program_id(0)
    value = 0
    if pid + 1 < count:
        while tl.atomic_add(flags + pid + 1, 0) == 0:
            pass
        value = tl.load(out + pid + 1)
    tl.store(out + pid, value + 1)
    tl.debug_barrier()
    tl.atomic_xchg(flags + pid, 1)

"""


@THREADS
def test_an_interrupt_ends_a_wait(tmp_path, threads):
    ended = own_process.run(
        tmp_path,
        """
        assert chain()
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        for _ in range(5):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                waiting[(20,)](np.zeros(1, np.int32), np.zeros(20, np.int64), 1, tier="cpu")
                report(right=False)
            except KeyboardInterrupt:
                pass
            assert chain()
        report(right=True)
        """,
        header=own_process.HEADER + SCRIPT,
        TRISECT_THREADS=threads,
    )
    assert ended.status == 0 and ended.facts == {"right": True}, ended.text


def test_a_limit_of_time_ends_a_wait(tmp_path):
    ended = own_process.run(
        tmp_path,
        """
        try:
            waiting[(3,)](np.zeros(1, np.int32), np.zeros(3, np.int64), 1, tier="cpu")
        except triton.KernelFault as fault:
            report(kind=fault.kind, message=fault.message)
        """,
        header=own_process.HEADER + SCRIPT,
        TRISECT_TIMEOUT="1",
        TRISECT_CHECK="off",
    )
    assert ended.facts["kind"] == "deadlock", ended.text
    assert "did not end within 1 s (TRISECT_TIMEOUT); 0 of 3 programs had finished" in ended.facts["message"]


def test_a_child_of_a_process_with_waiting_programs_runs_them_too(tmp_path):
    ended = own_process.run(
        tmp_path,
        """
        assert chain()
        launching = threading.Event()

        def wait():
            launching.set()
            try:
                waiting[(20,)](flag, np.zeros(20, np.int64), 1, tier="cpu")
            except Exception as error:
                print(error)

        flag = np.zeros(1, np.int32)
        thread = threading.Thread(target=wait)
        thread.start()
        launching.wait()
        child = os.fork()
        if child == 0:
            os._exit(0 if chain() else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        flag[0] = 1
        thread.join()
        report(child=status, parent=chain())
        """,
        header=own_process.HEADER + SCRIPT,
        TRISECT_CHECK="off",
        TRISECT_THREADS="2",
    )
    assert ended.status == 0 and ended.facts == {"child": 0, "parent": True}, ended.text


def events(kernel):
    return [(event.kind, event.verdict) for event in kernel.events if event.verdict]


def test_every_launch_is_compared_as_a_whole(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "always")
    for _ in range(3):
        flags, out = np.zeros(50, np.int32), np.zeros(50, np.int32)
        kernel = chain[(50,)](flags, out, 50, True, tier="cpu")
        assert out.tolist() == list(range(50, 0, -1))
    assert [verdict for _, verdict in events(kernel.function)][-3:] == ["equal"] * 3


def test_a_hot_kernel_is_promoted(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRISECT_CHECK", "promote")
    monkeypatch.delenv("TRISECT_TIER", raising=False)
    runtime = triton._C.runtime
    for _ in range(6):
        flags, out = np.zeros(50, np.int32), np.zeros(50, np.int32)
        kernel = chain[(50,)](flags, out, 50, True)
        assert out.tolist() == list(range(50, 0, -1))
        runtime.wait_for_compiles()
    assert ("promoted", "equal") in events(kernel.function), kernel.function.events


def test_what_lies_within_the_bounds_of_one_order_is_promoted(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRISECT_CHECK", "promote")
    monkeypatch.delenv("TRISECT_TIER", raising=False)
    runtime = triton._C.runtime
    x = np.linspace(2.3, 2.8, 20 * 64)
    expected = np.vectorize(math.erfc)(x.reshape(20, 64)).sum(0)
    for _ in range(6):
        lock, total = np.zeros(1, np.int32), np.zeros(64)
        kernel = locked_errors[(20,)](lock, total, x, 64)
        np.testing.assert_allclose(total, expected, rtol=1e-12)
        runtime.wait_for_compiles()
    assert ("promoted", "within bound") in events(kernel.function), kernel.function.events


def test_how_long_a_program_tried_is_no_difference(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "always")
    for tries in (1, 3, 63, 64, 65, 66, 100, 127, 128, 129, 200, 500, 1000, 3000):
        flags, out, counts = (np.zeros(33, np.int32) for _ in range(3))
        flags[32] = 1
        kernel = counting[(32,)](flags, out, counts, tries, tier="cpu")
        assert set(out[:32]) <= {0, 1} and out[31] == 1
    assert "different" not in [verdict for _, verdict in events(kernel.function)]
