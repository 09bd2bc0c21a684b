"""What a launch on a GPU takes before the driver, without a GPU (./dev bench gpu_launch).

What: nanoseconds of `kernel[grid](...)` with 20 arguments, ten of them tensors of torch, through the tier up
to a driver that launches nothing, and of the same call of a Python function that does nothing, in turn.
`warm`: in a loop, the driver answers at once; `behind`: in a loop, the driver first reads as much memory as
the first cache holds twice, and runs as much code (what that takes by itself is not counted); `cold`: one
launch after a megabyte of other memory was read. Each of several processes, whose memory lies elsewhere,
gives its medians; the figures are the medians of these.
Limits: the tensors are the host's and are said to be a GPU's (gpu/no_device.c), so that torch's own part, its
question for the stream, is missing.
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

from compare import ROOT, keep

GPU = ROOT / "bench" / "gpu"
PROCESSES, TURNS, LAUNCHES, COLD = 9, 31, 2000, 300
#: Variables of the environment, of which a machine with GPUs has many.
VARIABLES = 88
#: What the driver reads, and what is read before a cold launch.
DRIVER_BYTES, OTHER_BYTES = 96 << 10, 1 << 20


def made_driver(folder):
    """no_device.c before the driver of the tests."""
    library, tests = Path(folder) / "no_device.so", ROOT / "build" / "release" / "tests"
    command = ["cc", "-O2", "-shared", "-fPIC", GPU / "no_device.c", "-o", library, f"-L{tests}",
               f"-Wl,--no-as-needed,-rpath,{tests}", "-lTrisectFakeCuda"]  # fmt: skip
    subprocess.run(command, check=True)
    return library


def claim_tensors(driver):
    """From here on the tensors of torch are on the GPU, for this package alone."""
    import torch

    from trisect.runtime import placement

    python = ctypes.pythonapi
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    python.PyCapsule_New.restype = ctypes.py_object
    python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = b"dlpack_exchange_api"
    theirs = python.PyCapsule_GetPointer(torch.Tensor.__dlpack_c_exchange_api__, name)
    # Version, older table, three functions that no launch calls, describe, current stream.
    table = (ctypes.c_void_p * 7).from_buffer_copy((ctypes.c_char * 56).from_address(theirs))
    ctypes.c_void_p.in_dll(driver, "describe_on_host").value = table[5]
    table[5] = ctypes.cast(driver.describe, ctypes.c_void_p).value
    table[6] = ctypes.cast(driver.current_stream, ctypes.c_void_p).value
    torch.Tensor.__dlpack_c_exchange_api__ = python.PyCapsule_New(ctypes.addressof(table), name, None)
    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: 0
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    on_host = placement.device_of
    placement.device_of = lambda value: "cuda:0" if isinstance(value, torch.Tensor) else on_host(value)
    return table, name  # as long as the process


def make_current(driver):
    """The context that torch would have made current."""
    context = ctypes.c_void_p()
    failed = driver.cuInit(0) or driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    assert not failed and not driver.cuCtxSetCurrent(context)


def nothing(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, BLOCK):  # noqa: E741
    pass


def turns_of(kernel, driver):
    """Functions that give nanoseconds of a launch."""
    import torch

    a, b, c, d, e, f, g, h, i, j = (torch.zeros(128, dtype=torch.int32) for _ in range(10))
    reads = ctypes.c_size_t.in_dll(driver, "launch_reads")
    driver.bare.restype = ctypes.c_double
    clock = time.perf_counter_ns

    def warm():
        start = clock()
        for _ in range(LAUNCHES):
            kernel[(1,)](a, b, c, d, e, f, g, h, i, j, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, BLOCK=128)
        return (clock() - start) / LAUNCHES

    def behind():
        reads.value = DRIVER_BYTES
        alone = driver.bare(LAUNCHES)
        took = warm()
        reads.value = 0
        return took - alone

    def cold():
        samples = []
        for _ in range(COLD):
            driver.read_memory(OTHER_BYTES)
            start = clock()
            kernel[(1,)](a, b, c, d, e, f, g, h, i, j, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, BLOCK=128)
            samples.append(clock() - start)
        return statistics.median(samples)

    return {"warm": warm, "behind": behind, "cold": cold}


def work():
    """In a process of its own: the medians of its turns as JSON."""
    sys.path.append(str(GPU))
    import torch

    import cases

    torch.set_num_threads(1)
    driver = ctypes.CDLL(os.environ["TRITON_LIBCUDA_PATH"])
    kept = claim_tensors(driver)
    make_current(driver)
    kernel = cases.load(__import__("trisect"), "launch_kernels").twenty
    ways = {"launch": turns_of(kernel, driver), "nothing": turns_of({(1,): nothing}, driver)}
    del ways["nothing"]["behind"]  # it calls no driver
    samples = {(way, state): [] for way, turns in ways.items() for state in turns}
    for turn in range(TURNS + 1):
        for way, turns in ways.items():
            for state, each in turns.items():
                took = each()
                if turn:
                    samples[way, state].append(took)
    (only,) = [each for caches in kernel.device_caches.values() for each in caches.kernels.values()]
    assert only.function.tier == "cuda", only.function.events
    found = {f"{way}, {state}": statistics.median(all) for (way, state), all in samples.items()}
    print(json.dumps(found))
    assert kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return work()
    kept = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment |= {
            "TRITON_LIBCUDA_PATH": str(made_driver(folder)),
            "TRITON_CACHE_DIR": str(Path(folder) / "cache"),
            "PYTHONPATH": str(ROOT / "python"),
        }
        environment |= {f"VARIABLE_{n}": str(n) for n in range(VARIABLES - len(environment))}
        for number in range(chosen.processes):
            print(f"[{number + 1}/{chosen.processes}]", file=sys.stderr, flush=True)
            command = [sys.executable, __file__, "--work"]
            done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            rows.append(json.loads(done.stdout))
    medians = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
    for name, nanoseconds in medians.items():
        least, most = min(row[name] for row in rows), max(row[name] for row in rows)
        print(f"{name:16} {nanoseconds:6.0f} ns ({least:.0f} to {most:.0f})")
    if chosen.processes == PROCESSES:
        keep("gpu-launch-host", {"command": "./dev bench gpu_launch", "nanoseconds": medians, "rows": rows})


if __name__ == "__main__":
    main()
