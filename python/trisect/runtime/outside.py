"""Values that a kernel's text names outside of itself: what each says for a key, and what it is now.

What: `text_of` gives the part of a value that a compiled kernel depends on, equal in every process;
`current` reads the value of a name again. An owner is a dictionary of globals or any object with attributes:
a module's class, the cell of a closure, a constexpr.
Limits: an object whose text holds its address counts by its type; while it stays in place it is itself.
"""

from __future__ import annotations

import types

#: Changes of these packages change the key of the whole package already.
OWN = ("trisect.", "triton.")

#: What `current` gives for a name that is not there.
ABSENT = type("Absent", (), {"__repr__": lambda self: "absent"})()

_MUTABLE = (list, dict, set, bytearray)


class Keyed:
    """What has a key that covers its source, and what it names with theirs: functions of kernels."""


def is_own(value) -> bool:
    """Whether a module, function or class belongs to this package."""
    home = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return f"{home}.".startswith(OWN)


def current(owner, name):
    """The value of a name of an owner now."""
    if isinstance(owner, dict):
        return owner.get(name, ABSENT)
    try:
        return getattr(owner, name)
    except (AttributeError, ValueError):  # an empty cell raises ValueError
        return ABSENT


def is_constant(value) -> bool:
    """A value that counts by its content, not by being the same object."""
    return not callable(value) and not isinstance(value, types.ModuleType) or is_constexpr(value)


def is_constexpr(value) -> bool:
    return type(value).__name__ == "constexpr"


def is_mutable(value) -> bool:
    """Whether a constant can change in place."""
    if is_constexpr(value):
        return is_mutable(value.value)
    if isinstance(value, tuple):
        return any(map(is_mutable, value))
    return isinstance(value, _MUTABLE)


def cells_of(fn) -> dict:
    """The cells of what a function closes over."""
    return dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))


def closed_over(fn) -> dict:
    """The values that a function closes over; cells that are still empty are left out."""
    found = {name: current(cell, "cell_contents") for name, cell in cells_of(fn).items()}
    return {name: value for name, value in found.items() if value is not ABSENT}


def text_of(value) -> str:
    """What a key says of a value."""
    key = getattr(value, "cache_key", None)
    if isinstance(key, str):
        return key
    if is_constexpr(value):
        return f"constexpr({text_of(value.value)})"
    if isinstance(value, types.CodeType):
        constants = ",".join(map(text_of, value.co_consts))
        return f"{value.co_code!r}:{constants}:{value.co_names!r}:{value.co_freevars!r}"
    if isinstance(value, types.FunctionType) and not is_own(value):
        defaults = (value.__defaults__ or (), tuple((value.__kwdefaults__ or {}).items()))
        return f"{value.__qualname__}:{text_of(value.__code__)}:{text_of(defaults)}"
    if isinstance(value, type) or callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if type(value) in (tuple, list, set, frozenset):
        items = map(text_of, value) if type(value) in (tuple, list) else sorted(map(text_of, value))
        return f"{type(value).__name__}({','.join(items)})"
    if type(value) is dict:
        return f"dict({','.join(f'{text_of(name)}={text_of(item)}' for name, item in value.items())})"
    text = repr(value)
    return type(value).__qualname__ if " at 0x" in text else f"{type(value).__qualname__}:{text}"
