"""triton.compile, compiled kernels and the cache on disk."""

import json
import os
import pickle
import subprocess
import sys
from collections import namedtuple

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect import knobs
from trisect.backends.compiler import BaseBackend, GPUTarget
from trisect.compiler import ASTSource, CompiledKernel, IRSource, make_backend
from trisect.compiler.compiler import convert_type_repr
from trisect.runtime.cache import FileCacheManager, _base32, get_cache_manager, triton_key

CPU = GPUTarget("cpu", "", 32)


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.load(x + offsets, mask=offsets < n) + 1, mask=offsets < n)


def source(**constants):
    signature = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    return ASTSource(add, signature, {"BLOCK": 32, **constants}, {(0,): [["tt.divisibility", 16]]})


def test_compile_from_a_source():
    kernel = triton.compile(source(), target=CPU, options={"num_warps": 8, "num_stages": 1, "debug": True})
    assert isinstance(kernel, CompiledKernel)
    assert (kernel.metadata.num_warps, kernel.metadata.shared, kernel.metadata.target) == (8, 0, CPU)
    assert set(kernel.asm) == {"source", "ttir"} and kernel.asm["ttir"].count("tt.divisibility") == 1
    assert kernel.src.fn is add and len(kernel.hash) == 64 and kernel.n_spills == 0
    assert kernel.asm.get("cubin") is None
    with pytest.raises(KeyError):
        kernel.asm["cubin"]


def test_sources_check_what_they_are_given():
    assert source().constants == {(3,): 32}
    with pytest.raises(TypeError, match="Signature keys must be string"):
        ASTSource(add, {0: "*fp32"})
    with pytest.raises(TypeError, match="keyed by name or by path"):
        ASTSource(add, {"x": "*fp32"}, {3: 1})
    assert source().hash() == source().hash() != source(BLOCK=64).hash()


def test_a_second_compile_is_found_on_disk(own_cache):
    told = []

    def listener(**facts):
        told.append((facts["cache_hit"], facts["times"].total >= 0, facts["metadata"]["name"]))

    with knobs.compilation.scope():
        knobs.compilation.listener = listener
        first, second = triton.compile(source(), CPU), triton.compile(source(), CPU)
        knobs.compilation.always_compile = True
        third = triton.compile(source(), CPU)
        knobs.compilation.listener = None
    assert [hit for hit, _, _ in told] == [False, True, False] and all(good for _, good, _ in told)
    assert first.hash == second.hash == third.hash and first.asm == second.asm == third.asm


def test_what_is_in_the_folder(own_cache):
    kernel = triton.compile(source(), CPU)
    folder = own_cache / _base32(kernel.hash)
    assert sorted(os.listdir(folder)) == ["__grp__add.json", "add.json", "add.source", "add.ttir"]
    facts = json.loads((folder / "add.json").read_text())
    assert facts["name"] == "add" and facts["target"] == {"backend": "cpu", "arch": "", "warp_size": 32}
    assert str(own_cache) not in (folder / "__grp__add.json").read_text()


def test_a_damaged_artefact_is_made_anew(own_cache):
    kernel = triton.compile(source(), CPU)
    path = own_cache / _base32(kernel.hash) / "add.source"
    path.write_text(path.read_text()[:-40])
    assert triton.compile(source(), CPU).asm["source"] == kernel.asm["source"]


def test_artefacts_can_be_moved(own_cache, tmp_path, monkeypatch):
    kernel = triton.compile(source(), CPU)
    os.rename(own_cache, tmp_path / "elsewhere")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "elsewhere"))
    moved = triton.compile(source(), CPU)
    assert moved.asm == kernel.asm and str(tmp_path / "elsewhere") in moved.metadata_group["add.json"]


def test_the_folder_may_vanish_after_a_compile(launches, own_cache):
    import shutil

    kernel = triton.compile(source(), CPU)
    shutil.rmtree(own_cache)
    x = np.zeros(32, np.float32)
    kernel[(1,)](x, x, 5, 32)
    assert launches[0].args == [x.ctypes.data, x.ctypes.data, 5]


def test_a_kernel_is_rebuilt_from_its_state(launches, own_cache):
    """In the way compile workers send kernels: state of __dict__, handles None, metadata as a dict."""
    kernel = triton.compile(source(), CPU)
    state = {
        **kernel.__dict__,
        "metadata": kernel.metadata._asdict(),
        "module": None,
        "function": None,
        "run": None,
    }
    fn = state["src"].fn.__getstate__()
    fn.update({"fn": None, "__globals__": None, "used_global_vals": None, "_hash_lock": None})
    bare = triton.JITFunction.__new__(triton.JITFunction)
    bare.__setstate__(fn)
    src = ASTSource.__new__(ASTSource)
    src.__dict__.update({**state["src"].__dict__, "fn": bare})
    state = pickle.loads(pickle.dumps({**state, "src": src}))
    rebuilt = CompiledKernel.__new__(CompiledKernel)
    metadata = namedtuple("KernelMetadata", sorted(state["metadata"]))(**state["metadata"])
    rebuilt.__dict__.update({**state, "metadata": metadata})
    rebuilt._init_handles()
    x = np.zeros(32, np.float32)
    rebuilt.run(4, 1, 1, 0, rebuilt.function, rebuilt.packed_metadata, None, None, None, x, x, 5, -1)
    assert launches[0].grid == (4, 1, 1) and launches[0].args == [x.ctypes.data, x.ctypes.data, 5]
    assert rebuilt.src.fn.arg_names == ["x", "y", "n", "BLOCK"] and rebuilt.src.fn.params[3].is_constexpr


@triton.autotune([triton.Config({"BLOCK": 16})], key=[])
@triton.jit
def tuned(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), BLOCK)


def test_a_kernel_can_be_pickled(launches, own_cache, tmp_path):
    kernel = triton.compile(source(), CPU)
    kernel._init_handles()
    again = pickle.loads(pickle.dumps(kernel))
    assert again.src.fn is add and again.metadata == kernel.metadata and again.asm == kernel.asm
    x = np.zeros(32, np.float32)
    again[(4, 1, 1)](x, x, 5, 32)
    assert launches[0].grid == (4, 1, 1) and kernel.function is not None
    path = tmp_path / "add.ttir"
    path.write_text(kernel.asm["ttir"])
    again = pickle.loads(pickle.dumps(triton.compile(str(path))))
    again[(2,)](x, x, 5)
    assert launches[1].grid == (2, 1, 1)
    # The function that stands under the name is the autotuner: its source alone is sent.
    again = pickle.loads(pickle.dumps(tuned.fn.warmup(triton.MockTensor(tl.int32), BLOCK=16, grid=(1,))))
    again[(3,)](x.view(np.int32), 16)
    assert launches[2].grid == (3, 1, 1) and again.src.fn.arg_names == ["x", "BLOCK"]


def test_mlir_dump_shows_the_passes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import triton, triton.language as tl\n"
        "@triton.jit\ndef shown(x_ptr):\n    tl.store(x_ptr, 1)\n"
        "shown.warmup(triton.MockTensor(tl.int32), grid=(1,))\n"
    )
    texts = []
    for wanted in ("shown", "another"):
        environment = {**os.environ, "MLIR_ENABLE_DUMP": wanted, "TRITON_ALWAYS_COMPILE": "1"}
        command = [sys.executable, "-m", "trisect", str(script)]
        texts.append(
            subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stderr
        )
    assert "inline" in texts[0] and texts[0].count("tt.func public @shown(%x_ptr: !tt.ptr<i32>") >= 5
    assert texts[1] == ""


def test_handles_are_made_once_and_with_hooks(launches):
    calls = []
    kernel = triton.compile(source(), CPU)
    knobs.runtime.kernel_load_start_hook.add(start := lambda *facts: calls.append(("start", facts[2])))
    knobs.runtime.kernel_load_end_hook.add(end := lambda *facts: calls.append(("end", facts[2])))
    try:
        kernel._init_handles()
        function = kernel.function
        kernel._init_handles()
    finally:
        knobs.runtime.kernel_load_start_hook.remove(start)
        knobs.runtime.kernel_load_end_hook.remove(end)
    assert calls == [("start", "add"), ("end", "add")] and kernel.function is function
    kernel.close()
    assert kernel.run is not None and kernel.function is not function


def test_launch_metadata_is_none_without_hooks(launches):
    kernel = triton.compile(source(), CPU)
    assert kernel.launch_metadata((1, 1, 1), 0) is None
    assert not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook


def test_compile_from_a_file(tmp_path):
    text = triton.compile(source(), CPU).asm["ttir"]
    path = tmp_path / "kernel.ttir"
    path.write_text(text)
    kernel = triton.compile(str(path), target=CPU)
    assert kernel.metadata.name == "add" and list(kernel.src.signature.values()) == ["*fp32", "*fp32", "i32"]
    assert isinstance(kernel.src, IRSource)
    (tmp_path / "kernel.ptx").write_text("")
    with pytest.raises(ValueError, match="expected a .ttir file, found .ptx"):
        triton.compile(str(tmp_path / "kernel.ptx"), target=CPU)
    with pytest.raises(TypeError, match="source must be an ASTSource"):
        triton.compile(3)


def test_a_kernel_of_a_file_is_launched(launches, tmp_path):
    path = tmp_path / "kernel.ttir"
    path.write_text(triton.compile(source(), CPU).asm["source"])
    x = np.zeros(32, np.float32)
    triton.compile(str(path))[(2, 1, 1)](x, x, 7)
    assert launches[0].args == [x.ctypes.data, x.ctypes.data, 7]


@pytest.mark.parametrize(
    "spelling, expected",
    [("!tt.ptr<f32>", "*fp32"), ("!tt.ptr<!tt.ptr<i8>>", "**i8"), ("i1", "u1"), ("bf16", "bf16"),
     ("i64", "i64"), ("!tt.tensordesc<tensor<16x8xf16>>", "tensordesc<fp16[16,8]>")],
)  # fmt: skip
def test_types_of_files(spelling, expected):
    assert convert_type_repr(spelling) == expected


def test_dump_and_override(own_cache, tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    triton.compile(source(), CPU)
    (folder,) = os.listdir(tmp_path / "dump")
    assert sorted(os.listdir(tmp_path / "dump" / folder)) == ["add.source", "add.ttir"]
    monkeypatch.delenv("TRITON_KERNEL_DUMP")
    os.makedirs(tmp_path / "override" / folder)
    text = (tmp_path / "dump" / folder / "add.ttir").read_text()
    (tmp_path / "override" / folder / "add.ttir").write_text(text.replace("1.000000e+00", "4.200000e+01"))
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    kernel = triton.compile(source(), CPU)
    assert "4.200000e+01" in kernel.asm["ttir"] and "4.200000e+01" in kernel.asm["source"]


def test_backends_and_targets():
    backend = make_backend(CPU)
    assert isinstance(backend, BaseBackend) and "cpu" in triton.backends.backends
    options = backend.parse_options({"num_warps": 2, "unknown": 1, "debug": None})
    assert options.num_warps == 2 and options.extern_libs is None and "num_stages" in options.__dict__
    assert options.hash() != backend.parse_options({}).hash() and backend.hash().startswith("cpu-")
    assert backend.parse_attr("D") == [["tt.divisibility", 16]] and backend.parse_attr("") == []
    with pytest.raises(RuntimeError, match="0 compatible backends for target"):
        make_backend(GPUTarget("nowhere", 1, 32))
    with pytest.raises(TypeError, match="GPUTarget"):
        triton.compile(source(), target="cpu")
    for bad in (0, 3, "4"):
        with pytest.raises(ValueError, match="num_warps"):
            backend.parse_options({"num_warps": bad})


def test_the_driver_is_made_when_asked_for():
    from trisect.runtime.driver import DriverConfig, driver

    assert triton.runtime.driver is driver and driver.active.get_current_target() == CPU
    config = DriverConfig()
    assert config._active is None
    assert (
        isinstance(config.active, triton.backends.backends["cpu"].driver) and config.get_active_gpus() == []
    )
    config.set_active_to_cpu()
    with pytest.raises(RuntimeError, match="expected one GPU backend"):
        config.set_active_to_gpu()
    facts = config.active.utils.get_device_properties(0)
    assert facts["multiprocessor_count"] >= 1 and facts["max_shared_mem"] > 0


def test_an_unknown_default_backend_is_named(monkeypatch):
    from trisect.runtime.driver import DriverConfig

    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "fpga")
    with pytest.raises(RuntimeError, match="Unknown backend 'fpga'. Available backends: cpu"):
        DriverConfig().active  # noqa: B018


def test_the_package_has_a_key():
    assert len(triton_key()) == 64 and triton_key() == triton_key()


def test_files_appear_whole(own_cache):
    manager = get_cache_manager("ab" * 32)
    assert isinstance(manager, FileCacheManager) and manager.cache_dir.startswith(str(own_cache))
    path = manager.put(b"data", "file.bin")
    assert path == manager._make_path("file.bin") == manager.get_file("file.bin") and manager.has_file(
        "file.bin"
    )
    assert os.listdir(manager.cache_dir) == ["file.bin"] and manager.get_file("other") is None
    manager.put_group("group.json", {"file.bin": path})
    assert manager.get_group("group.json") == {"file.bin": path}
    os.remove(path)
    assert manager.get_group("group.json") is None and manager.get_group("absent.json") is None


def test_a_cache_manager_may_be_replaced(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_MANAGER", f"{__name__}:Replaced")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    assert isinstance(get_cache_manager("ab" * 32), Replaced)


class Replaced(FileCacheManager):
    """Named in TRITON_CACHE_MANAGER."""


def test_processes_share_the_cache(own_cache):
    """Eight processes compile the same kernels at once; each sees whole artefacts."""
    program = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
import test_compile
for block in (32, 64, 128):
    kernel = test_compile.triton.compile(test_compile.source(BLOCK=block), test_compile.CPU)
    assert "tt.func public @add" in kernel.asm["ttir"]
"""
    environment = {**os.environ, "TRITON_CACHE_DIR": str(own_cache)}
    running = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(8)]
    assert [process.wait() for process in running] == [0] * 8
    assert not [name for _, _, names in os.walk(own_cache) for name in names if name.endswith(".tmp")]
