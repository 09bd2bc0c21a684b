"""Times the kernels that the cases of a suite launch, in both tiers: `pace.py SUITE FIRST [FILTER...]`.

What: serves a suite as worker.py does. A case runs once as in a program of a user, which tunes and compiles,
and once more, when each new kernel is timed where it is launched; its record holds a row for each. A kernel
is new that no case of the process has launched with this TTIR and these options.
Why: what the second run launches is launched by every later one, so these are the kernels that become hot.
Limits: of a kernel that the cases launch with several shapes the first is timed.
"""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

from both_tiers import Captured, answer_of, every_launch  # noqa: E402
from execute import evaluate  # noqa: E402
from worker import serve  # noqa: E402

#: Seconds for the launches of a kernel.
SECONDS = 0.15
#: How the cases run, and how kernels are timed.
AS_EVER = {"TRISECT_TIER": "auto", "TRISECT_CHECK": "promote"}
TIMED = {"TRISECT_TIER": "interp", "TRISECT_CHECK": "off"}


def key_of(kernel):
    """What tells compiled kernels apart: their text without places, and their options."""
    options = kernel.metadata._asdict()
    return kernel.asm["ttir"], repr(sorted((k, v) for k, v in options.items() if k != "hash"))


class Pace:
    """Runs cases and times what they launch."""

    def __init__(self):
        self.known, self.rows = set(), []

    def launch(self, run, function, args, kwargs):
        if not kwargs.get("warmup"):
            kernel = run(function, *args, **{**kwargs, "warmup": True})
            key = key_of(kernel)
            if key not in self.known:
                self.known.add(key)
                row = {"name": function.__name__, **self.timed(Captured(run, function, args, kwargs))}
                self.rows.append(row)
                kernel = run(function, *args, **kwargs)
                for event in kernel.function.events:
                    if event.kind in ("kept", "withdrawn"):
                        row["kept"] = event.text
                return kernel
        return run(function, *args, **kwargs)

    @staticmethod
    def timed(launch):
        os.environ.update(TIMED)
        try:
            return answer_of(launch, SECONDS)
        finally:
            launch.restore()
            os.environ.update(AS_EVER)

    def __call__(self, case):
        os.environ.update(AS_EVER)
        record = {"library": case.library, "case": case.name}
        self.rows = record["kernels"] = []
        try:
            inputs = case.inputs()
            evaluate(case, case.run, inputs, wide=False)
            with every_launch(self.launch):
                evaluate(case, case.run, inputs, wide=False)
        except Exception as error:
            return record | {"why": f"{type(error).__name__}: {error}".splitlines()[0]}
        return record


if __name__ == "__main__":
    serve(Pace())
