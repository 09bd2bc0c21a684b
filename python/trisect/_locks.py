"""Locks that are open in a forked child.

Why: a thread that stays behind in the parent never opens what it holds. Limits: what the lock guards may be
half done in the child; here that is a compile whose result nobody has seen.
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


os.register_at_fork(after_in_child=_open)
