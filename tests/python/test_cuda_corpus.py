"""`./dev corpus-run --tier cuda --compile-only`: what assembles, what is refused, what is no module."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "release" / "bin" / "trisect-cuda-corpus"
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="trisect-cuda-corpus is not built"),
    pytest.mark.skipif(not shutil.which("ptxas"), reason="there is no ptxas"),
]

COPY = """
tt.func public @copy(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32},
                     %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %a = tt.splat %in : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %p = tt.addptr %a, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>>
  %b = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %q = tt.addptr %b, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  tt.store %q, %v : tensor<512x!tt.ptr<f32>>
  tt.return
}
"""
#: An instruction that no assembler knows, which the compiler cannot see.
STRANGE = """
tt.func public @strange(%in: i32, %out: !tt.ptr<i32>) {
  %v = tt.elementwise_inline_asm "frobnicate.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32,
    pure = true} %in : i32 -> i32
  tt.store %out, %v : !tt.ptr<i32>
  tt.return
}
"""
#: One that sm_80 lacks.
LATER = STRANGE.replace("frobnicate.b32 $0, $1;", "griddepcontrol.wait; mov.b32 $0, $1;")


def run(folder, *words):
    done = subprocess.run(
        [str(TOOL), str(folder), *words], capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout + done.stderr


def counts(text):
    """GPU to how many modules had which fate."""
    rows = {}
    for line in text.splitlines():
        words = line.split()
        if words and words[0].startswith("sm_") and len(words) == 7:
            rows[words[0]] = dict(
                zip(("assembled", "refused", "invalid", "failed"), map(int, words[1:5]), strict=True)
            )
    return rows


def test_a_kernel_assembles_for_both_gpus_and_its_figures_are_kept(tmp_path):
    (tmp_path / "copy.ttir").write_text(COPY)
    status, text = run(tmp_path, "--figures", str(tmp_path / "figures.txt"))
    assert status == 0, text
    assert counts(text) == {
        gpu: {"assembled": 1, "refused": 0, "invalid": 0, "failed": 0} for gpu in ("sm_80", "sm_90a")
    }
    rows = [line.split() for line in (tmp_path / "figures.txt").read_text().splitlines()[1:]]
    assert [row[:2] for row in rows] == [["copy.ttir", "sm_90a"], ["copy.ttir", "sm_80"]]
    for _, _, registers, spilled, shared, wide in rows:
        assert int(registers) > 0 and int(spilled) == 0 and int(shared) == 0
        assert int(wide) == 2  # 512 elements over 128 threads: a load and a store of four words each


def test_what_the_assembler_refuses_is_a_failure(tmp_path):
    (tmp_path / "copy.ttir").write_text(COPY)
    (tmp_path / "strange.ttir").write_text(STRANGE)
    status, text = run(tmp_path, "--capability", "90", "--list")
    assert status == 1, text
    assert counts(text)["sm_90a"] == {"assembled": 1, "refused": 0, "invalid": 0, "failed": 1}
    assert "frobnicate" in text and "strange.ttir" in text


def test_what_is_no_module_is_told_apart(tmp_path):
    (tmp_path / "copy.ttir").write_text(COPY)
    (tmp_path / "broken.ttir").write_text(COPY.replace("tt.load %p", "tt.load %nothing"))
    (tmp_path / "two.ttir").write_text(COPY + COPY.replace("@copy", "@again"))
    status, text = run(tmp_path, "--capability", "80", "--jobs", "2")
    assert status == 0, text
    assert counts(text)["sm_80"] == {"assembled": 1, "refused": 0, "invalid": 2, "failed": 0}
    assert "several kernels" in text


def test_a_folder_without_modules_is_an_error(tmp_path):
    status, text = run(tmp_path)
    assert status == 2 and "trisect-cuda-corpus:" in text


def test_assembly_that_a_gpu_lacks_is_refused_by_name(tmp_path):
    (tmp_path / "later.ttir").write_text(LATER)
    status, text = run(tmp_path)
    assert status == 0, text
    assert counts(text)["sm_90a"]["assembled"] == 1
    assert counts(text)["sm_80"]["refused"] == 1
    assert "Instruction 'griddepcontrol' requires .target sm_90 or higher" in text
