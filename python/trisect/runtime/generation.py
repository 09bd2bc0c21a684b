"""Generations of learned launches: after one has ended, what the dispatchers learned holds no more.

An edition is a generation of sources: when one starts, the keys of all kernels are computed anew.
"""

from __future__ import annotations

import sys

#: Rises whenever some source is edited, since a key covers the sources of callees too.
_edition = 0


def end_generation() -> None:
    """Makes launches that were learned forgotten."""
    extension = sys.modules.get("trisect._C")
    if extension is not None:
        extension.launch.end_generation()


def edition() -> int:
    return _edition


def start_edition() -> None:
    """Ends the keys of all kernels, and with them what was learned."""
    global _edition
    _edition += 1
    end_generation()
