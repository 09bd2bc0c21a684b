"""Threads, signals, forks and cold autotuning at once: every launch gives the right answer or a known error.

What: a round is a process of its own. Its threads launch kernels of all tiers, some of them wild, some
autotuned for the first time; signals interrupt the main thread; children are forked in the middle of it all.
"""

import subprocess
import sys
import tempfile

from harness import Failure, finish, main
from sanitized import environment, patience

WORKER = r"""
import faulthandler, os, random, signal, sys, threading, time
import numpy as np
import trisect as triton
import trisect.language as tl

seed, seconds, patience = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
end = time.monotonic() + seconds
faulthandler.enable()
faulthandler.dump_traceback_later((seconds + 240) * patience, exit=True)
problems, counts = [], {}

def count(what):
    counts[what] = counts.get(what, 0) + 1

def wrong(text):
    problems.append(text)

def make(configs):
    @triton.jit
    def add(x, y, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)

    @triton.autotune(configs=configs, key=["n"], reset_to_zero=["total"], do_bench=bench)
    @triton.jit
    def total(x, total, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.atomic_add(total, tl.sum(tl.load(x + at, mask=at < n, other=0)))

    @triton.jit
    def product(a, b, c, N: tl.constexpr):
        rows, columns = tl.arange(0, N)[:, None] * N, tl.arange(0, N)[None, :]
        tl.store(c + rows + columns, tl.dot(tl.load(a + rows + columns), tl.load(b + rows + columns)))

    @triton.jit
    def jump(out, far):
        tl.store(out + tl.program_id(0) * far, 1)

    return add, total, product, jump

def bench(call, quantiles):
    call()
    return [random.random()] * 3

configs = [triton.Config({"BLOCK": 64 << n}) for n in range(4)]
shared = make(configs)

def launch(choose, kernels):
    add, total, product, jump = kernels
    tier = choose.choice(["interp", "cpu", None])
    more = {} if tier is None else {"tier": tier}
    n = choose.choice([1, 100, 1000, 30000])
    what = choose.random() * (0.9 if "TSAN_OPTIONS" in os.environ else 1)  # sanitized.py tells why
    if what < 0.4:
        x, y = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
        block = 16 << choose.randrange(7)
        add[(triton.cdiv(n, block),)](x, y, n, BLOCK=block, **more)
        if not (y == x + 1).all():
            wrong(f"add {n} {block} {tier}")
    elif what < 0.7:
        x, sum = np.ones(n, np.int32), np.zeros(1, np.int32)
        total[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, sum, n)
        if sum[0] != n:
            wrong(f"total {n} {sum[0]}")
    elif what < 0.9:
        size = choose.choice([16, 32, 64])
        a = np.eye(size, dtype=np.float32)
        b = np.arange(size * size, dtype=np.float32).reshape(size, size)
        c = np.zeros_like(b)
        product[(1,)](a, b, c, N=size, **more)
        if not (c == b).all():
            wrong(f"product {size} {tier}")
    else:
        try:
            jump[(4,)](np.zeros(4, np.int32), 1 << 45, **more)
            wrong(f"jump {tier}: no fault")
        except triton.KernelFault as fault:
            if fault.kind != "out-of-bounds":
                wrong(f"jump {tier}: {fault.kind}")
    count("launches")

def run(index, until):
    choose = random.Random(seed * 1000 + index)
    while time.monotonic() < until:
        launch(choose, shared if choose.random() < 0.7 else make(configs))

def fork():
    global armed
    # Python's own hooks around a fork are not made for interrupts, and other threads take the signal, too.
    armed = False
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    process = os.fork()
    if process == 0:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one that waits is gone
        signal.alarm(180 * patience)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        faulthandler.register(signal.SIGALRM, chain=True)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        try:
            choose = random.Random(seed)
            for _ in range(6):
                launch(choose, shared)
            os._exit(3 if problems else 0)
        except BaseException as error:
            sys.stderr.write(f"child: {error!r}\n")
            os._exit(4)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status:
        wrong(f"a forked child ended with {status}")
    count("forks")

armed = False  # an interrupt in the handler of the one before would end the round

def pressed(*_):
    global armed
    if armed:
        armed = False
        raise KeyboardInterrupt

signal.signal(signal.SIGALRM, pressed)
signal.signal(signal.SIGUSR1, lambda *_: count("signals"))
threads = [threading.Thread(target=run, args=(n, end), daemon=n == 3) for n in range(4)]
for thread in threads:
    thread.start()
choose = random.Random(seed)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.007)
while time.monotonic() < end:
    try:
        armed = True
        if choose.random() < 0.1:
            fork()
        else:
            os.kill(os.getpid(), signal.SIGUSR1)
            launch(choose, shared if choose.random() < 0.7 else make(configs))
        armed = False
    except KeyboardInterrupt:
        count("interrupts")
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
for thread in threads[:3]:
    thread.join()
faulthandler.cancel_dump_traceback_later()
print(counts, problems[:5])
sys.exit(1 if problems else 0)
"""


def round(seed: int, left: float) -> str:
    seconds = min(20.0, left)
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(seed), str(seconds), str(patience())],
            env=environment(python=True)
            | {"TRITON_CACHE_DIR": cache}
            | ({"TRISECT_THREADS": str(seed % 4)} if seed % 4 else {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = finish(process, None, seconds + 300)
    if process.returncode:
        raise Failure(
            f"ended with {process.returncode}: {out.decode()}{err.decode(errors='replace')[-4000:]}"
        )
    return out.decode().strip()


if __name__ == "__main__":
    main("launches", round)
