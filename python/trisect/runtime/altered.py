"""What a program puts into the language's modules, or into its tensors: `tl.math.exp = mine`.

What: once `watch` is called, the modules of the language and the classes made with `WatchedClass` tell when a
name of theirs is set or deleted: what was compiled holds no more. `changes` gives what differs from what this
package put there, for the keys of kernels. Nothing is asked at a launch.
Limits: what is written into a module's dictionary past its attributes is not seen. What the import system
sets, a module in its parent, is no change. Operators of tensors are the compiler's, whatever tl.tensor has.
"""

from __future__ import annotations

import sys
import types

from .generation import start_edition
from .outside import ABSENT, is_own

#: (module or class, name) → what this package put there, ABSENT if nothing.
_originals: dict[tuple[object, str], object] = {}
_watched: set[str] = set()


def changes() -> list[tuple[str, str, object, object]]:
    """(text, name, value, module or class) of all that is not as it was, in the order of the texts."""
    found = [
        (f"{_title(owner)}.{name}", name, vars(owner).get(name, ABSENT), owner)
        for owner, name in list(_originals)
    ]
    return sorted(found, key=lambda row: row[0])


def _title(owner) -> str:
    return f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else owner.__name__


def watch(package: str) -> None:
    """Has the modules of a package that are loaded tell of changes, and its classes."""
    for name, module in list(sys.modules.items()):
        if f"{name}.".startswith(f"{package}.") and type(module) is types.ModuleType:
            module.__class__ = _WatchedModule
    _watched.add(package)


def _change(owner, name, before) -> None:
    now = vars(owner).get(name, ABSENT)
    if now is before:
        return
    original = _originals.get((owner, name), before)
    if original is ABSENT and isinstance(now, types.ModuleType) and is_own(now):
        return
    if now is original:
        _originals.pop((owner, name), None)
    else:
        _originals[owner, name] = original
    start_edition()


class _WatchedModule(types.ModuleType):
    def __setattr__(self, name, value):
        before = vars(self).get(name, ABSENT)
        super().__setattr__(name, value)
        if not name.startswith("__"):  # those are the import system's
            _change(self, name, before)

    def __delattr__(self, name):
        before = vars(self).get(name, ABSENT)
        super().__delattr__(name)
        _change(self, name, before)


class WatchedClass(type):
    """The class of a class that tells of changes once its package is watched."""

    def __setattr__(cls, name, value):
        before = vars(cls).get(name, ABSENT)
        super().__setattr__(name, value)
        cls._changed(name, before)

    def __delattr__(cls, name):
        before = vars(cls).get(name, ABSENT)
        super().__delattr__(name)
        cls._changed(name, before)

    def _changed(cls, name, before):
        if any(cls.__module__.startswith(f"{package}.") for package in _watched):
            _change(cls, name, before)
