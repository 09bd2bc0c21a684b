"""How long a compiled form that is kept takes to load (./dev bench cache).

What: fresh processes in turn, the files in the system's memory: the time in which a kernel's form is found,
checked and linked, and in which the whole kernel is made, without its TTIR being read. Exit status 1 if the
median of a form is 1 ms or more. bench/cachestress.py has what killed processes do.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from compare import ROOT, keep

LIMIT_MS = 1.0

WORKER = """
import json, sys, time
import numpy as np
from trisect import demo
from trisect._C import runtime
rows = []
for name, _, launch, output, expected in demo.cases(np.random.default_rng(0)):
    for _ in range(int(sys.argv[1])):
        kernel = launch()
        runtime.wait_for_compiles()
    good = bool(np.abs(output - expected).max() < 1e-3)
    loaded = [event.milliseconds for event in kernel.function.events if event.kind == "loaded"]
    kernel.close()
    started = time.perf_counter()
    kernel._init_handles()
    made = (time.perf_counter() - started) * 1e3
    rows.append({"name": name, "loaded": loaded, "made": made, "good": good, "tier": kernel.function.tier})
print(json.dumps(rows))
"""


def measure(cache, launches):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TRITON_CACHE_DIR": cache}
    environment.pop("TRISECT_TIER", None)
    command = [sys.executable, "-c", WORKER, str(launches)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(ended.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=15, help="processes (%(default)s)")
    turns = parser.parse_args().turns
    samples, wrong = {}, 0
    with tempfile.TemporaryDirectory() as cache:
        measure(cache, launches=5)
        for _ in range(turns):
            for row in measure(cache, launches=1):
                wrong += not row["good"] or not row["loaded"]
                sample = samples.setdefault(row["name"], {"form": [], "kernel": []})
                sample["form"].extend(row["loaded"])
                sample["kernel"].append(row["made"])
        sizes = sorted(os.path.getsize(path) for path in _forms(cache))
    medians = {
        name: {what: statistics.median(values or [float("nan")]) for what, values in sample.items()}
        for name, sample in samples.items()
    }
    keep("cache", {"turns": turns, "file bytes": sizes, "milliseconds": samples, "medians": medians})
    for name, row in medians.items():
        slowest = max(samples[name]["form"], default=float("nan"))
        print(f"{name:12} form {row['form']:.3f} ms (slowest {slowest:.3f}), kernel {row['kernel']:.3f} ms")
    missed = [name for name, row in medians.items() if not row["form"] < LIMIT_MS]
    print(f"limit {LIMIT_MS} ms: {'missed by ' + ', '.join(missed) if missed else 'ok'}; {wrong} wrong")
    sys.exit(1 if missed or wrong else 0)


def _forms(cache):
    for folder, _, files in os.walk(cache):
        yield from (os.path.join(folder, name) for name in files if name.endswith(".form"))


if __name__ == "__main__":
    main()
