"""What an import costs beyond NumPy's: fresh processes in turn, medians (./dev bench import).

The wall clock is what a user waits for; processor time beside it tells a busy machine from a slow import.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

from compare import ROOT, keep

STATEMENTS = {
    "numpy": "import numpy",
    "trisect": "import numpy, trisect",
    "trisect.language": "import numpy, trisect, trisect.language",
    "triton": "import numpy, triton",
    "triton.language": "import numpy, triton, triton.language",
}


def measure(statement, environment):
    """(wall clock, processor time) of a fresh Python that runs a statement, in milliseconds."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", statement], env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode != 0:
        raise SystemExit(f"'{statement}' failed")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=21, help="processes for each statement (%(default)s)")
    turns = parser.parse_args().turns
    package = str(ROOT / "python")
    alias = os.path.join(package, "trisect", "_as_triton")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([alias, package])}
    samples = {name: [] for name in STATEMENTS}
    for turn in range(-1, turns):  # the first one only fills the caches of files
        for name, statement in STATEMENTS.items():
            sample = measure(statement, environment)
            if turn >= 0:
                samples[name].append(sample)
    medians = {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in samples.items()
    }
    keep("import", {"statements": STATEMENTS, "milliseconds": samples, "medians": medians})
    base = medians.pop("numpy")
    print(f"import numpy: {base[0]:.0f} ms, processor {base[1]:.0f} ms; beyond it:")
    for name, (wall, processor) in medians.items():
        print(f"import {name:17} {wall - base[0]:5.0f} ms, processor {processor - base[1]:5.0f} ms")


if __name__ == "__main__":
    main()
