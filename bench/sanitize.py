"""Sanitizers: what they cost over tier 0's kernels, and tilelens and triton-viz beside them.

What: `./dev bench sanitize` makes three tables. The cost of all sanitizers against direct mode, as a user
gets either (all cores); the same kernels, of the same sizes, under the peers' sanitizers, profilers and
tracers; what each finds of the cases of tests/faults. A peer's time is compared only where it runs every
program: a sanitizer that solves for addresses runs one for all and computes nothing. The peers are made in
.peer-tools-venv.
"""

import argparse
import json
import sys

import sanitize_cases
from compare import ROOT, Side, geomean, keep, measure, ours, record_path
from peer_tools import EVERY_PROGRAM

TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
KERNELS = {
    "kernels/tier0": (
        "vector_add", "softmax", "layer_norm", "matmul_f32", "matmul_bf16", "attention", "scan", "histogram",
        "sort",
    ),
    "kernels/indirect": ("embedding", "ragged_sum"),
}  # fmt: skip
CASES = [case for cases in KERNELS.values() for case in cases]
PEERS = {"tilelens": ("sanitizer", "profiler", "tracer"), "triton_viz": ("sanitizer", "profiler", "tracer")}
MOST_COST = 8.0
LEAST_FASTER = 100.0


def our_side(name, kinds):
    return ours(name, {"TRISECT_TIER": "interp", "TRISECT_SANITIZE": kinds})


def peer_side(package, client):
    tool = str(ROOT / "bench" / "peer_tools.py")
    command = [sanitize_cases.PEER, tool, package, client]
    return Side(f"{package} {client}", command, sanitize_cases.PEER_ENVIRONMENT | EVERY_PROGRAM)


def rows_of(chosen, make_sides):
    """The chosen cases of all files: what was run, and the rows."""
    result = {"sides": {}, "rows": {}}
    for file, cases in KERNELS.items():
        cases = [case for case in cases if case in chosen]
        if cases:
            part = measure(file, cases, make_sides(), tolerances=TOLERANCES)
            result["sides"] |= part["sides"]
            result["rows"] |= part["rows"]
    return result


def cost(chosen):
    """Direct mode against sanitizers; true if the geomean is as wanted."""
    chosen = [case for case in chosen if case in KERNELS["kernels/tier0"]]
    kinds = {"direct": "off", "on": "on", "all": "all"}
    result = rows_of(chosen, lambda: [our_side(*side) for side in kinds.items()])
    print(f"{'kernel':12}{'direct':>13}{'on':>16}{'all':>16}{'on':>9}{'all':>8}")
    known = []
    for case, row in result["rows"].items():
        line = f"{case:12}" + "".join(cell(row[name]) for name in result["sides"])
        if all(executed(row[name]) for name in result["sides"]):
            known.append([row[name]["median"] / row["direct"]["median"] for name in ("on", "all")])
            line += "".join(f"{ratio:7.1f}x" for ratio in known[-1])
        print(line)
    result["cost"] = {name: geomean([pair[n] for pair in known]) for n, name in enumerate(("on", "all"))}
    met = len(known) == len(chosen) and result["cost"]["all"] <= MOST_COST
    means = result["cost"]
    print(
        f"{verdict(met)} geomean of the cost of all sanitizers over {len(known)}: {means['all']:.2f}x "
        f"(at most {MOST_COST:.0f}x), of the default set: {means['on']:.2f}x"
    )
    return result, met


def speed(chosen):
    """Sanitizers here against the peers' clients; true if they are as much faster as wanted."""
    result = rows_of(
        chosen,
        lambda: [
            our_side("all", "all"),
            *(peer_side(package, client) for package, clients in PEERS.items() for client in clients),
        ],
    )
    _, *peers = result["sides"]
    print(f"\n{'kernel':12}{'all':>13}   " + "".join(f"{name:>30}" for name in peers))
    faster = {peer: {} for peer in peers}
    for case, row in result["rows"].items():
        line = f"{case:12}{cell(row['all'])}"
        for peer in peers:
            text = cell(row[peer])
            if executed(row["all"]) and every_program(row[peer]):
                faster[peer][case] = row[peer]["median"] / row["all"]["median"]
                text += f"{faster[peer][case]:10.0f}x"
            elif "programs" in row[peer]:
                text += f"{row[peer]['programs']:4} of {row[peer]['grid']}"
            line += f"{text:>30}"
        print(line)
    print("! = wrong result; `n of m`: ran n of m programs, and is not compared")
    result["faster"] = faster
    ratios = {(case, peer): ratio for peer, column in faster.items() for case, ratio in column.items()}
    for peer, column in faster.items():
        print(f"       {peer}: {geomean(list(column.values())):.0f}x over {len(column)}")
    if not ratios:
        return result, False
    (case, peer), least = min(ratios.items(), key=lambda item: item[1])
    mean = geomean(list(ratios.values()))
    met = least >= LEAST_FASTER
    print(
        f"{verdict(met)} faster where a peer runs every program: {mean:.0f}x over {len(ratios)}, "
        f"least {least:.0f}x: {peer}, {case} (at least {LEAST_FASTER:.0f}x)"
    )
    return result, met


def executed(result):
    return "median" in result and not result["wrong"]


def every_program(result):
    return "median" in result and result["grid"] > 0 and result["programs"] == result["grid"]


def cell(result):
    if "median" not in result:
        return f"{'failed':>15} "
    return f"{result['median'] * 1e3:12.3f} ms{'!' if result['wrong'] else ' '}"


def verdict(met):
    return "ok    " if met else "MISSED"


def findings():
    """What each tool finds; true if all that must be found is, and nothing else."""
    result = sanitize_cases.results()
    sanitize_cases.show(result)
    own = result["totals"]["trisect"]
    return result, not (own["crashed"] or own["hung"] or own["false alarm"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--part", choices=("cost", "speed", "findings"), help="one of the tables alone")
    arguments = parser.parse_args()
    chosen = arguments.cases or CASES
    parts = {"cost": lambda: cost(chosen), "speed": lambda: speed(chosen), "findings": findings}
    # Parts that were run one by one make one record.
    path = record_path("sanitize")
    earlier = json.loads(path.read_text()) if path.exists() else {}
    record = {name: earlier[name] for name in parts if name in earlier}
    all_met = True
    for name, part in parts.items():
        if arguments.part in (None, name):
            record[name], met = part()
            all_met &= met
            keep("sanitize", record)
    sys.exit(not all_met)


if __name__ == "__main__":
    main()
