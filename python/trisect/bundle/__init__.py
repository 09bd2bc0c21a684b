"""Bundles: differences between tiers, kept as directories that can be run again.

What: the page of a bundle (page.py), and the commands `trisect replay`, `shrink`, `bisect` and `report`
(commands.py). The other files are written by jit/bundle/Bundle.h.
"""

from __future__ import annotations


def draw(directory: str) -> None:
    """Writes report.html of a new bundle."""
    from .page import write

    write(directory)
