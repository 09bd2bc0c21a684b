"""Programs that wait for one another, under fifty seeds; waits that nobody can end; memory of a launch."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

SEEDS = range(1, 51)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "interp")


@triton.jit
def locked_sum(lock, total, x, N: tl.constexpr):
    pid = tl.program_id(0)
    part = tl.sum(tl.load(x + pid * N + tl.arange(0, N)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + part)
    tl.atomic_xchg(lock, 0)


@triton.jit
def turns(turn, order, count):
    """A semaphore: program p comes when count - 1 - p others have been."""
    pid = tl.program_id(0)
    while tl.atomic_add(turn, 0) != count - 1 - pid:
        pass
    tl.store(order + tl.atomic_add(turn, 0), pid)
    tl.atomic_add(turn, 1)


@triton.jit
def split_product(a, b, c, locks, parts, K: tl.constexpr, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    """As in stream-K: parts of a sum are stored by several programs and joined by the first one, in order."""
    tile, part = tl.program_id(0), tl.program_id(1)
    rows, columns = tile * BLOCK + tl.arange(0, BLOCK), tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(part * (K // SPLIT), (part + 1) * (K // SPLIT), BLOCK):
        inner = start + tl.arange(0, BLOCK)
        left = tl.load(a + rows[:, None] * K + inner[None, :])
        sums += tl.dot(left, tl.load(b + inner[:, None] * BLOCK + columns[None, :]), input_precision="ieee")
    place = rows[:, None] * BLOCK + columns[None, :]
    if part == 0:
        for other in range(1, SPLIT):
            while tl.atomic_cas(locks + tile * SPLIT + other, 1, 1) != 1:
                pass
            sums += tl.load(parts + other * BLOCK * BLOCK * tl.num_programs(0) + place)
        tl.store(c + place, sums)
    else:
        tl.store(parts + part * BLOCK * BLOCK * tl.num_programs(0) + place, sums)
        tl.atomic_xchg(locks + tile * SPLIT + part, 1)


@triton.jit
def embrace(flags):
    """Each of two programs waits for the other to go first."""
    pid = tl.program_id(0)
    while tl.atomic_add(flags + 1 - pid, 0) == 0:  # WAITS
        pass
    tl.atomic_add(flags + pid, 1)


def test_a_lock_under_every_seed(monkeypatch):
    x = np.arange(16 * 32, dtype=np.int64)
    for seed in SEEDS:
        monkeypatch.setenv("TRISECT_SEED", str(seed))
        lock, total = np.zeros(1, np.int32), np.zeros(1, np.int64)
        locked_sum[(16,)](lock, total, x, 32)
        assert total[0] == x.sum() and lock[0] == 0, seed


def test_turns_under_every_seed(monkeypatch):
    for seed in SEEDS:
        monkeypatch.setenv("TRISECT_SEED", str(seed))
        turn, order = np.zeros(1, np.int32), np.zeros(12, np.int32)
        turns[(12,)](turn, order, 12)
        assert order.tolist() == list(range(11, -1, -1)), seed


def test_split_products_under_every_seed(monkeypatch):
    random = np.random.default_rng(1)
    a = random.integers(-4, 5, (48, 128)).astype(np.float32)
    b = random.integers(-4, 5, (128, 16)).astype(np.float32)
    for seed in SEEDS:
        monkeypatch.setenv("TRISECT_SEED", str(seed))
        c, locks = np.zeros((48, 16), np.float32), np.zeros(3 * 4, np.int32)
        split_product[(3, 4)](a, b, c, locks, np.zeros(4 * 48 * 16, np.float32), 128, 4, 16)
        assert (c == a @ b).all(), seed


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_same_without_a_seed(monkeypatch, threads):
    monkeypatch.setenv("TRISECT_THREADS", threads)
    for _ in range(20):
        turn, order = np.zeros(1, np.int32), np.zeros(12, np.int32)
        turns[(12,)](turn, order, 12)
        assert order.tolist() == list(range(11, -1, -1))


@pytest.mark.parametrize("seed", [None, *range(1, 11)])
def test_an_embrace_names_both_programs_and_their_line(monkeypatch, seed):
    if seed is not None:
        monkeypatch.setenv("TRISECT_SEED", str(seed))
    with pytest.raises(triton.KernelFault) as caught:
        embrace[(2,)](np.zeros(2, np.int32))
    assert caught.value.kind == "deadlock"
    source = open(__file__).read().splitlines()
    line = next(n for n, text in enumerate(source, 1) if text.endswith("# WAITS"))
    for pid in range(2):
        assert f"waits at {__file__}:{line}" in caught.value.details[f"program ({pid}, 0, 0)"]


SCRIPT = """
import json, resource
import numpy as np
import trisect as triton
import trisect.language as tl

@triton.jit
def double(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) * 2)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

x = np.ones(1 << 26, np.float32)
y = np.full(1 << 26, 3, np.float32)
double[(4,)](x, y, 4096)
before = peak()
double[(1 << 14,)](x, y, 4096)
print(json.dumps(dict(before=before, grown=peak() - before, right=bool((y == 2).all()))))
"""


@pytest.mark.parametrize("seed", ["", "1"])
def test_a_launch_copies_no_tensor(tmp_path, seed):
    """Two tensors of 256 MiB: the process grows by blocks and threads alone."""
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    environment = os.environ | {"TRISECT_TIER": "interp", "TRISECT_THREADS": "2", "TRISECT_SEED": seed}
    done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["right"] and facts["before"] > 512 and facts["grown"] < 16, facts
