"""GPU kernels beside upstream's, in one process, taking turns, with the caches flushed before each launch.

What: for each case of cases.py: is what each side writes right, and the time of a launch by CUDA events, the
mean of the middle half of all; which side goes first is drawn, and short kernels get more turns. Rows go to
standard output and, with `--out`, to a JSON file; the last line has the geometric mean.
Why: the two sides then share the clock, the temperature and the memory. The device waits at the start of a
turn until all its launches are enqueued: else what a launch costs the host shows in the times of small
kernels (one binary, started by the launcher of either side, differed by 60 ns). The clock of events ticks
32 ns, so that a median of 4 us would be off by as much as 1 %. Times also have a pattern over some turns,
which sides in a fixed order would meet out of step (1 to 2 % of 4 us).
Limits: needs a GPU and the `triton` package; `--only TEXT` chooses cases, `--seconds N` ends in time.
"""

import argparse
import json
import math
import random
import statistics
import time
import traceback
from pathlib import Path

import torch
from record import head

import cases

TURNS, LAUNCHES = 8, 12
#: Cycles of the device, about a millisecond, in which a host enqueues the launches of a turn.
HEAD_START = 2_000_000
#: Kernels shorter than so many microseconds, of which the clock of events is a good part, get more turns.
SHORT, SHORT_TURNS = 20, 64


class Flush:
    """Overwrites the L2 cache."""

    def __init__(self):
        self.memory = torch.empty(256 << 20, dtype=torch.int8, device="cuda")

    def __call__(self):
        self.memory.zero_()


def turn(case, kernels, tensors, flush) -> list[float]:
    """Microseconds of each launch of a turn."""
    marks = []
    torch.cuda._sleep(HEAD_START)
    for _ in range(LAUNCHES):
        if case.reset:
            case.reset(tensors)
        flush()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        case.launch(kernels, tensors)
        end.record()
        marks.append((start, end))
    torch.cuda.synchronize()
    return [start.elapsed_time(end) * 1e3 for start, end in marks]


def middle(times: list[float]) -> tuple[float, float]:
    """The mean of the middle half, and how far that half reaches, as a part of it."""
    low, _, high = statistics.quantiles(times, n=4)
    quarter = len(times) // 4
    mean = statistics.mean(sorted(times)[quarter : len(times) - quarter])
    return mean, (high - low) / mean


def first_launch(case, kernels, tensors) -> dict:
    """Runs a case once: right or wrong, and how long the first launch took, compiling included."""
    try:
        if case.reset:
            case.reset(tensors)
        tensors["out"].fill_(-1 if tensors["out"].dtype == torch.int32 and not case.reset else 0)
        torch.cuda.synchronize()
        began = time.perf_counter()
        case.launch(kernels, tensors)
        torch.cuda.synchronize()
        facts = {"first_ms": (time.perf_counter() - began) * 1e3}
        made, wanted = case.check(tensors)
        torch.testing.assert_close(made, wanted, **case.tolerance)
        return facts
    except Exception as error:
        traceback.print_exc(limit=3)
        return {"error": f"{type(error).__name__}: {str(error)[:300]}"}


def measure(case, sides, flush) -> dict:
    tensors = case.make()
    row = {"case": case.name}
    ready = {}
    for name, kernels in sides.items():
        facts = first_launch(case, kernels, tensors)
        row[name] = facts
        if "error" not in facts:
            ready[name] = kernels
    times = {name: [] for name in ready}
    drawn = random.Random(case.name)
    number, turns = 0, TURNS
    while number <= turns:
        for name, kernels in drawn.sample(list(ready.items()), len(ready)):
            found = turn(case, kernels, tensors, flush)
            if number:
                times[name] += found
            elif statistics.median(found) < SHORT:
                turns = SHORT_TURNS
        number += 1
    for name, all in times.items():
        took, spread = middle(all)
        row[name] |= {"us": took, "spread": spread}
        if case.bytes:
            row[name]["GB_per_s"] = case.bytes / took / 1e3
        if case.flops:
            row[name]["TFLOP_per_s"] = case.flops / took / 1e6
    if len(times) == len(sides) == 2:
        row["ratio"] = row["triton"]["us"] / row["trisect"]["us"]
    return row


def copy_rate(flush) -> float:
    """GB/s of a device copy, bytes read and written."""
    source = torch.randn(1 << 27, device="cuda")
    target = torch.empty_like(source)
    found = []
    for _ in range(20):
        flush()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        target.copy_(source)
        end.record()
        end.synchronize()
        found.append(start.elapsed_time(end))
    return 2 * source.nbytes / statistics.median(found) / 1e6


def geometric_mean(ratios) -> float:
    return math.exp(statistics.mean(map(math.log, ratios)))


def show(row) -> str:
    cells = []
    for name in ("trisect", "triton"):
        facts = row.get(name, {})
        if "us" not in facts:
            cells.append(f"{name} {facts.get('error', 'absent')[:60]}")
            continue
        rate = (
            f"{facts['GB_per_s']:.0f} GB/s" if "GB_per_s" in facts else f"{facts['TFLOP_per_s']:.0f} TFLOP/s"
        )
        cells.append(f"{name} {facts['us']:.1f} us, {rate}, first {facts['first_ms']:.0f} ms")
    return f"{row['case']:36} {row.get('ratio', 0):6.3f}x  {' | '.join(cells)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=400)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    import triton

    import trisect

    sides = {"trisect": cases.load(trisect), "triton": cases.load(triton)}
    flush = Flush()
    record = {**head("gpu-kernels"), "copy_GB_per_s": copy_rate(flush), "rows": []}
    for case in cases.cases():
        if options.only not in case.name:
            continue
        if time.monotonic() > end:
            record["stopped"] = f"before {case.name}: the time was over"
            break
        row = measure(case, sides, flush)
        record["rows"].append(row)
        print(show(row), flush=True)
        if options.out:
            options.out.write_text(json.dumps(record, indent=1))
    ratios = {row["case"]: row["ratio"] for row in record["rows"] if "ratio" in row}
    if ratios:
        record["geomean"] = geometric_mean(ratios.values())
        bound = [ratio for name, ratio in ratios.items() if not name.startswith("matmul")]
        record["geomean_without_matmul"] = geometric_mean(bound or [1])
        counted = f"{len(ratios)} of {len(record['rows'])} cases"
        print(
            f"device copy {record['copy_GB_per_s']:.0f} GB/s; {counted}, geometric mean "
            f"{record['geomean']:.3f}x; without matmul {record['geomean_without_matmul']:.4f}x, "
            f"least {min(bound or [1]):.3f}x"
        )
    if options.out:
        options.out.write_text(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
