"""Launches of CUDA tensors over a libcuda of the tests' own: what Python hands to the tier is what it reads.

What: a first launch compiles for the GPU and runs there, as does one that finds its kernel in the cache.
Limits: the stand-in runs no code; that results are right is shown on a GPU (tests/gpu).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = Path(__file__).resolve().parents[3] / "build" / "release" / "tests" / "libTrisectFakeCuda.so"
SCRIPT = """
import torch
torch.cuda.is_available = lambda: True
torch.cuda.current_device = lambda: 0
torch._C._cuda_getCurrentRawStream = lambda device: 0
import trisect as triton, trisect.language as tl

class Tensor:
    is_cpu = False
    device, dtype, shape = torch.device("cuda:0"), torch.float32, (1000,)
    data_ptr = lambda self: 1 << 40
    stride = lambda self: (1,)

@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < count) + tl.load(y + at, at < count), at < count)

for count in (1000, 1000, 7):
    kernel = add[(4,)](Tensor(), Tensor(), Tensor(), count, BLOCK=256)
    assert kernel.function.tier == "cuda", kernel.function.events
print("ran", len(kernel.function.events))
"""


@pytest.mark.parametrize("tier", ["auto", "cuda"])
def test_the_first_launch_runs_on_the_gpu(tmp_path, tier):
    assert FAKE.exists(), f"the build makes {FAKE}"
    script = tmp_path / "launch.py"
    script.write_text(SCRIPT)
    environment = os.environ | {"TRISECT_TIER": tier, "TRITON_LIBCUDA_PATH": str(FAKE)}
    for _ in ("compiled", "from the cache"):
        result = subprocess.run(
            [sys.executable, script],
            capture_output=True,
            text=True,
            timeout=300,
            env=environment | {"TRITON_CACHE_DIR": str(tmp_path / "cache")},
        )
        assert result.returncode == 0, result.stderr
        assert result.stdout.startswith("ran") and not result.stderr, result.stderr


CHILD = """
import os, sys
BEGIN
import numpy as np
import trisect as triton, trisect.language as tl

@triton.jit
def double(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)

def launch(size, **more):
    x = np.arange(size, dtype=np.int32)
    double[(1,)](x, BLOCK=size, **more)
    return int(not (x == 2 * np.arange(size)).all())

assert launch(64) == 0
child = os.fork()
if child == 0:
    status = 9
    try:
        status = launch(64) + launch(32) + launch(64, tier="interp") + launch(64, tier="cpu")
    finally:
        os._exit(status)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
TORCH = """
import torch
torch.cuda.is_available = lambda: True
def refuse():
    raise RuntimeError("Cannot re-initialize CUDA in forked subprocess")
torch.cuda.current_device = refuse
"""


@pytest.mark.parametrize("begin", ["", TORCH], ids=["alone", "torch"])
def test_a_forked_child_of_a_machine_with_gpus_launches_on_the_host(tmp_path, begin):
    script = tmp_path / "launch.py"
    script.write_text(CHILD.replace("BEGIN", begin))
    environment = os.environ | {"TRITON_LIBCUDA_PATH": str(FAKE), "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    result = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, env=environment
    )
    assert result.returncode == 0, result.stderr
