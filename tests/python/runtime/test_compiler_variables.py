"""Variables of the compiler that Triton documents do what they say, for kernels that Python launches."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

OPT = Path(__file__).resolve().parents[3] / "build/release/bin/trisect-opt"

LAUNCH = """
    import numpy as np, triton, triton.language as tl
    @triton.jit
    def twice(x, n, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
    x = np.arange(8, dtype=np.int32)
    twice[(1,)](x, 8, BLOCK=8)
    assert x.tolist() == [2 * i for i in range(8)]
"""
#: Reads a module that its operation's verifier refuses.
READ = """
    import triton
    from pathlib import Path
    Path("wrong.ttir").write_text('''
    module { tt.func public @f() {
      %r = tt.make_range {end = 8 : i32, start = 8 : i32} : tensor<8xi32>
      tt.return } }''')
    triton.compile("wrong.ttir")
"""


def run(tmp_path, script, **environment):
    return subprocess.run(
        [sys.executable, "-m", "trisect", write(tmp_path, script)],
        env=os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache")} | environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )


def write(tmp_path, script):
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    return "script.py"


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_reproducer_repeats_what_a_launch_compiled(tmp_path, tier):
    file = tmp_path / "again.mlir"
    done = run(tmp_path, LAUNCH, TRITON_REPRODUCER_PATH=str(file), TRISECT_TIER=tier)
    assert done.returncode == 0, done.stderr
    again = subprocess.run([OPT, "--run-reproducer", file], capture_output=True, text=True)
    assert again.returncode == 0 and "@twice" in again.stdout, again.stderr


def test_a_reproducer_that_cannot_be_written_is_told(tmp_path):
    done = run(tmp_path, LAUNCH, TRITON_REPRODUCER_PATH=str(tmp_path / "none" / "again.mlir"))
    assert done.returncode == 1 and "TRITON_REPRODUCER_PATH=" in done.stderr


def test_diagnostics_carry_the_operation(tmp_path):
    plain = run(tmp_path, READ).stderr
    more = run(tmp_path, READ, MLIR_ENABLE_DIAGNOSTICS="operations").stderr
    assert "make_range" in plain and "see current operation" not in plain, plain
    assert "see current operation" in more, more
