"""Found as `triton` on sys.path: makes the name mean Trisect."""

import os
import sys


def _import_own():
    """Imports the package that this folder lies in, whatever else is on sys.path."""
    parent = __file__
    for _ in ("file", "triton", "_as_triton", "trisect"):
        parent = os.path.dirname(os.path.abspath(parent))
    sys.path.insert(0, parent)
    try:
        import trisect  # noqa: F401
    finally:
        sys.path.remove(parent)
    if parent not in sys.path:
        sys.path.append(parent)


_import_own()

from trisect._alias import activate  # noqa: E402

activate()
