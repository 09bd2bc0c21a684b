"""Construction of operations: what the language's functions and operators build.

What: `TritonSemantic` owns the builder of one compilation. It is made of themed parts: conversions,
arithmetic, shapes, memory, reductions, atomics, matrix products, descriptors, debugging. Types are decided
in typing_rules.
"""

from ..typing_rules import IncompatibleTypeErrorImpl
from .arith import Arithmetic
from .atomics import Atomics
from .base import SemanticBase
from .casts import Casts
from .debugging import Debugging
from .descriptors import Descriptors
from .dot import Dots
from .memory import Memory
from .reductions import Reductions
from .shape import Shapes


class TritonSemantic(
    Casts, Arithmetic, Shapes, Memory, Reductions, Atomics, Dots, Descriptors, Debugging, SemanticBase
):
    """Builds operations and language values."""


__all__ = ["IncompatibleTypeErrorImpl", "TritonSemantic"]
