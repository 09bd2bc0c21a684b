"""Compile errors: where, what, and what to do."""

# ruff: noqa: B007, B018, F841 (kernels that are wrong on purpose)
import pickle

import pytest
from frontend import compile_kernel

import trisect.language as tl
from trisect.compiler.errors import (
    CompilationError,
    CompileTimeAssertionFailure,
    UnsupportedLanguageConstruct,
)
from trisect.runtime.jit import jit


@jit
def bad_shape(o):
    a = tl.arange(0, 8)
    b = tl.arange(0, 16)
    tl.store(o + a, a + b)


def test_message_has_position_source_caret_and_file():
    with pytest.raises(CompilationError) as caught:
        compile_kernel(bad_shape, o="*i32")
    lines = str(caught.value).splitlines()
    assert lines[0] == "at 4:20:"
    assert lines[4] == "    tl.store(o + a, a + b)"
    assert lines[5] == " " * 20 + "^"
    assert "incompatible dimensions at index 0: 8 and 16" in lines[6]
    assert f'"{__file__}", line 22, column 21' in lines[7]
    frames = []
    trace = caught.value.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    assert not any("codegen" in name for name in frames)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@jit
def inner(x):
    return x + undefined_name  # noqa: F821


@jit
def outer(o, n):
    tl.store(o, inner(n))


def test_errors_in_helpers_name_the_call():
    with pytest.raises(CompilationError) as caught:
        compile_kernel(outer, o="*i32", n="i32")
    text = str(caught.value)
    assert "undefined_name is not defined" in text and "called from `outer`" in text


@jit
def asserts(o, N: tl.constexpr):
    tl.static_assert(N % 2 == 0, f"N is {N}")


def test_static_assert():
    compile_kernel(asserts, o="*i32", N=4)
    with pytest.raises(CompileTimeAssertionFailure, match="N is 3"):
        compile_kernel(asserts, o="*i32", N=3)


@jit
def with_try(o):
    try:
        tl.store(o, 1)
    except ValueError:
        pass


@jit
def with_break(o, n):
    for i in range(n):
        break


@jit
def with_yield(o):
    yield 1


@pytest.mark.parametrize(
    "kernel,word",
    [
        (with_try, "try/except"),
        (with_break, "break"),
        (with_yield, "yield"),
    ],
)
def test_syntax_outside_the_language(kernel, word):
    with pytest.raises(UnsupportedLanguageConstruct, match=f"unsupported AST node type: .*cannot use {word}"):
        compile_kernel(kernel, o="*i32", n="i32")


@jit
def store_block_to_scalar(o):
    tl.store(o, tl.arange(0, 4))


@jit
def other_without_mask(o):
    tl.load(o, other=1)


@jit
def load_integer(o, n):
    tl.load(n)


@jit
def bad_arange(o, n):
    tl.arange(0, n)


@jit
def odd_arange(o):
    tl.arange(0, 3)


@jit
def bad_axis(o):
    tl.program_id(3)


@jit
def half_exp(o, h):
    tl.exp(h)


@jit
def store_const(c):
    tl.store(c, 1.0)


@jit
def bad_cache(o):
    tl.load(o, cache_modifier=".xx")


@jit
def bad_eviction(o):
    tl.store(o, 1, eviction_policy="later")


@jit
def bad_dot(o):
    a = tl.zeros((16, 32), tl.float16)
    tl.dot(a, a)


@jit
def mixed_dot(o):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))


@jit
def bad_bitcast(o, n):
    n.to(tl.int16, bitcast=True)


@jit
def negative_unsigned(o, n):
    tl.store(o, n.to(tl.uint32) + -1)


@jit
def bad_attribute(o, n):
    n.size


@jit
def bad_index(o):
    tl.arange(0, 4)[0]


@jit
def unpack_too_many(o):
    a, b = (1, 2, 3)


@jit
def bad_rounding(o, n):
    n.to(tl.float32, fp_downcast_rounding="rtz")


@jit
def bool_of_tensor(o, n):
    tl.static_assert(n > 1)


@jit
def adds_pointers(o, p):
    o + p


@jit
def float_floor(o, h):
    h // 2


@jit
def mixed_signs(o, n):
    n // n.to(tl.uint32)


@jit
def small_atomic(o, b):
    tl.atomic_add(b, 1)


@jit
def invert_float(o, h):
    ~h


@jit
def power(o, n):
    n**2


@jit
def f_string_of_tensor(o, n):
    tl.static_print(f"{n}")


@jit
def block_range(o):
    for i in range(tl.arange(0, 4)):
        pass


@jit
def zero_step(o):
    for i in range(0, 4, 0):
        pass


@pytest.mark.parametrize(
    "kernel,word",
    [
        (store_block_to_scalar, "Value argument cannot be block type if pointer argument is not a block"),
        (other_without_mask, "`other` cannot be provided without `mask`"),
        (load_integer, "Unsupported ptr type"),
        (bad_arange, "arange's arguments must be of type tl.constexpr"),
        (odd_arange, "arange's range must be a power of 2"),
        (bad_axis, "program_id axis must be 0, 1, or 2 but got 3"),
        (half_exp, "Expected dtype .* but got fp16"),
        (store_const, "Cannot store to a constant pointer"),
        (bad_cache, "Cache modifier .xx not supported"),
        (bad_eviction, "Eviction policy later not supported"),
        (bad_dot, "not compatible for matmul"),
        (mixed_dot, "Both operands of dot must have the same type"),
        (bad_bitcast, "Cannot bitcast data-type of size 32 to data-type of size 16"),
        (negative_unsigned, "unsigned tensor and a negative scalar"),
        (bad_attribute, "has no attribute 'size'"),
        (bad_index, "unsupported tensor index"),
        (unpack_too_many, "too many values to unpack"),
        (bad_rounding, "fp_downcast_rounding should be set only for truncating fp conversions"),
        (bool_of_tensor, "could not be determined at compile-time"),
        (adds_pointers, "cannot add pointers together"),
        (float_floor, "needs integers"),
        (mixed_signs, "different signedness"),
        (small_atomic, "atomic_add does not support int8"),
        (invert_float, "unary invert"),
        (power, "libdevice.pow"),
        (f_string_of_tensor, "Cannot evaluate f-string"),
        (block_range, "For loop bounds and step must all be ints"),
        (zero_step, "must not be zero"),
    ],
)
def test_each_mistake_has_its_sentence(kernel, word):
    given = {"o": "*i32", "n": "i32", "h": "fp16", "c": "*kfp32", "p": "*i32", "b": "*i8"}
    with pytest.raises(CompilationError, match=word) as caught:
        compile_kernel(kernel, **{name: given[name] for name in kernel.arg_names})
    assert str(caught.value).startswith("at 2:") or "at 3:" in str(caught.value)
