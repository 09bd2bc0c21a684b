"""What a GPU could do at most, and holding it still while it is measured."""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess

from trisect.runtime.driver import driver


def nvsmi(attrs):
    """Values of nvidia-smi attributes of GPU 0, as integers."""
    command = ["nvidia-smi", "-i", "0", f"--query-gpu={','.join(attrs)}", "--format=csv,noheader,nounits"]
    return [int(value) for value in subprocess.check_output(command, text=True).strip().split(",")]


def get_dram_gbps(device=None):
    """The theoretical memory bandwidth in GB/s."""
    device = driver.active.get_current_device() if device is None else device
    facts = driver.active.utils.get_device_properties(device)
    return facts["mem_clock_rate"] * facts["mem_bus_width"] * 2 / 1e6 / 8


#: Operations a cycle and subcore of tensor cores by compute capability and width of the inputs.
_TENSOR_CORE_OPS = {
    7: {"16": 256},
    8: {"8": 1024, "16": 512, "32": 256},
    9: {"8": 4096, "16": 2048, "32": 1024},
}


def _width(dtype) -> str:
    text = str(dtype)
    return (
        "8" if "8" in text.split("float")[-1][:1] or text.endswith("int8") else "16" if "16" in text else "32"
    )


def get_max_tensorcore_tflops(dtype, clock_rate, device=None):
    """The theoretical tensor-core throughput in TFLOPS at a clock rate in kHz."""
    import torch

    device = torch.cuda.current_device() if device is None else device
    subcores = driver.active.utils.get_device_properties(device)["multiprocessor_count"] * 4
    major = torch.cuda.get_device_capability(device)[0]
    table = _TENSOR_CORE_OPS.get(min(major, 9), {})
    if _width(dtype) not in table:
        raise RuntimeError(
            f"dtype {dtype} is not supported by the tensor cores of compute capability {major}.x"
        )
    return subcores * clock_rate * table[_width(dtype)] * 1e-9


def get_max_simd_tflops(dtype, clock_rate, device=None):
    """The theoretical throughput in TFLOPS without tensor cores, at a clock rate in kHz."""
    import torch

    device = torch.cuda.current_device() if device is None else device
    subcores = driver.active.utils.get_device_properties(device)["multiprocessor_count"] * 4
    return subcores * clock_rate * (128 if _width(dtype) == "16" else 64) * 1e-9


def cuda_memcheck(**target_kwargs):
    """Runs a pytest test under cuda-memcheck if its keyword arguments have these values."""

    def decorator(test_fn):
        @functools.wraps(test_fn)
        def wrapper(*args, **kwargs):
            request = kwargs["request"]
            under = "cuda-memcheck" in (os.environ.get("PYTEST_PARENT") or "")
            if under or target_kwargs.items() > kwargs.items():
                return test_fn(*args, **kwargs)
            environment = {**os.environ, "PYTEST_PARENT": "cuda-memcheck"}
            test = f"{request.node.fspath}::{test_fn.__name__}[{request.node.callspec.id}]"
            finished = subprocess.run(
                ["cuda-memcheck", "pytest", "-vs", test],
                capture_output=True,
                env=environment,
                text=True,
                check=False,
            )
            assert finished.returncode == 0, finished.stdout
            assert "ERROR SUMMARY: 0 errors" in finished.stdout

        return wrapper

    return decorator


@contextlib.contextmanager
def set_gpu_clock(ref_sm_clock=1350, ref_mem_clock=1215):
    """Locks the clocks of GPU 0; gives theoretical TFLOPS and GB/s at them."""
    try:
        subprocess.check_output(["nvidia-smi", "-i", "0", "-pm", "1"])
        subprocess.check_output(["nvidia-smi", "-i", "0", f"--lock-gpu-clocks={ref_sm_clock},{ref_sm_clock}"])
        subprocess.check_output(
            ["nvidia-smi", "-i", "0", f"--lock-memory-clocks={ref_mem_clock},{ref_mem_clock}"]
        )
        sm_clock, mem_clock = nvsmi(["clocks.current.sm", "clocks.current.memory"])
        if abs(sm_clock - ref_sm_clock) >= 10 or abs(mem_clock - ref_mem_clock) >= 10:
            raise RuntimeError(f"GPU clocks must run at {ref_sm_clock} and {ref_mem_clock} MHz")
        yield 1e-6 * 2 * 108 * 4 * 256 * ref_sm_clock, 640 * 2 * ref_mem_clock * 1e-3
    finally:
        for option in ("-rgc", "-rmc"):
            subprocess.run(["nvidia-smi", "-i", "0", option], check=False)
