"""Programs that run under the alias: scripts, modules and code from a command line.

What: `run_program` does what Python does with a script, `-m module`, `-c code` or `-`; `import triton` means
this package there, and in the processes that the program starts. The text of a program that comes through a
pipe is kept, since its kernels need it. A traceback begins where the program does, as Python's own.
"""

from __future__ import annotations

import argparse
import linecache
import os
import runpy
import sys

from trisect._alias import install_as_triton
from trisect._command import Parser, reason, refuse

USAGE = """\
usage: python -m trisect script.py [args]
       python -m trisect -m module [args]
       python -m trisect -c code [args]
       ... | python -m trisect - [args]
       python -m trisect trace PROGRAM -o page.html [args]
       python -m trisect sanitize [--kinds KINDS] [--html FILE] [--json FILE] PROGRAM [args]
       python -m trisect check PROGRAM [args]
       python -m trisect debug [options] script.py [args]
       python -m trisect dap [--port N]
       python -m trisect cache ls|show|rm|verify
       python -m trisect replay|shrink|bisect|report BUNDLE

Runs a program unchanged; `import triton` means Trisect in it and in the processes it starts.
PROGRAM is script.py, -m module, -c code or -; a script that is called as a command is ./NAME."""

#: Files whose frames lie between the interpreter and a program.
_STARTERS = (__file__, "<frozen runpy>", runpy.__file__)


# The words of a command line that name a program.


def add_program(parser: Parser) -> None:
    """Options that name a program: a script, -m MODULE or -c CODE, and what is behind it."""
    rest = {"nargs": argparse.REMAINDER, "default": None}
    parser.add_argument("-m", dest="module", metavar="MODULE", help="a module instead of a script", **rest)
    parser.add_argument("-c", dest="code", metavar="CODE", help="code instead of a script", **rest)
    parser.add_argument("script", nargs="?", help="the program; what is behind it are its own arguments")


def program_of(chosen: argparse.Namespace, arguments: list[str], command: str) -> list[str]:
    """The words for `run_program`; refuses a program that is not there."""
    words = [chosen.script, *arguments]
    for option, behind in (("-m", chosen.module), ("-c", chosen.code)):
        if behind is not None:
            words = [option, *behind]
    if words[0] is None:
        refuse(command, "the program is missing: a script, -m MODULE or -c CODE")
    check_program(words, command)
    return words


def problem_of(arguments: list[str]) -> str | None:
    """Why these words name no program, as far as that is seen without running it."""
    first, *rest = arguments
    if first in ("-m", "-c"):
        return None if rest else f"{first} needs an argument"
    if first == "-":
        return None if sys.stdin is not None else "standard input is closed"
    if first.startswith("-"):
        return f"unknown option {first}; `python -m trisect -h` lists what there is"
    try:
        if os.path.isfile(first) or not os.path.exists(first):
            with open(first, "rb"):
                pass
    except (OSError, ValueError) as error:
        return f"cannot open {first!r}: {reason(error)}"
    return None


def check_program(arguments: list[str], command: str = "") -> None:
    if problem := problem_of(arguments):
        refuse(command, problem)


# Running it.


def _run_code(code: str, name: str = "<trisect -c>") -> None:
    # Kernels need their source text, which code from the command line or a pipe has only here.
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    module = type(sys)("__main__")
    module.__file__ = name
    sys.modules["__main__"] = module
    exec(compile(code, name, "exec"), module.__dict__)


def _run(arguments: list[str]) -> None:
    first, *rest = arguments
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
    else:
        sys.argv = arguments
        sys.path[0:0] = [os.path.dirname(os.path.abspath(first))]
        if os.path.exists(first) and not os.path.isfile(first) and not os.path.isdir(first):
            with open(first) as pipe:  # /dev/stdin, <(...): what is read is gone
                return _run_code(pipe.read(), f"<trisect {first}>")
        runpy.run_path(first, run_name="__main__")


def run_program(arguments: list[str], command: str = "") -> None:
    """Runs a script, `-m module`, `-c code` or `-` with its arguments under the alias."""
    check_program(arguments, command)
    install_as_triton()
    try:
        _run(arguments)
    except SystemExit:
        raise
    except BaseException as error:
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename in _STARTERS:
            own = own.tb_next
        if own is None and isinstance(error, Exception) and not isinstance(error, SyntaxError):
            # Nothing of the program has run.
            what = "" if isinstance(error, ImportError) else f"{arguments[0]}: {type(error).__name__}: "
            refuse(command, f"{what}{error}", 1)
        _show_from(error, own)
        raise


def _show_from(failure: BaseException, own) -> None:
    """Makes Python show the traceback of a failure without the frames that led to the program."""
    hook = sys.excepthook

    def shown(kind, error, trace):
        if error is failure:
            error.__traceback__ = trace = own
        hook(kind, error, trace)

    sys.excepthook = shown


def run_to_end(arguments: list[str], command: str) -> None:
    """As `run_program`; that a program ends itself with status 0 is no exception."""
    try:
        run_program(arguments, command)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
