"""The files of the cache.

What: the compiled forms in it, groups of artefacts, and what killed processes left behind.
Limits: other processes add and remove while this one looks; what is gone meanwhile is passed over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: How the names of compiled forms end.
SUFFIX = ".form"


@dataclass
class Kept:
    """A file of a form; `form` is None if it is damaged, `problem` then says how."""

    path: Path
    size: int
    used: float
    form: object | None
    problem: str = ""


def folder() -> Path:
    """The cache of this user."""
    from trisect import knobs

    return Path(knobs.cache.dir)


def problem(cache: Path) -> str | None:
    """Why nothing can be told of a cache; one that is not there is empty."""
    try:
        next(cache.iterdir(), None)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror
    return None


def _files(cache: Path) -> Iterator[Path]:
    try:
        kernels = sorted(each for each in cache.iterdir() if each.is_dir())
    except OSError:
        return
    for kernel in kernels:
        try:
            yield from sorted(kernel.iterdir())
        except OSError:
            continue


def _read(path: Path) -> Kept | None:
    from trisect._C import forms
    from trisect.errors import InvalidInput

    try:
        facts = path.stat()
        content = path.read_bytes()
    except OSError:
        return None
    try:
        return Kept(path, facts.st_size, facts.st_mtime, forms.read(content))
    except InvalidInput as error:
        return Kept(path, facts.st_size, facts.st_mtime, None, str(error))


def kept(cache: Path, pattern: str = "") -> Iterator[Kept]:
    """The forms whose kernel, key or file name has the pattern in it."""
    for path in _files(cache):
        if path.name.endswith(SUFFIX):
            found = _read(path)
            key = found.form.key if found is not None and found.form is not None else ""
            if found is not None and (pattern in path.name or pattern in key):
                yield found


def _is_left_behind(path: Path, seconds: float) -> bool:
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    return path.name.startswith(".") and path.name.endswith(".tmp") and age >= seconds


def _is_broken_group(path: Path) -> bool:
    from trisect.runtime.cache import FileCacheManager

    if not path.name.startswith("__grp__"):
        return False
    manager = FileCacheManager.at(str(path.parent))
    return manager.get_group(path.name.removeprefix("__grp__")) is None


def broken(cache: Path, seconds: float) -> Iterator[tuple[Path, str]]:
    """The files that no kernel can use, and why; parts of files if nobody has written to them for so long."""
    for path in _files(cache):
        if path.name.endswith(SUFFIX):
            found = _read(path)
            if found is not None and found.form is None:
                yield path, found.problem
        elif _is_left_behind(path, seconds):
            yield path, "a process ended while it wrote this"
        elif _is_broken_group(path):
            yield path, "names artefacts that are not there, or not whole"


def remove(path: Path) -> bool:
    """Whether this call removed it."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
