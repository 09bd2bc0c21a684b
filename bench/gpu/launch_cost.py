"""Costs of a launch with 20 arguments: ours, upstream's if it is installed, and a bare loop over the driver.

What: microseconds a launch for tensors of PyTorch, the median of several turns that alternate. `nothing` is
our launch path with nothing behind it, `tier` that through the tier up to a driver whose launch answers at
once, in a process of its own; `driver` what the driver's function takes of our launches, in another one;
`bare` a loop in C over cuLaunchKernelEx, `bare, plain` over cuLaunchKernel, `bare, buffer` with the
parameters as one buffer. Prints one row a way, and `--out` keeps them as JSON.
Why: small kernels cost what their launch costs.
Limits: the GPU must keep up: kernels do next to nothing; the queue is emptied before each turn.
"""

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from record import head

import cases

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "tests" / "gpu"))
import ptx  # noqa: E402

LAUNCHES = 250
TURNS = 61


def loop(kernel):
    """Launches again and again, as programs write it."""
    a, b, c, d, e, f, g, h, i, j = (torch.zeros(128, dtype=torch.int32, device="cuda") for _ in range(10))

    def turn():
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            kernel[(1,)](a, b, c, d, e, f, g, h, i, j, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, BLOCK=128)
        return (time.perf_counter() - start) / LAUNCHES * 1e6

    return turn


def with_nothing_behind(package):
    """A kernel whose launches end before a tier."""
    from trisect._C import launch as native

    kernel = cases.load(package, "launch_kernels").twenty
    arguments = [torch.zeros(128, dtype=torch.int32, device="cuda") for _ in range(10)] + list(range(2, 12))
    slots = ["*i32"] * 10 + ["i32"] * 10
    kernel._dispatcher.remember(tuple(arguments), {"BLOCK": 128}, slots, native.EmptyExecutable(), kernel)
    return kernel


def compiled(source, *flags):
    """A library of one of the C files here; kept until the process ends."""
    made = Path(tempfile.mkdtemp()) / f"{source}.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", str(HERE / f"{source}.c"), "-o", str(made), *flags],
                   check=True)  # fmt: skip
    return str(made)


def bare_loop(way, symbol):
    """The loop in C, by a way of bare_launch.c."""
    from trisect._C import cuda

    text = ptx.FILL.replace(".param .u64 spin)", ".param .u64 spin" + "".join(
        f", .param .u64 more{n}" for n in range(16)) + ")")  # fmt: skip
    loaded = cuda.load(0, cuda.assemble(text, "sm_90a")[0], "fill")
    bare = ctypes.CDLL(compiled("bare_launch")).bare
    bare.restype = ctypes.c_double
    launch = ctypes.cast(ctypes.CDLL("libcuda.so.1")[symbol], ctypes.c_void_p)
    out = torch.zeros(128, dtype=torch.int32, device="cuda")
    values = (ctypes.c_uint64 * 20)(out.data_ptr(), 1, 128, 0)

    def turn():
        keep = loaded  # as long as it is launched
        took = bare(way, launch, ctypes.c_void_p(keep.function), None, values, 20, LAUNCHES)
        assert took > 0, "a launch failed"
        return took / 1e3

    return turn


def behind(source):
    """Our loop in a process with another driver; it takes a turn for each line that it is sent."""
    driver = compiled(source, "-Wl,--no-as-needed", "-l:libcuda.so.1")
    worker = subprocess.Popen(
        [sys.executable, __file__, "--worker"],
        env=os.environ | {"TRITON_LIBCUDA_PATH": driver},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def turn():
        worker.stdin.write("\n")
        worker.stdin.flush()
        return float(worker.stdout.readline())

    return turn


def work():
    """The other end of behind()."""
    driver = ctypes.CDLL(os.environ["TRITON_LIBCUDA_PATH"])
    inside = ctypes.c_double.in_dll(driver, "inside") if hasattr(driver, "inside") else None
    turn = loop(cases.load(__import__("trisect"), "launch_kernels").twenty)
    turn()
    for _ in sys.stdin:
        torch.cuda.synchronize()
        if inside:
            inside.value = 0
        took = turn()
        print(inside.value / LAUNCHES / 1e3 if inside else took, flush=True)


def ways():
    """Name → function that gives the microseconds of a launch."""
    found = {
        "bare": lambda: bare_loop(0, "cuLaunchKernelEx"),
        "bare, plain": lambda: bare_loop(1, "cuLaunchKernel"),
        "bare, buffer": lambda: bare_loop(2, "cuLaunchKernelEx"),
        "tier": lambda: behind("no_launch"),
        "driver": lambda: behind("timed_launch"),
    }
    for name in ("trisect", "triton"):
        found[name] = lambda name=name: loop(cases.load(__import__(name), "launch_kernels").twenty)
    found["nothing"] = lambda: loop(with_nothing_behind(__import__("trisect")))
    ready = {}
    for name, make in found.items():
        try:
            ready[name] = make()
            ready[name]()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}")
            ready.pop(name, None)
    return ready


def figures(times):
    return {
        "microseconds": statistics.median(times),
        "quarter": statistics.quantiles(times)[0],
        "least": min(times),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work()
        return
    found = ways()
    times = {name: [] for name in found}
    for _ in range(TURNS):
        for name, turn in found.items():
            torch.cuda.synchronize()
            times[name].append(turn())
    torch.cuda.synchronize()
    rows = {name: figures(all) for name, all in times.items()}
    for name, row in rows.items():
        least = f"a quarter {row['quarter']:.2f}, least {row['least']:.2f}"
        print(f"{name:12} {row['microseconds']:7.2f} us a launch ({least})")
    if options.out:
        options.out.write_text(json.dumps({**head("gpu-launch"), "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
