"""Operators, literals, names, members: which operation for which operands."""

import pytest
from frontend import Text, compile_kernel, kernel_text, ops, text_of

import trisect.language as tl
from trisect.compiler.errors import CompilationError
from trisect.runtime.jit import jit

SIZE = tl.constexpr(16)
LIMIT = tl.constexpr(7)
PLAIN = 3


@jit
def operators(o, a, b, x, y):
    tl.store(o, a + b - a * b)
    tl.store(o, a // b + a % b)
    tl.store(o, (a & b) | (a ^ b))
    tl.store(o, (a << 2) + (a >> 1))
    tl.store(o, ~a + -b)
    tl.store(o, (x / y).to(tl.int32))
    tl.store(o, (x % y).to(tl.int32))
    tl.store(o, (-x).to(tl.int32))
    tl.store(o, (a / b).to(tl.int32))


def test_signed_operators():
    text = kernel_text(compile_kernel(operators, o="*i32", a="i32", b="i32", x="fp32", y="fp32"))
    for op in (
        "addi",
        "subi",
        "muli",
        "divsi",
        "remsi",
        "andi",
        "ori",
        "xori",
        "shli",
        "shrsi",
        "divf",
        "remf",
        "sitofp",
    ):
        assert f"arith.{op} " in text


def test_unsigned_operators():
    text = kernel_text(compile_kernel(operators, o="*u32", a="u32", b="u32", x="fp32", y="fp32"))
    for op in ("divui", "remui", "shrui", "uitofp"):
        assert f"arith.{op} " in text
    assert "divsi" not in text


@jit
def comparisons(o, a, x):
    tl.store(o, (a < 1).to(tl.int32) + (a >= 1).to(tl.int32))
    tl.store(o, (x < 1).to(tl.int32) + (x != 1).to(tl.int32))
    tl.store(o, (0 < a < 9).to(tl.int32))


@pytest.mark.parametrize("ty,words", [("i32", ("slt", "sge")), ("u32", ("ult", "uge"))])
def test_comparisons(ty, words):
    text = kernel_text(compile_kernel(comparisons, o="*i32", a=ty, x="fp32"))
    for word in (*words, "olt", "une"):
        assert word in text
    assert text.count("arith.cmpi") == 4


@jit
def logic(o, a, b):
    m = tl.arange(0, 8) < a
    k = tl.arange(0, 8) > b
    tl.store(o + tl.arange(0, 8), 1, mask=m and k)
    tl.store(o + tl.arange(0, 8), 1, mask=m or not k)
    if a > 1 and b > 1:
        tl.store(o, 5)


def test_logic_on_blocks_is_elementwise():
    text = kernel_text(compile_kernel(logic, o="*i32", a="i32", b="i32"))
    assert text.count("arith.andi") == 2 and text.count("arith.ori") == 1 and text.count("arith.xori") == 1


@jit
def short_circuit(o, p, FLAG: tl.constexpr):
    if p is not None and FLAG:
        tl.store(o, tl.load(p))
    if p is None or tl.load(p) > 3:
        tl.store(o, 2)


def test_compile_time_logic_short_circuits():
    module = compile_kernel(short_circuit, o="*i32", p=None, FLAG=True)
    assert ops(module, "tt.load") == 0 and ops(module, "tt.store") == 1


@jit
def weak_scalars(o, h, u, b):
    tl.store(o, (h * 2.5).to(tl.float32))
    tl.store(o, (h + 1).to(tl.float32))
    tl.store(o, (u * 3).to(tl.float32))
    tl.store(o, (b / 2).to(tl.float32))


def test_literals_take_the_tensor_type():
    text = kernel_text(compile_kernel(weak_scalars, o="*fp32", h="fp16", u="u8", b="bf16"))
    assert "arith.constant 2.500000e+00 : f16" in text
    assert "arith.constant 3 : i8" in text
    assert "arith.divf" in text and ": f32" in text


@jit
def strong_scalars(o, h):
    scale = 2.5
    tl.store(o, h * scale)


def test_assigned_literals_are_typed():
    assert "arith.extf" in kernel_text(compile_kernel(strong_scalars, o="*fp32", h="fp16"))


@jit
def annotated(o, h):
    scale: tl.constexpr = 2.5
    tl.store(o, h * scale)


def test_annotated_literals_stay_weak():
    assert "arith.extf" not in kernel_text(compile_kernel(annotated, o="*fp16", h="fp16"))


@jit
def annotated_run_time(o, n, TILE: tl.constexpr):
    size: tl.constexpr = n * TILE
    for i in range(0, size, TILE):
        tl.store(o + i, size)


def test_a_run_time_value_may_be_annotated_as_constexpr():
    text = kernel_text(compile_kernel(annotated_run_time, o="*i32", n="i32", TILE=4))
    assert "arith.muli %n, %c4_i32" in text and "scf.for" in text


@jit
def reads_globals(o):
    tl.store(o + tl.arange(0, SIZE), LIMIT)


@jit
def reads_plain(o):
    tl.store(o, PLAIN)


def test_globals_must_be_constexpr(monkeypatch):
    assert "tensor<16xi32>" in text_of(compile_kernel(reads_globals, o="*i32"))
    with pytest.raises(CompilationError, match="Cannot access global variable PLAIN"):
        compile_kernel(reads_plain, o="*i32")
    monkeypatch.setenv("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "1")
    compile_kernel(reads_plain, o="*i32")


@jit
def shapes(o, x):
    v = tl.load(x + tl.arange(0, 8)[:, None] * 4 + tl.arange(0, 4)[None, :])
    tl.static_assert(v.shape[0] == 8 and v.shape[1] == 4 and v.numel == 32 and len(v.shape) == 2)
    tl.static_assert(v.dtype == tl.float32 and v.type.element_ty is tl.float32)
    tl.static_assert(x.dtype.element_ty == tl.float32 and x.type.element_ty.is_floating())
    tl.static_assert(v.T.shape[0] == 4)
    tl.store(o, v.reshape(32).sum(0))


def test_members():
    compile_kernel(shapes, o="*fp32", x="*fp32")


@jit
def dtype_argument(o, x, DT: tl.constexpr):
    if DT.value.is_floating():
        tl.store(o, tl.load(x).to(DT))
    else:
        tl.store(o, tl.full((), 3, DT.value))


@pytest.mark.parametrize("ty,op", [(tl.float16, "arith.truncf"), (tl.int32, "arith.constant 3 : i32")])
def test_dtypes_as_arguments(ty, op):
    assert op in kernel_text(
        compile_kernel(dtype_argument, o="*fp16" if ty is tl.float16 else "*i32", x="*fp32", DT=ty)
    )


@jit
def texts(o, NAME: tl.constexpr):
    if NAME == "mean":
        tl.store(o, 1)
    tl.static_assert(f"{NAME}-{4:03d}" == "mean-004")


def test_strings_and_f_strings():
    assert ops(compile_kernel(texts, o="*i32", NAME=Text("mean")), "tt.store") == 1


@jit
def comprehension(o, n):
    squares = [i * i for i in tl.static_range(6) if i % 2 == 0]
    total = 0
    for s in squares:
        total += s
    parts = [a + n for a in (1, 2)]
    tl.store(o, total + parts[0] + parts[1])


def test_comprehensions_over_static_ranges():
    compile_kernel(comprehension, o="*i32", n="i32")


@jit
def walrus(o, n):
    if (m := n * 2) > 4:
        tl.store(o, m)


def test_walrus():
    assert ops(compile_kernel(walrus, o="*i32", n="i32"), "scf.if") == 1


@jit
def starred(o, n):
    first, *rest = (n, 1, 2)
    tl.static_assert(len(rest) == 2)
    tl.store(o, tl.sum(tl.join(first, rest[1]), 0))


def test_unpacking():
    compile_kernel(starred, o="*i32", n="i32")


@jit
def loop_over_name(o, n):
    T = n
    T = tl.arange(0, 4) + T
    tl.store(o + T, T)


def test_arguments_and_names_may_change_type_in_straight_code():
    compile_kernel(loop_over_name, o="*i32", n="i32")
