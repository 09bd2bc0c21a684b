"""`python -m trisect sanitize script.py [args]`: an unmodified program under sanitizers.

What: launches look for defects and go on; at the end the reports are printed, and kept as a page or JSON
where asked. The exit status is 1 if there is a finding, else that of the program.
"""

from __future__ import annotations

import argparse
import os
import sys

from trisect._command import Parser, outputs, refuse, said, whole_number, written
from trisect._program import add_program, program_of, run_to_end
from trisect.errors import InvalidInput

from .session import kinds_text, sanitize
from .text import wants_colour


def main(arguments=None) -> None:
    parser = Parser(prog="python -m trisect sanitize", description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", default="on", help="on (default), all, or kinds joined by commas")
    parser.add_argument(
        "--limit", type=whole_number(1), default=20, help="distinct findings to collect (default 20)"
    )
    parser.add_argument("--watch-empty", action="store_true", help="torch.empty counts as uninitialised")
    parser.add_argument("--html", metavar="FILE", help="write a page of all findings")
    parser.add_argument("--json", metavar="FILE", help="write the findings as JSON")
    add_program(parser)
    parser.add_argument("args", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    try:
        kinds = kinds_text(chosen.kinds)
    except InvalidInput as error:
        refuse("sanitize", f"--kinds: {error}")
    program = program_of(chosen, chosen.args, "sanitize")
    files = outputs("sanitize", program[0], html=chosen.html, json=chosen.json)
    if chosen.watch_empty:
        # Imported first, so that its functions are there to be watched.
        try:
            import torch  # noqa: F401
        except ImportError:
            pass
    whole, process = False, os.getpid()
    with sanitize(kinds, policy=chosen.limit, empty_is_uninitialized=chosen.watch_empty) as session:
        try:
            run_to_end(program, "sanitize")
        finally:
            session.update()
            whole = _show(session)
            if os.getpid() == process:  # not a child that the program has forked
                whole &= written("sanitize", files.get("html"), session.save_html)
                whole &= written("sanitize", files.get("json"), session.save_json)
    raise SystemExit(1 if len(session) or not whole else 0)


def _show(session) -> bool:
    count = len(session)
    reports = f"\n{session.text(wants_colour(sys.stderr))}\n" if count else ""
    return said(f"{reports}sanitize: {count} distinct finding{'s' * (count != 1)}")


if __name__ == "__main__":
    main()
