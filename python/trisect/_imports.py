"""Imports of what is loaded late: by name, and so that neither an interrupt nor a fork breaks them.

What: `service` gives the module that answers for a name; trisect/__init__.py says which one (`provide`), so
that a room can ask something of a higher one without importing it; `load_service` loads all that belongs to
it; `module` gives the one that the first use of `triton.cdiv` or its like needs. `load` imports modules on a
thread of its own and waits for it; a fork waits until it is done, or for some seconds.
Why: kernels call the compiler, which is made of what kernels are made of: imports would go in circles. And
Python holds locks while it imports. An interrupt (Ctrl-C) in the middle may leave one closed, and a child
forked in the middle finds closed what no thread will open: from then on every import waits for ever. What a
first launch needs is half of this package.
Limits: modules that these import later by themselves are not covered, and a process with little address space
is not.
"""

from __future__ import annotations

import _thread
import functools
import importlib
import importlib._bootstrap as _bootstrap
import os
import resource
import sys
import threading

_providers: dict[str, tuple[str, ...]] = {}
_done: set[str] = set()
_under_way = threading.RLock()


def provide(name: str, *modules: str) -> None:
    """Says which module answers for a name; further ones are loaded with it."""
    _providers[name] = modules


def service(name: str):
    """The module that answers for a name, loaded as `load` does."""
    provider = _providers[name][0]
    if _is_under_way(provider):
        load(provider)
    return sys.modules[provider]


def module(name: str):
    """The module of that name. A thread that is in the middle of importing this package imports it itself:
    another one could wait for what that has begun."""
    if not _is_under_way(name):
        return sys.modules[name]
    if _imports_this_package():
        return importlib.import_module(name)
    load(name)
    return sys.modules[name]


def load_service(name: str):
    """That module, loaded with what belongs to it."""
    load(*_providers[name])
    return service(name)


def _is_under_way(name: str) -> bool:
    """Whether a module is not there yet, or another thread may be in the middle of it."""
    module = sys.modules.get(name)
    return module is None or getattr(module.__spec__, "_initializing", False)


def _imports_this_package() -> bool:
    """Whether this thread holds the lock of one of this package's modules."""
    me = threading.get_ident()
    return any(
        getattr(entry(), "owner", None) == me and name.partition(".")[0] in ("trisect", "triton")
        for name, entry in list(_bootstrap._module_locks.items())
    )


def _space_for_threads() -> bool:
    """False under `ulimit -v` or `-d`: a thread that finds no memory when it begins is waited for in vain."""
    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return all(resource.getrlimit(limit)[0] == resource.RLIM_INFINITY for limit in limits)


def load(*names: str) -> None:
    """Imports modules; raises what an import raised."""
    if _done.issuperset(names):
        return
    errors = []
    ended = _thread.allocate_lock()

    def work():
        try:
            with _under_way:
                for name in names:
                    importlib.import_module(name)
            # A module that asks for itself while it is imported is not done.
            _done.update(name for name in names if not _is_under_way(name))
        except BaseException as error:
            errors.append(error)

    def work_aside():
        try:
            work()
        finally:
            ended.release()

    # Interrupts are for the main thread.
    main = threading.current_thread() is threading.main_thread()
    if main and _space_for_threads() and not sys.is_finalizing():
        # In C: an interrupt in the middle of threading's own waits leaves as an error of a lock.
        ended.acquire()
        _thread.start_new_thread(work_aside, ())
        ended.acquire()
    else:
        work()
    if errors:
        raise errors[0]


#: How long a fork waits. Whatever it waits on may wait on it: before it came here it has closed other locks
#: (logging's, those of thread pools), and an import may need one.
_PATIENCE = 3.0


def _in_child() -> None:
    """What another thread was importing is not there yet: it can be imported, and no lock of it is closed."""
    if _under_way._is_owned():
        return _under_way.release()
    _under_way._at_fork_reinit()
    for name, entry in list(_bootstrap._module_locks.items()):
        owner = getattr(entry(), "owner", None)
        if owner is not None and owner != threading.get_ident():
            sys.modules.pop(name, None)
            del _bootstrap._module_locks[name]


# Functions in C: an interrupt that came before the fork is raised where the next function in Python begins.
# That may be in the child, hence one that only drops it there. In the parent of a fork that waited in vain,
# Python says that it ignores a release.
os.register_at_fork(
    before=functools.partial(_under_way.acquire, timeout=_PATIENCE), after_in_parent=_under_way.release
)
os.register_at_fork(after_in_child=lambda: None)
os.register_at_fork(after_in_child=_in_child)
