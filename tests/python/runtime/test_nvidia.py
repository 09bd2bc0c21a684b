"""The NVIDIA backend without a GPU: options, what is found on the machine, code made ahead of time."""

import importlib
import os
import pickle
import stat
import subprocess
import sys

import pytest

import trisect as triton
import trisect.language as tl
from trisect import knobs
from trisect.backends.compiler import GPUTarget, Language
from trisect.backends.nvidia.compiler import CUDABackend, CUDAOptions, sm_arch_from_capability
from trisect.backends.nvidia.driver import CudaDriver, ty_to_cpp
from trisect.compiler import ASTSource, make_backend
from trisect.runtime.errors import OutOfResources, PTXASError
from trisect.runtime.placement import place_of

HOPPER = GPUTarget("cuda", 90, 32)


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


def source():
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "count": "i32", "BLOCK": "constexpr"}
    return ASTSource(add, signature, {"BLOCK": 256}, {(0,): [["tt.divisibility", 16]]})


def compiled(**options):
    return triton.compile(source(), target=HOPPER, options=options)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))


def has_ptxas():
    from trisect._C import cuda

    return cuda.assembler() is not None


def test_the_backend_is_found_by_its_target():
    backend = make_backend(HOPPER)
    assert isinstance(backend, CUDABackend)
    found = triton.backends.backends["nvidia"]
    assert found.compiler is CUDABackend and found.driver is CudaDriver
    assert sm_arch_from_capability(80) == "sm_80" and sm_arch_from_capability(90) == "sm_90a"
    assert ty_to_cpp("*fp32") == "CUdeviceptr" and ty_to_cpp("i32") == "int32_t"


def test_the_target_decides_what_options_there_are(monkeypatch):
    hopper = make_backend(HOPPER).parse_options({"num_warps": 8, "unknown": 1, "maxnreg": None})
    assert hopper.num_warps == 8 and hopper.arch == "sm90" and hopper.default_dot_input_precision == "tf32"
    assert "fp8e4nv" in hopper.supported_fp8_dtypes and hopper.maxnreg is None
    ampere = make_backend(GPUTarget("cuda", 80, 32)).parse_options({})
    assert "fp8e4nv" not in ampere.supported_fp8_dtypes and ampere.arch == "sm80"
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm80")
    assert make_backend(HOPPER).parse_options({}).arch == "sm80"
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "hopper")
    with pytest.raises(ValueError, match="TRITON_OVERRIDE_ARCH"):
        make_backend(HOPPER).parse_options({})


@pytest.mark.parametrize(
    "options",
    [
        {"num_warps": 3},
        {"num_warps": 64},
        {"num_stages": -1},
        {"num_ctas": 0},
        {"maxnreg": 8},
    ],
)
def test_options_without_sense_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        CUDAOptions(**options)


def test_options_are_part_of_the_key(tmp_path):
    one, other = CUDAOptions(), CUDAOptions(num_warps=8)
    assert one.hash() == CUDAOptions().hash() != other.hash()
    library = tmp_path / "library.bc"
    library.write_bytes(b"1")
    first = CUDAOptions(extern_libs={"mine": str(library)})
    assert ("mine", str(library)) in first.extern_libs and first.hash() != one.hash()
    parsed = make_backend(HOPPER).parse_options({"extern_libs": {"mine": str(library)}})
    assert ("mine", str(library)) in parsed.extern_libs


def test_environment_and_knobs_reach_the_options(monkeypatch):
    monkeypatch.setenv("PTXAS_OPTIONS", "--def-load-cache cg")
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "0")
    monkeypatch.setenv("TRITON_F32_DEFAULT", "ieee")
    options = make_backend(HOPPER).parse_options({})
    assert options.ptx_options == "--def-load-cache cg" and not options.enable_fp_fusion
    assert options.default_dot_input_precision == "ieee"


def test_without_a_gpu_there_is_no_active_driver():
    code = (
        "import trisect as t\n"
        "assert not t.backends.backends['nvidia'].driver.is_active()\n"
        "assert t.runtime.driver.active.get_current_target().backend == 'cpu'\n"
    )
    environment = os.environ | {"TRITON_LIBCUDA_PATH": "/nowhere"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_gluon_is_refused_by_name():
    with pytest.raises(NotImplementedError, match="Gluon"):
        make_backend(HOPPER).add_stages({}, CUDAOptions(), Language.GLUON)
    with pytest.raises(ImportError, match="Gluon"):
        importlib.import_module("trisect.experimental.gluon")


def test_errors_are_those_that_autotune_knows():
    error = pickle.loads(pickle.dumps(OutOfResources(300000, 232448, "shared memory")))
    assert (error.required, error.limit, error.name) == (300000, 232448, "shared memory")
    assert "Hardware limit: 232448" in str(error)
    assert issubclass(PTXASError, triton.TritonError)


def test_tensors_decide_where_a_launch_runs():
    class Tensor:
        def __init__(self, device):
            self.device = device

        def data_ptr(self):
            return 4096

    assert place_of({"n": 3, "x": Tensor("cpu")}, "k") == ("cpu", 0)
    assert place_of({"n": 3, "m": None}, "k") is None
    for device in ("cuda:1", "xpu:0"):
        with pytest.raises(ValueError, match=f"kernel 'k': argument 'y' is on device '{device}'"):
            place_of({"x": Tensor("cpu"), "y": (1, Tensor(device))}, "k")


def test_ptxas_is_looked_for(tmp_path, monkeypatch):
    from trisect._C import cuda

    fake = tmp_path / "ptxas"
    fake.write_text(
        "#!/bin/sh\nif [ $1 = --version ]; then echo 'release 77.7, V77.7.7'; exit; fi\necho no; exit 5\n"
    )
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("TRITON_PTXAS_PATH", str(fake))
    assert cuda.assembler() == [str(fake), "77.7.7"]
    assert make_backend(HOPPER).hash().startswith("77.7.7-")
    with pytest.raises(PTXASError, match="`ptxas` failed with error code 5"):
        cuda.assemble(".version 8.0", "sm_90a")
    monkeypatch.setenv("TRITON_PTXAS_PATH", "/nowhere")
    with pytest.raises(triton.errors.InvalidInput, match="TRITON_PTXAS_PATH"):
        cuda.assembler()


def test_stages_made_ahead_of_time():
    kernel = compiled(num_warps=2)
    assert list(kernel.asm)[:5] == ["source", "ttir", "ttgir", "llir", "ptx"]
    assert ".target sm_90a" in kernel.asm["ptx"] and ".entry add" in kernel.asm["ptx"]
    assert ".reqntid 64" in kernel.asm["ptx"]
    assert kernel.metadata.target == HOPPER and kernel.metadata.shared == 0
    if has_ptxas():
        assert kernel.asm["cubin"][:4] == b"\x7fELF" and kernel.n_regs > 0 and kernel.n_spills == 0
        assert kernel.kernel == kernel.asm["cubin"]
    again = compiled(num_warps=2)
    assert again.hash == kernel.hash and again.asm["ptx"] == kernel.asm["ptx"]
    assert compiled(num_warps=4).hash != kernel.hash


def test_a_cached_kernel_is_made_ready_in_a_new_process(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(
        "import trisect as triton, trisect.language as tl\n"
        "from trisect.backends.compiler import GPUTarget\n"
        "from trisect.compiler import ASTSource\n"
        "@triton.jit\n"
        "def double(x, B: tl.constexpr):\n"
        "    at = tl.arange(0, B)\n"
        "    tl.store(x + at, 2 * tl.load(x + at))\n"
        "seen = []\n"
        "triton.knobs.compilation.listener = lambda **facts: seen.append(facts['cache_hit'])\n"
        "source = ASTSource(double, {'x': '*fp32', 'B': 'constexpr'}, {'B': 64}, {})\n"
        "kernel = triton.compile(source, target=GPUTarget('cuda', 90, 32))\n"
        "kernel._init_handles()\n"
        "print(seen, kernel.function.name)\n"
    )
    for hit in ("False", "True"):
        result = subprocess.run([sys.executable, script], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        assert result.stdout.strip() == f"[{hit}] double"


def test_an_option_that_ptxas_refuses_is_its_error():
    if not has_ptxas():
        pytest.skip("no ptxas on this machine")
    with pytest.raises(PTXASError, match="nonsense"):
        compiled(ptx_options="--nonsense")


def test_ptx_of_another_version():
    assert ".version 8.3" in compiled(ptx_version=83).asm["ptx"]


def test_a_stage_that_was_put_in_is_assembled(tmp_path, monkeypatch):
    if not has_ptxas():
        pytest.skip("no ptxas on this machine")
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    plain = compiled()
    monkeypatch.delenv("TRITON_KERNEL_DUMP")
    (folder,) = (tmp_path / "dump").iterdir()
    place = tmp_path / "override" / folder.name
    place.mkdir(parents=True)
    (place / "add.ptx").write_text(
        plain.asm["ptx"].replace("add.rn.f32", "mul.rn.f32").replace("add.f32", "mul.f32")
    )
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    other = compiled()
    assert "mul" in other.asm["ptx"] and other.asm["cubin"] != plain.asm["cubin"]


def test_interpreted_kernels_make_no_gpu_code():
    kernel = compiled(tier="interp")
    assert "ttir" in kernel.asm and "ptx" not in kernel.asm


def test_dumps(capfd, monkeypatch):
    monkeypatch.setenv("NVPTX_ENABLE_DUMP", "1")
    monkeypatch.setenv("TRITON_DUMP_PTXAS_LOG", "1")
    knobs.refresh_knobs()
    compiled(num_stages=2)
    text = "".join(capfd.readouterr())
    assert ".entry add" in text
    assert not has_ptxas() or "ptxas info" in text


@pytest.mark.parametrize(
    "variable, shown",
    [
        ("NVPTX_ENABLE_DUMP", ".entry add"),
        ("LLVM_IR_ENABLE_DUMP", "define ptx_kernel void @add"),
        ("MLIR_ENABLE_DUMP", "tt.func public @add"),
        ("TRITON_DUMP_PTXAS_LOG", "ptxas info"),
    ],
)
def test_what_shows_the_compiler_compiles_what_is_cached_anew(capfd, monkeypatch, variable, shown):
    if variable == "TRITON_DUMP_PTXAS_LOG" and not has_ptxas():
        pytest.skip("no ptxas on this machine")
    compiled()
    capfd.readouterr()
    monkeypatch.setenv(variable, "1")
    for _ in range(2):
        compiled()
        assert shown in "".join(capfd.readouterr())
    monkeypatch.delenv(variable)
    compiled()
    assert "".join(capfd.readouterr()) == ""


def test_code_that_is_not_optimised_is_kept_apart(monkeypatch):
    if not has_ptxas():
        pytest.skip("no ptxas on this machine")
    plain = compiled()
    monkeypatch.setenv("DISABLE_PTXAS_OPT", "1")
    slow = compiled()
    assert slow.hash != plain.hash and slow.asm["cubin"] != plain.asm["cubin"]
    assert slow.asm["ptx"] == plain.asm["ptx"]
    monkeypatch.delenv("DISABLE_PTXAS_OPT")
    assert compiled().asm["cubin"] == plain.asm["cubin"]


@pytest.mark.parametrize("warps", [1, 2, 4, 8, 16, 32])
def test_threads_of_a_block(warps):
    kernel = compiled(num_warps=warps)
    assert kernel.n_max_threads == 32 * warps and f".reqntid {32 * warps}" in kernel.asm["ptx"]


@triton.jit
def doubled(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [ROWS, COLUMNS], [COLUMNS, 1], [16, 64])
    target = tl.make_tensor_descriptor(out, [ROWS, COLUMNS], [COLUMNS, 1], [16, 64])
    at = [tl.program_id(0) * 16, 0]
    target.store(at, source.load(at) * 2)


def test_descriptors_made_on_the_device_take_no_memory_at_a_launch():
    """Upstream asks the allocator of `triton.set_allocator` for it; here no kernel has a parameter for it."""
    signature = {"x": "*fp32", "out": "*fp32", "ROWS": "constexpr", "COLUMNS": "constexpr"}
    constants = {"ROWS": 64, "COLUMNS": 64}
    entry = triton.compile(ASTSource(doubled, signature, constants), target=HOPPER).asm["ptx"]
    parameters = entry[entry.index(".entry") : entry.index(".reqntid")].split(".param")[1:]
    assert len(parameters) == 3 and "[40]" in parameters[2]


@pytest.mark.parametrize("stage", ["ttgir", "llir"])
def test_a_stage_that_cannot_be_put_in_is_named(tmp_path, monkeypatch, stage):
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    plain = compiled()
    (folder,) = (tmp_path / "dump").iterdir()
    place = tmp_path / "override" / folder.name
    place.mkdir(parents=True)
    (place / f"add.{stage}").write_text(plain.asm[stage] + "\n")
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    with pytest.raises(RuntimeError, match=f"stage {stage} cannot be replaced"):
        compiled()


def test_debug_checks_integer_overflow():
    @triton.jit
    def grown(x, n, B: tl.constexpr):
        at = tl.arange(0, B)
        tl.store(x + at, tl.load(x + at) * n)

    signature = {"x": "*i32", "n": "i32", "B": "constexpr"}

    def asserts(**options):
        kernel = triton.compile(ASTSource(grown, signature, {"B": 64}, {}), target=HOPPER, options=options)
        return "overflow" in kernel.asm["ttir"]

    assert asserts(debug=True) and not asserts()
    assert not asserts(debug=True, sanitize_overflow=False) and not asserts(sanitize_overflow=True)


@pytest.mark.parametrize("arch", ["sm90", "90", 9.0, None])
def test_the_architecture_of_a_target_is_a_number(arch):
    """It was said to be a value of TRITON_OVERRIDE_ARCH, smsm90."""
    with pytest.raises(TypeError, match="target of CUDA is a number, 90 for sm_90, not "):
        make_backend(GPUTarget("cuda", arch, 32))
