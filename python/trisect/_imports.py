"""Imports that neither an interrupt nor a fork breaks.

What: `load` imports modules on a thread of its own and waits for it; a fork waits until it is done.
Why: Python holds locks while it imports. An interrupt (Ctrl-C) in the middle may leave one closed, and a
child forked in the middle finds closed what no thread will open: from then on every import waits for ever.
What a first launch needs is half of this package.
Limits: modules that these import later by themselves are not covered.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading

_done: set[str] = set()
_under_way = threading.RLock()


def load(*names: str) -> None:
    """Imports modules; raises what an import raised."""
    if _done.issuperset(names):
        return
    errors = []

    def work():
        try:
            with _under_way:
                for name in names:
                    importlib.import_module(name)
            _done.update(names)
        except BaseException as error:
            errors.append(error)

    # Interrupts are for the main thread.
    if threading.current_thread() is threading.main_thread() and not sys.is_finalizing():
        thread = threading.Thread(target=work, name="trisect imports", daemon=True)
        thread.start()
        thread.join()
    else:
        work()
    if errors:
        raise errors[0]


# Functions in C: an interrupt that came before the fork is raised where the next function in Python begins.
os.register_at_fork(
    before=_under_way.acquire, after_in_parent=_under_way.release, after_in_child=_under_way.release
)
