"""`python -m trisect trace`: runs a program and writes the page of its launches.

What: `trace script.py -o out.html [--perfetto out.json] [--launches N] [args]`, or `-m module` or `-c code`
behind the options; the program runs as under `python -m trisect`.
Limits: the page is written even if the program fails; then its error follows.
"""

from __future__ import annotations

import os
import sys

from trisect._command import Parser, outputs, said, whole_number, written
from trisect._program import add_program, program_of, run_to_end
from trisect.tracing import record, write_page, write_perfetto


def main(arguments: list[str]) -> None:
    parser = Parser(prog="python -m trisect trace", description="Run a program and draw what its kernels do.")
    parser.add_argument("-o", "--output", default="trace.html", help="the page (trace.html)")
    parser.add_argument("--perfetto", metavar="FILE", help="a timeline for Perfetto as well")
    parser.add_argument(
        "--launches", type=whole_number(1), default=20, metavar="N", help="draw the first N launches (20)"
    )
    add_program(parser)
    options, rest = parser.parse_known_args(arguments)
    # Behind the program, words that are no options of this command are its own.
    before = arguments[: arguments.index(options.script)] if options.script is not None else arguments
    if wrong := next((word for word in rest if word.startswith("-") and word in before), None):
        parser.error(f"unknown option {wrong}")
    program = program_of(options, rest, "trace")
    files = outputs("trace", program[0], output=options.output, perfetto=options.perfetto)
    title = os.path.basename(program[0]) if program[0] != "-m" else program[1]
    launches, whole, process = [], False, os.getpid()
    try:
        with record() as launches:
            run_to_end(program, "trace")
    finally:
        # A child that the program has forked writes nothing.
        whole = os.getpid() != process or _write(files, launches, title, options)
    if not whole:
        raise SystemExit(1)


def _write(files: dict[str, str], launches, title: str, options) -> bool:
    whole = written(
        "trace", files["output"], lambda path: write_page(path, launches, title, options.launches)
    )
    if whole:
        whole = said(f"{len(launches)} launches drawn in {options.output}")
    return whole & written("trace", files.get("perfetto"), lambda path: write_perfetto(path, launches))


if __name__ == "__main__":
    main(sys.argv[1:])
