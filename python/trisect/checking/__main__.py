"""`python -m trisect check script.py [args]`: a program, every compiled launch compared with tier 0.

What: at the end a table of the kernels, their launches and verdicts, the share of error bounds that was used,
and the slowest comparison; why kernels did not leave tier 0, and what was found different. The exit status is
1 if anything is *different*, else that of the program.
"""

from __future__ import annotations

import argparse
import sys

from trisect._command import Parser
from trisect._program import add_program, program_of, run_to_end

from .session import Session, table


def main(arguments=None) -> None:
    parser = Parser(prog="python -m trisect check", description=__doc__.splitlines()[0])
    add_program(parser)
    parser.add_argument("args", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    program = program_of(chosen, chosen.args, "check")
    with Session() as session:
        try:
            run_to_end(program, "check")
        finally:
            found = _show(session)
    raise SystemExit(1 if found else 0)


def _show(session: Session) -> int:
    rows, different = session.rows(), session.different()
    if rows:
        print(f"\n{table(rows)}", file=sys.stderr)
    for row in rows:
        for text in dict.fromkeys(row.told):
            if text not in different:
                print(text, file=sys.stderr)
    for text in dict.fromkeys(different):
        print(f"\n{text}", file=sys.stderr)
    compared = sum(row.compared for row in rows)
    count = len(set(different))
    print(f"check: {len(rows)} kernels, {compared} launches compared, {count} different", file=sys.stderr)
    return count


if __name__ == "__main__":
    main()
