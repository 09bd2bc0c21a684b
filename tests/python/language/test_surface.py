"""Every function of the language compiles, in a form that shows what it becomes."""

import pytest
from frontend import compile_kernel, kernel_text, ops, text_of

import trisect.language as tl
from trisect.compiler.errors import CompilationError
from trisect.language.extra import libdevice
from trisect.language.extra.libdevice_table import TABLE
from trisect.runtime.jit import jit


@jit
def elementary(o, x):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    v = tl.exp(v) + tl.exp2(v) + tl.log(v) + tl.log2(v) + tl.sin(v) + tl.cos(v) + tl.sqrt(v) + tl.rsqrt(v)
    v = v.floor() + v.ceil() + v.erf() + tl.abs(v) + tl.fma(v, v, 1.0) + tl.clamp(v, -1.0, 1.0)
    tl.store(o + i, v + tl.fdiv(v, v) + tl.maximum(v, 0.0) + tl.minimum(v, 1))


@pytest.mark.parametrize("ty", ["fp32", "fp64"])
def test_elementary_functions(ty):
    text = kernel_text(compile_kernel(elementary, o=f"*{ty}", x=f"*{ty}"))
    for name in "exp exp2 log log2 sin cos sqrt rsqrt floor ceil erf absf fma".split():
        assert f"math.{name} " in text
    assert "tt.clampf" in text and "arith.maxnumf" in text and "arith.minnumf" in text


@jit
def exact(o, x):
    v = tl.load(x + tl.arange(0, 16))
    v = tl.sqrt_rn(v) + tl.div_rn(v, 3.0) + tl.fdiv(v, v, ieee_rounding=True)
    v = tl.maximum(v, 0, propagate_nan=tl.PropagateNan.ALL) + tl.clamp(v, 0, 1, tl.PropagateNan.ALL)
    tl.store(o + tl.arange(0, 16), v)


def test_exact_forms():
    text = kernel_text(compile_kernel(exact, o="*fp32", x="*fp32"))
    assert "tt.precise_sqrt" in text and text.count("tt.precise_divf") == 2
    assert "arith.maximumf" in text and "propagateNan = all" in text


@jit
def integers(o, x):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(o + tl.arange(0, 16), tl.abs(v) + tl.maximum(v, 3) + tl.umulhi(v, v))


@pytest.mark.parametrize("ty,word", [("i32", "maxsi"), ("u32", "maxui"), ("i64", "maxsi")])
def test_integer_functions(ty, word):
    text = kernel_text(compile_kernel(integers, o=f"*{ty}", x=f"*{ty}"))
    assert f"arith.{word}" in text and "tt.mulhiui" in text and ("math.absi" in text) == (ty != "u32")


@jit
def shaping(o, x):
    i = tl.arange(0, 16)
    v = tl.load(x + i)
    m = tl.reshape(v, (4, 4))
    t = tl.trans(m) + m.T + tl.permute(m, (1, 0)) + m.permute(1, 0)
    j = tl.join(t, m)
    a, b = tl.split(j)
    c = tl.cat(v, v, can_reorder=True)
    d = tl.cat(a, b, dim=1)
    e = tl.expand_dims(v, (0, 2))
    f = tl.broadcast_to(v[None, :], (4, 16))
    g, h = tl.broadcast(v[:, None], v[None, :])
    k = tl.ravel(m) + m.reshape([16]) + tl.interleave(tl.arange(0, 8), tl.arange(0, 8)) + m.view(16)
    s = tl.squeeze(tl.unsqueeze(v, 0), 0) + tl.flip(v) + tl.gather(v, i, 0)
    tl.static_assert(c.shape[0] == 32 and d.shape[1] == 8 and e.shape[0] == 1 and f.shape[0] == 4)
    tl.static_assert(g.shape[1] == 16 and h.shape[0] == 16)
    tl.store(o + i, k + s + tl.zeros_like(v) + tl.full((16,), 2, v.dtype) + tl.zeros([16], v.dtype))


@pytest.mark.parametrize("ty", ["fp32", "i8", "bf16", "i64"])
def test_shapes(ty):
    module = compile_kernel(shaping, o=f"*{ty}", x=f"*{ty}")
    for name in ("tt.trans", "tt.join", "tt.split", "tt.cat", "tt.gather", "tt.reshape", "tt.broadcast"):
        assert ops(module, name) >= 1


@jit
def reducing(o, x):
    v = tl.load(x + tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :])
    a = tl.sum(v, 1) + tl.max(v, 1) + tl.min(v, axis=1) + v.sum(1)
    b = tl.argmax(v, 1) + tl.argmin(v, 1, tie_break_left=False)
    c, d = tl.max(v, 1, return_indices=True)
    e = tl.sum(v) + tl.max(v, keep_dims=True).sum()
    f = tl.cumsum(v, 1) + tl.cumprod(v, 0, reverse=True)
    tl.static_assert(tl.sum(v, 1, keep_dims=True).shape[1] == 1)
    tl.store(o + tl.arange(0, 8), a + b + c + d + e + tl.sum(f, 1))


@pytest.mark.parametrize("ty", ["fp32", "fp16", "bf16", "i32", "i8", "fp64"])
def test_reductions(ty):
    module = compile_kernel(reducing, o=f"*{ty}", x=f"*{ty}")
    assert ops(module, "tt.reduce") >= 8 and ops(module, "tt.scan") == 2


@jit
def bits(o, x):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(o, tl.xor_sum(v, 0) + tl.reduce_or(v, 0) + tl.sum(tl.histogram(v, 8, mask=v > 0), 0))


def test_bit_reductions():
    module = compile_kernel(bits, o="*i32", x="*i32")
    assert ops(module, "tt.histogram") == 1 and ops(module, "tt.reduce") == 3


@jit
def sorting(o, x, DESC: tl.constexpr):
    v = tl.load(x + tl.arange(0, 4)[:, None] * 16 + tl.arange(0, 16)[None, :])
    s = tl.sort(v, 1, DESC)
    k = tl.topk(v, 4)
    tl.static_assert(k.shape[1] == 4 and k.dtype.primitive_bitwidth == 32)
    m = tl.bitonic_merge(v)
    tl.store(o + tl.arange(0, 16), tl.sum(s + m, 0))
    tl.store(o + tl.arange(0, 4), tl.sum(k, 0))


@pytest.mark.parametrize("ty,descending", [("fp32", False), ("i16", True), ("u32", False), ("bf16", True)])
def test_sorting(ty, descending):
    compile_kernel(sorting, o="*fp32", x=f"*{ty}", DESC=descending)


@jit
def activations(o, x):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(
        o + tl.arange(0, 16),
        tl.softmax(v) + tl.sigmoid(v) + v.softmax() + v.sigmoid() + tl.where(v > 0, v, 0),
    )


def test_activations():
    compile_kernel(activations, o="*fp32", x="*fp32")


@jit
def randoms(o, seed):
    i = tl.arange(0, 16)
    v = tl.rand(seed, i) + tl.randn(seed, i) + tl.randint(seed, i).to(tl.float32)
    a, b, c, d = tl.randint4x(seed, i)
    e, f, g, h = tl.rand4x(seed, i)
    k, m, p, q = tl.randn4x(seed, i.to(tl.int64), n_rounds=7)
    w, x, y, z = tl.philox(seed, i, i, i, i)
    tl.static_assert(a.dtype == tl.uint32 and e.dtype == tl.float32 and w.dtype == tl.uint32)
    tl.store(o + i, v + e + f + g + h + k + m + p + q + (a + b + c + d + w + x + y + z))


def test_random_numbers():
    assert "tt.mulhiui" in text_of(compile_kernel(randoms, o="*fp32", seed="i64"))


@jit
def products(o, a, b, DT: tl.constexpr, OUT: tl.constexpr):
    i = tl.arange(0, 16)
    x = tl.load(a + i[:, None] * 16 + i[None, :])
    y = tl.load(b + i[:, None] * 16 + i[None, :])
    d = tl.dot(x, y)
    d = tl.dot(x, y, d)
    e = tl.dot(x, y, out_dtype=OUT, input_precision="tf32x3")
    f = tl.dot(x, y, allow_tf32=False)
    tl.static_assert(d.dtype == DT)
    tl.store(o + i[:, None] * 16 + i[None, :], d + e + f)


@pytest.mark.parametrize(
    "ty,result",
    [
        ("fp16", tl.float32),
        ("bf16", tl.float32),
        ("fp32", tl.float32),
        ("i8", tl.int32),
        ("fp8e5", tl.float32),
        ("fp64", tl.float64),
    ],
)
def test_dot(ty, result):
    out = tl.float16 if ty == "fp16" else tl.int32 if ty == "i8" else tl.float32
    module = compile_kernel(products, o="*fp32", a=f"*{ty}", b=f"*{ty}", DT=result, OUT=out)
    assert ops(module, "tt.dot") == 4 and "inputPrecision = tf32x3" in text_of(module)


@jit
def scaled(o, a, sa, b, sb):
    m, k = tl.arange(0, 16), tl.arange(0, 64)
    x = tl.load(a + m[:, None] * 64 + k[None, :])
    y = tl.load(b + tl.arange(0, 32)[:, None] * 16 + m[None, :])
    s = tl.load(sa + m[:, None] * 2 + tl.arange(0, 2)[None, :])
    t = tl.load(sb + m[:, None] * 2 + tl.arange(0, 2)[None, :])
    d = tl.dot_scaled(x, s, "e4m3", y, t, "e2m1")
    d = tl.dot_scaled(x, None, "e4m3", y, t, "e2m1", d, fast_math=True)
    tl.store(o + m[:, None] * 16 + m[None, :], d)


def test_dot_scaled():
    text = text_of(compile_kernel(scaled, o="*fp32", a="*u8", sa="*u8", b="*u8", sb="*u8"))
    assert text.count("tt.dot_scaled") == 2 and "lhs = e4m3 rhs = e2m1" in text


@jit
def conversions(o, x, DT: tl.constexpr):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(o + tl.arange(0, 16), v.to(DT).to(tl.float32))


_SCALARS = (
    "i1 i8 i16 i32 i64 u8 u16 u32 u64 fp8e5 fp8e4nv fp8e4b8 fp8e5b16 fp8e4b15 fp16 bf16 fp32 fp64".split()
)


@pytest.mark.parametrize("source", _SCALARS)
def test_every_conversion_verifies(source):
    for name in tl.dtype.SINT_TYPES + tl.dtype.UINT_TYPES + tl.dtype.FP_TYPES:
        given = dict(o="*fp32", x=f"*{source}", DT=tl.dtype(name))
        if tl.dtype(name).is_fp8() and source[0] in "iu":
            with pytest.raises(CompilationError, match=f"cannot cast u?int.* to {name}; convert to float32"):
                compile_kernel(conversions, **given)
        else:
            compile_kernel(conversions, **given)


@jit
def roundings(o, x):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(o + tl.arange(0, 16), v.to(tl.float16, fp_downcast_rounding="rtz"))
    v = v.to(tl.float32, fp_downcast_rounding="rtz")
    tl.store(o + tl.arange(0, 16), tl.cast(v.to(tl.int32, bitcast=True), tl.float32, bitcast=True))


def test_roundings_and_bitcasts():
    text = text_of(compile_kernel(roundings, o="*fp16", x="*fp32"))
    assert "rounding = rtz" in text and text.count("tt.bitcast") == 2


@jit
def swizzled(o, n):
    i, j = tl.swizzle2d(tl.program_id(0), tl.program_id(1), n, n, 4)
    tl.store(o, i + j + tl.num_programs(2) + tl.cdiv(n, 3) + min(n, 4) + max(n, 2, 3))


def test_grid_helpers():
    text = text_of(compile_kernel(swizzled, o="*i32", n="i32"))
    assert "tt.get_program_id y" in text and "tt.get_num_programs z" in text


@jit
def item_of(o, x):
    tl.store(o, tl.load(x + tl.arange(0, 1)).item() + tl.to_tensor(1))


def test_item():
    assert ops(compile_kernel(item_of, o="*i32", x="*i32"), "tt.unsplat") == 1


def _library_kernel(name, count):
    @jit
    def unary(o, x, F: tl.constexpr):
        v = tl.load(x + tl.arange(0, 4))
        tl.store(o + tl.arange(0, 4), F(v))

    @jit
    def binary(o, x, y, F: tl.constexpr):
        tl.store(o + tl.arange(0, 4), F(tl.load(x + tl.arange(0, 4)), tl.load(y)))

    @jit
    def ternary(o, x, y, z, F: tl.constexpr):
        tl.store(o + tl.arange(0, 4), F(tl.load(x + tl.arange(0, 4)), tl.load(y), tl.load(z)))

    @jit
    def quaternary(o, x, y, z, w, F: tl.constexpr):
        v = tl.load(x + tl.arange(0, 4))
        tl.store(o + tl.arange(0, 4), F(v, tl.load(y), tl.load(z), tl.load(w)))

    return (unary, binary, ternary, quaternary)[count - 1]


_SIGNATURES = {
    "int32": "i32",
    "int64": "i64",
    "uint32": "u32",
    "uint64": "u64",
    "fp32": "fp32",
    "fp64": "fp64",
}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_library_function_and_type(name):
    for types, (symbol, result) in TABLE[name].items():
        kernel = _library_kernel(name, len(types))
        names = [arg for arg in kernel.arg_names if arg not in ("o", "F")]
        given = {arg: "*" + _SIGNATURES[ty.name] for arg, ty in zip(names, types, strict=True)}
        text = text_of(
            compile_kernel(kernel, o="*" + _SIGNATURES[result.name], F=getattr(libdevice, name), **given)
        )
        assert f'symbol = "{symbol}"' in text or name == "fma" and "math.fma" in text
