"""The sweep over torch's operators (sweep.py), a type at a time, in processes side by side.

What: prints for each type how many operators and samples there were and what came of them, and each sample
that is wrong; then the exit status is 1. `--keep` keeps the counts in bench/results. Limits: each process has
one thread and caches of its own, and demands tier 1 unless TRISECT_TIER says otherwise.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
DTYPES = "float32 float64 bfloat16 float16 int64 int32 uint8 bool".split()
WAYS = {"gradients": "of the inputs, too", "dynamic": "sizes that kernels do not know"}
COLUMNS = (
    "operators",
    "right",
    "kernels",
    "by chance",
    "refused by torch",
    "wrong in Inductor's C++, too",
    "wrong",
)


def sweep(dtype, part, given):
    """What one process says of its part."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "TRISECT_TIER": "cpu",
            **os.environ,
            "PYTHONPATH": str(ROOT / "python"),
            "OMP_NUM_THREADS": "1",
            "TRITON_CACHE_DIR": f"{folder}/trisect",
            "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor",
        }
        command = [sys.executable, "-m", "trisect", str(ROOT / "tests/operators/sweep.py"), dtype]
        command += ["--samples", str(given.samples), "--part", part, "--names", *given.names]
        command += [f"--{way}" for way in WAYS if getattr(given, way)]
        answer, lines = Path(folder, "answer"), []
        with (
            answer.open("w") as out,
            subprocess.Popen(
                command, stdout=out, stderr=subprocess.PIPE, text=True, env=environment
            ) as process,
        ):
            for line in process.stderr:
                if line.startswith("at "):
                    show(f"{dtype}, part {part}, {line[:-1]}")
                else:
                    lines.append(line)
        said = answer.read_text().splitlines()
    if process.returncode not in (0, 1) or not said:
        raise SystemExit(f"{dtype}, part {part}: status {process.returncode}\n{''.join(lines)[-4000:]}")
    result = json.loads(said[-1])
    result["told"] = [line.rstrip() for line in lines if line.startswith("trisect: withdrew")]
    return result


def show(text):
    """In place of what was shown last, where somebody looks; nothing clears it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def options(words=None):
    parser = argparse.ArgumentParser(prog="./dev operators", description=__doc__.partition("\n")[0])
    parser.add_argument("dtypes", nargs="*", default=DTYPES, help="all unless given")
    parser.add_argument("--samples", type=int, default=4, help="of an operator, at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--names", nargs="*", default=(), help="operators; all unless given")
    for way, text in WAYS.items():
        parser.add_argument(f"--{way}", action="store_true", help=text)
    parser.add_argument("--keep", action="store_true", help="the counts in bench/results")
    return parser.parse_args(words)


def main():
    given = options()
    totals, bad = {}, []
    with ThreadPoolExecutor(given.jobs) as pool:
        for dtype in given.dtypes:
            parts = [f"{n}/{given.jobs}" for n in range(given.jobs)]
            results = list(pool.map(lambda p, d=dtype: sweep(d, p, given), parts))
            totals[dtype] = sum(
                (collections.Counter(each["counts"]) for each in results), collections.Counter()
            )
            found = [line for each in results for line in each["wrong"] + each["told"]]
            bad += found
            show("")
            print(f"{dtype:9}" + ", ".join(f"{totals[dtype][c]} {c}" for c in COLUMNS), flush=True)
            print("".join(f"  {line}\n" for line in found), end="", flush=True)
    if given.keep:
        sys.path.insert(0, str(ROOT / "bench"))
        from compare import keep

        keep("operators", {"command": ["./dev", "operators", *sys.argv[1:]], "counts": totals, "wrong": bad})
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
