"""Descriptors that bind an attribute to an environment variable.

What: an attribute reads its variable at each access; what is assigned in the process wins until `env` is
assigned.
Why: a variable set by a library after import must count, and a program must be able to override it.
Limits: a value that makes no sense raises InvalidInput and lists the good ones. An empty variable is one that
is not set. Names and values are those of core/support/Options.def, which launches check.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache as _cached
from typing import Generic, TypeVar

from trisect.errors import InvalidInput

SetType = TypeVar("SetType")
GetType = TypeVar("GetType")
ClassType = TypeVar("ClassType")


class Env:
    """Type of `env`."""

    def __repr__(self):
        return "trisect.knobs.env"


env = Env()
#: Whether assignments are written to os.environ too, for child processes.
propagate_env: bool = True

_TRUE = ("1", "true", "on", "y", "yes")
_FALSE = ("0", "false", "off", "n", "no", "")


def getenv(key: str, default: str | None = None) -> str | None:
    """What a variable says; `default` if it is not set or empty."""
    return os.environ.get(key, "").strip() or default


def setenv(key: str, value: str | None) -> None:
    """Writes a variable, or removes it for None, if propagation is on."""
    if not propagate_env:
        return
    if value is None:
        os.environ.pop(key, None)
    else:
        os.environ[key] = value


def toenv(val) -> tuple[str | None] | None:
    """The text of a value, in a tuple; None if a variable cannot hold it."""
    if val is None:
        return (None,)
    if isinstance(val, bool):
        return ("1" if val else "0",)
    if isinstance(val, (str, int)):
        return (str(val),)
    return None


def parse_bool(key: str, text: str) -> bool:
    lowered = text.lower()
    if lowered in _TRUE:
        return True
    if lowered in _FALSE:
        return False
    raise InvalidInput(f"{key}={text!r} is neither true nor false; use 1, true, on, yes or 0, false, off, no")


class env_base(Generic[SetType, GetType]):
    """An attribute of a knob group, bound to the variable `key`."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __set_name__(self, objclass: type, name: str) -> None:
        self.name = name

    def __get__(self, obj, objclass=None) -> GetType:
        if obj is None:
            return self
        if self.name in obj.__dict__:
            return self.transform(obj.__dict__[self.name])
        return self.get()

    def __set__(self, obj, value: SetType | Env) -> None:
        if isinstance(value, Env):
            obj.__dict__.pop(self.name, None)
            return
        obj.__dict__[self.name] = value
        text = toenv(value)
        if text is not None:
            setenv(self.key, text[0])

    def __delete__(self, obj) -> None:
        obj.__dict__.pop(self.name, None)

    def get(self) -> GetType:
        raise NotImplementedError

    def transform(self, val: SetType) -> GetType:
        return val


class env_str(env_base[str, str]):
    def __init__(self, key: str, default: str):
        super().__init__(key)
        self.default = default

    def get(self) -> str:
        return getenv(self.key, self.default)


class env_str_callable_default(env_base[str, str]):
    def __init__(self, key: str, default_factory):
        super().__init__(key)
        self.default_factory = default_factory

    def get(self) -> str:
        value = getenv(self.key)
        return self.default_factory() if value is None else value


class env_bool(env_base[bool, bool]):
    def __init__(self, key: str, default: bool = False) -> None:
        super().__init__(key)
        self.default = default

    def get(self) -> bool:
        text = getenv(self.key)
        return self.default if text is None else parse_bool(self.key, text)


class env_int(env_base[int, int]):
    def __init__(self, key: str, default: int = 0) -> None:
        super().__init__(key)
        self.default = default

    def get(self) -> int:
        text = getenv(self.key)
        if text is None:
            return self.default
        try:
            return int(text)
        except ValueError as error:
            raise InvalidInput(f"{self.key}={text!r} is not an integer") from error


class env_class(Generic[ClassType], env_base[type | None, type | None]):
    """A class named as MODULE:CLASS; it must derive from a class called `type`."""

    def __init__(self, key: str, type: str) -> None:
        super().__init__(key)
        self.type = type

    def get(self):
        text = getenv(self.key)
        if text is None:
            return None
        module, separator, name = text.partition(":")
        if not separator:
            raise InvalidInput(f"{self.key}={text!r} must have the form MODULE:CLASS")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise InvalidInput(f"{self.key}: cannot load {name} from {module}: {error}") from error
        if not isinstance(found, type) or not any(base.__name__ == self.type for base in found.mro()):
            raise InvalidInput(f"{self.key}={text!r} must name a subclass of {self.type}")
        return found


class env_opt_str(env_base[str | None, str | None]):
    def get(self) -> str | None:
        return getenv(self.key)


class env_opt_bool(env_base[bool | None, bool | None]):
    def get(self) -> bool | None:
        text = getenv(self.key)
        return None if text is None else parse_bool(self.key, text)


@dataclass
class NvidiaTool:
    """A command-line tool of NVIDIA and its version."""

    path: str
    version: str

    @staticmethod
    @_cached
    def from_path(path: str) -> NvidiaTool | None:
        try:
            output = subprocess.check_output(
                [path, "--version"], stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
            )
        except (OSError, subprocess.CalledProcessError):
            return None
        version = re.search(r"release (\d+\.\d+)", output)
        return None if version is None else NvidiaTool(path, version.group(1))


class env_nvidia_tool(env_base[str, NvidiaTool]):
    """A tool looked for in TRITON_<NAME>_PATH, then among the usual folders of CUDA, then on PATH."""

    def __init__(self, binary: str) -> None:
        self.binary = binary
        super().__init__(f"TRITON_{binary.upper().replace('-', '_')}_PATH")

    def get(self) -> NvidiaTool:
        return self.transform(getenv(self.key) or "")

    def transform(self, path) -> NvidiaTool:
        if isinstance(path, NvidiaTool):
            return path
        import shutil

        home = getenv("CUDA_HOME") or getenv("CUDA_PATH") or "/usr/local/cuda"
        for candidate in (path, os.path.join(home, "bin", self.binary), shutil.which(self.binary)):
            if candidate and os.access(candidate, os.X_OK):
                tool = NvidiaTool.from_path(candidate)
                if tool is not None:
                    return tool
        raise RuntimeError(
            f"cannot find {self.binary}; set {self.key} to its path, or CUDA_HOME to an installation of CUDA"
        )


class base_knobs:
    """A group of knobs."""

    @property
    def knob_descriptors(self) -> dict[str, env_base]:
        return {
            name: descriptor
            for cls in type(self).mro()
            for name, descriptor in vars(cls).items()
            if isinstance(descriptor, env_base)
        }

    @property
    def knobs(self) -> dict:
        return {name: getattr(self, name) for name in self.knob_descriptors}

    def copy(self):
        duplicate = type(self)()
        duplicate.__dict__.update(self.__dict__)
        return duplicate

    def reset(self):
        """Drops what was assigned, so that the environment counts again."""
        for name in self.knob_descriptors:
            delattr(self, name)
        return self

    @contextmanager
    def scope(self):
        """Restores assignments and the environment variables of the group on leaving."""
        try:
            values = dict(self.__dict__)
            variables = {d.key: os.environ.get(d.key) for d in self.knob_descriptors.values()}
            yield
        finally:
            self.__dict__.clear()
            self.__dict__.update(values)
            for key, value in variables.items():
                setenv(key, value)
