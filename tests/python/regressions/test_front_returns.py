"""What functions give back, and what operations refuse, as the public language has it."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

TIERS = ["interp", "cpu"]


@triton.jit
def three():
    return 3


@triton.jit
def pair(C: tl.constexpr):
    return C, (C + 1, 1000)


@triton.jit
def wide_sums(x, o, C: tl.constexpr):
    v = tl.load(x)
    tl.store(o, (v + three()) * 100)
    first, (second, third) = pair(C)
    tl.store(o + 1, (v + first) * 100)
    tl.store(o + 2, (v + second) * 100)
    tl.store(o + 3, v * 100 + 0 * third)
    tl.store(o + 4, (v + tl.cdiv(7, 2)) * 100)


@pytest.mark.parametrize("tier", TIERS)
def test_a_number_that_a_function_returns_has_a_type(tier):
    """An int8 and a returned 3 are added up as int32; a 3 that stands there itself takes the type int8."""
    o = np.zeros(5, np.int32)
    wide_sums[(1,)](np.full(1, 100, np.int8), o, 5, tier=tier)
    assert o.tolist() == [10300, 10500, 10600, 16, 10400]


@triton.jit
def sized(o, C: tl.constexpr):
    tl.store(o + tl.arange(0, pair(C)[0]), 0)


def test_a_returned_number_is_no_block_size():
    with pytest.raises(triton.CompilationError, match="constexpr|compile"):
        sized[(1,)](np.zeros(4, np.int32), 4)


REFUSED = {
    "x = +n": "has no attribute '__pos__'",
    "x = tl.sum(n)": "invalid axis.*a reduction folds a block, and this is a scalar int32",
    "x = tl.max(n, 0)": "invalid axis",
    "x = tl.cumsum(n, 0)": "invalid axis.*scan",
    "x = tl.reduce(n, 0, plus)": "invalid axis",
    "x = tl.associative_scan(n, 0, plus)": "invalid axis",
    "x = n\n    tl.assume(n)": "takes a condition, got int32",
    "x = n\n    tl.assume(C)": "takes a condition, got int",
    "x = n\n    tl.static_assert(C)": "could not be determined at compile-time",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_refused(statement):
    head = "import trisect as triton\nimport trisect.language as tl\n\n"
    head += "@triton.jit\ndef plus(a, b):\n    return a + b\n\n"
    text = f"{head}@triton.jit\ndef k(o, n, C: tl.constexpr):\n    {statement}\n    tl.store(o, x)\n"
    scope = {}
    exec(text, scope)
    with pytest.raises(triton.CompilationError, match=REFUSED[statement]):
        scope["k"][(1,)](np.zeros(1, np.int32), 5, 7)


def test_the_text_of_a_constant_type():
    assert repr(tl.constexpr(5).type) == "constexpr_type[5]" and repr(tl.constexpr(5)) == "constexpr[5]"
