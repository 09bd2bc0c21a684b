"""Where artefacts may lie, and what happens when they cannot lie there.

What: whether code from a folder may run (nobody else may have put it there), and a folder of this process's
own that takes the place of one that cannot be used.
Limits: who may write through the group of a folder is trusted; access lists are not looked at.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import warnings

_own: str | None = None
_told: set[tuple[str, str]] = set()


def strangers(folder: str) -> str | None:
    """Who else could have put files into a folder, as a clause; None if nobody or if there is no folder."""
    try:
        facts = os.stat(folder)
    except (OSError, ValueError):
        return None
    if not stat.S_ISDIR(facts.st_mode):
        return "it is no folder"
    if facts.st_uid not in (0, os.geteuid()):
        return f"it belongs to user {facts.st_uid}, who could put any code there"
    # In a sticky folder, such as /tmp, nobody can replace what belongs to somebody else.
    if facts.st_mode & stat.S_IWOTH and not facts.st_mode & stat.S_ISVTX:
        return f"everybody may write to it (mode {stat.S_IMODE(facts.st_mode):o})"
    return None


def problem(base: str, folder: str) -> str | None:
    """Why artefacts must not come from `folder`, which lies in `base`; None if they may."""
    if not base:
        return "it has no name; set TRITON_CACHE_DIR"
    reason = strangers(base) or strangers(folder)
    if reason is None and os.path.isdir(folder) and os.stat(folder).st_mode & stat.S_IWOTH:
        reason = "everybody may write to it"
    return reason


def _temporary() -> str:
    """Where temporary folders lie: in memory where no disk can be written, as in a read-only container."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return "/dev/shm"


def own_folder() -> str:
    """A folder of this process, or of the one that it was forked from, which is removed at its end."""
    global _own
    if _own is None or not os.path.isdir(_own):
        _own = tempfile.mkdtemp(prefix="trisect-cache-", dir=_temporary())
        atexit.register(_remove, _own, os.getpid())
    return _own


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def tell(folder: str, reason: str) -> None:
    """Warns once that a folder is not used."""
    if (folder, reason) not in _told:
        _told.add((folder, reason))
        warnings.warn(
            f"the cache folder '{folder}' is not used: {reason}; kernels of this process are kept in a "
            "temporary folder until it ends",
            RuntimeWarning,
            stacklevel=2,
        )
