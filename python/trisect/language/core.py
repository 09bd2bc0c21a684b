"""Everything the language is made of, under the name that libraries import it by.

What: re-exports values, types, builtins and marks from the themed files.
"""

from .aggregate import aggregate
from .builtin import builtin
from .constants import unwrap as _unwrap_if_constexpr
from .constants import unwrap_shape
from .ops.descriptors import make_tensor_descriptor

_experimental_make_tensor_descriptor = make_tensor_descriptor
_aggregate = aggregate
_constexpr_to_value = _unwrap_if_constexpr
_unwrap_shape = unwrap_shape


@builtin
def _promote_bfloat16_to_float32(t, _semantic=None):
    """A tensor in fp32 where it is bf16; anything else as it is."""
    return _semantic.promote_bfloat16(t)


__all__ = [name for name in globals() if not name.startswith("__")]
