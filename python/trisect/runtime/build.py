"""Compiling C and C++ text to shared libraries, cached by content."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sysconfig
import tempfile

from trisect import knobs
from trisect._env import getenv
from trisect.errors import InvalidInput

from .cache import get_cache_manager


@contextlib.contextmanager
def quiet():
    """Silences what Python code prints."""
    with open(os.devnull, "w", encoding="utf-8") as sink:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            yield


@functools.lru_cache
def platform_key() -> str:
    """Operating system, processor and Python ABI."""
    abi = sysconfig.get_config_var("SOABI") or ""
    return ",".join([platform.machine(), platform.system(), platform.architecture()[0], abi])


def _compiler(language: str) -> list[str]:
    """The compiler and the words that CC or CXX has behind it."""
    candidates = ("clang++", "g++", "c++") if language == "c++" else ("gcc", "clang", "cc")
    cxx = getenv("CXX") if language == "c++" else None
    if chosen := cxx or knobs.build.cc:
        command, *further = shlex.split(chosen)
        if found := shutil.which(command):
            return [found, *further]
        raise InvalidInput(
            f"{'CXX' if cxx else 'CC'}='{chosen}' is no compiler: there is no program '{command}'"
        )
    for name in candidates:
        if found := shutil.which(name):
            return [found]
    raise RuntimeError(f"Failed to find a {language} compiler; set CC (for C++: CXX) to one")


def _build(name, src, srcdir, library_dirs, include_dirs, libraries, ccflags, language="c") -> str:
    if knobs.build.impl is not None:
        return knobs.build.impl(name, src, srcdir, library_dirs, include_dirs, libraries)
    output = os.path.join(srcdir, name + (sysconfig.get_config_var("EXT_SUFFIX") or ".so"))
    includes = [srcdir, sysconfig.get_paths()["include"], *include_dirs]
    command = [*_compiler(language), src, "-O3", "-shared", "-fPIC", "-Wno-psabi", "-o", output]
    command += [f"-l{library}" for library in libraries]
    command += [f"-L{folder}" for folder in library_dirs]
    command += [f"-I{folder}" for folder in includes if folder]
    command += list(ccflags)
    finished = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if finished.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{finished.stderr}")
    return output


def compile_so_from_src(
    src: str, name: str, library_dirs=None, include_dirs=None, libraries=None, ccflags=None, language="c"
) -> str:
    """The path of the shared library made from C or C++ text."""
    parts = (src, platform_key(), language, library_dirs, include_dirs, libraries, ccflags)
    manager = get_cache_manager(hashlib.sha256(repr(parts).encode("utf-8")).hexdigest())
    filename = name + (sysconfig.get_config_var("EXT_SUFFIX") or ".so")
    # A library that was cut short would end the process that loads it: only a group has checksums.
    group = f"{name}.json"
    known = (manager.get_group(group) or {}).get(filename)
    if known is not None:
        return known
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + (".cpp" if language == "c++" else ".c"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(src)
        built = _build(
            name,
            path,
            folder,
            library_dirs or [],
            include_dirs or [],
            libraries or [],
            ccflags or [],
            language,
        )
        with open(built, "rb") as file:
            path = manager.put(file.read(), filename, binary=True)
        manager.put_group(group, {filename: path})
        return path


def compile_so_from_file(
    src_path, name, library_dirs=None, include_dirs=None, libraries=None, ccflags=None
) -> str:
    """The path of the shared library made from a C or C++ file."""
    with open(src_path, encoding="utf-8") as file:
        src = file.read()
    language = "c++" if os.path.splitext(src_path)[1] in (".cpp", ".cc", ".cxx") else "c"
    return compile_so_from_src(src, name, library_dirs, include_dirs, libraries, ccflags, language)


def _load_module_from_path(name: str, path: str):
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"Failed to load newly compiled {name} from {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_module_from_src(
    src: str, name: str, library_dirs=None, include_dirs=None, libraries=None, ccflags=None, language="c"
):
    """The Python extension module made from C or C++ text."""
    path = compile_so_from_src(src, name, library_dirs, include_dirs, libraries, ccflags, language)
    return _load_module_from_path(name, path)


def compile_module_from_file(
    src_path, name, library_dirs=None, include_dirs=None, libraries=None, ccflags=None
):
    """The Python extension module made from a C or C++ file."""
    path = compile_so_from_file(src_path, name, library_dirs, include_dirs, libraries, ccflags)
    return _load_module_from_path(name, path)


__all__ = [
    "compile_module_from_file", "compile_module_from_src", "compile_so_from_file", "compile_so_from_src",
    "platform_key", "quiet",
]  # fmt: skip
