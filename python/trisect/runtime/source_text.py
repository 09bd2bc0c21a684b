"""The text of a function, wherever it was defined: a file, a notebook, a prompt, `python -c`, `exec`.

What: `lines_of` asks inspect first. Where that knows no text, it looks at the command line (`python -c`), at
a file that is standard input, at the lines typed at a prompt, and at the strings that the calling functions
hold, and takes what compiles to the very code object of the function. So must a file that was written after
this process began: functions may be made long after their module was loaded.
Limits: a program that came through a pipe is gone once Python has read it; such a kernel is refused with
what to do, unless `python -m trisect -` has read it.
"""

from __future__ import annotations
import __future__

import contextlib
import functools
import hashlib
import inspect
import linecache
import os
import stat
import sys
import time
import types

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag

_MOST_TEXT = 1 << 24

#: When this process began to use the package; file systems keep times more coarsely than clocks.
_BEGAN = time.time() - 2


def lines_of(fn):
    """(lines, number of the first one, name of the text) of a function with its decorators."""
    code, reason = fn.__code__, None
    name = code.co_filename
    try:
        # Texts without a file share names, so what is kept under one may be another's.
        if not name.startswith("<"):
            if _is_edited(name, code):
                raise ValueError(
                    f"{name} was changed after it was loaded, so the text of {fn.__qualname__} (line "
                    f"{code.co_firstlineno}) is not there; load it again, or make the kernel before the file "
                    "is edited"
                )
            return *inspect.getsourcelines(fn), name
        if _makes("".join(linecache.getlines(name, fn.__globals__)), code):
            return *inspect.getsourcelines(fn), name
    except (OSError, TypeError) as error:
        reason = error
    for text in _candidates(code):
        if _makes(text, code):
            lines = text.splitlines(keepends=True)
            if name.startswith("<"):
                name = f"{name[:-1]} {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
                linecache.cache[name] = (len(text), None, lines, name)
            first = code.co_firstlineno
            return inspect.getblock(lines[first - 1 :]), first, name
    piped = ""
    if _is_pipe(code):
        piped = "; Python keeps no text of a program that comes through a pipe, `python -m trisect -` does"
    raise ValueError(
        f"@jit functions should be defined in a Python file: the text of {fn.__qualname__} "
        f"({code.co_filename}, line {code.co_firstlineno}) is not to be found{piped}; put it into a file, a "
        "notebook or a string that the caller holds"
    ) from reason


def _is_edited(name, code) -> bool:
    """Whether a file no longer holds what a function was loaded from."""
    try:
        if os.stat(name).st_mtime < _BEGAN:
            return False
    except OSError:
        return False
    linecache.checkcache(name)
    lines = linecache.getlines(name)
    # pytest's own asserts are not in the text.
    rewritten = any(variable.startswith("@py_") for variable in code.co_varnames)
    return bool(lines) and not rewritten and not _makes("".join(lines), code)


def _candidates(code):
    """Texts that may hold the function, the likeliest first."""
    if code.co_filename == "<string>":
        yield from _command_line()
    if code.co_filename == "<stdin>":
        yield from _standard_input()
        yield from _typed(code)
    frame = sys._getframe(1)
    while frame is not None:
        for values in (frame.f_locals.values(), frame.f_code.co_consts, frame.f_globals.values()):
            yield from (value for value in list(values) if isinstance(value, str) and len(value) < _MOST_TEXT)
        frame = frame.f_back


def _command_line():
    arguments = getattr(sys, "orig_argv", ())
    for position, argument in enumerate(arguments[:-1]):
        if argument.startswith("-") and argument.endswith("c") and not argument.startswith("--"):
            yield arguments[position + 1]


def _standard_input():
    with contextlib.suppress(OSError, ValueError, UnicodeDecodeError):
        descriptor = 0
        size = os.fstat(descriptor).st_size
        if 0 < size < _MOST_TEXT and os.lseek(descriptor, 0, os.SEEK_CUR) >= 0:
            yield os.pread(descriptor, size, 0).decode()


def _is_pipe(code) -> bool:
    with contextlib.suppress(OSError):
        return code.co_filename == "<stdin>" and stat.S_ISFIFO(os.fstat(0).st_mode)
    return False


def _typed(code):
    """Statements of an interactive session, each counted from its own first line."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    lines = [readline.get_history_item(n + 1) or "" for n in range(readline.get_current_history_length())]
    for start in range(len(lines) - 1, -1, -1):
        if lines[start].lstrip().startswith(f"def {code.co_name}"):
            first = start
            while first and lines[first - 1].startswith("@"):
                first -= 1
            end = start + 1
            while end < len(lines) and (not lines[end].strip() or lines[end][0].isspace()):
                end += 1
            yield "\n".join(lines[first:end]) + "\n"


def _makes(text, code) -> bool:
    """Whether a text compiles to this code object, at this line."""
    if f"def {code.co_name}" not in text:
        return False
    try:
        made = _compiled(text, code.co_filename, code.co_flags & _FUTURES)
    except (SyntaxError, ValueError):
        return False
    return _holds(made, code)


@functools.lru_cache(maxsize=4)
def _compiled(text, name, flags):
    """Of a file with many kernels each asks."""
    return compile(text, name, "exec", flags=flags, dont_inherit=True)


def _holds(made, code) -> bool:
    return made == code or any(_holds(c, code) for c in made.co_consts if isinstance(c, types.CodeType))
