"""`python -m trisect sanitize script.py [args]`: an unmodified script under sanitizers.

What: launches look for defects and go on; at the end the reports are printed, and kept as a page or JSON
where asked. The exit status is 1 if there is a finding.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from trisect._alias import install_as_triton

from .session import sanitize
from .text import wants_colour


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m trisect sanitize", description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", default="on", help="on (default), all, or kinds joined by commas")
    parser.add_argument("--limit", type=int, default=20, help="distinct findings to collect (default 20)")
    parser.add_argument("--watch-empty", action="store_true", help="torch.empty counts as uninitialised")
    parser.add_argument("--html", metavar="FILE", help="write a page of all findings")
    parser.add_argument("--json", metavar="FILE", help="write the findings as JSON")
    parser.add_argument("script")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    install_as_triton()
    if chosen.watch_empty:
        # Imported first, so that its functions are there to be watched.
        try:
            import torch  # noqa: F401
        except ImportError:
            pass
    sys.argv = [chosen.script, *chosen.args]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(chosen.script))]
    with sanitize(chosen.kinds, policy=chosen.limit, empty_is_uninitialized=chosen.watch_empty) as session:
        try:
            runpy.run_path(chosen.script, run_name="__main__")
        finally:
            session.update()
            _show(session, chosen)
    raise SystemExit(1 if len(session) else 0)


def _show(session, chosen) -> None:
    if chosen.html:
        session.save_html(chosen.html)
    if chosen.json:
        session.save_json(chosen.json)
    if len(session):
        print(f"\n{session.text(wants_colour(sys.stderr))}", file=sys.stderr)
    count = len(session)
    print(f"sanitize: {count} distinct finding{'s' * (count != 1)}", file=sys.stderr)


if __name__ == "__main__":
    main()
