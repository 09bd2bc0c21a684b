"""What compiling for this processor takes, TTIR to code that can be called, warm (./dev bench cpu_compile).

Each sample is the first launch of a fresh copy of a kernel, which no cache knows; what counts is the time
that the launch itself notes for its compile, the front end not included. Beside it stand the lines of LLVM
IR, and both for some kernels with a block of 65,536 elements, too: neither may grow with the block. Where
others use the machine the least of the samples says most.
"""

import json
import os
import subprocess
import sys
import tempfile
from statistics import median

from compare import ROOT, keep

SAMPLES = 15
#: Milliseconds that a compile may take; those of LARGE once more with a large block.
LIMITS = {"vector add": 6, "softmax": 15, "matmul": 25, "attention": 50, "sort": 60}
LARGE = {"vector add", "softmax"}
LARGE_BLOCK = 65536


def launchers(block):
    """Calls that launch a kernel, by name: they take the kernel, so that it may be a copy."""
    import cpu_rows
    import torch
    import triton.language as tl

    import cpu as kernels

    x, y, out = (torch.ones(block) for _ in range(3))
    a, b, c = (torch.ones(128, 128) for _ in range(3))
    q, k, v, result = (torch.ones(1, 2, 128, 64) for _ in range(4))
    strides = [stride for each in (a, b, c) for stride in each.stride()]
    tiles = {"BM": 128, "BN": 128, "BK": 32, "GROUP": 8, "SUMS": tl.float32}
    parts = {"BM": 64, "BN": 64, "D": 64, "CAUSAL": False}
    return {
        "vector add": (kernels.add, lambda f: f[(1,)](x, y, out, block, BLOCK=block)),
        "softmax": (cpu_rows.softmax_kernel, lambda f: f[(1,)](x, out, block, BLOCK=block)),
        "matmul": (kernels.matmul, lambda f: f[(1,)](a, b, c, 128, 128, 128, *strides, **tiles)),
        "attention": (kernels.attention, lambda f: f[(2, 2)](q, k, v, result, 0.125, 128, **parts)),
        "sort": (kernels.sort, lambda f: f[(1,)](x, out, COLUMNS=block)),
    }


def work(name, block):
    """In a process of its own: prints milliseconds of all compiles but the first, and the lines of IR."""
    sys.path.insert(0, str(ROOT / "bench" / "kernels"))
    import first

    kernel, launch = launchers(block)[name]
    times = []
    for _ in range(SAMPLES + 1):
        launched = launch(first.fresh(kernel))
        compiled = [event for event in launched.function.events if event.kind == "compiled"]
        times.append(compiled[0].milliseconds)
    lines = len(launched.asm["llir"].splitlines())
    print(json.dumps({"milliseconds": times[1:], "lines": lines}))


def measure(name, block):
    with tempfile.TemporaryDirectory() as cache:
        own = {"TRISECT_TIER": "cpu", "TRITON_CACHE_DIR": cache, "PYTHONPATH": str(ROOT / "python")}
        command = [sys.executable, "-m", "trisect", __file__, name, str(block)]
        done = subprocess.run(command, env=os.environ | own, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main():
    rows, missed = {}, []
    print(f"{'kernel':14}{'block':>8}{'least':>9}{'median':>9}{'limit':>7}  ms{'lines':>8}")
    for name, limit in LIMITS.items():
        for block in (1024, LARGE_BLOCK) if name in LARGE else (1024,):
            row = rows[f"{name} {block}"] = measure(name, block)
            times = row["milliseconds"]
            late = min(times) > limit
            grown = row["lines"] > 1.05 * rows[f"{name} 1024"]["lines"]
            text = f"{name:14}{block:8}{min(times):9.1f}{median(times):9.1f}{limit:7}"
            text += f"    {row['lines']:8}" + ("  MISSED" if late else "") + ("  GREW" if grown else "")
            print(text, flush=True)
            missed += [name] if late or grown else []
    keep("cpu-compile", {"load": os.getloadavg(), "limits": LIMITS, "rows": rows})
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    work(sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 1 else main()
