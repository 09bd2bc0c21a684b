"""Tier 0 against upstream's interpreter, on two cores and on one, in turn (./dev bench interp)."""

import argparse

from compare import compare, geomean, ours, upstream

TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
CASES = "vector_add softmax layer_norm matmul_f32 matmul_bf16 attention scan histogram sort".split()


def sides():
    return [
        ours("2 cores", {"TRISECT_TIER": "interp", "TRISECT_THREADS": "2"}),
        ours("1 core", {"TRISECT_TIER": "interp", "TRISECT_THREADS": "1"}),
        upstream("upstream", {"TRITON_INTERPRET": "1"}),
    ]


def cell(result):
    if "median" not in result:
        return f"{'failed':>13} "
    return f"{result['median'] * 1e3:10.3f} ms{'!' if result['wrong'] else ' '}"


def report(record):
    names = list(record["sides"])
    *own, peer = names
    print(f"{'kernel':12}" + "".join(f"{name:>13} " for name in names) + "".join(f"{o:>10}" for o in own))
    ratios = {name: [] for name in own}
    for case, row in record["rows"].items():
        line = f"{case:12}" + "".join(cell(row[name]) for name in names)
        for name in own:
            if "median" in row[name] and "median" in row[peer]:
                ratios[name].append(row[peer]["median"] / row[name]["median"])
                line += f"{ratios[name][-1]:9.0f}x"
        print(line)
        for name in names:
            if "failed" in row[name]:
                print(f"  {name}: {row[name]['failed'].strip().splitlines()[-1]}")
    for name in own:
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
