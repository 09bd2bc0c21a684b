"""Tier 0 against upstream's interpreter, on two cores and on one, in turn (./dev bench interp)."""

import argparse
import os
import sys

from compare import compare, geomean, ours, upstream

TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
CASES = "vector_add softmax layer_norm matmul_f32 matmul_bf16 attention scan histogram sort".split()
#: How many times upstream's speed: the geometric mean by side, single kernels, and any kernel.
GEOMEANS = {"2 cores": 500, "1 core": 300}
KERNELS = {"scan": 1000}
LEAST = 100


def sides():
    cores = sorted(os.sched_getaffinity(0))
    one = ours("1 core", {"TRISECT_TIER": "interp", "TRISECT_THREADS": "1"})
    one.command = ["taskset", "-c", str(cores[-1]), *one.command]
    return [
        ours("2 cores", {"TRISECT_TIER": "interp", "TRISECT_THREADS": "2"}),
        one,
        upstream("upstream", {"TRITON_INTERPRET": "1"}),
    ]


def cell(result):
    if "median" not in result:
        return f"{'failed':>13} "
    return f"{result['median'] * 1e3:10.3f} ms{'!' if result['wrong'] else ' '}"


def ratio(row, name, peer):
    """How many times the peer's speed; none where a side has no time or ours is wrong."""
    mine, theirs = row[name], row[peer]
    if "median" not in mine or "median" not in theirs or mine["wrong"]:
        return None
    return theirs["median"] / mine["median"]


def verdicts(ratios):
    """(text, met) for every floor; a case without a ratio meets none."""
    for name, column in ratios.items():
        known = [value for value in column.values() if value is not None]
        mean = geomean(known)
        text = f"geomean of {len(known)} on {name}: {mean:.0f}x"
        yield text, GEOMEANS[name], len(known) == len(column) and mean >= GEOMEANS[name]
        for case, floor in KERNELS.items():
            if case in column:
                value = column[case] or 0
                yield f"{case} on {name}: {value:.0f}x", floor, value >= floor
        case, value = min(column.items(), key=lambda item: item[1] or 0)
        yield f"slowest on {name}: {case}, {value or 0:.0f}x", LEAST, (value or 0) >= LEAST


def report(record):
    """Prints the table and the floors; true if all are met."""
    names = list(record["sides"])
    *own, peer = names
    ratios = {name: {case: ratio(row, name, peer) for case, row in record["rows"].items()} for name in own}
    print(f"{'kernel':12}" + "".join(f"{name:>13} " for name in names) + "".join(f"{o:>10}" for o in own))
    for case, row in record["rows"].items():
        times = "".join(cell(row[name]) for name in names)
        print(f"{case:12}{times}" + "".join(f"{ratios[name][case] or 0:9.0f}x" for name in own))
        for name in names:
            if "failed" in row[name]:
                print(f"  {name}: {row[name]['failed'].strip().splitlines()[-1]}")
    print("! = wrong result (upstream's is timed all the same)")
    met = True
    for text, floor, ok in verdicts(ratios):
        print(f"{'ok    ' if ok else 'MISSED'} {text} (at least {floor}x)")
        met &= ok
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    chosen = parser.parse_args().cases or CASES
    sys.exit(not report(compare("interp", "kernels/tier0", chosen, sides(), tolerances=TOLERANCES)))


if __name__ == "__main__":
    main()
