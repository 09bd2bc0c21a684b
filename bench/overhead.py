"""What the comparison with tier 0 costs once a kernel is promoted (./dev bench overhead [CASE...]).

Every case of the tier-1 benchmark runs in one process, with TRISECT_CHECK=promote and with off, in turns of
20 ms that alternate which goes first; the figure is the median of a turn with over the median of one without,
in time of the processor, which the other processes of the machine do not take part in.
Spot comparisons, which take at most 0.5 % of a kernel's time, are a part of it. The launch before, the first
one that is compared, is held against one launch of each tier. Exit status 1 if the geometric mean of the
former is more than 2 %, or that of the latter more than one.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from compare import ROOT, geomean, keep

TURN_SECONDS = 0.02
MOST = 1.02
MODES = ("promote", "off")


def turn(side, count):
    start = time.process_time()
    for _ in range(count):
        side()
    return (time.process_time() - start) / count


def first_comparison(side):
    """Seconds of a launch in each tier, the code being there, and of the first one that is compared."""
    seconds = {}
    for name, tier, check in (
        ("cpu", "cpu", "off"),
        ("interp", "interp", "off"),
        ("checked", "cpu", "promote"),
    ):
        os.environ |= {"TRISECT_TIER": tier, "TRISECT_CHECK": check}
        if name != "checked":
            side()
        seconds[name] = turn(side, 1)
    return seconds


def measure(side, turns):
    """Seconds a call, a list for each mode; the kernel is promoted before."""
    for _ in range(20):
        side()
    count = max(1, min(10000, int(TURN_SECONDS / (turn(side, 3) + 1e-9))))
    samples = {mode: [] for mode in MODES}
    for number in range(turns):
        for mode in MODES if number % 2 else reversed(MODES):
            os.environ["TRISECT_CHECK"] = mode
            samples[mode].append(turn(side, count))
    return samples


def work(words, turns):
    """In the process that measures: a JSON line for each case."""
    sys.path.insert(0, str(ROOT / "bench" / "kernels"))
    import cpu_cases
    import torch

    torch.set_num_threads(1)
    for name, make in cpu_cases.CASES.items():
        if words and not any(word in name for word in words):
            continue
        side = make().sides.get("trisect")
        if side is not None:
            first = first_comparison(side)
            print(json.dumps({"case": name, "first": first, "samples": measure(side, turns)}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return work(chosen.cases, chosen.turns)
    command = [
        sys.executable,
        "-m",
        "trisect",
        __file__,
        "--work",
        "--turns",
        str(chosen.turns),
        *chosen.cases,
    ]
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "TRISECT_CHECK")}
    environment |= {"TRISECT_TIER": "cpu", "TRISECT_THREADS": "1", "PYTHONPATH": str(ROOT / "python")}
    rows = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for text in process.stdout:
            if not text.startswith("{"):
                continue
            answer = json.loads(text)
            medians = {mode: statistics.median(found) for mode, found in answer["samples"].items()}
            ratio = medians["promote"] / medians["off"]
            first = answer["first"]
            checked = first["checked"] / (first["interp"] + first["cpu"])
            rows[answer["case"]] = answer["samples"] | {"ratio": ratio, "first": first, "checked": checked}
            print(
                f"{answer['case']:32}{medians['off'] * 1e6:12.1f} us  {100 * (ratio - 1):+6.2f} %"
                f"{checked:8.2f} launches",
                flush=True,
            )
    if process.returncode or not rows:
        raise SystemExit(f"the measuring process ended with {process.returncode}, {len(rows)} cases measured")
    mean = geomean([row["ratio"] for row in rows.values()])
    checked = geomean([row["checked"] for row in rows.values()])
    keep("overhead", {"geomean": mean, "checked": checked, "rows": rows})
    print(
        f"geomean of {len(rows)}: {100 * (mean - 1):+.2f} %, "
        f"a launch that is compared takes as long as {checked:.2f} launches in both tiers"
    )
    sys.exit(0 if mean <= MOST and checked <= 1 else 1)


if __name__ == "__main__":
    main()
