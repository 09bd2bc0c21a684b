"""`python -m trisect replay|shrink|bisect|report DIR`: what to do with a bundle.

What: replay runs it again and compares what comes out with what is stored, byte for byte; shrink writes a
smaller one beside it; bisect names the pass after which tier 0 gives something else; report draws
report.html anew.
Limits: the memory of a bundle is mapped where it lay; if this process has something there, the command starts
itself again, since the next process has its own elsewhere.
"""

from __future__ import annotations

import argparse
import os
import sys

from trisect.errors import EngineError, InvalidInput, Unsupported

_TRIES = "TRISECT_BUNDLE_TRIES"
_MOST_TRIES = 16


def _parser(command: str, text: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m trisect {command}", description=text)
    parser.add_argument("directory", help="of the bundle, as an event of a kernel names it")
    return parser


def _answer(command: str, work):
    """What `work` says; in a new process if the addresses of the bundle are in use here."""
    try:
        answer = work()
    except (EngineError, InvalidInput, Unsupported) as error:
        raise SystemExit(f"python -m trisect {command}: {error}") from None
    if not answer.taken:
        os.environ.pop(_TRIES, None)
        return answer
    tries = int(os.environ.get(_TRIES, "0")) + 1
    if tries > _MOST_TRIES:
        raise SystemExit(f"python -m trisect {command}: {answer.text}, in {_MOST_TRIES} processes")
    os.environ[_TRIES] = str(tries)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "trisect", command, *sys.argv[2:]])


def replay(arguments=None) -> None:
    """Exit status 0 if tier 0 and the stored code leave what is stored."""
    from trisect._C import bundles

    chosen = _parser("replay", "run a bundle again").parse_args(arguments)
    answer = _answer("replay", lambda: bundles.replay(chosen.directory))
    print(answer.text, end="")
    raise SystemExit(0 if answer.good else 1)


def shrink(arguments=None) -> None:
    """Exit status 0 if a smaller bundle was written."""
    from trisect._C import bundles

    from .page import write

    parser = _parser("shrink", "make a bundle smaller")
    parser.add_argument("-o", "--into", metavar="DIR", help="the new bundle; default DIR-small")
    parser.add_argument("--seconds", type=float, default=60.0, help="time for it (default 60)")
    chosen = parser.parse_args(arguments)
    into = chosen.into or os.path.normpath(chosen.directory) + "-small"
    answer = _answer("shrink", lambda: bundles.shrink(chosen.directory, into, chosen.seconds))
    write(into)
    print(f"{answer.text}the smaller bundle is {into}")
    raise SystemExit(0)


def bisect(arguments=None) -> None:
    """Exit status 0 if a pass was found, 1 if none of them is to blame."""
    from trisect._C import bundles

    chosen = _parser("bisect", "find the pass that changes what a kernel computes").parse_args(arguments)
    answer = _answer("bisect", lambda: bundles.bisect(chosen.directory))
    print(answer.text, end="")
    raise SystemExit(0 if answer.good else 1)


def report(arguments=None) -> None:
    """Draws the page."""
    from .page import write

    chosen = _parser("report", "draw report.html of a bundle anew").parse_args(arguments)
    print(write(chosen.directory))
