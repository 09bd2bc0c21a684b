"""Kernels as shared libraries that a program loads without this package."""

import ctypes
import pickle
import platform
import shutil

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

pytestmark = pytest.mark.skipif(
    not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")), reason="needs a C compiler"
)

#: Which machine is another one depends on this one.
on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="levels of x86-64 beside 64-bit Arm")


@triton.jit
def scaled(o, x, n, a, b, h, flip, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.exp(tl.load(x + i, mask=i < n)) * a + b.to(tl.float32) + h.to(tl.float32)
    tl.device_assert(i < 1_000_000, "far")
    tl.store(o + i, tl.where(flip, -v, v), mask=i < n)


SIGNATURE = {
    "o": "*fp32", "x": "*fp32", "n": "i32", "a": "fp32", "b": "fp64", "h": "bf16", "flip": "u1",
    "BLOCK": "constexpr",
}  # fmt: skip


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_the_libraries_run_the_kernel(tmp_path, threads):
    source = triton.compiler.ASTSource(scaled, SIGNATURE, {"BLOCK": 32})
    kernel = pickle.loads(pickle.dumps(triton.compile(source, options={"debug": True})))
    loaded = []
    for stage in ("so", "launcher.so"):
        path = tmp_path / stage
        path.write_bytes(kernel.asm[stage])
        loaded.append(ctypes.CDLL(str(path)))
    x = np.linspace(-1, 1, 100, dtype=np.float32)
    out = np.zeros(128, np.float32)
    scalars = [ctypes.c_int64(100), ctypes.c_float(2.5), ctypes.c_double(0.5), ctypes.c_float(3.0)]
    scalars.append(ctypes.c_bool(True))
    pointers = [out.ctypes.data, x.ctypes.data, *(ctypes.addressof(value) for value in scalars), None]
    arguments = (ctypes.c_void_p * len(pointers))(*pointers)
    entry = ctypes.cast(loaded[0][kernel.metadata.name], ctypes.c_void_p)
    loaded[1].run_from_nativert(4, 1, 1, threads, arguments, entry)
    np.testing.assert_allclose(out[:100], -(np.exp(x) * 2.5 + 3.5), rtol=1e-6)
    assert not out[100:].any()
    loaded[1].run_from_nativert(0, 1, 1, threads, arguments, entry)


def test_other_stages_are_not_made_up():
    kernel = scaled.warmup(*[triton.MockTensor(tl.float32)] * 2, 5, 1.0, 2.0, 3.0, True, BLOCK=16, grid=(1,))
    assert kernel.asm.get("so") is None
    with pytest.raises(KeyError):
        kernel.asm["cubin"]


def test_the_stages_of_compiled_code_are_made_when_asked_for():
    source = triton.compiler.ASTSource(scaled, SIGNATURE, {"BLOCK": 32})
    kernel = pickle.loads(pickle.dumps(triton.compile(source)))
    assert not {"plan", "vectors", "llir", "asm", "obj"} & set(kernel.asm)
    assert "loops [" in kernel.asm["plan"]
    assert "vector<" in kernel.asm["vectors"] and "tt." not in kernel.asm["vectors"]
    assert "define " in kernel.asm["llir"]
    assert ".text" in kernel.asm["asm"]
    assert kernel.asm["obj"].startswith(b"\x7fELF")


def test_stages_follow_the_options_of_the_kernel():
    def assembly(arch):
        source = triton.compiler.ASTSource(scaled, SIGNATURE, {"BLOCK": 32})
        return triton.compile(source, options={"arch": arch}).asm["asm"]

    assert "ymm" not in assembly("x86-64-v2") and "ymm" in assembly("x86-64-v3")
    assert "zmm" in assembly("x86-64-v4")
    assert ".4s" in assembly("aarch64")


@on_x86
def test_code_for_another_processor_is_made_but_not_launched(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "cpu")
    source = triton.compiler.ASTSource(scaled, SIGNATURE, {"BLOCK": 32})
    kernel = triton.compile(source, options={"arch": "aarch64"})
    machine_of_the_object = int.from_bytes(kernel.asm["obj"][18:20], "little")
    assert machine_of_the_object == 183  # EM_AARCH64
    x = np.zeros(32, np.float32)
    with pytest.raises(ValueError, match="this processor cannot run kernel scaled, compiled for aarch64-"):
        kernel[(1,)](x, x, 32, 1.0, 2.0, 3.0, True, 32)


@on_x86
def test_libraries_are_for_the_machine_that_the_kernel_is_compiled_for():
    source = triton.compiler.ASTSource(scaled, SIGNATURE, {"BLOCK": 32})
    kernels = {arch: triton.compile(source, options={"arch": arch}) for arch in ("x86-64-v2", "x86-64-v3")}
    objects = {arch: kernel.asm["so"] for arch, kernel in kernels.items()}
    assert objects["x86-64-v2"] != objects["x86-64-v3"]
    for arch, kernel in kernels.items():
        assert ("%ymm" in kernel.asm["asm"]) == (arch == "x86-64-v3")
    # vfmadd213ps and its like begin so.
    fused = {arch: code.count(b"\xc4\xe2") for arch, code in objects.items()}
    assert fused["x86-64-v2"] < fused["x86-64-v3"]
    with pytest.raises(ValueError, match="whose libraries its C compiler does not make"):
        triton.compile(source, options={"arch": "aarch64"}).asm["so"]
