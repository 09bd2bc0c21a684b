"""Stepping in the debugger: 1,000 statements of a matmul, and going back."""

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import trisect  # noqa: E402
import trisect.language as tl  # noqa: E402
from trisect.debugger import Debugger, attach, detach  # noqa: E402
from trisect.debugger.listing import heading  # noqa: E402
from trisect.debugger.session import Move  # noqa: E402

LIMIT_SECONDS = 1.0


@trisect.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        steps = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * K + steps[None, :])
        b = tl.load(b_ptr + steps[:, None] * N + columns[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc)


class Stepper:
    """A front end that steps a number of times, then gives one other move, then lets the launch run."""

    def __init__(self, steps, look, last=None):
        self.steps, self.look, self.last = steps, look, last
        self.began = self.ended = 0.0
        self.text = ""

    def tell(self, text):
        self.text = text

    def stopped(self, session):
        if not self.began:
            self.began = time.perf_counter()
        self.text = heading(session, False)
        if self.look and (value := session.frames()[0].find("acc")) is not None:
            self.text += value.text()
        if self.steps:
            self.steps -= 1
            return Move("go", "into")
        if self.last is not None:
            move, self.last, self.began = self.last, None, time.perf_counter()
            return move
        self.ended = self.ended or time.perf_counter()
        return Move("detach")


def seconds(steps, look=False, last=None) -> float:
    """How long the last part took: the steps, or the move after them; 64 programs, blocks of 64 x 64 x 32."""
    size = 512
    a, b = np.ones((size, size), np.float32), np.ones((size, size), np.float32)
    c = np.zeros((size, size), np.float32)
    stepper = Stepper(steps, look, last)
    attach(Debugger(stepper, "the bench"))
    try:
        matmul[(8, 8)](a, b, c, size, size, size, BM=64, BN=64, BK=32)
    finally:
        detach()
    if not (c == size).all():
        raise SystemExit("the product is wrong")
    return stepper.ended - stepper.began


CASES = {
    "1,000 steps": lambda: seconds(1000),
    "1,000 steps, acc shown at each": lambda: seconds(1000, look=True),
    "one step back after 1,000": lambda: seconds(1000, last=Move("back", "into")),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    seconds(1)  # compiles
    medians = {}
    for name, case in CASES.items():
        taken = [case() for _ in range(runs)]
        medians[name] = statistics.median(taken)
        print(f"{name:32} median {medians[name]:.3f} s, fastest {min(taken):.3f} s of {runs}")
    kept = medians["1,000 steps"] < LIMIT_SECONDS
    print(f"1,000 steps in less than {LIMIT_SECONDS} s: {'yes' if kept else 'no'}")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
