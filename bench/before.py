"""This tree against another one that is built (./dev bench before CHECKOUT [PART...]).

What: the cases of interp, launch, first and sanitize with the package of this tree and with that of CHECKOUT
(a worktree of an earlier commit after `./dev build`), in turn, on this machine: the kernels and the workers
are this tree's, `triton` is whichever the side has. The figure is the ratio of the medians; exit status 1 if
the geometric mean of a part is more than 3 % above the other's.
Why: a record that another machine made says nothing about this one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from compare import ROOT, Side, geomean, keep, measure, record_path

MOST = 1.03
KERNELS = "vector_add softmax layer_norm matmul_f32 matmul_bf16 attention scan histogram sort".split()
TOLERANCES = {"vector_add": 0, "matmul_bf16": 0.6, "histogram": 0, "sort": 0}
#: A part: the file of cases, the cases, and the environments that each side runs them in.
PARTS = {
    "interp": (
        "kernels/tier0",
        KERNELS,
        [{"TRISECT_TIER": "interp", "TRISECT_THREADS": threads} for threads in ("2", "1")],
    ),
    "launch": (
        "kernels/launch",
        ["20 arguments"],
        [
            {"TRISECT_TIER": "cpu", "TRISECT_THREADS": "1", "LAUNCH_TENSORS": tensors}
            for tensors in ("torch", "numpy")
        ],
    ),
    "first": (
        "kernels/first",
        ["vector_add", "softmax", "matmul", "attention"],
        [{"TRISECT_TIER": "interp"}],
    ),
    "sanitize": (
        "kernels/tier0",
        KERNELS,
        [{"TRISECT_TIER": "interp", "TRISECT_SANITIZE": kinds} for kinds in ("on", "all")],
    ),
}


def side(name, tree, environment):
    place = {"PYTHONPATH": str(tree / "python")}
    return Side(name, [sys.executable, "-m", "trisect"], environment | place)


def ratios(row):
    """This tree's median over the other's; nothing where a side has no time or a wrong result."""
    sides = row["this"], row["before"]
    if any("median" not in result or result["wrong"] for result in sides):
        return None
    return sides[0]["median"] / sides[1]["median"]


def run(part, other, cache, seconds):
    """Rows of all environments of a part, named by what they set."""
    file, cases, environments = PARTS[part]
    result = {"sides": {}, "rows": {}}
    for environment in environments:
        label = " ".join(environment.values())
        sides = [
            side(name, tree, environment | {"TRITON_CACHE_DIR": f"{cache}/{name}"})
            for name, tree in (("this", ROOT), ("before", other))
        ]
        measured = measure(file, cases, sides, budget=seconds, tolerances=TOLERANCES)
        result["sides"] |= {f"{name}: {label}": facts for name, facts in measured["sides"].items()}
        result["rows"] |= {f"{case}: {label}": row for case, row in measured["rows"].items()}
    return result


def report(part, result):
    """Prints the table of a part; true if its mean is as wanted and no case failed."""
    known = {case: ratios(row) for case, row in result["rows"].items()}
    for case, ratio in known.items():
        times = "".join(
            f"{result['rows'][case][name].get('median', 0) * 1e3:12.3f} ms" for name in ("this", "before")
        )
        print(f"{part:10}{case:36}{times}{ratio or 0:9.3f}")
    values = [ratio for ratio in known.values() if ratio is not None]
    result["mean"] = geomean(values)
    met = len(values) == len(known) and result["mean"] <= MOST
    mean = f"{part}: geomean of {len(values)}: {result['mean']:.3f} (at most {MOST})"
    print(f"{'ok    ' if met else 'MISSED'} {mean}")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=lambda text: Path(text).resolve())
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--seconds", type=float, default=2.0, help="of samples a side and case")
    arguments = parser.parse_args()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=arguments.checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    # Parts that were run one by one make one record.
    path = record_path("before")
    earlier = json.loads(path.read_text()) if path.exists() else {}
    record = {name: earlier[name] for name in PARTS if name in earlier} | {"before": commit.stdout.strip()}
    all_met = True
    for part in arguments.parts or PARTS:
        with tempfile.TemporaryDirectory() as cache:
            record[part] = run(part, arguments.checkout, cache, arguments.seconds)
        all_met &= report(part, record[part])
    keep("before", record)
    sys.exit(not all_met)


if __name__ == "__main__":
    main()
