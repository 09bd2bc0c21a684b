"""Recording launches.

What: `record()` yields a list that holds a Launch for each recorded launch once the block ends; a notebook
shows its page.
Limits: recordings do not nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trisect._inline import framed
from trisect.tracing.page import page
from trisect.tracing.recording import Launch, launch_of


class Recording(list[Launch]):
    """The launches of a block, in order."""

    def _repr_html_(self) -> str:
        return framed(page(self))


@contextmanager
def record() -> Iterator[Recording]:
    """Launches inside the block run in tier 0 and are written down."""
    from trisect._C import recording

    launches = Recording()
    recording.start()
    try:
        yield launches
    finally:
        launches.extend(launch_of(plain) for plain in recording.stop())
