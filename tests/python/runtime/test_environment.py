"""Variables of the environment: bad values are told before anything runs, good ones do what the docs say."""

import os
import subprocess
from pathlib import Path

import pytest
from environment import COMPILE, LAUNCH, RESULT, run

import trisect as triton
import trisect.language as tl
from trisect import knobs
from trisect.backends import backends
from trisect.backends.compiler import GPUTarget
from trisect.backends.cpu.driver import CpuDriver
from trisect.compiler import ASTSource, make_backend
from trisect.errors import InvalidInput
from trisect.runtime import build
from trisect.runtime.driver import _create_driver

BAD = {
    "TRISECT_BF16_SUMS": ("x", "chain, blocks"),
    "TRISECT_CACHE_MIB": ("x", "a whole number from 0"),
    "TRISECT_BUNDLE_MIB": ("0", "a whole number from 1"),
    "TRISECT_CPU_ISA": ("pentium", "znver4"),
    "TRITON_OVERRIDE_ARCH": ("foo", "a GPU such as sm90, or one of host"),
    "TRITON_CPU_BACKEND": ("x", "true"),
    "TRITON_DEFAULT_BACKEND": ("fpga", "cpu, nvidia"),
    "TRITON_REDIS_PORT": ("x", "a whole number"),
    "TRITON_CACHE_MANAGER": ("x", "MODULE:CLASS"),
    "USE_IR_LOC": ("x", "ttir, ttgir"),
    "LLVM_ENABLE_TIMING": ("maybe", "1, true, yes, on"),
    "DISABLE_PTXAS_OPT": ("maybe", "1, true, yes, on"),
    "AMDGCN_ENABLE_DUMP": ("maybe", "1, true, yes, on"),
}


@pytest.mark.parametrize("variable", BAD)
def test_a_bad_value_is_told_before_the_first_launch(tmp_path, variable):
    text, good = BAD[variable]
    done = run(tmp_path, LAUNCH, **{variable: text})
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and done.stdout == "" and variable in last and good in last, done.stderr


def test_a_bad_value_is_told_before_a_compilation(tmp_path):
    done = run(tmp_path, COMPILE, TRISECT_CACHE_MIB="x")
    assert done.returncode == 1 and "TRISECT_CACHE_MIB='x' makes no sense" in done.stderr


def test_a_value_that_turns_bad_is_told_at_the_next_launch(tmp_path):
    again = """
    import os
    os.environ["TRISECT_BUNDLE_COUNT"] = "many"
    twice[(1,)](x, 8, BLOCK=8)
    """
    done = run(tmp_path, LAUNCH + again)
    assert done.stdout.strip() == RESULT and done.returncode == 1
    assert "TRISECT_BUNDLE_COUNT='many' makes no sense" in done.stderr


@pytest.mark.parametrize(
    "variable", ["AMDGCN_ENABLE_DUMP", "TRITON_ENABLE_LLVM_DEBUG", "TRITON_LLVM_DEBUG_ONLY"]
)
def test_what_has_no_effect_says_so_once(tmp_path, variable):
    done = run(tmp_path, LAUNCH + "    twice[(1,)](x, 8, BLOCK=8)\n", **{variable: "1"})
    assert done.returncode == 0 and done.stderr.count(f"trisect: {variable} has no effect: ") == 1, (
        done.stderr
    )


@pytest.mark.parametrize("text", ["1", "y", "true", "ON", " yes "])
def test_the_cpu_is_chosen_by_any_yes(monkeypatch, text):
    monkeypatch.setattr(backends["nvidia"].driver, "is_active", classmethod(lambda cls: True))
    monkeypatch.setenv("TRITON_CPU_BACKEND", text)
    assert isinstance(_create_driver(), CpuDriver)
    monkeypatch.setenv("TRITON_CPU_BACKEND", "no")
    assert not isinstance(_create_driver(), CpuDriver)


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch):
    for variable in (
        "TRITON_CACHE_DIR",
        "TRITON_DEFAULT_FP_FUSION",
        "TRITON_REDIS_PORT",
        "TRITON_CACHE_MANAGER",
    ):
        monkeypatch.setenv(variable, "")
    monkeypatch.setenv("TRITON_HOME", "/home/of")
    assert knobs.cache.dir == "/home/of/.triton/cache" and knobs.language.default_fp_fusion is True
    assert knobs.redis.port == 6379 and knobs.cache.manager_class is None


def test_times_of_llvm_are_printed(tmp_path):
    done = run(tmp_path, LAUNCH, LLVM_ENABLE_TIMING="1", TRISECT_TIER="cpu")
    assert done.stdout.strip() == RESULT, done.stderr
    for words in (
        "cpu: passes over ",
        "InstCombinePass",
        "cpu: code of ",
        "X86 DAG->DAG Instruction Selection",
    ):
        assert words in done.stderr, words
    done = run(tmp_path, COMPILE, LLVM_ENABLE_TIMING="1")
    for words in ("cuda: passes over twice", "InstCombinePass", "code of twice", "NVPTX DAG->DAG"):
        assert words in done.stderr, words


def test_times_of_passes_tell_of_every_compiler(tmp_path):
    done = run(tmp_path, LAUNCH, MLIR_ENABLE_TIMING="1", TRISECT_TIER="cpu")
    assert "TritonRewriteTensorPointer" in done.stderr  # which only tier 1 runs


def test_the_cpu_of_another_machine(tmp_path):
    asked = LAUNCH.replace(
        "print(x", "kernel = twice.warmup(x, 8, BLOCK=8, grid=(1,)); print(kernel.asm['asm']); print(x"
    )
    wide = run(tmp_path, asked, TRITON_OVERRIDE_ARCH="x86-64-v3", TRISECT_TIER="interp")
    narrow = run(tmp_path, asked, TRITON_OVERRIDE_ARCH="x86-64-v2", TRISECT_TIER="interp")
    for_gpu = run(tmp_path, asked, TRITON_OVERRIDE_ARCH="sm90", TRISECT_TIER="interp")
    assert "ymm" in wide.stdout and "zmm" not in wide.stdout, wide.stderr
    assert "ymm" not in narrow.stdout and "xmm" in narrow.stdout
    assert for_gpu.stdout.splitlines()[-1] == RESULT


def test_the_machines_of_a_launch_are_listed():
    backend = make_backend(GPUTarget("cpu", "", 32))
    assert backend.parse_options({"arch": "znver4"}).arch == "znver4"
    with pytest.raises(
        ValueError, match="arch must be one of host, .*znver4.*sapphirerapids.*, not 'pentium'"
    ):
        backend.parse_options({"arch": "pentium"})
    with pytest.raises(ValueError, match="bf16_sums must be one of chain, blocks, not 'x'"):
        backend.parse_options({"bf16_sums": "x"})


def test_a_library_of_device_code_that_is_not_there_is_named(monkeypatch):
    target = make_backend(GPUTarget("cuda", 90, 32))
    with pytest.raises(InvalidInput, match="extern_libs: '/none.bc' cannot be read"):
        target.parse_options({"extern_libs": {"mine": "/none.bc"}}).hash()
    monkeypatch.setenv("TRITON_LIBDEVICE_PATH", "/nowhere.bc")
    with pytest.raises(InvalidInput, match="TRITON_LIBDEVICE_PATH='/nowhere.bc' is no file"):
        target.parse_options({})


@triton.jit
def exponential(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.extra.libdevice.cyl_bessel_i0(tl.load(x + at)))


def test_libdevice_that_llvm_cannot_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "libdevice.bc").write_bytes(b"nothing")
    monkeypatch.setenv("TRITON_LIBDEVICE_PATH", str(tmp_path / "libdevice.bc"))
    source = ASTSource(exponential, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 32})
    with pytest.raises(InvalidInput, match="TRITON_LIBDEVICE_PATH='.*libdevice.bc' is no bitcode"):
        triton.compile(source, target=GPUTarget("cuda", 90, 32))


def test_a_compiler_that_is_none_is_named(monkeypatch):
    monkeypatch.setenv("CC", "nocompiler -m64")
    with pytest.raises(InvalidInput, match="CC='nocompiler -m64' is no compiler"):
        build._compiler("c")
    monkeypatch.setenv("CC", "sh -c")
    assert build._compiler("c")[1:] == ["-c"]


def test_a_driver_that_is_none_is_told(tmp_path):
    done = run(tmp_path, LAUNCH, TRITON_LIBCUDA_PATH="/nowhere/libcuda.so")
    assert done.stdout.strip() == RESULT and done.returncode == 0
    assert "trisect: TRITON_LIBCUDA_PATH='/nowhere/libcuda.so' gives no driver" in done.stderr


@pytest.mark.parametrize("tool", ["trisect-run", "trisect-cpu", "trisect-cuda"])
def test_native_tools_tell_a_bad_value_first(tool):
    path = Path(__file__).resolve().parents[3] / "build/release/bin" / tool
    bad = os.environ | {"TRISECT_CACHE_MIB": "x"}
    done = subprocess.run([path, "none.ttir"], env=bad, capture_output=True, encoding="utf-8")
    assert done.returncode == 2 and done.stderr.startswith(f"{tool}: TRISECT_CACHE_MIB='x' makes no sense")
    assert "none.ttir" not in done.stderr
    assert subprocess.run([path, "--help"], env=bad, capture_output=True).returncode == 0
