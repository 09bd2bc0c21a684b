"""Stages that are written, put in, and pointed into; places that cannot be written are named."""

import os
import re
from pathlib import Path

import pytest
from environment import COMPILE, LAUNCH, RESULT, run

import trisect as triton
import trisect.language as tl
from trisect.backends.compiler import GPUTarget
from trisect.compiler import ASTSource
from trisect.errors import InvalidInput

CPU, HOPPER = GPUTarget("cpu", "", 32), GPUTarget("cuda", 90, 32)


@triton.jit
def add(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


def compiled(target=CPU, **options):
    source = ASTSource(add, {"x": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 64})
    return triton.compile(source, target, options)


def stages(folder):
    return [re.sub(r"^\d+-", "", name) for name in sorted(os.listdir(folder))]


def test_every_stage_of_tier_1_is_written(tmp_path):
    done = run(tmp_path, LAUNCH, TRISECT_TIER="cpu", TRISECT_DUMP=str(tmp_path / "dump"))
    assert done.stdout.strip() == RESULT, done.stderr
    assert stages(tmp_path / "dump" / "twice") == [
        "ttir.mlir", "prepared.mlir", "plan.txt", "vectors.mlir", "llvm-dialect.mlir", "llvm.ll",
        "llvm-optimized.ll", "asm.s", "object.bin",
    ]  # fmt: skip
    assert "tt.load" in (tmp_path / "dump" / "twice" / "00-ttir.mlir").read_text(encoding="utf-8")
    assert "ret" in (tmp_path / "dump" / "twice" / "07-asm.s").read_text(encoding="utf-8")


def test_every_stage_for_a_gpu_is_written(tmp_path):
    done = run(tmp_path, COMPILE, TRISECT_DUMP=str(tmp_path / "dump"))
    assert done.returncode == 0, done.stderr
    found = stages(tmp_path / "dump" / "twice")
    assert [name for name in found if "cubin" not in name] == [
        "ttir.mlir",
        "ttgir.mlir",
        "llir.ll",
        "ptx.ptx",
    ]


@pytest.mark.parametrize("tier", ["auto", "interp", "cpu"])
@pytest.mark.parametrize("variable, more", [
    ("TRISECT_DUMP", {}), ("MLIR_DUMP_PATH", {"MLIR_ENABLE_DUMP": "1"}),
    ("TRITON_DUMP_DIR", {"TRITON_KERNEL_DUMP": "1"}),
])  # fmt: skip
def test_a_place_that_cannot_be_written_is_named(tmp_path, tier, variable, more):
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "file" / "in")
    done = run(tmp_path, LAUNCH, TRISECT_TIER=tier, **{variable: place}, **more)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and f"{variable}='{place}' cannot be written: Not a directory" in last, (
        done.stderr
    )


def test_the_ir_of_passes_of_every_compiler_is_shown(tmp_path):
    file = tmp_path / "all.mlir"
    done = run(tmp_path, LAUNCH, TRISECT_TIER="cpu", MLIR_ENABLE_DUMP="twice", MLIR_DUMP_PATH=str(file))
    assert done.returncode == 0 and "before-triton-rewrite-tensor-pointer" in file.read_text(encoding="utf-8")


def put_in(tmp_path, monkeypatch, target, stage, content):
    """Puts a file in the place of a stage."""
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    compiled(target)
    monkeypatch.delenv("TRITON_KERNEL_DUMP")
    (folder,) = (tmp_path / "dump").iterdir()
    place = tmp_path / "override" / folder.name
    place.mkdir(parents=True)
    (place / f"add.{stage}").write_bytes(content)
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    return place / f"add.{stage}"


@pytest.mark.parametrize("target, stage", [(CPU, "ttir"), (HOPPER, "ttir"), (HOPPER, "ptx")])
def test_junk_in_the_place_of_a_stage_is_named(tmp_path, monkeypatch, target, stage):
    file = put_in(tmp_path, monkeypatch, target, stage, b"\xff\xfe\x00 junk")
    with pytest.raises(InvalidInput, match=f"{file} is no text: byte 0 is no UTF-8"):
        compiled(target)


def test_junk_in_a_file_that_is_compiled_is_named(tmp_path):
    (tmp_path / "junk.ttir").write_bytes(b"\xc3(")
    with pytest.raises(InvalidInput, match="junk.ttir is no text"):
        triton.compile(str(tmp_path / "junk.ttir"), CPU)


def test_a_launch_names_the_file_of_a_stage(tmp_path):
    file = tmp_path / "mine.ttir"
    text = compiled().asm["ttir"]
    file.write_text(text.replace("1.000000e+00", "4.200000e+01"), encoding="utf-8")
    kernel = compiled(ir_override=str(file))
    assert "4.200000e+01" in kernel.asm["ttir"] and "4.200000e+01" in kernel.asm["source"]
    file.write_text(
        file.read_text(encoding="utf-8").replace("4.200000e+01", "4.300000e+01"), encoding="utf-8"
    )
    assert "4.300000e+01" in compiled(ir_override=str(file)).asm["ttir"]
    with pytest.raises(InvalidInput, match="environment.py' must end in the name of a stage: .ttir"):
        compiled(ir_override=__file__.replace("test_dumps.py", "environment.py"))
    with pytest.raises(InvalidInput, match="ir_override: '/none.ttir' cannot be read"):
        compiled(ir_override="/none.ttir")


FAULT = """
    import numpy as np, trisect, triton, triton.language as tl
    @triton.jit
    def beyond(x, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at))
    try:
        beyond[(1,)](np.zeros(4, np.float32), BLOCK=8, sanitize="out-of-bounds")
    except trisect.KernelFault as fault:
        print(fault.file.encode("ascii", "backslashreplace").decode(), fault.line)
"""


def test_lines_point_into_the_kept_ttir(tmp_path):
    for _ in range(2):  # made, and found in the cache
        done = run(tmp_path, FAULT, USE_IR_LOC="ttir")
        file, line = done.stdout.split()
        assert Path(file).parent.parent == tmp_path / "cache" and file.endswith("beyond.ttir"), done.stderr
        assert "tt.load" in Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert run(tmp_path, FAULT).stdout.split() == [str(tmp_path / "script.py"), "6"]


@pytest.mark.parametrize("variables", [{"USE_IR_LOC": "ttgir"}, {"USE_TTGIR_LOC": "1"}])
def test_lines_of_ptx_point_into_the_kept_stage(monkeypatch, variables):
    for variable, text in variables.items():
        monkeypatch.setenv(variable, text)
    kernel = compiled(HOPPER)
    kept = kernel.metadata_group["add.ttgir"]
    folder, name = os.path.split(kept)
    lines = Path(kept).read_text(encoding="utf-8").splitlines()
    assert "\n".join(lines).strip() == kernel.asm["ttgir"].strip()
    (number,) = re.findall(rf'\.file\s+(\d+) "{re.escape(folder)}/{re.escape(name)}"', kernel.asm["ptx"])
    places = {int(line) for line in re.findall(rf"\.loc\s+{number} (\d+)", kernel.asm["ptx"])}
    assert any("tt.load" in lines[line - 1] for line in places if line)
    with pytest.warns(
        RuntimeWarning, match="USE_IR_LOC=ttgir has no effect: target 'cpu' makes no such stage"
    ):
        compiled(CPU)


def test_lines_of_ptx_point_into_the_kept_ttir(monkeypatch):
    monkeypatch.setenv("USE_IR_LOC", "ttir")
    kernel = compiled(HOPPER)
    assert f'{kernel.metadata_group["add.ttir"]}"' in kernel.asm["ptx"]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_names_and_folders_beyond_ascii(tmp_path, locale):
    """The second process finds what the first one kept."""
    name = "zwölf" + "ü" * 150
    for tier in ("interp", "cpu"):
        done = run(tmp_path, LAUNCH.replace("twice", name), LC_ALL=locale, PYTHONUTF8="0", TRISECT_TIER=tier,
                   TRITON_CACHE_DIR=str(tmp_path / "kälte"))  # fmt: skip
        assert done.returncode == 0 and done.stdout.strip() == RESULT, done.stderr
        assert "Warning" not in done.stderr, done.stderr
    (kept,) = [folder for folder in (tmp_path / "kälte").iterdir() if list(folder.glob("zw*.ttir"))]
    assert len(list(kept.glob("*.json"))) == 2  # of the kernel, and which belong together


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("name, shown", [("caf\udce9", r"caf\xe9"), ("kälte", r"k\xe4lte")])
def test_programs_in_folders_beyond_ascii(tmp_path, name, shown, tier):
    folder = tmp_path / name
    folder.mkdir()
    done = run(folder, LAUNCH + FAULT, LC_ALL="C", PYTHONUTF8="0", TRISECT_TIER=tier)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [RESULT, f"{tmp_path}/{shown}/script.py 15"]


def test_a_cache_whose_name_is_no_text(tmp_path):
    done = run(tmp_path, LAUNCH, TRITON_CACHE_DIR=str(tmp_path / "caf\udce9"), TRISECT_TIER="cpu")
    assert done.returncode == 0 and done.stdout.strip() == RESULT, done.stderr
    assert list(tmp_path.glob("caf*/*/*.form"))


def test_a_folder_of_replacements_that_is_none_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "none"))
    with pytest.warns(RuntimeWarning, match="TRITON_OVERRIDE_DIR='.*none' is no folder"):
        compiled()
