"""One suite seen from outside: a worker process, restarted after the case that killed it.

What: yields a record for every case, also for one that took too long or ended the process.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: A worker that imports its library for longer than this has failed.
IMPORT_SECONDS = 300


class Worker:
    """A process and the lines it writes."""

    def __init__(self, program, suite, first, filters, log):
        command = [*program, suite, str(first), *filters]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        self.pending = b""

    def line(self, seconds: float) -> dict | None:
        """The next line; None if the process has ended. Raises TimeoutError."""
        source = self.process.stdout.fileno()
        while b"\n" not in self.pending:
            if not select.select([source], [], [], seconds)[0]:
                raise TimeoutError
            data = os.read(source, 1 << 16)
            if not data:
                return None
            self.pending += data
        text, _, self.pending = self.pending.partition(b"\n")
        return json.loads(text)

    def end(self) -> int:
        """Ends the process; its exit status."""
        if self.process.poll() is None:
            self.process.kill()
        return self.process.wait()


def program_of(path: Path, python: str = sys.executable) -> list[str]:
    """The command that serves a suite by a program like worker.py."""
    return [python, "-m", "trisect", str(path)]


def run_suite(
    suite: str, filters: list[str], seconds: float, log: Path, program: Sequence[str] = ()
) -> Iterator[dict]:
    """First `{"cases": names, "library": name}`, then a record for each case, by `program` or worker.py."""
    program = program or program_of(HERE / "worker.py")
    names, library, done = None, suite, 0
    with open(log, "w", encoding="utf-8") as output:
        while names is None or done < len(names):
            worker = Worker(program, suite, done, filters, output)
            try:
                head = worker.line(IMPORT_SECONDS)
                if head is None:
                    status = worker.process.wait()
                    yield {
                        "library": library, "case": f"import {suite}", "outcome": "failed", "seconds": 0.0,
                        "why": f"the process ended with status {status} before its first case; see {log}",
                    }  # fmt: skip
                    return
                if names is None:
                    names, library = head["cases"], head["library"]
                    yield head
                yield from _drain(worker, names, library, seconds, done)
            finally:
                status = worker.end()
            done = worker.done


def _drain(worker, names, library, seconds, done):
    """Records until the worker has no more cases, or one of them has ended it."""
    worker.done = done
    while worker.done < len(names):
        why = None
        try:
            line = worker.line(seconds)
            if line is None:
                why = f"the process ended with status {worker.process.wait()}"
        except TimeoutError:
            line, why = None, f"took longer than {seconds:g} s"
        if why is None and "start" in line:
            continue
        worker.done += 1
        if why is None:
            yield line["record"]
            continue
        yield {
            "library": library, "case": names[worker.done - 1], "outcome": "failed",
            "seconds": seconds if "longer" in why else 0.0, "why": why,
        }  # fmt: skip
        return
