"""Programs that run under the alias: scripts, modules and code from a command line.

What: `run_program` does what Python does with a script, `-m module`, `-c code` or `-`; `import triton` means
this package there, and in the processes that the program starts. The text of a program that comes through a
pipe is kept, since its kernels need it.
"""

from __future__ import annotations

import linecache
import os
import runpy
import sys

from trisect._alias import install_as_triton

USAGE = """\
usage: python -m trisect script.py [args]
       python -m trisect -m module [args]
       python -m trisect -c code [args]
       ... | python -m trisect - [args]
       python -m trisect trace script.py -o page.html [args]
       python -m trisect sanitize [--kinds KINDS] [--html FILE] [--json FILE] script.py [args]
       python -m trisect debug [options] script.py [args]
       python -m trisect dap [--port N]
       python -m trisect check script.py [args]
       python -m trisect cache ls|show|rm|verify
       python -m trisect replay|shrink|bisect|report BUNDLE

Runs a program unchanged; `import triton` means Trisect in it and in the processes it starts."""


def _run_code(code: str, name: str = "<trisect -c>") -> None:
    # Kernels need their source text, which code from the command line or a pipe has only here.
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    module = type(sys)("__main__")
    module.__file__ = name
    sys.modules["__main__"] = module
    exec(compile(code, name, "exec"), module.__dict__)


def run_program(arguments: list[str]) -> None:
    """Runs a script, `-m module` or `-c code` with its arguments under the alias."""
    first, *rest = arguments
    if first in ("-m", "-c") and not rest:
        raise SystemExit(f"python -m trisect: {first} needs an argument\n\n{USAGE}")
    install_as_triton()
    if first == "-m":
        sys.argv = rest
        sys.path[0:0] = [os.getcwd()]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        sys.path[0:0] = [""]
        _run_code(rest[0])
    elif first == "-":
        sys.argv = arguments
        sys.path[0:0] = [""]
        _run_code(sys.stdin.read(), "<trisect standard input>")
    elif first.startswith("-"):
        raise SystemExit(f"python -m trisect: unknown option {first}\n\n{USAGE}")
    else:
        sys.argv = arguments
        sys.path[0:0] = [os.path.dirname(os.path.abspath(first))]
        if os.path.exists(first) and not os.path.isfile(first) and not os.path.isdir(first):
            with open(first) as pipe:  # /dev/stdin, <(...): what is read is gone
                return _run_code(pipe.read(), f"<trisect {first}>")
        runpy.run_path(first, run_name="__main__")
