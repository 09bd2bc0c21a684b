"""Runs the same cases on several sides in turn and keeps what came out.

A side is an interpreter with its arguments and environment; each runs bench/worker.py in a process of its
own. For every case the sides take turns, so that a slow minute of the machine hits all of them; the figure
is the median. A side with a wrong result is timed all the same and marked. A run is kept as
bench/results/<name>-<date>-<commit>.json with the machine, the commands and all samples.
"""

import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import records

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Side:
    """One competitor: `command` comes before the worker's path."""

    name: str
    command: list
    environment: dict = field(default_factory=dict)
    process: subprocess.Popen | None = None

    def start(self, cases_file):
        environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"} | self.environment
        self.process = subprocess.Popen(
            [*self.command, str(ROOT / "bench" / "worker.py"), cases_file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, case, do):
        """One request; a worker that has ended answers `failed`."""
        try:
            self.process.stdin.write(json.dumps({"case": case, "do": do}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"failed": f"{self.name}: the worker ended"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"failed": f"{self.name}: the worker ended"}

    def stop(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()


#: The Python that has the upstream package; ./dev makes it for programs that name it.
PEER = str(ROOT / ".peer-venv" / "bin" / "python")


def ours(name, environment=None):
    """This package, as `triton`."""
    return Side(
        name, [sys.executable, "-m", "trisect"], {"PYTHONPATH": str(ROOT / "python"), **(environment or {})}
    )


def upstream(name, environment=None):
    return Side(name, [PEER], environment or {})


def plain(text):
    """A word of a command for the record: from the root of the project, or the last part of another path."""
    text = str(text).replace(str(ROOT) + "/", "")
    return Path(text).name if os.path.isabs(text) else text


def cpu_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def run_case(case, sides, budget, tolerance):
    """Checks every side once, then times them in turn: `budget` seconds and at least 3 turns for each. Where
    a launch takes more than 2 seconds two will do, and the first is one of them."""
    row, slow = {}, 2.0
    for side in sides:
        reply = side.ask(case, "check")
        if "failed" not in reply:
            reply["wrong"] = not reply["error"] <= tolerance
        seconds = reply.pop("seconds", 0)
        row[side.name] = reply | {"samples": [seconds] if seconds > slow else []}
    for _ in range(200):
        active = []
        for side in sides:
            samples = row[side.name]["samples"]
            least = 2 if samples and max(samples) > slow else 3
            if "failed" not in row[side.name] and (len(samples) < least or sum(samples) < budget):
                active.append(side)
        if not active:
            break
        for side in active:
            reply = side.ask(case, "time")
            if "failed" in reply:
                row[side.name]["failed"] = reply["failed"]
            else:
                row[side.name]["samples"].append(reply["seconds"])
    for result in row.values():
        if result["samples"]:
            result["median"] = statistics.median(result["samples"])
    return row


def compare(name, cases_file, cases, sides, budget=1.0, tolerances=None):
    """All cases on all sides; returns the record and keeps it under bench/results."""
    return keep(name, measure(cases_file, cases, sides, budget, tolerances))


def measure(cases_file, cases, sides, budget=1.0, tolerances=None):
    """All cases on all sides: what was run, and the rows."""
    for side in sides:
        side.start(cases_file)
    rows = {}
    for number, case in enumerate(cases):
        print(f"[{number + 1}/{len(cases)}] {case}", file=sys.stderr, flush=True)
        rows[case] = run_case(case, sides, budget, (tolerances or {}).get(case, 1e-3))
    for side in sides:
        side.stop()
    commands = {
        s.name: {
            "command": [plain(c) for c in s.command],
            "environment": {k: plain(v) for k, v in s.environment.items()},
        }
        for s in sides
    }
    return {"sides": commands, "rows": rows}


def keep(name, result):
    """Writes a result, with when and where it was measured, to bench/results; returns all of it."""
    record = {
        "benchmark": name,
        "date": datetime.datetime.now().isoformat(timespec="seconds"),
        "commit": commit(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        **result,
    }
    path = record_path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(records.text(record))
    return record


def record_path(name):
    """Of today and this commit."""
    return ROOT / "bench" / "results" / f"{name}-{datetime.date.today()}-{commit()}.json"


def geomean(values):
    return statistics.geometric_mean(values) if values else float("nan")
