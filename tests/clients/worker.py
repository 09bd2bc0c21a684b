"""Runs the cases of one suite in a process of its own: `python -m trisect worker.py SUITE FIRST [FILTER...]`.

What: writes one line of JSON with the names of the cases, then for each case from the FIRST on a line when it
starts and a line with its record. `serve` does so for other programs too, with a record of their own.
Limits: standard output belongs to these lines; what a library prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys


def serve(run):
    """Says what `run` answers for each case."""
    suite, first, *filters = sys.argv[1:]
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def say(**facts):
        print(json.dumps(facts), file=lines)

    import torch

    torch.set_num_threads(1)
    cases = importlib.import_module(f"cases.{suite}").TABLE.cases
    if filters:
        cases = [case for case in cases if any(text in f"{case.library} {case.name}" for text in filters)]
    say(cases=[case.name for case in cases], library=cases[0].library if cases else suite)
    for index in range(int(first), len(cases)):
        say(start=index)
        say(record=run(cases[index]))


if __name__ == "__main__":
    from execute import Launches, run_case

    launches = Launches()
    serve(lambda case: run_case(case, launches))
