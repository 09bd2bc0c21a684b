"""How far a test over all patterns has come: a line to stderr for each sixteenth, with the time spent."""

import sys
import time
from collections.abc import Iterator


class Progress:
    """Counts the chunks of one table."""

    def __init__(self, table: str) -> None:
        self.table = table

    def chunks(self, total: int, chunk: int) -> Iterator[int]:
        """The starts of the chunks; one is done when the next is asked for."""
        started, told = time.monotonic(), 0
        for start in range(0, total, chunk):
            yield start
            if (sixteenths := 16 * (start + chunk) // total) > told:
                told = sixteenths
                seconds = time.monotonic() - started
                print(f"{self.table}: {told}/16 after {seconds:.0f} s", file=sys.stderr, flush=True)
