"""Found as `triton` on sys.path: makes the name mean Trisect."""

import os
import sys

try:
    import trisect
except ModuleNotFoundError:
    # Only this folder was handed on; the package lies two levels above it.
    sys.path.append(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    )
    import trisect  # noqa: F401

from trisect._alias import activate

activate()
