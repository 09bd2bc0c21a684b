"""Products of bf16 on the CPU tier where the processor multiplies two steps of k in one instruction.

What docs/numerics.md says of it: the bits are those of tier 0 unless a factor, the start value or a sum may
be subnormal; there the comparison finds results within the bounds that the data leaves open, and
`TRISECT_NUMERICS=ieee` keeps every subnormal.
"""

import ml_dtypes
import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

SIZE = 64


def product(a_ptr, b_ptr, c_ptr, k, BM: tl.constexpr, BK: tl.constexpr):
    rows, steps = tl.arange(0, BM), tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * k + steps[None, :]
    b_ptrs = b_ptr + steps[:, None] * BM + rows[None, :]
    c_ptrs = c_ptr + rows[:, None] * BM + rows[None, :]
    acc = tl.load(c_ptrs)
    for _ in range(0, tl.cdiv(k, BK)):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += BK
        b_ptrs += BK * BM
    tl.store(c_ptrs, acc)


def factors(seed, exponents):
    """Random bf16 between powers of two, of either sign."""
    random = np.random.default_rng(seed)
    exponent = random.uniform(*exponents, (SIZE, SIZE))
    return (random.choice([-1, 1], exponent.shape) * 2.0**exponent).astype(ml_dtypes.bfloat16)


def launched(a, b, c, **options):
    out = c.copy()
    # Code that is there stays what it is: each launch has a kernel of its own.
    compiled = triton.jit(product)[(1,)](a, b, out, SIZE, SIZE, 32, **options)
    return out, compiled


def verdict(compiled):
    """Of the last comparison."""
    return [event.text for event in compiled.function.events if event.kind in ("promoted", "checked")][-1]


#: Exponents of the left and the right factors, the start value, and whether a sum may be subnormal.
DATA = {
    "ordinary": ((-8, 8), (-8, 8), 1.0, False),
    "just above": ((-60, -50), (-51, -40), 0.0, False),
    "small products": ((-80, -60), (-80, -60), 0.0, True),
    "subnormal factors": ((-133, -120), (60, 80), 0.0, True),
    "a small start": ((-8, 8), (-130, -120), 2.0**-110, True),
}


@pytest.mark.parametrize("data", DATA)
def test_what_is_open_is_within_bounds(monkeypatch, data):
    left, right, start, open_ = DATA[data]
    a, b, c = factors(0, left), factors(1, right), np.full((SIZE, SIZE), start, np.float32)
    expected, _ = launched(a, b, c, tier="interp")
    monkeypatch.setenv("TRISECT_CHECK", "always")
    out, compiled = launched(a, b, c, tier="cpu")
    fast = "dpbf16" in compiled.asm["vectors"]
    if np.array_equal(out.view(np.uint32), expected.view(np.uint32)):
        assert ": equal" in verdict(compiled)
        assert not (fast and open_), "the data shows nothing"
    else:
        assert fast and open_ and ": within bound" in verdict(compiled)


@pytest.mark.parametrize("data", DATA)
def test_ieee_keeps_subnormals(monkeypatch, data):
    left, right, start, _ = DATA[data]
    a, b, c = factors(0, left), factors(1, right), np.full((SIZE, SIZE), start, np.float32)
    expected, _ = launched(a, b, c, tier="interp")
    monkeypatch.setenv("TRISECT_NUMERICS", "ieee")
    monkeypatch.setenv("TRISECT_CHECK", "off")
    out, compiled = launched(a, b, c, tier="cpu")
    np.testing.assert_array_equal(out.view(np.uint32), expected.view(np.uint32))
    assert "dpbf16" not in compiled.asm["vectors"]
