"""Kernels in compiled code beside tier 0: does a promotion make any slower? (./dev bench promoted [WORD...])

Every launch of a kernel that python/examples make, each kernel of the benchmark of tier 1, the hot kernels of
the clients (./dev clients; each that has another TTIR or other options, where a case launches it), and the
runs of tests/ops, warm, in both tiers in turn in one process, on one thread and by its processor time; memory
is put back before each launch. With words only what has one of them in its name; of the clients, whose names
are `clients SUITE CASE: KERNEL`, suites, or cases after the name of their suite. A kernel is slower if three
quarters of its launches take longer than three quarters of tier 0's do, by more than the clock can tell. It
is measured again then, and launched as any program does until tiers have settled (docs/tiers.md): what ends
in tier 0 is not promoted. Else comparisons are off. Exit status 1 if a kernel is slower and promoted all the
same, or if one failed.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter

from both_tiers import ALLOWED, TIERS, UNSURE, Captured, answer_of, every_launch
from compare import ROOT, geomean, keep

CLIENTS = ROOT / "tests" / "clients"
#: Seconds that a case of a client may take, with the times of its kernels.
CASE_SECONDS = 600


def kind_of(value):
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return str(value.dtype), tuple(value.shape), tuple(value.stride())
    return repr(value) if isinstance(value, (int, float, str, bool)) else type(value).__name__


def launches_of(path):
    """Every kind of launch that a script makes, the first of each, by name."""
    import runpy

    found = {}

    def capture(run, function, args, kwargs):
        kinds = (
            function.__name__,
            *map(kind_of, args),
            *((k, kind_of(v)) for k, v in sorted(kwargs.items())),
        )
        if kinds not in found and not kwargs.get("warmup"):
            found[kinds] = Captured(run, function, args, kwargs)
        return run(function, *args, **kwargs)

    with every_launch(capture), contextlib.redirect_stdout(sys.stderr):
        runpy.run_path(str(path), run_name="__main__")
    numbers = {}
    for kinds, launch in found.items():
        numbers[kinds[0]] = numbers.get(kinds[0], 0) + 1
        yield f"{path.stem} {kinds[0]} {numbers[kinds[0]]}", launch


def say(name, launch):
    print(json.dumps({"name": name, **answer_of(launch)}), flush=True)


def work(source, words):
    """In the process that measures: a JSON line for each kernel."""
    os.environ["TRISECT_TIER"] = "interp"
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    if source != "bench":
        for name, launch in launches_of(ROOT / source):
            say(name, launch)
        return
    sys.path.insert(0, str(ROOT / "bench" / "kernels"))
    import cpu_cases

    for name, make in cpu_cases.CASES.items():
        # The product for AVX2 stands beside tier 0 on another machine.
        if (
            name.startswith("model ")
            or name.endswith(", AVX2")
            or (words and not any(word in name for word in words))
        ):
            continue
        side = make().sides.get("trisect")
        if side is not None:
            say(f"bench {name}", side)


def of_scripts(source, words):
    command = [sys.executable, "-m", "trisect", __file__, "--work", source, *words]
    environment = os.environ | {"TRISECT_CHECK": "off", "TRISECT_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for text in process.stdout:
            if text.startswith("{"):
                answer = json.loads(text)
                yield answer.pop("name"), answer
    if process.returncode:
        yield f"{source} as a whole", {"failed": f"its process ended with {process.returncode}"}


def suites_of(words):
    """The suites of the clients that are asked for, and parts of the names of their cases."""
    for path in sorted((CLIENTS / "cases").rglob("*.py")):
        if path.name != "__init__.py":
            suite = ".".join(path.relative_to(CLIENTS / "cases").with_suffix("").parts)
            name = f"clients {suite}"
            cases = [word.removeprefix(name).strip() for word in words if word.startswith(name)]
            if not words or any(word in name for word in words):
                yield suite, []
            elif cases:
                yield suite, cases


def of_clients(suite, cases):
    """The kernels that cases of a client launch; one that raises or takes too long is left out."""
    sys.path.append(str(CLIENTS))
    from suite import program_of, run_suite

    program = program_of(CLIENTS / "pace.py", str(ROOT / ".clients-venv" / "bin" / "python"))
    (ROOT / "build" / "clients").mkdir(parents=True, exist_ok=True)
    log = ROOT / "build" / "clients" / f"pace-{suite}.log"
    done, count = 0, 0
    for record in run_suite(suite, cases, CASE_SECONDS, log, program):
        if "cases" in record:
            count = len(record["cases"])
            continue
        done += 1
        if done % 20 == 0:
            print(f"  {done} of {count} cases", file=sys.stderr, flush=True)
        for answer in record.get("kernels", ()):
            name = f"clients {suite} {record['case']}: {answer.pop('name')}"
            yield name, {"left out": answer["failed"]} if "failed" in answer else answer
        if "why" in record:
            yield f"clients {suite} {record['case']}", {"left out": record["why"].replace(f"{ROOT}/", "")}


def of_ops(words):
    """The runs of tests/ops in files that are asked for: a name and quartiles in seconds for each tier."""
    files = sorted((ROOT / "tests" / "ops").rglob("*.ttir"))
    names = {str(path): str(path.relative_to(ROOT)) for path in files}
    files = [path for path, name in names.items() if not words or any(w in name or name in w for w in words)]
    if not files:
        return
    command = [str(ROOT / "build" / "release" / "bin" / "trisect-check"), "--pace", "--limit", "60", *files]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    place, number = "", 0
    for text in done.stdout.splitlines():
        if text.startswith("file "):
            place, number = text.split()[1].removeprefix(f"{ROOT}/"), 0
        elif text.startswith("paced "):
            number += 1
            times = [float(word) / 1e9 for word in text.split()[-6:]]
            yield f"{place} {number}", dict(zip(TIERS, (times[:3], times[3:]), strict=True))
    if done.returncode:
        yield "tests/ops as a whole", {"failed": done.stdout.splitlines()[-1] if done.stdout else done.stderr}


def row_of(answer):
    if "failed" in answer or "left out" in answer:
        return answer
    if "samples" in answer:
        quarters = {tier: statistics.quantiles(found, n=4) for tier, found in answer["samples"].items()}
        medians = {tier: statistics.median(found) for tier, found in answer["samples"].items()}
    else:
        quarters, medians = answer, {tier: found[1] for tier, found in answer.items()}
    row = {"medians": medians, "ratio": medians["interp"] / medians["cpu"]}
    if quarters["cpu"][0] > quarters["interp"][2] + UNSURE:
        left = answer.get("ends in") == "interp" if "samples" in answer else row["ratio"] * ALLOWED < 1
        row["slower"] = "not promoted" if left else "PROMOTED"
    # What was told of it: last, and why tier 0 keeps it.
    told = {key: answer[key].replace(f"{ROOT}/", "") for key in ("told", "kept") if key in answer}
    return row | told


def measured(words):
    """(name, row) of every kernel that is asked for; shows how far it is."""
    scripts = sorted((ROOT / "python" / "examples").glob("*.py"))
    sources = [str(path.relative_to(ROOT)) for path in scripts]
    sources = [name for name in sources if not words or any(word in name for word in words)] + ["bench"]
    found = {source: of_scripts(source, words) for source in sources}
    found |= {f"clients {suite}": of_clients(suite, cases) for suite, cases in suites_of(words)}
    found["tests/ops"] = of_ops(words)
    for number, (source, answers) in enumerate(found.items()):
        print(f"[{number + 1}/{len(found)}] {source}", file=sys.stderr, flush=True)
        for name, answer in answers:
            yield name, row_of(answer)


def text_of(row):
    if "ratio" not in row:
        return row.get("failed") or f"left out: {row['left out']}"
    text = f"{row['medians']['cpu'] * 1e6:12.1f} us {row['ratio']:8.2f}x"
    return text + (f"  slower, {row['slower']}" if "slower" in row else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--work", metavar="SOURCE", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return work(chosen.work, chosen.words)
    os.environ.pop("OPENBLAS_CORETYPE", None)
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "python")}
    rows, numbers = {}, Counter()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        for name, row in measured(chosen.words):
            numbers[name] += 1
            name = f"{name} {numbers[name]}" if numbers[name] > 1 else name
            rows[name] = row
            if not name.startswith("tests/ops") or "slower" in row or "failed" in row:
                print(f"{name:56}{text_of(row)}", flush=True)
    known = {name: row for name, row in rows.items() if "ratio" in row}
    found = {name: row["slower"] for name, row in known.items() if "slower" in row}
    parts = {"clients": [], "others": []}
    for name, row in known.items():
        parts["clients" if name.startswith("clients ") else "others"].append(row["ratio"])
    record = {
        "geomean": geomean([row["ratio"] for row in known.values()]),
        "parts": {name: {"kernels": len(all), "geomean": geomean(all)} for name, all in parts.items()},
        "slower": found,
        "kept in tier 0": {name: row["kept"] for name, row in known.items() if "kept" in row},
        "left out": {name: row["left out"] for name, row in rows.items() if "left out" in row},
        "rows": rows,
    }
    if not chosen.words:
        keep("promoted", record)
    print(f"{len(known)} kernels, geomean {record['geomean']:.2f}x tier 0, {len(found)} slower")
    failed = [name for name, row in rows.items() if "failed" in row]
    print(f"{len(record['kept in tier 0'])} kept in tier 0, {len(record['left out'])} left out")
    print(f"{len(failed)} failed" + "".join(f"\n  {name}: {rows[name]['failed']}" for name in failed))
    sys.exit(1 if failed or "PROMOTED" in found.values() else 0)


if __name__ == "__main__":
    main()
