"""Sanitizers: their cost over tier 0's kernels, and what they find beside tilelens (./dev bench sanitize).

What: three tables. The cost of all sanitizers against direct mode, both on one thread, taken in turn; the
same kernels under tilelens, which stands for triton-viz too (one package since 3.1); what either finds of the
cases of tests/faults. A kernel whose result comes out wrong under tilelens was solved for, not executed: its
time is printed and left out of the ratio. The peer is made in .peer-tools-venv.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
from collections import defaultdict

from compare import ROOT, Side, commit, compare, cpu_name, geomean

TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
CASES = "vector_add softmax layer_norm matmul_f32 matmul_bf16 attention scan histogram sort".split()
PEER = ROOT / ".peer-tools-venv" / "bin"
TARGET = 8.0
OUTCOMES = ("found", "missed", "crashed", "silent", "false alarm")


def our_side(name, kinds):
    command = [str(ROOT / ".venv" / "bin" / "python"), "-m", "trisect"]
    environment = {"TRISECT_TIER": "interp", "PYTHONPATH": str(ROOT / "python"), "TRISECT_THREADS": "1"}
    return Side(name, command, environment | {"TRISECT_SANITIZE": kinds})


def cost_table(chosen, with_peer):
    sides = [our_side("direct", "off"), our_side("sanitized", "all")]
    if with_peer:
        environment = {"TRITON_INTERPRET": "1", "TILELENS_VERBOSE": "0"}
        sides.append(Side("tile-sanitizer", [str(PEER / "tile-sanitizer")], environment))
        sides.append(Side("tile-profiler", [str(PEER / "tile-profiler")], environment))
    record = compare("sanitize", "kernels/tier0", chosen, sides, tolerances=TOLERANCES)
    names = list(record["sides"])
    print(f"{'kernel':12}" + "".join(f"{name:>14} " for name in names) + f"{'cost':>8}{'to peers':>18}")
    costs, ratios = [], defaultdict(list)
    for case, row in record["rows"].items():
        line = f"{case:12}" + "".join(cell(row[name]) for name in names)
        if "median" in row["direct"] and "median" in row["sanitized"]:
            costs.append(row["sanitized"]["median"] / row["direct"]["median"])
            line += f"{costs[-1]:7.1f}x"
            for peer in names[2:]:
                if executed(row[peer]):
                    ratios[peer].append(row[peer]["median"] / row["sanitized"]["median"])
                    line += f"{ratios[peer][-1]:8.0f}x"
                else:
                    line += f"{'-':>9}"
        print(line)
    print(f"geomean of the cost: {geomean(costs):.2f}x (at most {TARGET:.0f}x wanted)")
    for peer, values in ratios.items():
        print(f"faster than {peer} where it runs every program: {geomean(values):.0f}x over {len(values)}")
    print("! = wrong result: the kernel was not executed")
    record["cost"] = geomean(costs)
    record["faster"] = {peer: geomean(values) for peer, values in ratios.items()}
    return record


def executed(result):
    return "median" in result and not result["wrong"]


def cell(result):
    if "median" not in result:
        return f"{'failed':>14} "
    return f"{result['median'] * 1e3:11.3f} ms{'!' if result['wrong'] else ' '}"


def outcomes(command, environment):
    """What a tool makes of every case: name → outcome."""
    done = subprocess.run(
        [*command, str(ROOT / "bench" / "sanitize_cases.py")],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return {row["case"]: row for row in map(json.loads, lines)}


def findings_table(with_peer):
    tools = {
        "trisect": ([str(ROOT / ".venv" / "bin" / "python")], {"PYTHONPATH": str(ROOT / "python")}),
    }
    if with_peer:
        tools["tilelens"] = ([str(PEER / "python")], {"TRITON_INTERPRET": "1"})
    results = {tool: outcomes(*how) for tool, how in tools.items()}
    kinds = list(dict.fromkeys(row["kind"] for rows in results.values() for row in rows.values()))
    for tool, rows in results.items():
        print(f"\n{tool:20}" + "".join(f"{outcome:>13}" for outcome in OUTCOMES))
        totals = defaultdict(int)
        for kind in kinds:
            counts = defaultdict(int)
            for row in rows.values():
                if row["kind"] == kind:
                    counts[row["outcome"]] += 1
                    totals[row["outcome"]] += 1
            print(f"{kind:20}" + "".join(f"{counts[outcome]:13}" for outcome in OUTCOMES))
        print(f"{'all':20}" + "".join(f"{totals[outcome]:13}" for outcome in OUTCOMES))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--ours-only", action="store_true", help="without tilelens")
    parser.add_argument("--table", choices=("cost", "findings"), help="one of the tables alone")
    arguments = parser.parse_args()
    with_peer = not arguments.ours_only
    if with_peer and not (PEER / "tile-sanitizer").exists():
        sys.exit(f"no {PEER.parent}: ./dev bench sanitize makes it, or use --ours-only")
    record = {
        "benchmark": "sanitize",
        "date": datetime.datetime.now().isoformat(timespec="seconds"),
        "commit": commit(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
    }
    if arguments.table != "findings":
        record |= cost_table(arguments.cases or CASES, with_peer)
    if arguments.table != "cost":
        record["findings"] = findings_table(with_peer)
    path = ROOT / "bench" / "results" / f"sanitize-{datetime.date.today()}-{record['commit']}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
