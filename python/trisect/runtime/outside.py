"""Values that a kernel's text names outside of itself: what each says for a key, and what it is now.

What: `text_of` gives the part of a value that a compiled kernel depends on, equal in every process;
`current` reads the value of a name again. An owner is a dictionary of globals or any object with attributes:
a module's class, the cell of a closure, a constexpr.
Limits: an object whose text holds its address counts by its type; while it stays in place it is itself.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import types

#: Changes of these packages change the key of the whole package already.
OWN = ("trisect.", "triton.")

#: What `current` gives for a name that is not there.
ABSENT = type("Absent", (), {"__repr__": lambda self: "absent"})()

_MUTABLE = (list, dict, set, bytearray)

#: Objects of these count by their text, whatever state they have.
_PLATFORM = frozenset({*sys.stdlib_module_names, "torch", "numpy"})


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
    """Whether a constant can change in place; members of objects are noted one by one."""
    if is_constexpr(value):
        return is_mutable(value.value)
    if isinstance(value, tuple):
        return any(map(is_mutable, value))
    return isinstance(value, _MUTABLE) or is_array(value)


def is_array(value) -> bool:
    """Whether a value is an array or tensor, whose repr leaves elements out."""
    return all(hasattr(value, name) for name in ("tolist", "dtype", "shape")) and not isinstance(value, type)


def is_platform(name) -> bool:
    """Whether a module of this name comes with Python or with a library of tensors."""
    return not isinstance(name, str) or name.partition(".")[0] in _PLATFORM


@functools.cache
def is_installed(name) -> bool:
    """Whether a module of this name is of the platform, or lies where libraries are installed."""
    if is_platform(name):
        return True
    file = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None) or ""
    return not {"site-packages", "dist-packages"}.isdisjoint(file.split("/"))


def is_instance(value) -> bool:
    """Whether a value, no function or class, is an object whose members code may read."""
    return type(value) is types.SimpleNamespace or not (is_own(value) or is_platform(type(value).__module__))


def defaults_of(fn) -> tuple:
    """The defaults of a function's parameters now, by position and by name."""
    return fn.__defaults__ or (), fn.__kwdefaults__ or {}


def cells_of(fn) -> dict:
    """The cells of what a function closes over."""
    return dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))


def closed_over(fn) -> dict:
    """The values that a function closes over; cells that are still empty are left out."""
    found = {name: current(cell, "cell_contents") for name, cell in cells_of(fn).items()}
    return {name: value for name, value in found.items() if value is not ABSENT}


def text_of(value, within=()) -> str:
    """What a key says of a value. `within`: the ids of what it lies in, which it may hold again."""
    key = getattr(value, "cache_key", None)
    if isinstance(key, str):
        return key
    if id(value) in within:
        return "itself"
    inner = functools.partial(text_of, within=(*within, id(value)))
    if is_constexpr(value):
        return f"constexpr({inner(value.value)})"
    if isinstance(value, types.CodeType):
        constants = ",".join(map(inner, value.co_consts))
        return f"{value.co_code!r}:{constants}:{value.co_names!r}:{value.co_freevars!r}"
    if isinstance(value, types.FunctionType) and not is_own(value):
        closure = [current(cell, "cell_contents") for cell in value.__closure__ or ()]
        return f"{value.__qualname__}:{inner(value.__code__)}:{inner(defaults_of(value))}:{inner(closure)}"
    if isinstance(value, functools.partial):
        return f"partial({inner(value.func)},{inner(value.args)},{inner(value.keywords)})"
    if isinstance(value, types.MethodType):
        return f"method({inner(value.__func__)},{inner(value.__self__)})"
    if is_array(value):
        elements = hashlib.sha256(repr(value.tolist()).encode()).hexdigest()
        return f"array({value.dtype},{tuple(value.shape)},{elements})"
    if isinstance(value, type) or callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if type(value) in (tuple, list, set, frozenset):
        items = map(inner, value) if type(value) in (tuple, list) else sorted(map(inner, value))
        return f"{type(value).__name__}({','.join(items)})"
    if type(value) is dict:
        return f"dict({','.join(f'{inner(name)}={inner(item)}' for name, item in value.items())})"
    text = repr(value)
    return type(value).__qualname__ if " at 0x" in text else f"{type(value).__qualname__}:{text}"
