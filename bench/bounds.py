"""Random legal evaluations against the bounds, a million by default (./dev bench bounds).

What: runs the GoogleTest that moves every open result within its error, with many rounds; keeps how many
evaluations each kernel had, and how wide the median bound is beside the largest deviation that was seen.
"""

import argparse
import os
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from compare import ROOT, keep

PROGRAM = ROOT / "build" / "release" / "tests" / "bounds_test"
#: What the test does in a round, for each of its kernels.
EVALUATIONS = 250


def run(rounds):
    """Kernel to its properties; ends the program if an evaluation lay outside."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "bounds.xml")
        done = subprocess.run(
            [PROGRAM, "--gtest_filter=*NoLegalEvaluationLiesOutside*", f"--gtest_output=xml:{output}"],
            env=os.environ | {"TRISECT_LEGAL_ROUNDS": str(rounds)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stdout[-4000:])
        cases = ElementTree.parse(output).getroot().iter("testcase")
        return {
            case.get("name").split("/")[-1]: {
                each.get("name"): float(each.get("value")) for each in case.iter("property")
            }
            for case in cases
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluations", type=int, default=1_000_000, help="in all (%(default)s)")
    wanted = parser.parse_args().evaluations
    kernels = len(run(1))
    rows = run(-(-wanted // (kernels * EVALUATIONS)))
    total = int(sum(row["evaluations"] for row in rows.values()))
    keep("bounds", {"evaluations": total, "outside": 0, "elements_each": 64, "kernels": rows})
    print(f"{total} evaluations of 64 elements, none outside")
    for name, row in rows.items():
        ratio = row.get("median_bound_beside_largest_deviation")
        shown = (
            "no element moved" if ratio is None else f"median bound {ratio:.1f} times the largest deviation"
        )
        print(f"  {name:16} {shown}")


if __name__ == "__main__":
    main()
