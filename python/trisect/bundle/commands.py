"""`python -m trisect replay|shrink|bisect|report DIR`: what to do with a bundle.

What: replay runs it again and compares what comes out with what is stored, byte for byte; shrink writes a
smaller one beside it; bisect names the pass after which tier 0 gives something else; report draws
report.html anew.
Limits: the memory of a bundle is mapped where it lay; if this process has something there, the command starts
itself again, since the next process has its own elsewhere.
"""

from __future__ import annotations

import os
import sys

from trisect._command import Parser, reason, refuse, seconds, tool
from trisect.errors import EngineError, InvalidInput, Unsupported

from .page import write

_TRIES = "TRISECT_BUNDLE_TRIES"
_MOST_TRIES = 16


def _parser(command: str, text: str) -> Parser:
    parser = Parser(prog=f"python -m trisect {command}", description=text)
    parser.add_argument("directory", help="of the bundle, as an event of a kernel names it")
    return parser


def _answer(command: str, arguments: list[str], work):
    """What `work` says; in a new process if the addresses of the bundle are in use here."""
    try:
        answer = work()
    except (EngineError, InvalidInput, Unsupported) as error:
        refuse(command, str(error), 1)
    if not answer.taken:
        os.environ.pop(_TRIES, None)
        return answer
    given = os.environ.get(_TRIES, "")
    tries = (int(given) if given.isascii() and given.isdigit() else 0) + 1
    if tries > _MOST_TRIES:
        refuse(command, f"{answer.text}, in {_MOST_TRIES} processes", 1)
    os.environ[_TRIES] = str(tries)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "trisect", command, *arguments])


@tool("replay")
def replay(arguments: list[str]) -> int:
    """Exit status 0 if tier 0 and the stored code leave what is stored."""
    from trisect._C import bundles

    chosen = _parser("replay", "run a bundle again").parse_args(arguments)
    answer = _answer("replay", arguments, lambda: bundles.replay(chosen.directory))
    print(answer.text, end="")
    return 0 if answer.good else 1


@tool("shrink")
def shrink(arguments: list[str]) -> int:
    """Exit status 0 if a smaller bundle was written."""
    from trisect._C import bundles

    parser = _parser("shrink", "make a bundle smaller")
    parser.add_argument("-o", "--into", metavar="DIR", help="the new bundle; default DIR-small")
    parser.add_argument("--seconds", type=seconds, default=60.0, help="time for it (default 60)")
    chosen = parser.parse_args(arguments)
    into = chosen.into
    if into is None:
        into = os.path.normpath(chosen.directory) + "-small"
    if problem := _problem_of(into):
        refuse("shrink", f"cannot write the smaller bundle to {into!r}: {problem}")
    answer = _answer("shrink", arguments, lambda: bundles.shrink(chosen.directory, into, chosen.seconds))
    _draw("shrink", into)
    print(f"{answer.text}the smaller bundle is {into}")
    return 0


def _problem_of(into: str) -> str | None:
    """Why a new bundle cannot be written there."""
    if not into:
        return "its name is empty"
    if os.path.lexists(into):
        return "it is there already; name another with -o"
    above = os.path.dirname(os.path.abspath(into))
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        return f"{above} is no folder"
    return None if os.access(above, os.W_OK | os.X_OK) else f"{above} cannot be written"


@tool("bisect")
def bisect(arguments: list[str]) -> int:
    """Exit status 0 if a pass was found, 1 if none of them is to blame."""
    from trisect._C import bundles

    chosen = _parser("bisect", "find the pass that changes what a kernel computes").parse_args(arguments)
    answer = _answer("bisect", arguments, lambda: bundles.bisect(chosen.directory))
    print(answer.text, end="")
    return 0 if answer.good else 1


@tool("report")
def report(arguments: list[str]) -> int:
    """Draws the page."""
    chosen = _parser("report", "draw report.html of a bundle anew").parse_args(arguments)
    print(_draw("report", chosen.directory))
    return 0


def _draw(command: str, directory: str) -> str:
    try:
        return write(directory)
    except InvalidInput as error:
        refuse(command, str(error), 1)
    except OSError as error:
        refuse(command, f"cannot write {error.filename!r}: {reason(error)}", 1)
