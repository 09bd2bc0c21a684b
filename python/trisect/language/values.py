"""What the runtime asks of the language, under the name `language` (trisect/__init__.py)."""

from .constants import unwrap
from .constexpr import constexpr, constexpr_type
from .dtypes import dtype
from .tuples import as_value

__all__ = ["as_value", "constexpr", "constexpr_type", "dtype", "unwrap"]
