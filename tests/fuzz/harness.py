"""What the fuzz programs share: the clock, workers that may crash or hang, and where failures are kept.

What: `main(rounds)` runs rounds of a program until the time is over; a round gets a seed and gives back what
went wrong, or None. `./dev fuzz NAME MINUTES` starts it.
With `--preset` they try the build with a sanitizer (sanitized.py).
Limits: a failure is kept as a file in build/fuzz-found; its seed repeats the round, but not how threads met.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable

import sanitized
from sanitized import ROOT

FOUND = ROOT / "build" / "fuzz-found"


class Failure(Exception):
    """Something went wrong; `input` is what to keep."""

    def __init__(self, text: str, input: bytes = b""):
        super().__init__(text)
        self.input = input


def main(name: str, round: Callable[[int, float], str]) -> None:
    """Runs round(seed, seconds left), which says what it has done, until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--preset", choices=sanitized.SLOWER, default="release", help="the build to try")
    options = parser.parse_args()
    sanitized.use(options.preset)
    end = time.monotonic() + options.minutes * 60
    seed, failures, done = options.seed, 0, ""
    while (left := end - time.monotonic()) > 0:
        try:
            done = round(seed, left)
        except Failure as failure:
            failures += 1
            FOUND.mkdir(parents=True, exist_ok=True)
            place = FOUND / f"{name}-{seed}"
            place.write_bytes(failure.input or str(failure).encode())
            print(f"seed {seed}: {failure}\n  kept as {place}", flush=True)
        seed += 1
    print(f"{name}: {seed - options.seed} rounds, {failures} failures; the last one: {done}")
    sys.exit(failures > 0)


def finish(process: subprocess.Popen, sent: bytes | None, seconds: float) -> tuple[bytes, bytes]:
    """What a process said, once it has ended; one that does not is a failure."""
    try:
        return process.communicate(sent, timeout=seconds * sanitized.patience())
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise Failure(f"hangs: {err.decode(errors='replace')[-3000:]}", sent or b"") from None
