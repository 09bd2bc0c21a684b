"""Three kernels on their way through the tiers: `python -m trisect.demo`.

What: vector add, a row softmax and a matmul run in tier 0, are compiled in the background, and are trusted
after their first compiled launch has been compared, byte by byte, with tier 0. A table says what happened and
how long it took. Then a miscompile is planted, and the report of the comparison that finds it is shown.
Why: the main job of this package in one command, with NumPy alone.
Limits: times are the best of a few launches on this machine, not a benchmark (./dev bench).
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import trisect as triton
import trisect.language as tl
from trisect._testing.planted import plant
from trisect.runtime.generation import end_generation


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, at < columns, float("-inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * columns + at, powers / tl.sum(powers, 0), at < columns)


@triton.jit
def matmul(a, b, c, m, n, k, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, k, BLOCK):
        inner = start + tl.arange(0, BLOCK)
        left = tl.load(
            a + rows[:, None] * k + inner[None, :], (rows[:, None] < m) & (inner[None, :] < k), 0.0
        )
        right = tl.load(
            b + inner[:, None] * n + columns[None, :], (inner[:, None] < k) & (columns[None, :] < n), 0.0
        )
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + rows[:, None] * n + columns[None, :], total, (rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def difference(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) - tl.load(y + at, at < n), at < n)


@triton.jit
def swapped(y, x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) - tl.load(y + at, at < n), at < n)


def cases(random):
    """Name, size, launch, output and NumPy's answer of each kernel."""
    n = 1_000_003
    x, y = random.standard_normal((2, n), dtype=np.float32)
    total = np.empty_like(x)
    yield (
        "vector add",
        f"{n:,}",
        lambda: vector_add[(triton.cdiv(n, 1024),)](x, y, total, n, 1024),
        total,
        x + y,
    )

    rows, columns = 1000, 781
    values = random.standard_normal((rows, columns), dtype=np.float32)
    shares = np.empty_like(values)
    powers = np.exp(values.astype(np.float64) - values.max(1, keepdims=True))
    expected = powers / powers.sum(1, keepdims=True)
    yield (
        "softmax",
        f"{rows} x {columns}",
        lambda: softmax[(rows,)](values, shares, columns, 1024),
        shares,
        expected,
    )

    m, n, k = 250, 270, 290
    a = random.standard_normal((m, k), dtype=np.float32)
    b = random.standard_normal((k, n), dtype=np.float32)
    c = np.empty((m, n), np.float32)
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    yield (
        "matmul",
        f"{m} x {n} x {k}",
        lambda: matmul[grid](a, b, c, m, n, k, 64),
        c,
        a.astype(np.float64) @ b,
    )


def milliseconds(launch, times=1):
    """The shortest of some launches, and what the last one returned."""
    shortest = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        kernel = launch()
        shortest = min(shortest, time.perf_counter() - started)
    return shortest * 1e3, kernel


def promoted(launch):
    """Launches until the kernel is trusted or refused; returns what decided, and the compile time."""
    from trisect._C import runtime

    for _ in range(20):
        kernel = launch()
        runtime.wait_for_compiles()
        decided = [
            event for event in kernel.function.events if event.kind in ("promoted", "kept", "withdrawn")
        ]
        if decided:
            compiled = [event.milliseconds for event in kernel.function.events if event.kind == "compiled"]
            return decided[-1], sum(compiled)
    return None, 0.0


def in_tier(tier, launch, times):
    """Launches in one tier, whatever the policy would choose."""
    before = os.environ.get("TRISECT_TIER")
    os.environ["TRISECT_TIER"] = tier
    try:
        return milliseconds(launch, times)[0]
    finally:
        os.environ.pop("TRISECT_TIER")
        if before is not None:
            os.environ["TRISECT_TIER"] = before


def report(name, size, launch, output, expected):
    """Runs one kernel through the tiers; returns its row, what decided, its error."""
    first, _ = milliseconds(launch)
    tier0 = in_tier("interp", launch, 5)
    event, compiling = promoted(launch)
    output.fill(np.nan)
    tier1 = in_tier("cpu", launch, 20)
    error = float(np.max(np.abs(output - expected)))
    check = (
        f"{event.verdict}, {event.programs} programs, {event.bytes:,} bytes" if event else "never compiled"
    )
    row = [
        name,
        size,
        f"{first:.1f}",
        f"{tier0:.3f}",
        f"{compiling:.0f}",
        f"{tier1:.3f}",
        check,
        f"{error:.0e}",
    ]
    return row, event, error


def miscompiled(cache, random):
    """Plants code that swaps the operands of a subtraction; whether it was found and reached nobody."""
    n = 100_000
    x, y = random.standard_normal((2, n), dtype=np.float32)
    out = np.empty_like(x)

    def launch(kernel=difference):
        return kernel[(triton.cdiv(n, 1024),)](x, y, out, n, 1024)

    promoted(launch)
    promoted(lambda: launch(swapped))
    plant(*(next(Path(cache).glob(f"*/{name}.cpu-*.form")) for name in ("difference", "swapped")))
    launch().close()  # as in a later process, code comes from the cache
    end_generation()
    out.fill(np.nan)
    kernel = launch()
    print("\ncode whose subtraction has its operands swapped, where the right code was kept")
    print("(compiled anew to watch its values, as the report does, it is right):")
    for event in kernel.function.events:
        print(f"  {event.kind}: {event.text}")
    right = bool((out == x - y).all())
    print(f"  the launch ran in {kernel.function.tier}, its result is {'right' if right else 'WRONG'}\n")
    return right and any(event.kind == "withdrawn" for event in kernel.function.events)


def main():
    os.environ.pop("TRISECT_TIER", None)
    with tempfile.TemporaryDirectory() as cache:
        # What earlier processes compiled would be taken from their cache.
        os.environ["TRITON_CACHE_DIR"] = cache
        os.environ["TRISECT_BUNDLES"] = os.path.join(cache, "bundles")
        return tables(cache)


def tables(cache):
    """Prints what happened to each kernel; returns the exit status."""
    header = [
        "kernel",
        "size",
        "first",
        "tier 0",
        "compile",
        "tier 1",
        "compared with tier 0",
        "off NumPy by",
    ]
    reports = [report(*case) for case in cases(np.random.default_rng(0))]
    table = [header, *(row for row, _, _ in reports)]
    widths = [max(len(line[column]) for line in table) for column in range(len(header))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    for _, event, _ in reports:
        if event and event.kind != "promoted":
            print(event.text)
    promotions = sum(event is not None and event.kind == "promoted" for _, event, _ in reports)
    wrong = sum(event is None or event.kind == "withdrawn" or not error < 1e-3 for _, event, error in reports)
    wrong += not miscompiled(cache, np.random.default_rng(1))
    print(f"times in ms; {promotions} of {len(reports)} promoted after an equal comparison, {wrong} wrong")
    return 0 if promotions and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
