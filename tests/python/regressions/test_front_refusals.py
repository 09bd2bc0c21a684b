"""What upstream refuses or warns of is refused or warned of here, with its key words and at its line."""

import warnings

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

ANNOTATED: tl.constexpr = 3

HEAD = """
import trisect as triton
import trisect.language as tl

ANNOTATED: tl.constexpr = 3

@triton.jit
def kinds(a, flag):
    if flag:
        return a
    else:
        return a.to(tl.float32)

@triton.jit
def ranged(a, K: tl.constexpr):
    b = a + 1
    return b + tl.arange(0, K)

@triton.jit
def through(a, K: tl.constexpr):
    return ranged(a, K)

@triton.jit
def k(x, y, n, f, u, N: tl.constexpr):
"""
LAST = HEAD.count("\n")
ARGUMENTS = (np.zeros(1024, np.float32), np.zeros(1024, np.int32), 3, 1.5, 2**63)
BLOCK = "p = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))\n"
ZEROS = "a, b = tl.zeros([32, 64], tl.float8e5), tl.zeros([64, 32], tl.float8e5)\n"

REFUSED = {
    "tl.store(x, n / u)": "different signedness",
    "n //= u\ntl.store(y, n)": "different signedness",
    "n %= u\ntl.store(y, n)": "different signedness",
    "tl.store(y, kinds(n, n > 0).to(tl.int32))": "Inconsistent return types: int32 and fp32",
    "def inner(a):\n    return a\ntl.store(y, inner(n))": "nested function definition is not supported",
    "tl.store(y, ANNOTATED)": "Cannot access global variable ANNOTATED",
    "a: tl.constexpr = 1\na: tl.constexpr = 2": "constexpr cannot be reassigned",
    "tl.store(x, x == x)": "invalid operands of type",
    "tl.store(y, 1 if n == None else 2)": "None",
    "tl.store(y, not n)": "Cannot bitcast data-type of size 32 to data-type of size 1",
    "tl.store(y, tl.clamp(n, 0, 3))": "Only floating point clamp is supported",
    "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), -3)))": r"invalid axis -3. Expected -2 <= axis < 2",
    "tl.store(y, tl.sum(tl.expand_dims(tl.arange(0, 8), 2)))": r"invalid axis 2. Expected -2 <= axis < 2",
    "tl.store(x, f, mask=n)": "Mask must have boolean scalar type",
    "tl.store(x, tl.load(x, mask=n))": "Mask must have boolean scalar type",
    "tl.atomic_add(y, 1, mask=n)": "Mask must have boolean scalar type",
    "tl.store(x, tl.minimum(f, f, propagate_nan='all'))": "Unexpected propagate_nan all",
    "tl.store(y, tl.sum(tl.arange(0, 6)))": "arange's range must be a power of 2",
    "tl.store(y, tl.program_id(3))": "program_id axis must be 0, 1, or 2 but got 3",
    BLOCK + "tl.advance(p, (0, 8))": "The result of tl.advance is not being used",
    ZEROS + "tl.store(x, tl.sum(tl.dot(a, b, max_num_imprecise_acc=128)))": r"\(128\) must be <= K \(64\)",
    ZEROS
    + "s = tl.zeros([32, 4], tl.uint8)\ntl.store(x, tl.sum(tl.dot_scaled(a, s, 'e5m2', b, s, 'e5m2')))": (
        r"lhs_scale must be a tensor of shape \[32, 2\]"
    ),
    "a = tl.zeros([32, 32], tl.uint8)\ntl.store(y, tl.sum(tl.dot(a, a)))": "only int8 supported!",
    "if n > 0:\n    a = n\nelse:\n    a = f\ntl.store(x, f)": "Mismatched type for a",
    "tl.store(y, f'{n}')": "Cannot evaluate f-string",
    "z = n\ndel z": "unsupported AST node type: Delete",
}


def made(body):
    scope = {}
    text = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    exec(text, scope)
    return scope["k"]


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body):
    with pytest.raises(triton.CompilationError, match=REFUSED[body]):
        made(body).warmup(*ARGUMENTS, 8, grid=(1,))


def test_an_error_keeps_its_cause_and_the_line_of_the_helper():
    kernel = made("tl.store(y, n)\ntl.store(y, tl.sum(through(n, 6)))")
    with pytest.raises(triton.CompilationError) as caught:
        kernel.warmup(*ARGUMENTS, 8, grid=(1,))
    error = caught.value
    assert isinstance(error.__cause__, ValueError) and "power of 2" in str(error.__cause__)
    assert error.line == HEAD[: HEAD.index("b + tl.arange")].count("\n") + 1
    said = str(error)
    assert (
        f"line {HEAD[: HEAD.index('return ranged')].count(chr(10)) + 1}" in said
        and f"line {LAST + 2}" in said
    )


@pytest.mark.parametrize(
    "body,words",
    [
        ("tl.store(y, tl.where(n, 1, 2))", "tl.where with a non-boolean condition is deprecated"),
        ("tl.store(y, n << 32)", "exceeds the maximum bitwidth"),
        ("a = tl.arange(0, 8)\ntl.store(y + a, ((a > 3) and (a < 5)).to(tl.int32))", "please use '&' or '|'"),
    ],
)
def test_warned_of(body, words):
    with pytest.warns(UserWarning, match=words):
        made(body).warmup(*ARGUMENTS, 8, grid=(1,))


def test_a_constant_is_not_excepted_from_specialisation():
    with pytest.raises(ValueError, match="N marked as constexpr and listed in do_not_specialize"):

        @triton.jit(do_not_specialize=["N"])
        def kernel(o, N: tl.constexpr):
            tl.store(o, N)


EIGHT_BITS = {
    "cast": "tl.store(x, f.to(tl.{}).to(tl.float32))",
    "bitcast": "tl.store(x, n.to(tl.int8).to(tl.{}, bitcast=True).to(tl.float32))",
    "block": "tl.store(x, tl.sum(tl.full([8], 0, tl.{}).to(tl.float32)))",
    "load": "tl.store(x, tl.load(x.to(tl.pointer_type(tl.{}))).to(tl.float32))",
}


@pytest.mark.parametrize("form", EIGHT_BITS)
@pytest.mark.parametrize(
    "capability,name,known",
    [(80, "float8e4nv", False), (80, "float8e5", True), (90, "float8e4nv", True), (90, "float8e4b8", False)],
)
def test_eight_bit_floats_are_those_of_the_target(form, capability, name, known):
    target = triton.backends.compiler.GPUTarget("cuda", capability, 32)
    signature = {"x": "*fp32", "y": "*i32", "n": "i32", "f": "fp32", "u": "u64", "N": "constexpr"}
    source = triton.compiler.ASTSource(made(EIGHT_BITS[form].format(name)), signature, {"N": 8})
    if known:
        triton.compile(source, target=target)
        return
    with pytest.raises(triton.CompilationError, match="not supported in this architecture") as caught:
        triton.compile(source, target=target)
    assert caught.value.line == LAST + 1


@pytest.mark.parametrize("capability", [80, 90])
def test_a_product_of_a_deprecated_type_is_warned_of(capability):
    target = triton.backends.compiler.GPUTarget("cuda", capability, 32)
    signature = {"x": "*fp32", "y": "*i32", "n": "i32", "f": "fp32", "u": "u64", "N": "constexpr"}
    body = "a = tl.full([32, 32], 0, tl.float8e4b15)\ntl.store(x, tl.sum(tl.dot(a, a)))"
    source = triton.compiler.ASTSource(made(body), signature, {"N": 8})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        triton.compile(source, target=target)
    assert len([each for each in told if "fp8e4b15 in tl.dot is deprecated" in str(each.message)]) == (
        capability == 90
    )


TAKEN = {
    "tl.store(y, tl.sum(n[None, None, :]))": 3,
    "tl.store(y, tl.sum(n[:, None]))": 3,
    "tl.store(y, tl.sum(tl.arange(0, 8)[:, :]))": 28,
    "tl.store(y, tl.sum(tl.min(tl.arange(0, 8) + 2, axis=None, keep_dims=True)))": 2,
    "tl.store(y + tl.zeros([1], tl.int32), tl.flip(tl.arange(5, 6)))": 5,
    "tl.store((y + 1)[None, None, :] - 1, tl.full([1, 1], 4, tl.int32))": 4,
}


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("body", TAKEN)
def test_taken(body, tier):
    y = np.zeros(8, np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(body)[(1,)](np.zeros(8, np.float32), y, 3, 1.5, 7, 8, tier=tier)
    assert y[0] == TAKEN[body]


@triton.jit
def batched(x, y, o, A: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, A * B * 256)
    a, b = (tl.load(p + at).reshape([A, B, 16, 16]) for p in (x, y))
    tl.store(o + at, tl.dot(a, b, acc=a, input_precision="ieee").reshape([A * B * 256]))


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_products_of_four_dimensions(tier):
    x, y = np.random.default_rng(0).normal(size=(2, 2, 4, 16, 16)).astype(np.float32)
    o = np.zeros_like(x)
    batched[(1,)](x, y, o, A=2, B=4, tier=tier)
    np.testing.assert_allclose(o, x @ y + x, rtol=1e-4, atol=1e-4)
