"""Tier 1 against torch, Inductor, OpenBLAS and Numba, and against what this processor can do at most.

`./dev bench cpu [CASE...]` takes the cases whose names contain one of the words. All sides of a case live in
one process and take turns; every side writes to memory made beforehand; figures are medians. With one thread
each turn is measured by the clock and by the processor time of the thread: where others use the machine the
second is the steadier one, and the ratios of both are given. `--threads 2` measures by the clock alone.
`--each COMMAND` measures each case in a process of its own that COMMAND starts, one that keeps others off the
processor for a while, say.
"""

import argparse
import ctypes
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compare import ROOT, geomean, keep

PEAKS = {name: f"peak_{name}" for name in ("fma", "fma64", "avx2", "bf16", "tiles", "int8")}
TURN_SECONDS = 0.02
#: Between turns of several threads: OpenBLAS's look for more work for a while, and take a core from the next
#: side.
QUIET_SECONDS = 0.15


def load_peaks():
    source = ROOT / "bench" / "peaks" / "peaks.c"
    library = ROOT / "build" / "peaks.so"
    library.parent.mkdir(exist_ok=True)
    command = ["clang-19", "-O2", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def clocks():
    return time.perf_counter(), time.thread_time()


def since(start):
    return tuple(now - then for now, then in zip(clocks(), start, strict=True))


def operations(library, name, threads):
    """Floating-point or integer operations a second, by the clock and by processor time; 0: none such."""
    function = getattr(library, PEAKS[name])
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_int64]
    rounds = 2_000_000
    if not function(1):
        return [0, 0]

    def once(_):
        start = clocks()
        done = 2 * function(rounds)
        return [done / seconds for seconds in since(start)]

    best = [0, 0]
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(7):
            rates = list(pool.map(once, range(threads)))
            best = [max(b, sum(r)) for b, r in zip(best, zip(*rates, strict=True), strict=True)]
    return best


def bandwidth(library, threads):
    """Bytes a second of out = x + y past the caches, with and without streaming stores; of a copy."""
    import numpy as np

    n = 1 << 24
    x, y, out = (np.ones(n + 16, np.float32) for _ in range(3))
    x, y, out = (a[(-a.ctypes.data // 4) % 16 :][:n] for a in (x, y, out))
    found = {}
    kinds = (("stream", "stream_add_past", 12), ("stored", "stream_add", 12), ("copy", "stream_copy", 8))
    for name, function, width in kinds:
        inputs = (x, y) if width == 12 else (x,)

        def part(i, function=function, inputs=inputs):
            begin, count = i * (n // threads), n // threads
            pointers = [ctypes.c_void_p(a.ctypes.data + 4 * begin) for a in (out, *inputs)]
            getattr(library, function)(*pointers, ctypes.c_int64(count))

        best = 0.0
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(5):
                start = time.perf_counter()
                list(pool.map(part, range(threads)))
                best = max(best, n * width / (time.perf_counter() - start))
        found[name] = best
    return found


def quickest(side):
    """Of some calls: one may have waited for a thread that slept."""
    taken = []
    while len(taken) < 20 and sum(taken) < TURN_SECONDS:
        start = time.perf_counter()
        side()
        taken.append(time.perf_counter() - start + 1e-9)
    return min(taken)


def measure(case, turns, threads):
    """Medians of all sides of a case in seconds a call, by the clock and by processor time."""
    repeats, samples, failed = {}, {}, {}
    for name, side in list(case.sides.items()):
        try:
            side()
            side()
            repeats[name] = max(1, min(10000, int(TURN_SECONDS / quickest(side))))
            samples[name] = []
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    wrong = "trisect" in samples and not case.check() <= case.limit
    order = random.Random(0)
    for _ in range(turns):
        # Threads that one side has used lie where they hinder the next one: it is not always the same.
        for name in order.sample(sorted(samples), len(samples)):
            side, count = case.sides[name], repeats[name]
            if threads > 1 and "numpy" in samples:
                time.sleep(QUIET_SECONDS)
            side()
            start = clocks()
            for _ in range(count):
                side()
            samples[name].append([seconds / count for seconds in since(start)])
    medians = {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in samples.items()
    }
    return {"medians": medians, "samples": samples, "failed": failed, "wrong": wrong}


def work(names, threads, turns):
    """In the process that measures: prints a JSON line for the peaks, then one for each case."""
    sys.path.insert(0, str(ROOT / "bench" / "kernels"))
    import torch

    torch.set_num_threads(threads)
    import cpu_cases

    library = load_peaks()
    peaks = {name: operations(library, name, threads) for name in PEAKS} | bandwidth(library, threads)
    print(json.dumps({"peaks": peaks}), flush=True)
    for name in names:
        case = cpu_cases.CASES[name]()
        row = measure(case, turns, threads) | {"work": case.work, "peak": case.peak, "notes": case.notes}
        print(json.dumps({"case": name, "row": row}), flush=True)


def ratios(row):
    """How many times the best peer's speed, by the clock and by processor time; that peer's name."""
    ours = row["medians"].get("trisect")
    peers = {name: m for name, m in row["medians"].items() if name not in ("trisect", "tier 0")}
    if not ours or not peers:
        return None
    clock = min(peers, key=lambda name: peers[name][0])
    return peers[clock][0] / ours[0], min(m[1] for m in peers.values()) / ours[1], clock


def share(row, peaks, column):
    """Of the peak that the case is held against, or None."""
    ours, peak = row["medians"].get("trisect"), peaks.get(row["peak"])
    if not isinstance(peak, list):  # memory has no processor time
        peak, column = [peak], 0
    if not ours or not peak[column]:
        return None
    return row["work"] / ours[column] / peak[column]


def line(name, row, peaks, threads):
    found = ratios(row)
    text = f"{name:32}"
    ours = row["medians"].get("trisect")
    text += f"{ours[0] * 1e3:10.3f} ms" if ours else "    failed   "
    if found:
        text += f"  {found[0]:5.2f}x by the clock"
        text += f" {found[1]:5.2f}x by processor time" if threads == 1 else ""
        text += f"  of {found[2]}"
    part = share(row, peaks, 1 if threads == 1 else 0)
    text += f"  {part:.0%} of the {row['peak']} peak" if part else ""
    compiling = row["notes"].get("compile", {})
    text += "".join(f"  {side} compiled in {seconds:.1f} s" for side, seconds in compiling.items())
    return text + ("  WRONG" if row["wrong"] else "")


def environment(threads, caches=""):
    """`caches`: an empty folder for what torch.compile keeps: each run compiles anew."""
    kept = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "TRITON_CACHE_DIR")}
    counts = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TRISECT_THREADS"), str(threads))
    # glibc keeps the pages of freed tensors: a peer that makes its result would wait for the system.
    pages = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
    pages["THP_MEM_ALLOC_ENABLE"] = "1"  # large pages, as NumPy has them
    ours = {"TRISECT_TIER": "cpu", "PYTHONPATH": str(ROOT / "python")}
    # Inductor's processes that compile would still be importing torch, on the cores that are measured.
    ours["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    return kept | counts | pages | ours | ({"TORCHINDUCTOR_CACHE_DIR": caches} if caches else {})


def run(names, threads, turns, each=""):
    """`each`: a command that starts a process for each case; one process measures all of them without."""
    batches = [[name] for name in names] if each else [names]
    done = [run_batch(batch, threads, turns, shlex.split(each)) for batch in batches]
    rows = {name: row for batch in done for name, row in batch["rows"].items()}
    known = [ratios(row) for row in rows.values() if ratios(row)]
    if known:
        print(f"geomean of {len(known)}: {geomean([k[0] for k in known]):.2f}x by the clock", end="")
        print(f", {geomean([k[1] for k in known]):.2f}x by processor time" if threads == 1 else "")
    return {"peaks": done[0]["peaks"], "rows": rows}


def run_batch(names, threads, turns, starter):
    command = [*starter, sys.executable, "-m", "trisect", __file__, "--work", "--threads", str(threads)]
    command += ["--turns", str(turns), *names]
    peaks, rows = {}, {}
    with (
        tempfile.TemporaryDirectory() as caches,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment(threads, caches)
        ) as process,
    ):
        for text in process.stdout:
            answer = json.loads(text)
            if "peaks" in answer:
                peaks = answer["peaks"]
                print(f"{threads} thread(s), peaks:", {k: show(v) for k, v in peaks.items()})
                continue
            rows[answer["case"]] = answer["row"]
            print(line(answer["case"], answer["row"], peaks, threads), flush=True)
            for side, why in answer["row"]["failed"].items():
                print(f"  {side}: {why}")
    if process.returncode:
        raise SystemExit(f"the measuring process ended with {process.returncode}")
    return {"peaks": peaks, "rows": rows}


def show(peak):
    rates = peak if isinstance(peak, list) else [peak]
    return " / ".join(f"{rate / 1e9:.0f}" for rate in rates)


def all_names():
    """Names of the cases, from a process of their own: cases need the compiler under the name triton."""
    folder = str(Path(__file__).parent / "kernels")
    program = (
        f"import sys; sys.path.insert(0, {folder!r}); import cpu_cases; print(*cpu_cases.CASES, sep='\\n')"
    )
    command = [sys.executable, "-m", "trisect", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(1))
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", metavar="CASE")
    parser.add_argument("--threads", type=int, action="append", help="1 and 2 unless told")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--record", metavar="NAME", help="keep the result as bench/results/cpu-NAME-...")
    parser.add_argument("--each", default="", metavar="COMMAND", help="starts a process for each case")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.words, options.threads[0], options.turns)
    names = [n for n in all_names() if not options.words or any(word in n for word in options.words)]
    threads = options.threads or [1, 2]
    result = {str(count): run(names, count, options.turns, options.each) for count in threads}
    if options.record:
        keep(f"cpu-{options.record}", {"threads": result})


if __name__ == "__main__":
    main()
