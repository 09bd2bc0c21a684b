"""`python -m trisect check` and `pytest --trisect-check`: what is compared, and what is told of it."""

import os
import re
import subprocess
import sys

import pytest

from trisect._testing.planted import plant

SCRIPT = """
import sys
import numpy as np
import triton
import triton.language as tl

@triton.jit
def less(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) - tl.load(y + at, mask=at < n), mask=at < n)

@triton.jit
def more(y, x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) - tl.load(y + at, mask=at < n), mask=at < n)

def launch(kernel=less):
    x, y, out = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32), np.zeros(1000, np.float32)
    for _ in range(3):
        kernel[(4,)](x, y, out, 1000, BLOCK=256)
    return bool((out == x - y).all())
"""


def run(folder, *arguments, **environment):
    ended = subprocess.run(
        [sys.executable, "-m", "trisect", *arguments],
        env=os.environ
        | {"TRITON_CACHE_DIR": str(folder / "cache"), "TRISECT_BUNDLES": str(folder / "bundles")}
        | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(
        SCRIPT + "if __name__ == '__main__':\n    assert launch()\n    sys.exit(len(sys.argv) - 1)\n"
    )
    return path


@pytest.fixture
def wrong(script, tmp_path):
    """The cache holds code for `less` that takes the operands in the other order."""
    code = "import script; script.launch(); script.launch(script.more)"
    assert run(tmp_path, "-c", code, TRISECT_TIER="cpu") == (0, "")
    plant(*(next((tmp_path / "cache").glob(f"*/{name}.cpu-*.form")) for name in ("less", "more")))
    return script


def test_a_right_program_is_compared_and_told_of(script, tmp_path):
    status, text = run(tmp_path, "check", str(script))
    assert status == 0, text
    assert "check: 1 kernels, 3 launches compared, 0 different" in text
    row = next(line for line in text.splitlines() if line.startswith("less "))
    assert re.split(r"\s{2,}", row)[1:6] == ["3", "0", "3", "0", "0"], text


def test_the_status_of_the_script_stays(script, tmp_path):
    status, text = run(tmp_path, "check", str(script), "one", "two")
    assert status == 2 and "0 different" in text


def test_wrong_code_is_found(wrong, tmp_path):
    status, text = run(tmp_path, "check", str(wrong))
    assert status == 1, text
    assert "1 different" in text and "withdrew less from cpu: different at out[" in text
    status, text = run(tmp_path, "check", str(wrong))
    assert status == 0 and "another process withdrew its code for cpu" in text, text


def test_the_pytest_option_fails_the_test_that_ran_wrong_code(wrong, tmp_path):
    (tmp_path / "test_kernels.py").write_text(
        "import script\ndef test_less():\n    assert script.launch()\ndef test_more():\n"
        "    script.launch(script.more)\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "-p", "trisect.checking.pytest_plugin", "test_kernels.py"]
    status, text = run(tmp_path, "-m", "pytest", *options, "--trisect-check")
    assert status == 1 and "1 failed, 1 passed" in text, text
    assert "withdrew less from cpu: different at out[" in text
    assert "kernels compared with tier 0" in text
