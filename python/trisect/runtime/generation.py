"""Generations of learned launches: after one has ended, what the dispatchers learned holds no more."""

from __future__ import annotations

import sys


def end_generation() -> None:
    """Makes launches that were learned forgotten."""
    extension = sys.modules.get("trisect._C")
    if extension is not None:
        extension.launch.end_generation()
