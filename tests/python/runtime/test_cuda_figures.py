"""What forty kernels take of an H100: registers, spilled bytes, wide accesses, mma instructions, barriers.

Held against cuda_figures.txt, which `./dev bless` rewrites. Registers and spills are another assembler's
choice: with another ptxas than the one that the file names only the text of PTX is compared, and that nothing
spills. Sizes and strides are numbers that 16 divides, as in the kernels' benchmarks.
"""

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest

import trisect as triton
from trisect.backends.compiler import GPUTarget
from trisect.compiler import ASTSource

ROOT = Path(__file__).resolve().parents[3]
STORED = Path(__file__).with_name("cuda_figures.txt")
H100 = GPUTarget("cuda", 90, 32)
#: Types of parameters by name; what is not here is a 32-bit integer.
FLOATS = {
    "x",
    "y",
    "a",
    "b",
    "c",
    "gate",
    "up",
    "table",
    "gradient",
    "weight",
    "bias",
    "cosines",
    "sines",
    "out",
}
FULL = {"means", "scales", "weights", "biases", "losses"}
INDICES = {"targets", "ids", "locks"}
#: An access of 16 bytes.
WIDE = re.compile(r"(ld|st)\.global\S*\.(v4\.[a-z]32|v2\.[a-z]64)")
SCALARS = {"eps": "fp32", "probability": "fp32", "scale": "fp32", "seed": "i32"}


def rows():
    """name, file, function, type of floats, constants, warps."""
    gpu, tier0 = "bench/gpu/kernels.py", "bench/kernels/tier0.py"
    for kind in ("fp32", "fp16", "bf16", "fp64"):
        yield f"vector_add {kind}", gpu, "vector_add", kind, {"BLOCK": 1024}, 4
    for block, warps in ((1024, 4), (4096, 8), (16384, 8)):
        yield f"softmax {block}", gpu, "softmax", "fp32", {"BLOCK": block}, warps
        yield f"row_sum {block}", gpu, "row_sum", "fp32", {"BLOCK": block}, warps
    for block, warps in ((1024, 4), (4096, 8)):
        yield f"layer_norm {block}", gpu, "layer_norm", "fp16", {"BLOCK": block}, warps
    constants = {"GROUPS": 64, "BLOCK": 1024}
    yield "layer_norm_backward 1024", gpu, "layer_norm_backward", "fp16", constants, 4
    yield "dropout", gpu, "dropout", "fp32", {"BLOCK": 1024}, 4
    yield "rope", gpu, "rope", "fp16", {"HALF": 64}, 1
    yield "swiglu", gpu, "swiglu", "fp16", {"BLOCK": 4096}, 8
    yield "cross_entropy", gpu, "cross_entropy", "fp32", {"BLOCK": 4096}, 8
    for block in (1024, 4096):
        yield f"embedding {block}", gpu, "embedding", "fp16", {"BLOCK": block}, 4
        yield f"row_argmax {block}", gpu, "row_argmax", "fp32", {"BLOCK": block}, 8
        yield f"row_cumsum {block}", gpu, "row_cumsum", "fp32", {"BLOCK": block}, 8
    yield "histogram", gpu, "histogram", "i32", {"BINS": 256, "BLOCK": 4096}, 8
    for block in (128, 512):
        yield f"row_sort {block}", gpu, "row_sort", "fp32", {"BLOCK": block}, 4
    yield "row_topk", gpu, "row_topk", "fp32", {"K": 16, "BLOCK": 512}, 4
    for kind in ("fp16", "bf16", "fp32", "fp8e5"):
        tile = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP": 8}
        yield f"matmul {kind} 64x64", gpu, "matmul", kind, tile, 4
    for kind in ("fp16", "bf16", "fp32"):
        tile = {"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32, "GROUP": 8}
        yield f"matmul {kind} 128x128", gpu, "matmul", kind, tile, 8
    yield "matmul ieee", tier0, "matmul_kernel", "fp32", {"BM": 32, "BN": 32, "BK": 32}, 4
    yield "attention ieee", tier0, "attention_kernel", "fp32", {"BM": 16, "BN": 32, "D": 32}, 4
    yield "scan of pairs", tier0, "scan_kernel", "fp32", {"BLOCK": 1024}, 4
    for kind in ("fp16", "fp32"):
        yield f"strided add {kind}", tier0, "add_kernel", kind, {"BLOCK": 512}, 2
    yield "column layer_norm", tier0, "layer_norm_kernel", "fp32", {"BLOCK": 2048}, 8


ROWS = {row[0]: row[1:] for row in rows()}


@pytest.fixture
def aliases(monkeypatch):
    """Files that import `triton` get this package."""
    monkeypatch.setitem(sys.modules, "triton", triton)
    monkeypatch.setitem(sys.modules, "triton.language", triton.language)


def functions(file):
    spec = importlib.util.spec_from_file_location(Path(file).stem + "_of_figures", ROOT / file)
    module = importlib.util.module_from_spec(spec)
    module.triton, module.tl = triton, triton.language
    spec.loader.exec_module(module)
    return module


def type_of(name, kind):
    plain = name.removesuffix("_ptr")
    if plain in INDICES:
        return "*i32" if plain == "locks" else "*i64"
    if plain in FULL:
        return "*fp32"
    if plain in FLOATS or name.endswith("_ptr"):
        return f"*{kind}"
    return SCALARS.get(plain, "i32")


def compiled(name):
    file, function, kind, constants, warps = ROWS[name]
    kernel = getattr(functions(file), function)
    signature, attributes = {}, {}
    for at, parameter in enumerate(kernel.arg_names):
        signature[parameter] = "constexpr" if parameter in constants else type_of(parameter, kind)
        if signature[parameter].startswith(("*", "i32")) and not parameter.endswith(("_ak", "_bn", "_cn")):
            attributes[(at,)] = [["tt.divisibility", 16]]
    source = ASTSource(kernel, signature, constants, attributes)
    return triton.compile(source, target=H100, options={"num_warps": warps})


def text_figures(ptx):
    """What the compiler alone decides."""
    words = [
        line.split()[0] for line in ptx.splitlines() if line.strip() and not line.strip().startswith("@")
    ]
    words += [line.split()[1] for line in ptx.splitlines() if line.strip().startswith("@")]
    return {
        "wide": sum(bool(WIDE.match(word)) for word in words),
        "mma": sum(word.startswith("mma.") for word in words),
        "barriers": sum(word.startswith(("bar.", "barrier.")) for word in words),
    }


def stored():
    version, *lines = STORED.read_text().splitlines() if STORED.exists() else ["# no file"]
    found = {}
    for line in lines:
        name, figures = line.split(": ")
        found[name] = {key: int(value) for key, value in (word.split("=") for word in figures.split())}
    return version.removeprefix("# ptxas "), found


def assembler():
    from trisect._C import cuda

    return cuda.assembler()


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", list(ROWS))
def test_figures(name, aliases):
    if assembler() is None:
        pytest.skip("there is no ptxas")
    kernel = compiled(name)
    figures = {"registers": kernel.n_regs, "spilled": kernel.n_spills} | text_figures(kernel.asm["ptx"])
    version, known = stored()
    if os.environ.get("TRISECT_BLESS"):
        known = {each: known[each] for each in ROWS if each in known} | {name: figures}
        lines = [
            f"{each}: " + " ".join(f"{key}={value}" for key, value in known[each].items())
            for each in ROWS
            if each in known
        ]
        STORED.write_text("\n".join([f"# ptxas {assembler()[1]}", *lines]) + "\n")
    elif version == assembler()[1]:
        assert figures == known[name]
    else:
        assert figures["spilled"] == 0
        assert {key: figures[key] for key in ("wide", "mma", "barriers")} == {
            key: known[name][key] for key in ("wide", "mma", "barriers")
        }


def test_the_list_holds_forty_kernels_of_which_none_spills():
    _, figures = stored()
    assert len(ROWS) >= 40 and set(figures) == set(ROWS)
    assert all(row["spilled"] == 0 for row in figures.values())
