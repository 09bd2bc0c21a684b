"""Random kernels through the tiers: TTIR that is made in C++, and Python source with a NumPy oracle.

What: `./dev fuzz tiers MINUTES`, or `--count N` kernels. Batches of consecutive seeds run in worker processes
(trisect-fuzz-kernels; sources.py), which may crash or hang: the seed at hand is a failure then, and the batch
goes on behind it. Batches take turns with tier 0's instruction sets. At the end: how many kernels came out
how, and how many a second. `--record FILE` keeps the counts after every batch; a run that is given the file
of one that ended goes on where that stopped, and first tries again what failed: what passes then was mended
meanwhile, and counts as it comes out now (`mended` names the seeds).
Limits: what fails is kept in build/fuzz-found, shrunk if the program lived to do so; move it to
tests/fuzz/found-kernels with a line that says what was wrong.
"""

import argparse
import datetime
import json
import os
import platform
import re
import resource
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from harness import FOUND, ROOT

PROGRAM = ROOT / "build" / "release" / "bin" / "trisect-fuzz-kernels"
SOURCES = ROOT / "tests" / "fuzz" / "sources.py"
#: Instruction sets of tier 0; one that this machine lacks is not forced.
LEVELS = ["", "", "avx2", "v2", "scalar"]
BATCH, SOURCE_BATCH = 400, 12


class Run:
    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + options.minutes * 60 if not options.count else float("inf")
        self.lock = threading.Lock()
        self.counts, self.sources = Counter(), Counter()
        self.failed, self.mended = {}, []  # seeds and how they came out; those that came out well later
        self.next, self.batches = options.first, 0
        self.taken, self.seconds, self.cpu_seconds = 0, 0.0, 0.0
        self.began = time.monotonic()
        if options.record and options.record.exists():
            self.resume(json.loads(options.record.read_text(encoding="utf-8")))

    def resume(self, before):
        """Goes on behind a run that ended; what was at hand when it ended counts for nothing."""
        self.counts, self.sources = Counter(before["kernels"]), Counter(before["sources"])
        self.taken, self.next, self.batches = self.counts["kernels"], before["next"], before["batches"]
        self.seconds, self.cpu_seconds = before["seconds"], before["cpu_seconds"]
        self.mended = before.get("mended", [])
        for seed, ruling in before.get("failed", {}).items():
            self.again(int(seed), ruling)

    def again(self, seed, ruling):
        """A seed that failed in an earlier run."""
        self.counts.subtract({"kernels": 1, ruling: 1})
        self.kernels(seed, 1, 0)
        if str(seed) not in self.failed:
            self.mended.append(seed)

    def spent(self):
        """Seconds, and seconds of all cores, that this run and those before it took."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (
            self.seconds + time.monotonic() - self.began,
            self.cpu_seconds + used.ru_utime + used.ru_stime,
        )

    def record(self):
        """Keeps what is known so far."""
        if not self.options.record:
            return
        seconds, cpu_seconds = self.spent()
        run = {
            "benchmark": "fuzz", "date": datetime.datetime.now().isoformat(timespec="seconds"),
            "commit": commit(), "command": shlex.join(["./dev", "fuzz", "tiers", *sys.argv[1:]]),
            "cores": os.cpu_count(), "machine": platform.machine(), "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu_seconds, 1), "kernels": dict(self.counts), "sources": dict(self.sources),
            "kernels_per_cpu_second": round(self.counts["kernels"] / max(cpu_seconds, 1e-9), 1),
            "next": self.next, "batches": self.batches, "failed": self.failed, "mended": self.mended,
        }  # fmt: skip
        fresh = self.options.record.with_suffix(".part")
        fresh.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.options.record)

    def take(self, size):
        """The first seed of the next batch and its size; nothing when there is no more to do."""
        with self.lock:
            if time.monotonic() > self.end or (self.options.count and self.taken >= self.options.count):
                return None
            size = min(size, self.options.count - self.taken) if self.options.count else size
            first, self.next, self.taken = self.next, self.next + size, self.taken + size
            self.batches += 1
            return first, size, self.batches

    def work(self):
        while batch := self.take(BATCH):
            self.kernels(*batch)
            if not self.options.no_sources:
                self.python(*batch)
            with self.lock:
                self.record()

    def kernels(self, first, size, number):
        progress = FOUND / f"progress-{first}"
        end = first + size
        while first < end:
            command = [
                PROGRAM,
                "--first",
                first,
                "--count",
                end - first,
                "--keep",
                FOUND,
                "--progress",
                progress,
            ]
            command += ["--emulated", self.options.emulated, "--shrink", self.options.shrink]
            environment = dict(os.environ)
            if level := LEVELS[number % len(LEVELS)]:
                environment["TRISECT_ISA"] = level
            ended, output = run([str(word) for word in command], environment, 120 + size)
            said = (
                Counter(
                    {name: int(n) for name, n in re.findall(r"(\w+) (\d+)(?=, )", output.splitlines()[-1])}
                )
                if output
                else Counter()
            )
            with self.lock:
                if ended in (0, 1):
                    self.counts.update(said)
                    self.failed.update(re.findall(r"^seed (\d+): (\w+)", output, re.MULTILINE))
                    if ended:
                        print(output, end="", flush=True)
                    break
                seed = int(progress.read_text())
                self.failed[str(seed)] = "crashed"
                self.counts.update({"kernels": seed - first + 1, "crashed": 1})
            shown = subprocess.run([PROGRAM, "--show", str(seed)], capture_output=True, text=True).stdout
            (FOUND / f"kernel-{seed}-crash.ttir").write_text(shown)
            print(f"{output}seed {seed}: the program ended with {ended}; kept in {FOUND}", flush=True)
            first = seed + 1
        progress.unlink(missing_ok=True)

    def python(self, first, size, number):
        command = [sys.executable, str(SOURCES), str(SOURCE_BATCH), str(first)]
        ended, output = run(command, os.environ | {"PYTHONPATH": str(ROOT / "python")}, 300)
        found = re.search(r"^sources (\d+), failures (\d+)$", output, re.MULTILINE)
        with self.lock:
            if found:
                self.sources.update(sources=int(found[1]), failures=int(found[2]))
            else:
                self.sources.update(failures=1)
            if ended:
                print(output, end="", flush=True)


def commit():
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def run(command, environment, seconds):
    """How a process ended and what it said."""
    try:
        process = subprocess.run(
            command,
            env=environment,
            timeout=seconds,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except subprocess.TimeoutExpired as expired:
        return "a timeout", (expired.stdout or b"").decode(errors="replace")
    return process.returncode, process.stdout


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz tiers", description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--count", type=int, default=0, help="kernels of TTIR, in place of minutes")
    parser.add_argument(
        "--first", type=int, default=int(time.time()) << 16, help="seed; by default the clock's"
    )
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--emulated", type=int, default=2, help="percent that go to tier 2 in the emulator")
    parser.add_argument("--shrink", type=int, default=60, help="seconds to shrink a failure")
    parser.add_argument(
        "--record", type=Path, help="a file that keeps the counts; an earlier one is gone on with"
    )
    parser.add_argument("--no-sources", action="store_true", help="TTIR alone")
    options = parser.parse_args()
    FOUND.mkdir(parents=True, exist_ok=True)
    print(f"kernels from seed {options.first}", flush=True)
    state = Run(options)
    workers = [threading.Thread(target=state.work) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    state.record()
    counts = state.counts
    failed = (
        sum(counts[name] for name in ("different", "undefined", "broken", "crashed"))
        + state.sources["failures"]
    )
    rest = ", ".join(f"{name} {n}" for name, n in counts.items() if name != "kernels")
    sources = f"sources {state.sources['sources']}: failures {state.sources['failures']}"
    rate = counts["kernels"] / max(state.spent()[0], 1e-9)
    print(f"kernels {counts['kernels']}: {rest}; {sources}; {rate:.1f} kernels a second")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
