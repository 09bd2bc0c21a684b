"""TRISECT_TRACE tells one program instruction by instruction; trisect-run --probe keeps its blocks."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOL = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release")) / "bin" / "trisect-run"

SCRIPT = """
import numpy as np
import trisect as triton
import trisect.language as tl

@triton.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lanes = pid * BLOCK + tl.arange(0, BLOCK)  # LANES
    value = tl.load(x + lanes, mask=lanes < n, other=0)  # LOAD
    result = value * factor  # MUL
    total = tl.sum(result)
    tl.store(out + lanes, result + total, mask=lanes < n)  # STORE

x = np.arange(12, dtype=np.float32)
x[9] = np.nan
out = np.zeros(12, np.float32)
scale[(3,)](x, out, 12, 2.0, BLOCK=4)
"""


def trace(tmp_path, program, **environment):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(file)],
        env=os.environ | {"TRISECT_TIER": "interp", "TRISECT_TRACE": str(program)} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def at(lines, mark, operation):
    """The one line about an operation at a marked line of the source."""
    number = next(n for n, line in enumerate(SCRIPT.splitlines(), 1) if f"# {mark}" in line)
    found = [line for line in lines if f"script.py:{number}:" in line and f" {operation} " in line]
    assert len(found) == 1, (mark, operation, found, lines)
    return found[0]


def test_each_operation_with_its_operands(tmp_path):
    lines = trace(tmp_path, 1)
    value = "f32[4] [4. 5. 6. 7.]"
    result = "f32[4] [ 8. 10. 12. 14.]"
    assert at(lines, "MUL", "arith.mulf").endswith(
        f"arith.mulf ({value}, f32[4] [2. 2. 2. 2.]) -> result = {result}"
    )
    assert f"-> value = {value}" in at(lines, "LOAD", "tt.load")
    assert "-> lanes = i32[4] [4 5 6 7]" in at(lines, "LANES", "arith.addi")
    sums = [line for line in lines if " tt.reduce " in line]  # a line of the library
    assert len(sums) == 1 and sums[0].endswith(f"tt.reduce ({result}) -> f32 44.0")
    assert "[52. 54. 56. 58.]" in at(lines, "STORE", "tt.store")


def test_the_chosen_program_alone(tmp_path):
    lines = trace(tmp_path, 2)
    assert "f32[4] [ 8. nan 10. 11.]" in at(lines, "LOAD", "tt.load")
    assert trace(tmp_path, 3) == []


@pytest.mark.parametrize("seed", ["0", "7"])
def test_the_order_of_programs_changes_nothing(tmp_path, seed):
    plain, seeded = trace(tmp_path, 1), trace(tmp_path, 1, TRISECT_SEED=seed)
    # Addresses differ from run to run.
    strip = re.compile("0x[0-9a-f]+").sub
    assert [strip("", line) for line in seeded] == [strip("", line) for line in plain]
    assert any("tt.splat" in line for line in plain), "what is the same for all programs is told too"


TTIR = """
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %pid = tt.get_program_id x : i32 loc("kernel.py":3:9)
  %c8 = arith.constant 8 : i32
  %base = arith.muli %pid, %c8 : i32 loc("base"("kernel.py":4:9))
  %r = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %b = tt.splat %base : i32 -> tensor<8xi32>
  %o = arith.addi %b, %r : tensor<8xi32> loc("lanes"("kernel.py":5:9))
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %xp : tensor<8x!tt.ptr<f32>> loc("value"("kernel.py":6:9))
  %h = arith.truncf %v : tensor<8xf32> to tensor<8xf16> loc("half"("kernel.py":7:9))
  %w = arith.extf %h : tensor<8xf16> to tensor<8xf32> loc("wide"("kernel.py":8:9))
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %op = tt.addptr %os, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %op, %w : tensor<8x!tt.ptr<f32>> loc("kernel.py":9:9)
  tt.return
}
"""


def probe(tmp_path, program):
    """{source name: (file:line:column, operation, array)} of a probed program."""
    (tmp_path / "k.ttir").write_text(textwrap.dedent(TTIR))
    np.save(tmp_path / "x.npy", np.linspace(0, 1, 16, dtype=np.float32))
    folder = tmp_path / "blocks"
    words = ["--grid", "2", "--arg", f"@{tmp_path / 'x.npy'}", "--arg", "f32[16]"]
    words += ["--probe", str(folder), "--probe-program", str(program)]
    subprocess.run([TOOL, tmp_path / "k.ttir", *words], check=True, capture_output=True, timeout=300)
    found, files = {}, set()
    for line in (folder / "index.txt").read_text().splitlines():
        file, place, operation, *name = line.split(" ")
        files.add(file)
        array = np.load(folder / file)
        if name and name[0]:
            found[name[0]] = (place, operation, array)
    assert files == {each.name for each in folder.glob("*.npy")}
    return found


@pytest.mark.parametrize("program", [0, 1])
def test_every_block_has_a_file_and_a_line(tmp_path, program):
    found = probe(tmp_path, program)
    lanes = np.arange(8) + 8 * program
    value = np.linspace(0, 1, 16, dtype=np.float32)[lanes]
    expected = {
        "base": ("kernel.py:4:9", "arith.muli", np.int32(8 * program)),
        "lanes": ("kernel.py:5:9", "arith.addi", lanes.astype(np.int32)),
        "value": ("kernel.py:6:9", "tt.load", value),
        "half": ("kernel.py:7:9", "arith.truncf", value.astype(np.float16)),
        "wide": ("kernel.py:8:9", "arith.extf", value.astype(np.float16).astype(np.float32)),
    }
    assert found.keys() == expected.keys()
    for name, (place, operation, array) in expected.items():
        assert found[name][:2] == (place, operation)
        assert found[name][2].dtype == array.dtype and found[name][2].shape == array.shape
        np.testing.assert_array_equal(found[name][2], array)
