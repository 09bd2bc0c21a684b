"""`trisect debug`: runs a program with the terminal debugger attached.

What: `trisect debug [options] script.py [args]`; kernels of the program stop at breakpoints and faults. With
--fault or -b the program starts at once, else the prompt comes first.
"""

from __future__ import annotations

import argparse
import os
import sys

from trisect._command import Parser, refuse, show
from trisect._program import check_program, run_program
from trisect.sanitizer.session import kinds_text

from .attach import attach
from .breakpoints import parse
from .core import Debugger
from .session import DebuggerQuit
from .terminal import Terminal


def arguments(given: list[str]) -> argparse.Namespace:
    parser = Parser(prog="python -m trisect debug", description="Runs a program and stops in its kernels.")
    parser.add_argument(
        "-b", "--break", dest="breaks", action="append", default=[], metavar="PLACE",
        help="FILE:LINE or FUNCTION [program X,Y,Z] [if EXPRESSION]; may be repeated",
    )  # fmt: skip
    parser.add_argument("--fault", action="store_true", help="stop at faults only")
    parser.add_argument(
        "--sanitize",
        metavar="KINDS",
        help="look for defects (on, all, or kinds joined by commas); each is a fault",
    )
    parser.add_argument(
        "-c", "--command", dest="commands", action="append", default=[], metavar="COMMAND",
        help="a command to give at the first prompt; may be repeated",
    )  # fmt: skip
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module's name")
    parser.add_argument("script")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    return parser.parse_args(given)


def main(given: list[str]) -> None:
    options = arguments(given)
    if sys.stdout is None:
        refuse("debug", "standard output is closed", 1)
    program = (["-m"] if options.module else []) + [options.script, *options.args]
    check_program(program, "debug")
    terminal = Terminal(options.commands)
    debugger = Debugger(terminal)
    if not options.module:
        debugger.main_file = options.script
    try:
        for text in options.breaks:
            debugger.add(parse(text, debugger.main_file))
        if options.sanitize is not None:
            os.environ["TRISECT_SANITIZE"] = kinds_text(options.sanitize)
    except ValueError as error:
        refuse("debug", str(error))
    attach(debugger)
    try:
        if not options.breaks and not options.fault:
            move = terminal.before_launches(debugger)
            if move.kind == "quit":
                return
            if move.kind == "detach":
                debugger.detach()
            elif move.how != "continue":
                debugger.entry = "the first launch"
        run_program(program, "debug")
    except DebuggerQuit as end:
        show("debug")
        sys.exit(end.code)
