"""What a value that a kernel is given as a constant says for keys.

What: `text_of_constant` is equal for equal values in every process, and another when an object that was given
holds something else, or leads to something else, than before.
Limits: an object of Python's library, torch or NumPy counts by its text; state that no attribute holds is not
seen.
"""

from __future__ import annotations

import enum

from .callable import BoundConstexprFunction
from .dependencies import DependenciesFinder
from .outside import Keyed, is_constexpr, is_own, is_platform, text_of

_NUMBERS = frozenset({int, float, bool, str, bytes, complex, type(None), type(...)})


def is_plain(value) -> bool:
    """Whether a value says all in its repr and cannot change, or has a key of its own."""
    if is_constexpr(value):
        return is_plain(value.value)
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    if type(value) in _NUMBERS or isinstance(value, Keyed):
        return not isinstance(value, BoundConstexprFunction)
    if isinstance(value, enum.Enum):
        return is_plain(value.value)
    if is_own(value):
        return True
    return isinstance(value, type) and is_platform(value.__module__) or type(value).__name__ == "dtype"


def text_of_constant(value) -> str:
    if is_constexpr(value):
        return f"constexpr({text_of_constant(value.value)})"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(map(text_of_constant, value))})"
    if isinstance(value, BoundConstexprFunction):
        return f"{value.cache_key}({text_of_constant(value.instance)})"
    if isinstance(value, Keyed):
        return value.cache_key
    if is_plain(value):
        return f"{type(value).__name__}:{value!r}"
    finder = DependenciesFinder("constant", {}, {}, text_of(value))
    return finder.find_value(value)
