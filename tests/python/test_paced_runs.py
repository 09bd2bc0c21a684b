"""`trisect-check --pace`: every run of a file is timed beside tier 0, and judged as ever."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release")) / "bin" / "trisect-check"
COPY = """// tiers: interp, cpu
// tolerance: exact
// run: grid=1 args: i32[1]:range(5, 1); i32[1]
// expect 1: {expected}
// run: grid=1 args: i32[1]:range(5, 1); i32[1]:range(2, 1)
// expect 1: {expected}
tt.func public @copy(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) {{
  %x = tt.load %in : !tt.ptr<i32>
  %y = tt.load %out : !tt.ptr<i32>
  %sum = arith.addi %x, %y : i32
  tt.store %out, %sum : !tt.ptr<i32>
  tt.return
}}
"""


def paced(tmp_path, expected):
    file = tmp_path / "copy.ttir"
    file.write_text(COPY.format(expected=expected))
    done = subprocess.run([TOOL, "--pace", file], capture_output=True, text=True, timeout=300)
    return done.returncode, [line.split() for line in done.stdout.splitlines()]


def test_each_launch_starts_from_the_same_memory(tmp_path):
    status, lines = paced(tmp_path, "%1 + 5")
    assert status == 0, lines
    times = [[int(word) for word in line[2:]] for line in lines if line[:2] == ["paced", "copy"]]
    assert len(times) == 2
    for quartiles in times:
        assert len(quartiles) == 6
        assert quartiles[:3] == sorted(quartiles[:3]) and quartiles[3:] == sorted(quartiles[3:])


def test_what_is_wrong_fails(tmp_path):
    status, lines = paced(tmp_path, "%1 + 6")
    assert status == 1
    assert any(line[0] == "FAILED" for line in lines)
