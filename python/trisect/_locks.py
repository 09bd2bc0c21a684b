"""Locks that are open in a forked child, and `lazy`, which needs none.

Why: a thread that stays behind in the parent never opens what it holds. functools.cached_property has such a
lock before Python 3.12. Limits: what the lock guards may be half done in the child; here that is a compile
whose result nobody has seen.
"""

from __future__ import annotations

import os
import threading
import weakref

_all: weakref.WeakSet = weakref.WeakSet()


def fork_safe_lock() -> threading.RLock:
    """A reentrant lock."""
    lock = threading.RLock()
    _all.add(lock)
    return lock


def _open() -> None:
    for lock in list(_all):
        if not lock._is_owned():  # by the thread that forked, which goes on
            lock._at_fork_reinit()


# Twice: an interrupt that came before the fork is raised at the start of the first and dropped there.
for _ in range(2):
    os.register_at_fork(after_in_child=_open)


class lazy:
    """A property that is computed once an object; of threads that do so at the same time the first counts."""

    def __init__(self, compute):
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.name, self.compute(instance))
