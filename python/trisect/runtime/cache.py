"""Compiled artefacts on disk, shared by processes.

What: a folder a key under TRITON_CACHE_DIR; files appear by atomic rename; a group file names a kernel's
artefacts with their checksums, and counts only if all of them are whole. A folder that cannot be written to,
or into which somebody else could put code, costs a warning and not the kernel.
Limits: the folder is looked up at each call, never at import; nothing in a group file depends on where the
folder is.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import itertools
import json
import os
import uuid
from abc import ABC, abstractmethod

from trisect import knobs
from trisect._version import __version__

from . import cache_folder
from .build_id import build_id

#: For names of files that are being written: on a network file system another machine has a process of the
#: same number.
_machine = uuid.uuid4().hex
_numbers = itertools.count()


class CacheManager(ABC):
    """Stores artefacts under one key."""

    def __init__(self, key, override=False, dump=False):
        self.key = key

    def has_file(self, filename) -> bool:
        return self.get_file(filename) is not None

    @abstractmethod
    def get_file(self, filename) -> str | None:
        """The path of a stored file, or None."""

    @abstractmethod
    def put(self, data, filename, binary=True) -> str:
        """Stores data, returns the path."""

    @abstractmethod
    def get_group(self, filename: str) -> dict[str, str] | None:
        """Name → path of the members of a group, or None."""

    @abstractmethod
    def put_group(self, filename: str, group: dict[str, str]):
        """Stores which files belong together."""


def _checksum(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else \
            hashlib.sha256(file.read()).hexdigest()  # fmt: skip


class FileCacheManager(CacheManager):
    """On the local file system."""

    def __init__(self, key, override=False, dump=False):
        self.key = key
        self.lock_path = None
        self._checksums: dict[str, str] = {}
        if dump:
            self.cache_dir = os.path.join(knobs.cache.dump_dir, key)
        elif override:
            self.cache_dir = os.path.join(knobs.cache.override_dir, key)
        else:
            base = knobs.cache.dir
            self.cache_dir = os.path.join(base, key)
            reason = cache_folder.problem(base, self.cache_dir)
            if reason is not None:
                self._fall_back(base, reason)
            self.lock_path = os.path.join(self.cache_dir, "lock")

    @classmethod
    def at(cls, folder: str) -> FileCacheManager:
        """Of a folder that is there, whatever it is called."""
        manager = cls.__new__(cls)
        manager.key, manager.lock_path, manager.cache_dir = os.path.basename(folder), None, folder
        manager._checksums = {}
        return manager

    def _fall_back(self, folder: str, reason: str) -> None:
        cache_folder.tell(folder, reason)
        self.cache_dir = os.path.join(cache_folder.own_folder(), self.key)

    def _make_path(self, filename) -> str:
        # In UTF-8 whatever the locale says, so that all processes find the same file.
        return os.path.join(self.cache_dir, os.fsdecode(filename.encode("utf-8", "surrogateescape")))

    def has_file(self, filename) -> bool:
        return os.path.exists(self._make_path(filename))

    def get_file(self, filename) -> str | None:
        return self._make_path(filename) if self.has_file(filename) else None

    def get_group(self, filename: str) -> dict[str, str] | None:
        path = self._make_path(f"__grp__{filename}")
        try:
            with open(path, encoding="utf-8") as file:
                facts = json.load(file)
            checksums = facts["sha256"]
            # What another process or a full disk left incomplete is made anew, and what is not ours.
            members = {}
            for name in facts["child_paths"]:
                if os.path.basename(name) != name or checksums[name] != _checksum(self._make_path(name)):
                    return None
                members[name] = self._make_path(name)
            return members
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        facts = {
            "child_paths": {name: os.path.basename(name) for name in group},
            # A member that another process has removed or replaced meanwhile has another checksum then, or
            # none: the group does not count.
            "sha256": {name: self._checksum(path) for name, path in group.items()},
        }
        return self.put(json.dumps(facts), f"__grp__{filename}", binary=False)

    def _checksum(self, path: str) -> str | None:
        known = self._checksums.get(path)
        return known if known or not os.path.exists(path) else _checksum(path)

    def put(self, data, filename, binary=True) -> str:
        data = data if isinstance(data, bytes) else str(data).encode("utf-8")
        try:
            try:
                return self._write(data, filename)
            except FileNotFoundError:  # another process has removed the folder meanwhile
                return self._write(data, filename)
        except (OSError, ValueError) as error:
            if self.lock_path is None:
                raise  # a folder that the user asked for by name
            self._fall_back(os.path.dirname(self.cache_dir), getattr(error, "strerror", None) or str(error))
            return self._write(data, filename)

    def _write(self, data: bytes, filename: str) -> str:
        path = self._make_path(filename)
        # A rename must stay in its folder.
        partial = self._make_path(f".{filename}.{os.getpid()}-{_machine}-{next(_numbers)}.tmp")
        try:
            with self._open(partial) as file:
                file.write(data)
            os.replace(partial, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.remove(partial)
            raise
        self._checksums[path] = hashlib.sha256(data).hexdigest()
        return path

    def _open(self, path: str):
        try:
            return open(path, "wb")
        except FileNotFoundError:  # the first file of a folder
            os.makedirs(self.cache_dir, exist_ok=True)
            return open(path, "wb")


class RemoteCacheBackend(ABC):
    """A store of files behind the local one."""

    def __init__(self, key: str):
        self.key = key

    @abstractmethod
    def get(self, filenames: list[str]) -> dict[str, bytes]:
        """The files that are there."""

    @abstractmethod
    def put(self, filename: str, data: bytes):
        """Stores a file."""


class RedisRemoteCacheBackend(RemoteCacheBackend):
    """In a Redis server."""

    def __init__(self, key):
        import redis

        self._key = key
        self._key_fmt = knobs.redis.key_format
        self._redis = redis.Redis(host=knobs.redis.host, port=knobs.redis.port)

    def _get_key(self, filename: str) -> str:
        return self._key_fmt.format(key=self._key, filename=filename)

    def get(self, filenames: list[str]) -> dict[str, bytes]:
        found = self._redis.mget([self._get_key(name) for name in filenames])
        return {name: data for name, data in zip(filenames, found, strict=True) if data is not None}

    def put(self, filename: str, data: bytes):
        self._redis.set(self._get_key(filename), data)


class RemoteCacheManager(CacheManager):
    """A remote store; what is fetched is kept in a local folder."""

    def __init__(self, key, override=False, dump=False):
        remote = knobs.cache.remote_manager_class
        if remote is None:
            raise RuntimeError("set TRITON_REMOTE_CACHE_BACKEND to MODULE:CLASS of a remote cache")
        self._backend = remote(key)
        self._override = override
        self._dump = dump
        self._file_cache_manager = FileCacheManager(key, override=override, dump=dump)

    def _materialize(self, filename: str, data: bytes) -> str:
        return self._file_cache_manager.put(data, filename, True)

    def get_file(self, filename: str) -> str | None:
        if self._override or self._dump:
            return self._file_cache_manager.get_file(filename)
        found = self._backend.get([filename])
        return self._materialize(filename, found[filename]) if filename in found else None

    def put(self, data, filename: str, binary=True) -> str:
        if self._override or self._dump:
            return self._file_cache_manager.put(data, filename, binary=binary)
        data = data if isinstance(data, bytes) else str(data).encode("utf-8")
        self._backend.put(filename, data)
        return self._materialize(filename, data)

    def get_group(self, filename: str) -> dict[str, str] | None:
        if self._override or self._dump:
            return self._file_cache_manager.get_group(filename)
        path = self.get_file(f"__grp__{filename}")
        if path is None:
            return None
        try:
            with open(path, encoding="utf-8") as file:
                facts = json.load(file)
            checksums = {name: facts["sha256"][name] for name in facts["child_paths"]}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        found = self._backend.get(list(checksums))
        if any(hashlib.sha256(found.get(name, b"")).hexdigest() != sum for name, sum in checksums.items()):
            return None
        return {name: self._materialize(name, data) for name, data in found.items()}

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        if self._override or self._dump:
            return self._file_cache_manager.put_group(filename, group)
        facts = {
            "child_paths": {name: name for name in group},
            "sha256": {name: _checksum(path) for name, path in group.items()},
        }
        return self.put(json.dumps(facts), f"__grp__{filename}")


def _base32(key: str) -> str:
    """A hexadecimal hash as the name of a folder."""
    return base64.b32encode(bytes.fromhex(key)).decode("utf-8").rstrip("=")


def get_cache_manager(key) -> CacheManager:
    cls = knobs.cache.manager_class or FileCacheManager
    return cls(_base32(key))


def get_override_manager(key) -> CacheManager:
    cls = knobs.cache.manager_class or FileCacheManager
    return cls(_base32(key), override=True)


def get_dump_manager(key) -> CacheManager:
    cls = knobs.cache.manager_class or FileCacheManager
    return cls(_base32(key), dump=True)


def make_so_cache_key(version_hash, signature, constants, ids, **kwargs) -> str:
    """The key of a compiled launcher."""
    signature = {name: "ptr" if kind[0] == "*" else kind for name, kind in signature.items()}
    text = f"{version_hash}-{''.join(signature.values())}-{constants}-{ids}"
    for name in sorted(kwargs):
        text += f"-{name}-{kwargs[name]}"
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@functools.lru_cache
def triton_key() -> str:
    """A hash of this package: it changes with every build and every edit of it."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    hasher = hashlib.sha256(__version__.encode())
    for folder, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(".py"):
                with open(path, "rb") as file:
                    hasher.update(file.read())
            elif ".so" in name:
                hasher.update(f"{name}:{build_id(path)}".encode())
    return hasher.hexdigest()


#: Variables that change what is compiled.
_COMPILE_VARIABLES = (
    "TRISECT_NUMERICS",
    "TRISECT_BF16_SUMS",
    "TRITON_F32_DEFAULT",
    "TRITON_DEFAULT_FP_FUSION",
    "TRITON_DISABLE_LINE_INFO",
)


def get_cache_invalidating_env_vars() -> dict[str, str]:
    return {name: os.environ[name] for name in _COMPILE_VARIABLES if name in os.environ}


def get_cache_key(src, backend, backend_options, env_vars) -> str:
    """What identifies a compilation."""
    variables = str(sorted(env_vars.items()))
    return f"{triton_key()}-{src.hash()}-{backend.hash()}-{backend_options.hash()}-{variables}"
