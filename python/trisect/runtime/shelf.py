"""Where the compiled forms of a kernel are kept.

What: the folder in which this package's cache manager has put the kernel's artefacts; with another manager
(TRITON_CACHE_MANAGER), a folder of this process whose files come from the manager as one archive and go back
to it when another kernel is made ready and when the process ends. Why: forms are read and written by threads
that must not wait for Python. Limits: a process that is killed loses what it has not handed over; of two
that hand over at the same moment one loses. What the manager raises costs a warning.
"""

from __future__ import annotations

import atexit
import functools
import io
import os
import tempfile
import warnings
import zipfile
from pathlib import Path

from trisect import knobs

from . import cache_folder
from .cache import FileCacheManager, get_cache_manager

#: The archive's name under a kernel's key.
ARCHIVE = "compiled.forms"


def shelf_of(hash: str, metadata_group: dict[str, str]):
    """The shelf of a kernel with these artefacts."""
    from trisect._C import forms

    if knobs.cache.manager_class in (None, FileCacheManager):
        return forms.folder_shelf(os.fsencode(os.path.dirname(next(iter(metadata_group.values())))))
    for each in _handed_out.values():
        each.hand_over()
    if hash not in _handed_out:
        _handed_out[hash] = _Mirror(get_cache_manager(hash))
    return forms.folder_shelf(os.fsencode(_handed_out[hash].folder))


def _tolerant(method):
    """Whatever a manager of the user's raises costs a warning."""

    @functools.wraps(method)
    def attempt(self):
        try:
            return method(self)
        except Exception as error:
            warnings.warn(
                f"compiled forms are not kept: {type(self.manager).__name__} raised {error!r}",
                RuntimeWarning,
                stacklevel=3,
            )
            return None

    return attempt


class _Mirror:
    """The forms of one kernel, in a folder of this process."""

    def __init__(self, manager):
        self.manager = manager
        self.folder = Path(tempfile.mkdtemp(prefix="forms-", dir=cache_folder.own_folder()))
        atexit.register(self.hand_over)  # runs before the folder is removed
        for name, content in (self._kept() or {}).items():
            (self.folder / os.path.basename(name)).write_bytes(content)
        self.seen = self._facts()

    def _facts(self):
        found = [(path.name, path.stat()) for path in sorted(self.folder.glob("*.form"))]
        return [(name, facts.st_size, facts.st_mtime_ns) for name, facts in found]

    @_tolerant
    def _kept(self) -> dict[str, bytes]:
        """What the manager has; nothing of an archive that is damaged."""
        path = self.manager.get_file(ARCHIVE)
        if path is None:
            return {}
        try:
            with zipfile.ZipFile(path) as archive:
                return {name: archive.read(name) for name in archive.namelist()}
        except zipfile.BadZipFile:
            return {}

    @_tolerant
    def hand_over(self) -> None:
        """Gives the manager what is new, with what other processes gave it meanwhile."""
        facts = self._facts()
        if facts == self.seen:
            return
        files = {path.name: path.read_bytes() for path in self.folder.glob("*.form")}
        for name, content in (self._kept() or {}).items():
            files[name] = _joined(files[name], content) if name in files else content
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        self.manager.put(packed.getvalue(), ARCHIVE, binary=True)
        self.seen = facts


def _joined(content: bytes, other: bytes) -> bytes:
    from trisect._C import forms
    from trisect.errors import InvalidInput

    try:
        return forms.joined(content, other)
    except InvalidInput:
        return content


#: By the hashes of kernels.
_handed_out: dict[str, _Mirror] = {}
