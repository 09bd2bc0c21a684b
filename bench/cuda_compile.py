"""What compiling for a GPU takes, Python to cubin, nothing cached (./dev bench cuda_compile; ptxas, no GPU).

For each kernel medians in a process of its own: wall clock and processor time, ours and ptxas's, and the wall
clock of a second compile, which finds all stages in the cache.
"""

import datetime
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import records

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 7
#: Constants, warps, milliseconds of wall clock that an uncached compile may take.
CASES = {
    "vector_add": ({"BLOCK": 1024}, 4, 25),
    "softmax": ({"BLOCK": 4096}, 8, 40),
    "matmul": ({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32, "GROUP": 8}, 8, 150),
    "softmax of 65,536": ({"BLOCK": 65536}, 32, 1000),
}
CACHED_LIMIT = 2
TYPES = {"x": "*fp32", "y": "*fp32", "a": "*fp16", "b": "*fp16", "c": "*fp16", "out": "*fp32"}


def spent():
    """Processor seconds of this process, and of programs that it ran."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), others.ru_utime + others.ru_stime


def compile_once(source, options, target):
    import trisect

    wall, (own, other) = time.perf_counter(), spent()
    trisect.compile(source(), target=target, options=options)
    wall, (own_after, other_after) = time.perf_counter() - wall, spent()
    return {"wall": wall, "own": own_after - own, "ptxas": other_after - other}


def load():
    """The kernels of bench/gpu, which name this package `triton` and `tl`."""
    import trisect

    place = importlib.util.spec_from_file_location("gpu_kernels", ROOT / "bench/gpu/kernels.py")
    module = importlib.util.module_from_spec(place)
    module.triton, module.tl = trisect, trisect.language
    place.loader.exec_module(module)
    return module


def measure(case):
    """In a process of its own: one compile to load code, then REPEATS that find nothing in the cache."""
    import trisect
    from trisect.backends.compiler import GPUTarget
    from trisect.compiler import ASTSource

    constants, warps, _ = CASES[case]
    kernel = getattr(load(), case.split()[0])
    signature = {
        name: "constexpr" if name in constants else TYPES.get(name, "i32") for name in kernel.arg_names
    }
    aligned = {
        (at,): [["tt.divisibility", 16]]
        for at, name in enumerate(kernel.arg_names)
        if signature[name] != "constexpr" and not name.endswith(("_ak", "_bn", "_cn"))
    }

    def source():
        return ASTSource(kernel, signature, constants, aligned)

    target = GPUTarget("cuda", 90, 32)
    rows, cached = [], []
    for _ in range(REPEATS + 1):
        with tempfile.TemporaryDirectory() as folder:
            trisect.knobs.cache.dir = folder
            rows.append(compile_once(source, {"num_warps": warps}, target))
            cached.append(compile_once(source, {"num_warps": warps}, target)["wall"])
    result = {key: median(row[key] for row in rows[1:]) for key in rows[0]}
    print(json.dumps(result | {"cached": median(cached[1:])}))


def commit():
    words = ["git", "rev-parse", "--short=7", "HEAD"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main():
    rows, missed = {}, []
    print(f"{'kernel':20}{'wall':>9}{'ours':>9}{'ptxas':>9}{'cached':>9}{'limit':>8}  ms")
    for case, (_, _, limit) in CASES.items():
        done = subprocess.run([sys.executable, __file__, case], capture_output=True, text=True, check=True)
        row = rows[case] = {key: 1e3 * value for key, value in json.loads(done.stdout).items()}
        late = row["wall"] > limit or row["cached"] > CACHED_LIMIT
        print(
            f"{case:20}{row['wall']:9.1f}{row['own']:9.1f}{row['ptxas']:9.1f}{row['cached']:9.2f}{limit:8}"
            + ("  MISSED" if late else "")
        )
        missed += [case] if late else []
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"benchmark": "cuda_compile", "commit": commit(), "load": os.getloadavg(), "rows": rows}
    file = ROOT / "bench/results" / f"cuda-compile-{today}-{commit()}.json"
    file.write_text(records.text(record))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    measure(sys.argv[1]) if len(sys.argv) > 1 else main()
