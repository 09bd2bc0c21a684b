"""Many processes on one cache, every tenth of them killed (./dev bench cachestress).

What: each process runs rounds: it makes one of some kernels on a shelf in the common folder, launches it and
looks at the result; now and then it removes a file, or the folder. Each kernel multiplies by a factor of its
own, so that a form that is taken for another's gives a wrong result. In the end `trisect cache verify` must
leave nothing behind. Exit status 1 if a result is wrong, a process fails or something stays.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import ROOT, keep

KERNELS = 24

#: x * FACTOR, a block of 64 a program.
TTIR = """
tt.func public @scale(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
  %size = arith.constant 64 : i32
  %factor = arith.constant dense<{factor}.0> : tensor<64xf32>
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %size : i32
  %range = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %at = arith.addi %starts, %range : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %scaled = arith.mulf %value, %factor : tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %scaled : tensor<64x!tt.ptr<f32>>
  tt.return
}}
"""


def remove_something(cache: Path, chance: random.Random) -> None:
    """A file, a kernel's folder, or all of it."""
    which = chance.random()
    if which < 0.02:
        shutil.rmtree(cache, ignore_errors=True)
    elif which < 0.2:
        shutil.rmtree(cache / str(chance.randrange(KERNELS)), ignore_errors=True)
    else:
        with contextlib.suppress(FileNotFoundError):  # another process may remove the folder meanwhile
            for path in (cache / str(chance.randrange(KERNELS))).glob("*.form"):
                path.unlink(missing_ok=True)


def work(cache: Path, rounds: int, seed: int) -> None:
    """One process; tells after each round what it has seen."""
    import numpy as np
    from trisect._C import forms, runtime

    chance = random.Random(seed)
    x = np.arange(256, dtype=np.float32)
    loaded = 0
    for done in range(1, rounds + 1):
        factor = chance.randrange(KERNELS)
        text, out = TTIR.format(factor=factor), np.zeros(256, np.float32)
        shelf = forms.folder_shelf(str(cache / str(factor)))
        kernel = runtime.Kernel(text, "scale", {"tier": "cpu"}, text=text, tier="cpu", shelf=shelf)
        kernel.launch((4, 1, 1), (x, out))
        if not (out == x * factor).all() or kernel.tier != "cpu":
            raise SystemExit(f"factor {factor} on {kernel.tier}: {out[:4]} of {x[:4]}")
        loaded += kernel.events[0].kind == "loaded"
        if chance.random() < 0.1:
            remove_something(cache, chance)
        print(json.dumps({"done": done, "loaded": loaded}), flush=True)


class Worker:
    """A process, and what it said."""

    def __init__(self, cache: Path, rounds: int, seed: int, logs: Path):
        command = [sys.executable, __file__, "--work", str(cache), "--rounds", str(rounds)]
        self.out, self.err = logs / f"{seed}.out", logs / f"{seed}.err"
        with open(self.out, "w") as out, open(self.err, "w") as err:
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
            self.process = subprocess.Popen(
                [*command, "--seed", str(seed)], stdout=out, stderr=err, env=environment
            )
        self.number, self.dies_after = seed, None

    def last(self) -> dict:
        lines = self.out.read_text().splitlines()
        whole = [line for line in lines if line.endswith("}")]
        return json.loads(whole[-1]) if whole else {"done": 0, "loaded": 0}


def run(processes: int, rounds: int, seed: int, at_once: int) -> dict:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cache, logs = Path(folder) / "cache", Path(folder)
        waiting = list(range(processes))
        running: list[Worker] = []
        ended: list[Worker] = []
        while waiting or running:
            while waiting and len(running) < at_once:
                worker = Worker(cache, rounds, waiting.pop(), logs)
                if worker.number % 10 == 9:
                    worker.dies_after = chance.randrange(1, rounds)
                running.append(worker)
            for each in running:
                if each.dies_after is not None and each.last()["done"] >= each.dies_after:
                    each.process.send_signal(signal.SIGKILL)
            time.sleep(0.02 + 0.02 * chance.random())
            ended += [each for each in running if each.process.poll() is not None]
            running = [each for each in running if each.process.poll() is None]
        failed = [each.err.read_text() for each in ended if each.process.returncode not in (0, -9)]
        told = [text for each in ended if (text := each.err.read_text().strip())]
        facts = [each.last() for each in ended]
        verify = [sys.executable, "-m", "trisect", "cache", "--dir", str(cache), "verify", "--age", "0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        cleared = subprocess.run(verify, env=environment, capture_output=True, text=True, check=False)
        kept = subprocess.run(
            [*verify, "--keep"], env=environment, capture_output=True, text=True, check=False
        )
    return {
        "processes": processes,
        "rounds": rounds,
        "killed": sum(each.process.returncode == -9 for each in ended),
        "done": sum(fact["done"] for fact in facts),
        "loaded": sum(fact["loaded"] for fact in facts),
        "failed": failed,
        "told": told,
        "verify": cleared.stdout.strip().splitlines()[-1],
        "left": kept.stdout if kept.returncode else "",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return work(chosen.work, chosen.rounds, chosen.seed)
    facts = run(chosen.processes, chosen.rounds, chosen.seed, chosen.at_once)
    keep("cachestress", facts)
    print("{processes} processes, {killed} killed, {done} rounds, {loaded} loads".format(**facts))
    print(facts["verify"])
    for text in facts["failed"] + facts["told"]:
        print(text)
    sys.exit(1 if facts["failed"] or facts["told"] or facts["left"] else 0)


if __name__ == "__main__":
    main()
