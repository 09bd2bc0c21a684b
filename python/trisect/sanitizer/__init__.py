"""Sanitizers: what a kernel does wrong, with its cause.

What: `sanitize` runs launches in the interpreter with watched memory and values; `Finding` is one defect,
with text, JSON and a page; `mark_uninitialized` says that nobody has written a tensor; `far_view` makes views
with strides of many GiB. TRISECT_SANITIZE and the launch option `sanitize=` switch the same on.
"""

from .facts import Site, TensorFacts
from .far import far_view
from .finding import Finding
from .marks import mark_uninitialized
from .session import Session, sanitize
from .wording import KINDS

__all__ = [
    "KINDS", "Finding", "Session", "Site", "TensorFacts", "far_view", "mark_uninitialized", "sanitize",
]  # fmt: skip
