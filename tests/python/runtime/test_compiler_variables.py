"""Variables of the compiler that Triton documents do what they say, for kernels that Python launches."""

import subprocess
from pathlib import Path

import pytest
from environment import LAUNCH, RESULT, run

OPT = Path(__file__).resolve().parents[3] / "build/release/bin/trisect-opt"

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


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_reproducer_repeats_what_a_launch_compiled(tmp_path, tier):
    file = tmp_path / "again.mlir"
    done = run(tmp_path, LAUNCH, TRITON_REPRODUCER_PATH=str(file), TRISECT_TIER=tier)
    assert done.returncode == 0 and done.stdout.strip() == RESULT, done.stderr
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
