"""TRITON_INTERPRET=1, and functions that are interpreted whatever else is chosen."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.runtime.interpreter import (
    GridExecutor,
    InterpretedFunction,
    np_erf_fp32,
    np_erf_fp64,
    np_umulhi_u64,
)


def double(o, x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i) * 2)


X = np.arange(16, dtype=np.float32)


@pytest.fixture(autouse=True)
def compiled_tier(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "cpu")


def launched(kernel):
    """The tier that ran a launch, after its result was checked."""
    out = np.zeros_like(X)
    compiled = kernel[(1,)](out, X, 16)
    np.testing.assert_array_equal(out, X * 2)
    return compiled.function.tier


def test_the_variable_selects_tier_0(monkeypatch):
    kernel = triton.jit(double)
    assert launched(kernel) == "cpu"
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert launched(kernel) == "interp"
    made_under_it = triton.jit(double)
    assert isinstance(made_under_it, InterpretedFunction) and isinstance(made_under_it, triton.JITFunction)
    monkeypatch.delenv("TRITON_INTERPRET")
    assert launched(made_under_it) == "interp" and launched(made_under_it) == "interp"


def test_the_knob_selects_tier_0():
    with triton.knobs.runtime.scope():
        triton.knobs.runtime.interpret = True
        assert launched(triton.jit(double)) == "interp"


def test_the_variable_serves_a_whole_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, triton, triton.language as tl\n"
        "@triton.jit\ndef one(o):\n    tl.store(o, 1)\n"
        "out = np.zeros(1, np.int32)\nprint(one[(1,)](out).function.tier, out[0])\n"
    )
    command = [sys.executable, "-m", "trisect", str(script)]
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.stdout == "interp 1\n", done.stderr


def test_a_launch_may_name_its_tier():
    kernel, out = triton.jit(double), np.zeros_like(X)
    assert kernel[(1,)](out, X, 16, tier="interp").function.tier == "interp"
    with pytest.raises(ValueError, match="tier must be one of auto, interp, cpu, cuda, not 'quick'"):
        kernel[(1,)](out, X, 16, tier="quick")


def test_grid_executor_runs_hooks_and_kernel():
    seen, out = [], np.zeros_like(X)
    GridExecutor(double, ["o", "x", "N"], (1,), [lambda *args, **kwargs: seen.append(len(args))])(out, X, 16)
    np.testing.assert_array_equal(out, X * 2)
    assert seen == [3]
    with pytest.raises(ValueError, match="'double' takes"):
        GridExecutor(double, ["o"], (1,))


def test_host_functions():
    assert np_erf_fp32(np.float32(0.5)) == np.float32(math.erf(0.5)) and np_erf_fp64(0.5) == math.erf(0.5)
    assert np_umulhi_u64(np.uint64(2**63), np.uint64(6)) == 3
