"""Kernels in compiled code beside tier 0: does a promotion make any slower? (./dev bench promoted [WORD...])

Every launch of a kernel that python/examples make, each kernel of the benchmark of tier 1, and the runs of
tests/ops, warm, in both tiers in turn in one process, on one thread and by its processor time; memory is put
back before each launch. With words only what has one of them in its name. A kernel is slower if three
quarters of its launches take longer than three quarters of tier 0's do, by more than the clock can tell. It
is measured again then, and launched as any program does until tiers have settled (docs/tiers.md): what ends
in tier 0 is not promoted. Else comparisons are off. Exit status 1 if a kernel is slower and promoted all the
same.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time

from compare import ROOT, geomean, keep

TIERS = ("interp", "cpu")
#: Launches of a kernel in each tier: as many as take this long, within these bounds.
SECONDS, FEWEST, MOST = 0.3, 5, 200
#: What the clock and the way to a launch are good for.
UNSURE = 1e-6
#: Launches after which tiers have settled, and how much longer than tier 0 compiled code may take then.
SETTLED, ALLOWED = 400, 1.5
#: Tensors beyond this are not put back.
MOST_BYTES = 1 << 28


class Captured:
    """A launch with its tensors, which can be made again from the same start."""

    def __init__(self, run, function, args, kwargs):
        self.run, self.function, self.args, self.kwargs = run, function, args, kwargs
        tensors = {id(a): a for a in [*args, *kwargs.values()] if hasattr(a, "untyped_storage")}
        storages = {t.untyped_storage().data_ptr(): t.untyped_storage() for t in tensors.values()}
        kept = sum(s.nbytes() for s in storages.values()) <= MOST_BYTES
        self.starts = [(storage, storage.clone()) for storage in storages.values()] if kept else []

    def restore(self):
        for storage, start in self.starts:
            storage.copy_(start)

    def __call__(self):
        self.run(self.function, *self.args, **self.kwargs)


def kind_of(value):
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return str(value.dtype), tuple(value.shape), tuple(value.stride())
    return repr(value) if isinstance(value, (int, float, str, bool)) else type(value).__name__


def launches_of(path):
    """Every kind of launch that a script makes, the first of each, by name."""
    import runpy

    from trisect.runtime.jit import JITFunction

    found, run = {}, JITFunction.run

    def capture(function, *args, **kwargs):
        kinds = (
            function.__name__,
            *map(kind_of, args),
            *((k, kind_of(v)) for k, v in sorted(kwargs.items())),
        )
        if kinds not in found and not kwargs.get("warmup"):
            found[kinds] = Captured(run, function, args, kwargs)
        return run(function, *args, **kwargs)

    JITFunction.run = capture
    try:
        with contextlib.redirect_stdout(sys.stderr):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        JITFunction.run = run
    numbers = {}
    for kinds, launch in found.items():
        numbers[kinds[0]] = numbers.get(kinds[0], 0) + 1
        yield f"{path.stem} {kinds[0]} {numbers[kinds[0]]}", launch


def timed(launch, tier):
    os.environ["TRISECT_TIER"] = tier
    if isinstance(launch, Captured):
        launch.restore()
    start = time.thread_time()
    launch()
    return time.thread_time() - start


def measure(launch):
    """Seconds of every launch, a list for each tier."""
    for tier in TIERS:
        timed(launch, tier), timed(launch, tier)
    once = sum(timed(launch, tier) for tier in TIERS)
    samples = {tier: [] for tier in TIERS}
    for number in range(max(FEWEST, min(MOST, int(SECONDS / (once + 1e-9))))):
        for tier in TIERS if number % 2 else reversed(TIERS):
            samples[tier].append(timed(launch, tier))
    return samples


def slower(samples):
    quarter = {tier: statistics.quantiles(found, n=4) for tier, found in samples.items()}
    return quarter["cpu"][0] > quarter["interp"][2] + UNSURE


def ends_in(launch):
    """The tier that runs the kernel where nobody demands one."""
    from trisect._C.runtime import wait_for_compiles

    from trisect import knobs

    tiers = []
    hooks = knobs.runtime.launch_exit_hook
    note = lambda facts: tiers.append(facts.get()["function"].tier)  # noqa: E731 - the same one is removed
    hooks.add(note)
    os.environ["TRISECT_CHECK"] = "promote"
    try:
        for number in range(SETTLED):
            timed(launch, "auto")
            if number == FEWEST:
                wait_for_compiles()
    finally:
        os.environ["TRISECT_CHECK"] = "off"
        hooks.remove(note)
    return tiers[-1]


def answer_of(launch):
    try:
        samples = measure(launch)
        if slower(samples):
            samples = measure(launch)
        return {"samples": samples} | ({"ends in": ends_in(launch)} if slower(samples) else {})
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}


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
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    environment |= {"TRISECT_CHECK": "off", "TRISECT_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = str(ROOT / "python")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for text in process.stdout:
            if text.startswith("{"):
                answer = json.loads(text)
                yield answer.pop("name"), answer
    if process.returncode:
        yield f"{source} as a whole", {"failed": f"its process ended with {process.returncode}"}


def of_ops():
    """The runs of tests/ops: a name and quartiles in seconds for each tier."""
    files = sorted(map(str, (ROOT / "tests" / "ops").rglob("*.ttir")))
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
    if "failed" in answer:
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
    return row


def measured(words):
    """(name, row) of every kernel that is asked for; shows how far it is."""
    scripts = sorted((ROOT / "python" / "examples").glob("*.py"))
    sources = [str(path.relative_to(ROOT)) for path in scripts]
    sources = [name for name in sources if not words or any(word in name for word in words)] + ["bench"]
    for number, source in enumerate(sources):
        print(f"[{number + 1}/{len(sources) + 1}] {source}", file=sys.stderr, flush=True)
        for name, answer in of_scripts(source, words):
            yield name, row_of(answer)
    print(f"[{len(sources) + 1}/{len(sources) + 1}] tests/ops", file=sys.stderr, flush=True)
    for name, answer in of_ops():
        if not words or any(word in name for word in words):
            yield name, row_of(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--work", metavar="SOURCE", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return work(chosen.work, chosen.words)
    rows = {}
    for name, row in measured(chosen.words):
        rows[name] = row
        if not name.startswith("tests/ops") or "slower" in row or "failed" in row:
            text = row.get("failed") or f"{row['medians']['cpu'] * 1e6:12.1f} us {row['ratio']:8.2f}x"
            print(f"{name:56}{text}  {'slower, ' + row['slower'] if 'slower' in row else ''}", flush=True)
    known = {name: row for name, row in rows.items() if "ratio" in row}
    found = {name: row["slower"] for name, row in known.items() if "slower" in row}
    record = {"geomean": geomean([row["ratio"] for row in known.values()]), "slower": found, "rows": rows}
    if not chosen.words:
        keep("promoted", record)
    print(f"{len(known)} kernels, geomean {record['geomean']:.2f}x tier 0, {len(found)} slower")
    sys.exit(1 if "PROMOTED" in found.values() or len(known) < len(rows) else 0)


if __name__ == "__main__":
    main()
