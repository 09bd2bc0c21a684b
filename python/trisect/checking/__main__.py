"""`python -m trisect check script.py [args]`: a script, every compiled launch compared with tier 0.

What: at the end a table of the kernels, their launches and verdicts, the share of error bounds that was used,
and the slowest comparison; why kernels did not leave tier 0, and what was found different. The exit status is
1 if anything is *different*, else that of the script.
"""

from __future__ import annotations

import argparse
import sys

from .session import Session, table


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m trisect check", description=__doc__.splitlines()[0])
    parser.add_argument("script", help="a script, or -m MODULE, or -c CODE")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    given = sys.argv[2:] if arguments is None else list(arguments)
    if not given or given[0] not in ("-m", "-c"):
        parser.parse_args(given)
    with Session() as session:
        try:
            _run(given)
        finally:
            found = _show(session)
    raise SystemExit(1 if found else 0)


def _run(given: list[str]) -> None:
    from trisect._program import run_program

    try:
        run_program(given)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise


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
