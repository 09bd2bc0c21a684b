"""First launches from several threads, cold autotuning among them, and interrupts in the middle."""

import sys
import threading
import time

import numpy as np
import pytest
from own_process import run

import trisect as triton
import trisect.language as tl
from trisect.compiler import executable


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(count, work):
    """What each thread raised."""
    barrier, errors = threading.Barrier(count), []

    def body(index):
        barrier.wait()
        try:
            work(index)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def new_kernel():
    @triton.jit
    def fill(x, value, N: tl.constexpr):
        tl.store(x + tl.arange(0, N), value)

    return fill


def test_the_first_launches_of_eight_threads():
    for _ in range(10):
        kernel = new_kernel()
        outs = [np.zeros(64, np.float32) for _ in range(8)]
        assert in_threads(8, lambda i, kernel=kernel, outs=outs: kernel[(1,)](outs[i], 1.0 + i, N=64)) == []
        assert [out.tolist() for out in outs] == [[1.0 + i] * 64 for i in range(8)]


def test_an_interrupt_while_a_kernel_is_made_ready_does_not_break_it(monkeypatch):
    kernel = new_kernel()
    out = np.zeros(64, np.float32)
    from trisect.runtime import launching

    make = launching.make_launcher
    interrupted = []

    def interrupt_once(*args):
        if not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt
        return make(*args)

    monkeypatch.setattr(launching, "make_launcher", interrupt_once)
    with pytest.raises(KeyboardInterrupt):
        kernel[(1,)](out, 1.0, N=64)
    kernel[(1,)](out, 2.0, N=64)
    assert interrupted and out.tolist() == [2.0] * 64


def test_interrupts_while_compiled_code_prints(tmp_path):
    """One comes where a lock is held or Python writes: each launch ends by it."""
    ended = run(
        tmp_path,
        """
        @triton.jit
        def count(step, n):
            i = 0
            while i < n:
                tl.device_print("x", i)
                i += tl.load(step)

        step, left = np.ones(1, np.int32), 0
        count[(2,)](step, 5)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it
        for _ in range(12):
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            try:
                timer.start()
                count[(2,)](step, 1000000001)
            except KeyboardInterrupt:
                left += 1
            timer.join()
        print()
        report(left=left)
        """,
        TRISECT_TIER="cpu",
        TRISECT_CHECK="off",
    )
    assert ended.facts == {"left": 12}, ended.text[-2000:]


FAULT_WHILE_A_HANDLER_RUNS = """
@triton.jit
def leave(flag, far):
    tries = 0
    while (tl.load(flag, volatile=True) == 0) & (tries < 1000000000):
        tries += 1
    tl.store(flag + far, 1)

def handler(*_):
    flag[0] = 1
    time.sleep(0.5)  # meanwhile a program on another thread faults
    raise KeyboardInterrupt("mine")

flag, got = np.ones(1, np.int32), []
try:
    leave[(1,)](flag, 1 << 40)  # ready before the first signal
except triton.KernelFault:
    pass
signal.signal(signal.SIGUSR1, handler)
for _ in range(3):
    flag[0] = 0
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1))
    try:
        timer.start()
        leave[(4,)](flag, 1 << 40, num_threads=2)
        got.append("ran")
    except BaseException as error:
        got.append(f"{type(error).__name__}: {error}")
    timer.join()
report(got=got)
"""


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_handler_that_raises_while_a_program_faults(tmp_path, tier):
    """What the handler raised comes out: a fault that is made into an exception over it is a SystemError."""
    ended = run(tmp_path, FAULT_WHILE_A_HANDLER_RUNS, TRISECT_TIER=tier, TRISECT_CHECK="off")
    assert ended.facts == {"got": ["KeyboardInterrupt: mine"] * 3}, ended.text[-2000:]


def test_one_executable_is_made_for_all_threads(monkeypatch):
    made, make = [], executable.make_executable
    monkeypatch.setattr(executable, "make_executable", lambda *args: made.append(args) or make(*args))
    kernel = new_kernel()
    outs = [np.zeros(64, np.float32) for _ in range(8)]
    assert in_threads(8, lambda i: kernel[(1,)](outs[i], 1.0, N=64)) == []
    # Kernels of other tests may become ready meanwhile.
    ours = [args for args in made if any(getattr(each, "fn", None) is kernel for each in args)]
    assert len(ours) == 1 and all((out == 1).all() for out in outs)


def test_threads_share_the_caches_of_a_kernel(monkeypatch):
    """Each with its own made an executable, too, and all but one were dropped while they ran."""
    from trisect import compiler

    make = compiler.make_backend
    monkeypatch.setattr(compiler, "make_backend", lambda target: time.sleep(0.05) or make(target))
    kernel, seen = new_kernel(), []
    assert in_threads(4, lambda _: seen.append(kernel.create_binder())) == []
    assert len(seen) == 4 and len(set(map(id, seen))) == 1


def test_threads_meet_while_a_form_is_read_from_the_cache(tmp_path):
    """What is known of a form is there a moment before its code."""
    ended = run(
        tmp_path,
        """
        def make():
            @triton.jit
            def fill(x, value, N: tl.constexpr):
                tl.store(x + tl.arange(0, N), value)

            return fill

        def meet(kernel, count):
            outs = [np.zeros(64, np.float32) for _ in range(count)]
            barrier = threading.Barrier(count)

            def body(out):
                barrier.wait()
                for _ in range(3):
                    kernel[(1,)](out, 1.0, N=64)

            threads = [threading.Thread(target=body, args=(out,)) for out in outs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return all((out == 1).all() for out in outs)

        first = make()
        for _ in range(8):
            meet(first, 1)
        from trisect._C import runtime
        runtime.wait_for_compiles()
        meet(first, 1)
        runtime.wait_for_compiles()
        sys.setswitchinterval(1e-6)
        report(right=all([meet(make(), 8) for _ in range(150)]))
        """,
    )
    assert ended.status == 0 and ended.facts == {"right": True}, ended.text[-2000:]


def tuned_adder(restore=()):
    configs = [triton.Config({"N": n}, num_warps=w) for n in (32, 64) for w in (2, 4)]

    def bench(call, quantiles):
        for _ in range(20):
            call()
        return [1.0] * 3

    reset = [] if restore else ["out"]

    @triton.autotune(configs=configs, key=["n"], reset_to_zero=reset, restore_value=restore, do_bench=bench)
    @triton.jit
    def add_one(out, n, N: tl.constexpr):
        i = tl.program_id(0) * N + tl.arange(0, N)
        tl.atomic_add(out + i, 1.0, mask=i < n)

    return add_one


@pytest.mark.parametrize("restore", [(), ("out",)], ids=["reset_to_zero", "restore_value"])
def test_cold_autotuning_in_threads_touches_only_its_own_arguments(restore):
    """Each thread has a tensor and a key of its own: all of them are cold."""
    kernel = tuned_adder(restore)
    outs = [np.full(60 + i, 5.0 if restore else 0.0, np.float32) for i in range(6)]
    start = outs[0][0]
    grid = lambda meta: (triton.cdiv(65, meta["N"]),)  # noqa: E731
    errors = in_threads(6, lambda i: kernel[grid](outs[i], len(outs[i])))
    assert errors == []
    assert [np.unique(out).tolist() for out in outs] == [[start + 1]] * 6


def test_threads_with_one_key_time_it_once():
    kernel, timed = tuned_adder(), []
    measure = kernel._time
    kernel._time = lambda *args, **meta: timed.append(1) or measure(*args, **meta)
    outs = [np.zeros(64, np.float32) for _ in range(6)]
    grid = lambda meta: (triton.cdiv(64, meta["N"]),)  # noqa: E731
    assert in_threads(6, lambda i: kernel[grid](outs[i], 64)) == []
    assert len(timed) == len(kernel.configs_timings) - 2  # num_warps makes no other code on a CPU
    assert [np.unique(out).tolist() for out in outs] == [[1.0]] * 6
