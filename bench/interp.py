"""Tier 0 against upstream's interpreter, on two cores and on one, in turn (./dev bench interp)."""

import argparse

from compare import ROOT, Side, compare, geomean

TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
CASES = "vector_add softmax layer_norm matmul_f32 matmul_bf16 attention scan histogram sort".split()


def sides():
    ours = [str(ROOT / ".venv" / "bin" / "python"), "-m", "trisect"]
    base = {"TRISECT_TIER": "interp", "PYTHONPATH": str(ROOT / "python")}
    return [
        Side("2 cores", ours, base | {"TRISECT_THREADS": "2"}),
        Side("1 core", ours, base | {"TRISECT_THREADS": "1"}),
        Side("upstream", [str(ROOT / ".peer-venv" / "bin" / "python")], {"TRITON_INTERPRET": "1"}),
    ]


def cell(result):
    if "median" not in result:
        return f"{'failed':>13} "
    return f"{result['median'] * 1e3:10.3f} ms{'!' if result['wrong'] else ' '}"


def report(record):
    names = list(record["sides"])
    *ours, peer = names
    print(f"{'kernel':12}" + "".join(f"{name:>13} " for name in names) + "".join(f"{o:>10}" for o in ours))
    ratios = {name: [] for name in ours}
    for case, row in record["rows"].items():
        line = f"{case:12}" + "".join(cell(row[name]) for name in names)
        for name in ours:
            if "median" in row[name] and "median" in row[peer]:
                ratios[name].append(row[peer]["median"] / row[name]["median"])
                line += f"{ratios[name][-1]:9.0f}x"
        print(line)
        for name in names:
            if "failed" in row[name]:
                print(f"  {name}: {row[name]['failed'].strip().splitlines()[-1]}")
    for name in ours:
        print(
            f"geomean, {name}: {geomean(ratios[name]):.0f}x over {len(ratios[name])} of {len(record['rows'])}"
        )
    print("! = wrong result")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    chosen = parser.parse_args().cases or CASES
    report(compare("interp", "kernels/tier0", chosen, sides(), tolerances=TOLERANCES))


if __name__ == "__main__":
    main()
