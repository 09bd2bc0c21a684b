"""The debugger on CUDA tensors, over a libcuda of the tests' own.

What: a launch on memory of a device stops, shows values and tensors, goes back and writes when it is over.
Limits: the stand-in's memory is the host's; that a device's is read and written by copies alone is shown in
tests/unit/exec/DebugRunTest.cpp.
"""

import os
import subprocess
import sys

from test_nvidia_launch import FAKE

SCRIPT = """
import ctypes, sys
import torch
torch.cuda.is_available = lambda: True
torch.cuda.current_device = lambda: 0
torch._C._cuda_getCurrentRawStream = lambda device: 0
import numpy as np
import trisect as triton, trisect.language as tl
from trisect import pdb

fake = ctypes.CDLL(sys.argv[1])

class Tensor:
    is_cpu = False
    device, dtype, shape = torch.device("cuda:0"), torch.float32, (6,)
    stride = lambda self: (1,)
    def __init__(self):
        address = ctypes.c_uint64()
        assert fake.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(24)) == 0
        self.address = address.value
        self.data = np.ctypeslib.as_array((ctypes.c_float * 6).from_address(self.address))
        self.data[:] = range(6)
    data_ptr = lambda self: self.address

@triton.jit
def triple(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    x = x * 3
    tl.store(x_ptr + offsets, x, mask=offsets < n)

context = ctypes.c_void_p()
assert fake.cuInit(0) == 0
assert fake.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert fake.cuCtxSetCurrent(context) == 0
x = Tensor()
commands = ["next", "next", "next", "p x", "tensors", "back", "p x", "watch x_ptr[5]", "continue", "continue"]
with pdb.debugging("triple program 1", commands=commands):
    triple[(2,)](x, 6, BLOCK=4)
print(x.data.tolist())
wild = Tensor()
try:
    with pdb.debugging("triple program 1", commands=["continue", "continue"]):
        triple[(2,)](wild, 7, BLOCK=4)
except triton.KernelFault as fault:
    print(fault)
print(wild.data.tolist())
"""


def test_a_launch_on_a_device_stops_and_goes_back(tmp_path):
    script = tmp_path / "launch.py"
    script.write_text(SCRIPT)
    environment = os.environ | {"TRITON_LIBCUDA_PATH": str(FAKE), "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    result = subprocess.run(
        [sys.executable, script, FAKE], capture_output=True, text=True, timeout=300, env=environment
    )
    assert result.returncode == 0 and not result.stderr, result.stderr
    shown = result.stdout
    assert "x: fp32[4], 2 of 4 lanes were masked off and hold nothing\n[4.0 5.0 -- --]" in shown, shown
    assert "[0.0, 3.0, 6.0, 9.0, 12.0, 15.0]" in shown, "written once, when the launch is over: " + shown
    assert "nearest is x_ptr (6), where it would be element [4]" in shown, shown
    assert shown.endswith("[0.0, 3.0, 6.0, 9.0, 4.0, 5.0]\n"), shown
