"""`python -m trisect check script.py [args]`: a program, every compiled launch compared with tier 0.

What: at the end a table of the kernels, their launches and verdicts, the share of error bounds that was used,
and the slowest comparison; why kernels did not leave tier 0, and what was found different. The exit status is
1 if anything is *different*, else that of the program.
"""

from __future__ import annotations

import argparse

from trisect._command import Parser, said
from trisect._program import add_program, program_of, run_to_end

from .session import Session, table


def main(arguments=None) -> None:
    parser = Parser(prog="python -m trisect check", description=__doc__.splitlines()[0])
    add_program(parser)
    parser.add_argument("args", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    program = program_of(chosen, chosen.args, "check")
    well = False
    with Session() as session:
        try:
            run_to_end(program, "check")
        finally:
            well = said("\n".join(_lines(session))) and not session.different()
    raise SystemExit(0 if well else 1)


def _lines(session: Session) -> list[str]:
    rows, different = session.rows(), session.different()
    lines = [f"\n{table(rows)}"] if rows else []
    for row in rows:
        lines += [text for text in dict.fromkeys(row.told) if text not in different]
    lines += [f"\n{text}" for text in dict.fromkeys(different)]
    count = len(set(different))
    compared = sum(row.compared for row in rows)
    return [*lines, f"check: {len(rows)} kernels, {compared} launches compared, {count} different"]


if __name__ == "__main__":
    main()
