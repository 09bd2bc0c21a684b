"""Loads, stores, atomics, block pointers, descriptors: the operations and attributes they become."""

import pytest
from frontend import Text, compile_kernel, kernel_text, ops, text_of

import trisect.language as tl
from trisect.compiler.errors import CompilationError
from trisect.runtime.jit import jit


@jit
def load_forms(o, x, n):
    i = tl.arange(0, 16)
    m = i < n
    a = tl.load(x + i)
    b = tl.load(x + i, mask=m)
    c = tl.load(x + i, m, 1)
    d = tl.load(x + i, mask=m, other=a, cache_modifier=".cg", eviction_policy="evict_last")
    e = tl.load(x + i, volatile=True, cache_modifier="ca")
    tl.store(o + i, a + b + c + d + e, m, cache_modifier=".wb", eviction_policy="evict_first")


def test_loads_and_stores():
    text = kernel_text(compile_kernel(load_forms, o="*fp32", x="*fp32", n="i32"))
    assert text.count("tt.load") == 5
    assert "cacheModifier = cg evictionPolicy = evict_last" in text
    assert "isVolatile = true" in text
    assert "tt.store" in text and "cacheModifier = wb evictionPolicy = evict_first" in text


@jit
def booleans(o, x):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    tl.static_assert(v.dtype == tl.int1)
    tl.store(o + i, v & (i > 3))
    tl.store(o, True)


def test_booleans_are_bytes():
    text = kernel_text(compile_kernel(booleans, o="*i1", x="*i1"))
    assert text.count("!tt.ptr<i1>> -> tensor<16x!tt.ptr<i8>>") == 2
    assert text.count("arith.extui") == 2


@jit
def other_of_another_type(o, x):
    i = tl.arange(0, 16)
    tl.store(o + i, tl.load(x + i, i < 3, -1))


def test_other_wraps_into_unsigned():
    text = kernel_text(compile_kernel(other_of_another_type, o="*u32", x="*u32"))
    assert "dense<-1> : tensor<16xi32>" in text


@jit
def atomics(p, u, f, n):
    i = tl.arange(0, 16)
    m = i < n
    tl.atomic_add(p + i, 1, mask=m, sem="relaxed", scope="cta")
    tl.atomic_max(p + i, i)
    tl.atomic_min(u + i, 3)
    tl.atomic_xchg(f, 1.0, sem="release", scope="sys")
    tl.atomic_add(f + i, 1.5)
    tl.atomic_and(p, 1)
    tl.atomic_or(p, 1)
    tl.atomic_xor(p, 1)
    tl.atomic_max(f + i, 2.0)
    tl.atomic_cas(p, 0, 1, sem="acquire")


def test_atomics():
    text = kernel_text(compile_kernel(atomics, p="*i32", u="*u32", f="*fp32", n="i32"))
    for words in (
        "add, relaxed, cta",
        "max, acq_rel, gpu",
        "umin, acq_rel",
        "exch, release, sys",
        "fadd, acq_rel",
        "and, acq_rel",
        "or, acq_rel",
        "xor, acq_rel",
    ):
        assert f"tt.atomic_rmw {words}" in text
    assert "tt.atomic_cas acquire, gpu" in text
    assert text.count("tt.atomic_rmw") == 10


@jit
def newer_atomics(p, o):
    tl.store(o, tl.atomic_load(p, sem="relaxed"))
    tl.atomic_store(p, 3)
    tl.store(o, tl.atomic_poll(p, 3, timeout_ns=1000))


def test_atomic_load_store_poll():
    text = kernel_text(compile_kernel(newer_atomics, p="*i32", o="*i32"))
    assert (
        "tt.atomic_load relaxed" in text
        and "tt.atomic_store release" in text
        and "tt.atomic_poll acquire" in text
    )


@jit
def bad_sem(p):
    tl.atomic_add(p, 1, sem="never")


def test_bad_memory_semantic():
    with pytest.raises(CompilationError, match="Memory semantic never not supported"):
        compile_kernel(bad_sem, p="*i32")


@jit
def block_pointers(x, o, m, n, PAD: tl.constexpr):
    p = tl.make_block_ptr(x, (m, n), (n, 1), (0, 0), (16, 32), (1, 0))
    q = tl.make_block_ptr(o, shape=(m, n), strides=(n, 1), offsets=(0, 0), block_shape=(16, 32), order=(1, 0))
    for _ in range(0, n, 32):
        v = tl.load(p, boundary_check=(0, 1), padding_option=PAD)
        tl.static_assert(p.type.element_ty.element_ty == tl.float16 and p.dtype.element_ty.shape[0] == 16)
        tl.store(q, v.to(q.dtype.element_ty), boundary_check=(1,))
        p = tl.advance(p, (0, 32))
        q = q.advance((0, 32))


@pytest.mark.parametrize("padding", ["zero", "nan", ""])
def test_block_pointers_are_expanded(padding):
    module = compile_kernel(block_pointers, x="*fp16", o="*fp16", m="i32", n="i32", PAD=Text(padding))
    text = kernel_text(module)
    assert ops(module, "tt.advance") == 0 and ops(module, "tt.load") == 1
    assert ops(module, "tt.make_tensor_ptr") == 2  # that nothing reads
    module.run_passes("canonicalize")
    assert ops(module, "tt.make_tensor_ptr") == 0
    assert ("0x7E00" in text) == (padding == "nan")
    assert text.count("arith.cmpi sge") == 3


@jit
def descriptors(x, o, m, n):
    d = tl.make_tensor_descriptor(x, [m, n], [n, 1], [16, 32])
    e = tl.make_tensor_descriptor(o, shape=[m, n], strides=[n, 1], block_shape=[16, 32], padding_option="nan")
    for k in range(0, n, 32):
        v = d.load([0, k])
        tl.store_tensor_descriptor(e, [0, k], tl.load_tensor_descriptor(d, [16, k]) + v)
        e.atomic_add([0, k], v)
    tl.static_assert(d.block_shape[1] == 32 and d.dtype == tl.float16)
    tl.store(o, d.shape[1])


def test_descriptors():
    module = compile_kernel(descriptors, x="*fp16", o="*fp16", m="i32", n="i32")
    text = kernel_text(module)
    assert ops(module, "tt.descriptor_load") == 2 and ops(module, "tt.descriptor_store") == 1
    assert "tt.descriptor_reduce add" in text and "padding = 2" in text


@jit
def rows(x, o, i):
    d = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [1, 32])
    v = d.gather(tl.arange(0, 32), 0)
    d.scatter(v, tl.arange(0, 32), 32)


def test_gather_and_scatter_of_rows():
    module = compile_kernel(rows, x="*fp16", o="*fp16", i="i32")
    assert ops(module, "tt.descriptor_gather") == 1 and ops(module, "tt.descriptor_scatter") == 1


@jit
def host_descriptor(desc, o):
    tl.store(o + tl.arange(0, 16), desc.load([0, 0]).to(tl.float32).sum(1))
    tl.store(o, desc.shape[0])


def test_host_descriptors_become_pointer_shape_strides():
    text = kernel_text(compile_kernel(host_descriptor, desc="tensordesc<fp16[16, 32]>", o="*fp32"))
    assert "i32, %desc.shape.1: i32, %desc.stride.0: i64, %desc.stride.1: i64, %o: !tt.ptr<f32>" in text
    assert "tt.make_tensor_descriptor" in text


@jit
def narrow_descriptor(x):
    tl.make_tensor_descriptor(x, [8, 8], [8, 1], [8, 4])


def test_descriptor_rows_need_sixteen_bytes():
    with pytest.raises(CompilationError, match="at least 16 bytes in the last dimension"):
        compile_kernel(narrow_descriptor, x="*fp16")


@jit
def hints(x, n):
    i = tl.multiple_of(n * 16, 16) + tl.max_contiguous(tl.arange(0, 16), 16)
    j = tl.max_constancy(i // 16, [16])
    tl.store(x + i, tl.load(x + j))
    tl.assume(n > 0)
    tl.debug_barrier()


def test_hints():
    text = text_of(compile_kernel(hints, x="*fp32", n="i32"))
    assert "tt.divisibility = dense<16>" in text and "tt.contiguity = dense<16>" in text
    assert "tt.constancy = dense<16>" in text and "llvm.intr.assume" in text and "gpu.barrier" in text


@jit
def debugging(x, n):
    tl.device_print("n", n, hex=True)
    print("plain")
    tl.device_assert(n > 3, "too small")
    assert n < 100, "too large"
    tl.device_assert(tl.arange(0, 4) < n, "masked", mask=tl.arange(0, 4) > 1)


@pytest.mark.parametrize("debug,count", [(True, 3), (False, 0)])
def test_asserts_are_kept_in_debug_builds(debug, count):
    module = compile_kernel(debugging, options={"debug": debug}, x="*fp32", n="i32")
    assert ops(module, "tt.assert") == count and ops(module, "tt.print") == 2
    assert 'tt.print " n: " {hex = true, isSigned = array<i32: 1>}' in text_of(module)


@jit
def overflow(x, n):
    tl.store(x, n * n + n)
    tl.store(x, tl.add(n, n, sanitize_overflow=False))


def test_overflow_checks():
    module = compile_kernel(overflow, options={"debug": True, "sanitize_overflow": True}, x="*i32", n="i32")
    assert ops(module, "tt.assert") == 2
    assert "int32 overflow detected for operation mul" in text_of(module)
    assert (
        ops(compile_kernel(overflow, options={"sanitize_overflow": True}, x="*i32", n="i32"), "tt.assert")
        == 0
    )


@jit
def assembly(o, x):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    a, b = tl.inline_asm_elementwise(
        "mov.b32 $0, $2; mov.b32 $1, $2;", "=r,=r,r", [v], dtype=(tl.int8, tl.int8), is_pure=True, pack=4
    )
    c = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [a], tl.int8, is_pure=False, pack=4)
    tl.store(o + i, a + b + c)


def test_inline_assembly():
    text = kernel_text(compile_kernel(assembly, o="*i8", x="*i8"))
    assert text.count("tt.elementwise_inline_asm") == 2 and "packed_element = 4 : i32, pure = true" in text
