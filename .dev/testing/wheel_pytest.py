"""What the pytest plugins of an installed package must do where pytest finds them by itself.

What: a test run with --trisect-check compares kernels and ends with the table; --trisect-sanitize turns a
store out of bounds into a report.
Limits: needs pytest beside the package; what the plugins do in full is tested in the source tree.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = """
import numpy as np
import trisect as triton
import trisect.language as tl

@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2 * tl.load(x + at, at < n), at < n)

def test_right():
    x = np.arange(1000, dtype=np.float32)
    out = np.zeros_like(x)
    scale[(16,)](x, out, x.size, BLOCK=64, tier="cpu")
    assert (out == 2 * x).all()

@triton.jit
def beyond(out):
    tl.store(out + tl.arange(0, 16), 1.0)

def test_beyond():
    beyond[(1,)](np.zeros(8, dtype=np.float32))
"""


def run(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_suite.py").write_text(SUITE)
        checked = run(folder, "--trisect-check", "-k", "right")
        assert "1 passed" in checked, checked
        table = checked.partition("kernels compared with tier 0")[2]
        # Kernel, launches, of these in tier 0, equal.
        assert any(line.split()[:4] == ["scale", "1", "0", "1"] for line in table.splitlines()), checked
        sanitized = run(folder, "--trisect-sanitize")
        assert "1 failed, 1 passed" in sanitized and "out-of-bounds" in sanitized, sanitized
        assert "kernels compared" not in sanitized, sanitized
    print("pytest finds both plugins of", sys.prefix)


if __name__ == "__main__":
    main()
