"""Kernels made, launched and dropped, thousands of them: memory and mappings stay what they were.

What: `./dev fuzz kernels COUNT` makes so many kernels in each tier (20,000 by default), one after another,
each launched twice and dropped; every tenth is new to the cache. It prints memory and mappings on the way and
fails where more than 5 % of memory or a mapping is left behind, or a launch was wrong. `--keep` keeps the
figures in bench/results.
Limits: the first kernels count as warming up. Memory is what the process has in RAM; what Python's collector
has not come to yet is collected before it is read.
"""

import argparse
import gc
import itertools
import os
import sys
import tempfile
import time
from importlib import util
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_GROWTH = 1.05

SOURCE = """
import trisect as triton, trisect.language as tl
def make():
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr, SALT: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) + (1 + SALT - SALT), mask=at < n)
        tl.static_assert(SALT >= 0)
    return kernel
"""


def maker(folder):
    """A function that makes a new kernel out of the same text."""
    (Path(folder) / "kernels.py").write_text(SOURCE)
    spec = util.spec_from_file_location("kernels", f"{folder}/kernels.py")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make


def used():
    """Bytes in RAM, and mappings."""
    gc.collect()
    with open("/proc/self/statm") as pages, open("/proc/self/maps") as mappings:
        return int(pages.read().split()[1]) * 4096, len(mappings.readlines())


def run(make, tier, count, warm, say=print):
    """Makes and drops kernels; what is used after the first ones and after each tenth of all."""
    import numpy

    x = numpy.zeros(64, numpy.float32)

    salts = itertools.count()

    def launch(number):
        for _ in range(number):
            kernel, salt = make(), next(salts) // 10
            for _ in range(2):
                kernel[(1,)](x, 64, BLOCK=64, SALT=salt, tier=tier)

    launch(warm)
    before, started, points = used(), time.monotonic(), []
    for part in range(1, 11):
        launch(count * part // 10 - count * (part - 1) // 10)
        after = used()
        points.append((count * part // 10, round(after[0] / 2**20, 1), after[1]))
        say(f"{tier}: {points[-1][0]} kernels, {points[-1][1]} MiB, {points[-1][2]} mappings")
    return {
        "kernels": count,
        "warm": warm,
        "seconds": round(time.monotonic() - started, 1),
        "points": points,
        "right": bool((x == 2 * (count + warm)).all()),
        "growth": round(after[0] / before[0], 4),
        "mappings": after[1] - before[1],
    }


def kept_within(result):
    return result["right"] and result["growth"] < MOST_GROWTH and result["mappings"] <= 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--tier", action="append", help="interp, cpu; both without it")
    parser.add_argument("--keep", action="store_true", help="the figures in bench/results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        make = maker(folder)
        tiers = options.tier or ["interp", "cpu"]
        results = {tier: run(make, tier, options.count, min(options.count, 500)) for tier in tiers}
    for tier, result in results.items():
        print(
            f"{tier}: {result['kernels']} kernels in {result['seconds']} s: memory x {result['growth']}, "
            f"{result['mappings']:+} mappings, results {'right' if result['right'] else 'WRONG'}"
        )
    if options.keep:
        sys.path.insert(0, str(ROOT / "bench"))
        from compare import keep

        keep("kernels", {"tiers": results})
    sys.exit(not all(map(kept_within, results.values())))


if __name__ == "__main__":
    main()
