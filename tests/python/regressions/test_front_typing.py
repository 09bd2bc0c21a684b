"""Types of functions of a block and a Python number, and of operators of signed with unsigned integers."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

TIERS = ["interp", "cpu"]


@triton.jit
def extrema(i8, f16, o, N: tl.constexpr):
    at = tl.arange(0, N)
    small, half = tl.load(i8 + at), tl.load(f16 + at)
    tl.store(o + at, tl.maximum(small, 3) * 100)
    tl.store(o + N + at, tl.minimum(half, 1000.0) * 100)
    tl.store(o + 2 * N + at, tl.clamp(half, 0.0, 1000.0) * 100)
    tl.store(o + 3 * N + at, tl.fma(half, 100.0, 0.0))
    tl.store(o + 4 * N + at, max(small, 3) * 100)
    tl.store(o + 5 * N + at, tl.fdiv(half.to(tl.float32), 0.01))


@pytest.mark.parametrize("tier", TIERS)
def test_numbers_have_the_types_that_they_have_alone(tier):
    i8, f16, o = np.full(8, 2, np.int8), np.full(8, 800, np.float16), np.zeros((6, 8), np.float32)
    extrema[(1,)](i8, f16, o, N=8, tier=tier)
    np.testing.assert_allclose(o[:, 0], [300, 80000, 80000, 80000, 300, 80000], rtol=1e-6)


@triton.jit
def negated(x, o, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(o + at, -tl.load(x + at))


@pytest.mark.parametrize("tier", TIERS)
def test_minus_of_zero_is_a_difference(tier):
    x, o = np.array([0.0, -0.0, 1.0, -1.0], np.float32), np.ones(4, np.float32)
    negated[(1,)](x, o, N=4, tier=tier)
    assert not np.signbit(o[0]) and not np.signbit(o[1])
    np.testing.assert_array_equal(o, [0, 0, -1, 1])


@triton.jit
def divided(x, y, o, OP: tl.constexpr):
    a, b = tl.load(x), tl.load(y)
    if OP == "/":
        tl.store(o, a / b)
    elif OP == "/=":
        a /= b
        tl.store(o, a)
    elif OP == "//=":
        a //= b
        tl.store(o, a)
    else:
        a %= b
        tl.store(o, a)


@pytest.mark.parametrize("op", ["/", "/=", "//=", "%="])
def test_signed_by_unsigned_is_refused(op):
    o = np.zeros(1, np.float32)
    with pytest.raises(triton.CompilationError, match="different signedness"):
        divided[(1,)](np.ones(1, np.int32), np.ones(1, np.uint32), o, OP=op)
    divided[(1,)](np.full(1, 7, np.uint8), np.full(1, 2, np.uint32), o, OP=op)


@triton.jit
def exchange(p, compare, value, seen, N: tl.constexpr):
    at = tl.arange(0, N)
    old = tl.atomic_cas(p + at, tl.load(compare + at), tl.load(value + at))
    tl.static_assert(old.dtype == tl.uint32)
    tl.store(seen + at, old)


def test_atomic_cas_compares_bits_whatever_their_sign():
    """As 3.6: the result has the type of what is written."""
    memory = np.array([-1, 2], np.int32)
    seen = np.zeros(2, np.uint32)
    exchange[(1,)](memory, np.array([2**32 - 1, 7], np.uint32), np.array([5, 6], np.uint32), seen, N=2)
    assert memory.tolist() == [5, 2] and seen.tolist() == [2**32 - 1, 2]


@triton.jit
def side_by_side(x, y, o, HOW: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, N)
    a, b = tl.load(x + at), tl.load(y + at)
    if HOW == "join":
        both = tl.reshape(tl.join(a, b), [2 * N])
    elif HOW == "interleave":
        both = tl.interleave(a, b)
    else:
        both = tl.cat(a, b)
    tl.static_assert(both.dtype == a.dtype)
    tl.store(o + tl.arange(0, 2 * N), both.to(tl.int64))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("how", ["join", "interleave", "cat"])
def test_what_lies_side_by_side_has_the_first_sign(how, tier):
    """As 3.6: integers of one width may differ in their sign alone, and others are refused."""
    x, y = np.array([1, -2], np.int16), np.array([3, 2**16 - 4], np.uint16)
    for a, b, expected in ((x, y, [1, -2, 3, -4]), (y, x, [3, 2**16 - 4, 1, 2**16 - 2])):
        out = np.zeros(4, np.int64)
        side_by_side[(1,)](a, b, out, HOW=how, N=2, tier=tier)
        assert out.tolist() == (expected if how == "cat" else [expected[n] for n in (0, 2, 1, 3)])
    with pytest.raises(triton.CompilationError, match="needs operands of the same type, got int16 and int8"):
        side_by_side[(1,)](x, np.zeros(2, np.int8), np.zeros(4, np.int64), HOW=how, N=2, tier=tier)
