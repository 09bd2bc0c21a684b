"""How far a tuning is, on a terminal."""

import sys
import time


class Progress:
    """Shows on a terminal how far a tuning is that takes longer than a second."""

    def __init__(self, name, total):
        self.name, self.total, self.done = name, total, 0
        self.start = time.perf_counter()
        self.shown = False

    def step(self):
        self.done += 1
        if sys.stderr.isatty() and time.perf_counter() - self.start > 1:
            self.shown = True
            print(
                f"\rautotuning {self.name}: {self.done}/{self.total} configs",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
