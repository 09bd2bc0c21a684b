"""Runs jobs on a machine with a GPU, inside an unpacked kit, and keeps what they found.

What: `test` runs the tests of tests/gpu, the run tests of tests/ops on the device, the examples, some of them
under compute-sanitizer, the cases of tests/faults on CUDA tensors, and the corpora that lie in .kit/corpora;
`bench` runs the programs of bench/gpu. Each job is a process group with a time limit; their outputs are kept
in one archive, and one JSON file has every job's status and counts.
Why: time on such a machine is short: nothing may hang, and everything must be on record.
Limits: jobs of one group run beside each other, groups one after another; all end within --seconds.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import corpora

ROOT = Path(__file__).resolve().parents[2]
#: Files of tests/ops in one job.
FILES = 8
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|errors?)")
#: A word of the output of compute-sanitizer: how many errors it found.
SANITIZER = re.compile(r"ERROR SUMMARY: (\d+) error")


@dataclass
class Job:
    """A command, its limit, and what became of it."""

    name: str
    command: list[str]
    seconds: int = 120
    environment: dict = field(default_factory=dict)
    facts: dict = field(default_factory=dict)

    def run(self, out: Path, end: float) -> dict:
        limit = min(self.seconds, end - time.monotonic())
        if limit < 5:
            self.facts = {"job": self.name, "status": "not begun: the time was over"}
            return self.facts
        log = out / f"{self.name}.log"
        began = time.monotonic()
        with open(log, "w") as file:
            process = subprocess.Popen(
                self.command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
                env=os.environ | self.environment,
            )  # fmt: skip
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = f"stopped after {limit:.0f} s"
            # What the job started ends with it.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        text = log.read_text(errors="replace")
        self.facts = {"job": self.name, "status": status, "seconds": round(time.monotonic() - began, 1)}
        for count, what in COUNTS.findall(" ".join(text.splitlines()[-3:])):
            self.facts[what.removesuffix("s") if what.startswith("error") else what] = int(count)
        if found := SANITIZER.findall(text):
            self.facts["sanitizer errors"] = sum(map(int, found))
        if status != 0:
            self.facts["end"] = text.splitlines()[-8:]
        return self.facts


def pytest_job(name, *arguments, seconds=120, before=()):
    command = [*before, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return Job(name, command, seconds)


def check_job(kit: Path, name: str, files: list[Path], seconds=150, before=()):
    paths = [str(file.relative_to(ROOT)) for file in files]
    return Job(
        name, [*before, str(kit / "bin" / "trisect-check"), "--tier", "cuda", "--device", *paths], seconds
    )


def ops_jobs(kit: Path, room: Path) -> list[Job]:
    """The files of a room of tests/ops, at most FILES of them in a job."""
    files = sorted(room.glob("*.ttir"), key=lambda file: file.stat().st_size, reverse=True)
    parts = -(-len(files) // FILES)
    names = [f"ops-{room.name}"] if parts == 1 else [f"ops-{room.name}-{n}" for n in range(parts)]
    return [check_job(kit, name, files[n::parts]) for n, name in enumerate(names)]


def faults_job() -> Job:
    """The cases of tests/faults with their tensors on the GPU: the same reports."""
    job = pytest_job("faults", "tests/faults", seconds=240)
    job.environment = {"TRISECT_FAULTS_DEVICE": "cuda"}
    return job


def corpus_jobs(kit: Path, out: Path) -> list[Job]:
    """Every module of each corpus on the device beside tier 0, in as many jobs as there are cores."""
    check = [str(kit / "bin" / "trisect-check"), "--corpus"]
    rest = ["--tier", "cuda", "--limit", "2", "--json"]
    return [
        Job(f"corpus-{name}", [*check, str(folder), *rest, str(out / f"corpus-{name}.json")], 460)
        for archive in sorted((ROOT / ".kit" / "corpora").glob("*.tar.xz"))
        for name, folder in corpora.parts(archive, kit / "corpora", os.cpu_count() or 1)
    ]


def test_jobs(kit: Path, out: Path) -> list[list[Job]]:
    """Groups of jobs; those of a group run at once."""
    ops = sorted((ROOT / "tests" / "ops").rglob("*.ttir"))
    rooms = sorted({file.parent for file in ops})
    groups = [[pytest_job("driver", "tests/gpu/test_driver.py", seconds=90)]]
    launch = ["tests/gpu/test_launch.py", "tests/gpu/test_debugger.py"]
    groups.append([pytest_job("launch", *launch, seconds=120)])
    if (kit / "bin" / "trisect-check").exists():
        groups.append([job for room in rooms for job in ops_jobs(kit, room)])
    examples = sorted((ROOT / "python" / "examples").glob("*.py"))
    groups.append(
        [Job(f"example-{path.stem}", [sys.executable, "-m", "trisect", str(path)], 90) for path in examples]
    )
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if os.access(tool, os.X_OK) and (kit / "bin" / "trisect-check").exists():
        one_of_each = [next(file for file in ops if file.parent == room) for room in rooms]
        sanitized = []
        for check in ("memcheck", "racecheck", "synccheck"):
            before = [tool, "--tool", check, "--error-exitcode", "9"]
            sanitized.append(check_job(kit, f"{check}-ops", one_of_each, 90, before))
        groups.append(sanitized)
    groups.append([faults_job()])
    if (kit / "bin" / "trisect-check").exists():
        groups.append(corpus_jobs(kit, out))
    return groups


def bench_jobs(out: Path) -> list[list[Job]]:
    python, bench = sys.executable, str(ROOT / "bench" / "gpu")
    launch = [python, f"{bench}/launch_cost.py", "--out", str(out / "gpu-launch.json")]
    beside = [python, f"{bench}/beside_upstream.py", "--out", str(out / "gpu-kernels.json")]
    return [[Job("gpu-launch", launch, 90)], [Job("gpu-kernels", beside, 420)]]


def show(facts: dict) -> str:
    rest = ", ".join(f"{value} {name}" for name, value in facts.items()
                     if name not in ("job", "status", "seconds", "end"))  # fmt: skip
    line = f"{facts['job']:28} {facts['status']!s:>5}  {facts.get('seconds', 0):6.1f} s  {rest}"
    return "\n".join([line, *(f"    | {text[:200]}" for text in facts.get("end", []))])


def keep(out: Path, what: str, logs: Path, record: dict) -> None:
    """Writes what is known so far."""
    (out / f"gpu-{what}.json").write_text(json.dumps(record, indent=1))
    with tarfile.open(out / f"gpu-{what}-logs.tar.xz", "w:xz") as archive:
        archive.add(logs, "logs")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["test", "bench"])
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="jobs whose name holds this; several after commas")
    parser.add_argument("--seconds", type=float, default=470)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = f"{options.kit / 'python'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    os.environ["TRISECT_COMMIT"] = (options.kit / "commit").read_text()
    wanted = options.only.split(",")
    logs = Path(tempfile.mkdtemp(prefix="trisect-gpu-"))
    groups = test_jobs(options.kit, logs) if options.what == "test" else bench_jobs(options.out)
    record = {"what": options.what, "date": datetime.now(UTC).isoformat(timespec="seconds")}
    record |= {"commit": os.environ["TRISECT_COMMIT"], "jobs": []}
    for group in groups:
        chosen = [job for job in group if any(word in job.name for word in wanted)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for facts in pool.map(lambda job: job.run(logs, end), chosen):
                record["jobs"].append(facts)
                print(show(facts), flush=True)
        record["corpora"] = corpora.summed(logs)
        keep(options.out, options.what, logs, record)
    bad = [facts["job"] for facts in record["jobs"] if facts["status"] != 0]
    print(f"{len(record['jobs']) - len(bad)} jobs of {len(record['jobs'])} went well"
          + (f"; not {', '.join(bad)}" if bad else ""))  # fmt: skip
    return 1 if bad or not record["jobs"] else 0


if __name__ == "__main__":
    sys.exit(main())
