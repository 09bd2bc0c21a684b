"""Runs the native tools, and says what a good refusal is."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]
BIN = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release")) / "bin"
KERNEL = """
tt.func public @f(%p: !tt.ptr<i32>) {
  %c = arith.constant 9 : i32
  tt.store %p, %c : !tt.ptr<i32>
  tt.return
}
"""
RUN_TEST = f"// tiers: interp, cpu\n// run: args: i32[1]\n// expect 0: [9]\n{KERNEL}"


def ended(tool, *words, **settings):
    settings = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 120, **settings}
    return subprocess.run([BIN / tool, *words], text=True, errors="replace", **settings)


def refused(done, status=None):
    """The first line of what a tool says that refuses; it is no message of a crash, and no C++ name."""
    assert done.returncode in ((1, 2) if status is None else (status,)), (done.returncode, done.stderr)
    assert "PLEASE submit a bug report" not in done.stderr and "LLVM ERROR" not in done.stderr
    for name in ("stoul", "stoi", "stod", "filesystem error", "bad_alloc", "what():"):
        assert name not in done.stderr
    assert done.stderr.strip(), "nothing is said"
    return done.stderr.splitlines()[0]
