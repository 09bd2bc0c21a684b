"""`python -m trisect trace`: runs a script and writes the page of its launches.

What: `trace script.py -o out.html [--perfetto out.json] [--launches N] [args]`; the script runs as under
`python -m trisect`.
Limits: the page is written even if the script fails; then its error follows.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from trisect._alias import install_as_triton
from trisect.tracing import record, write_page, write_perfetto


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m trisect trace", description="Run a script and draw what its kernels do."
    )
    parser.add_argument("script")
    parser.add_argument("-o", "--output", default="trace.html", help="the page (trace.html)")
    parser.add_argument("--perfetto", metavar="FILE", help="a timeline for Perfetto as well")
    parser.add_argument(
        "--launches", type=int, default=20, metavar="N", help="draw the first N launches (20)"
    )
    options, rest = parser.parse_known_args(arguments)
    install_as_triton()
    sys.argv = [options.script, *rest]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(options.script))]
    launches = []
    try:
        with record() as launches:
            runpy.run_path(options.script, run_name="__main__")
    finally:
        write_page(options.output, launches, os.path.basename(options.script), options.launches)
        if options.perfetto:
            write_perfetto(options.perfetto, launches)
        print(f"{len(launches)} launches drawn in {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
