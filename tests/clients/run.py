"""Runs the operators of published kernel libraries on Trisect and prints what passed (./dev clients).

What: each suite of tests/clients/cases runs in worker processes, two suites at a time; every case has a time
limit of its own. Ends with a table per library; a failure without an entry in known.toml makes the exit
status 1. The run is kept in bench/results.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from known import load, reason_of
from suite import run_suite

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).resolve().parent / "cases"
LOGS = ROOT / "build" / "clients"


def without_places(text: str) -> str:
    """Why a kernel stayed in tier 0, without its name, its place and the first difference."""
    text = re.sub(r"^\S+ stays|^kept \S+ off", "kept off" if text.startswith("kept") else "stays", text)
    text = re.sub(r"\S+:\d+:\d+: ", "", text.splitlines()[0])
    return re.sub(r"at most \d+ ULP", "some ULP", text.split("; first ")[0])[:160]


class Progress:
    """Collects records and shows how far the run is."""

    def __init__(self, entries):
        self.entries = entries
        self.records: list[dict] = []
        self.kept = Counter()
        self.hot = Counter()
        self.expected = 0
        self.lock = threading.Lock()
        self.started = self.shown = time.monotonic()

    def add(self, suite: str, record: dict) -> None:
        with self.lock:
            if "cases" in record:
                self.expected += len(record["cases"])
                return
            self.records.append(record)
            self.kept.update(without_places(text) for text in record.pop("kept", ()))
            reasons = sorted({without_places(text) for text in record.pop("hot", ())})
            if reasons:
                record["hot_in_tier_0"] = reasons
                self.hot.update(reasons)
            if record["outcome"] == "failed":
                record["why"] = record["why"].replace(f"{ROOT}/", "")
                entry = reason_of(record, self.entries)
                if entry:
                    record["reason"] = entry["reason"]
                mark, why = ("known", entry["reason"]) if entry else ("FAILED", record["why"])
                self._print(f"{mark}: {record['library']} {record['case']}: {why}")
            self._line(suite)

    def _line(self, suite):
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if now - self.shown < (0.2 if terminal else 20):
            return
        self.shown = now
        failed = sum(record["outcome"] == "failed" for record in self.records)
        text = (
            f"{len(self.records)} of {self.expected} cases known so far, {failed} failed, "
            f"{now - self.started:.0f} s, in {suite}"
        )
        print(
            f"\r\033[K{text}" if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True
        )

    def _print(self, text):
        print(f"\r\033[K{text}" if sys.stderr.isatty() else text, file=sys.stderr, flush=True)


def table(records: list[dict]) -> str:
    """Passed and failed of each library, and where its kernels ran."""
    rows = [("library", "cases", "passed", "failed", "of these known", "launches", "compiled", "seconds")]
    libraries = sorted({record["library"] for record in records})
    for library in [*libraries, None]:
        own = [record for record in records if library in (None, record["library"])]
        failed = [record for record in own if record["outcome"] == "failed"]
        tiers = sum((Counter(record.get("tiers", {})) for record in own), Counter())
        rows.append(
            (
                library or "all",
                *map(str, (len(own), len(own) - len(failed), len(failed))),
                *map(str, (sum("reason" in record for record in failed), tiers.total(), tiers["cpu"])),
                f"{sum(record['seconds'] for record in own):.0f}",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def hot_share(records: list[dict]) -> str:
    """How many cases end with a hot kernel in tier 0."""
    own = sum("hot_in_tier_0" in record for record in records)
    return f"{own} of {len(records)} cases ({own / len(records):.1%}) end with a hot kernel in tier 0"


def keep(progress: Progress, seconds: float) -> Path:
    """Stores the run in bench/results."""
    records = progress.records
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    now = datetime.datetime.now()
    path = ROOT / "bench" / "results" / f"clients-{now:%Y-%m-%d}-{commit}.json"
    pins = (CASES.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
    run = {
        "benchmark": "clients", "date": now.isoformat(timespec="seconds"), "commit": commit,
        "command": shlex.join(["./dev", "clients", *sys.argv[1:]]),
        "settings": {k: v for k, v in sorted(os.environ.items()) if k.startswith(("TRISECT_T", "TRITON_I"))},
        "cores": os.cpu_count(), "machine": platform.machine(), "seconds": round(seconds),
        "packages": [pin for pin in pins if not pin.startswith("#")],
        "hot_in_tier_0": hot_share(records),
        "cases_hot_in_tier_0_because": dict(progress.hot.most_common()),
        "kernels_kept_because": dict(progress.kept.most_common()),
    }  # fmt: skip
    lines = ",\n".join(f"  {json.dumps(r)}" for r in sorted(records, key=lambda r: (r["library"], r["case"])))
    text = json.dumps(run, indent=1).removesuffix("\n}") + f',\n "cases": [\n{lines}\n ]\n}}\n'
    path.write_text(text, encoding="utf-8")
    return path


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev clients", description=__doc__.splitlines()[0])
    parser.add_argument("filters", nargs="*", metavar="FILTER", help="a part of `library case`")
    parser.add_argument("--suite", action="append", help="a file of tests/clients/cases; all by default")
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a case may take")
    parser.add_argument("--jobs", type=int, default=2, help="suites at a time")
    options = parser.parse_args()
    suites = options.suite or sorted(
        ".".join(path.relative_to(CASES).with_suffix("").parts)
        for path in CASES.rglob("*.py")
        if path.name != "__init__.py"
    )
    LOGS.mkdir(parents=True, exist_ok=True)
    progress = Progress(load())

    def one(suite):
        for record in run_suite(suite, options.filters, options.timeout, LOGS / f"{suite}.log"):
            progress.add(suite, record)

    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TRITON_CACHE_DIR", cache)
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, suites))
    print("\r\033[K" if sys.stderr.isatty() else "", end="", file=sys.stderr)
    if not progress.records:
        print("no case has a name like that", file=sys.stderr)
        return 2
    print(table(progress.records))
    print(hot_share(progress.records))
    unexplained = [r for r in progress.records if r["outcome"] == "failed" and "reason" not in r]
    if not options.filters and not options.suite:
        path = keep(progress, time.monotonic() - progress.started)
        print(f"kept in {path.relative_to(ROOT)}")
    if unexplained:
        print(f"{len(unexplained)} failures without a stored reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
