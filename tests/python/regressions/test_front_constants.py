"""Compile-time numbers that a type, a shape or an offset does not hold: none is cut off without a word."""

import numpy as np
import pytest

import trisect as triton

HEAD = "import trisect as triton\nimport trisect.language as tl\n\n@triton.jit\ndef k(o, x, f, n):\n"
BLOCK = "p = tl.make_block_ptr(f, ({}, 16), ({}, 1), ({}, 0), (1, 16), (1, 0))\n"
DESCRIPTOR = "d = tl.make_tensor_descriptor(f, [{}, 16], [16, 1], [1, 16])\n"


def launched(body, tier):
    scope = {}
    text = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    exec(text, scope)
    out = np.zeros(16, np.int32)
    scope["k"][(1,)](out, np.zeros(16, np.bool_), np.ones(64, np.float32), 3, tier=tier)
    return out[0]


NOWHERE = "Nonrepresentable integer"
RANGE = "is out of range for type"
BITS = "only {} bits are supported here"
REFUSED = {
    "tl.store(o, 2**64)": NOWHERE,
    "tl.store(o, -2**63 - 1)": NOWHERE,
    "tl.store(f, 2**64)": NOWHERE,
    "tl.store(o, tl.load(o, mask=n > 5, other=2**64))": NOWHERE,
    "tl.atomic_add(o, 2**64)": NOWHERE,
    "tl.atomic_xchg(o, 2**64)": NOWHERE,
    "tl.store(o, tl.full([], 2**63, tl.int64) > 0)": RANGE + " int64",
    "tl.store(o + tl.arange(0, 4), tl.full([4], -1, tl.uint8))": RANGE + " uint8",
    "tl.store(o, tl.full([], 2**64, tl.uint64) > 0)": RANGE + " uint64",
    "tl.store(o, tl.full([], 1.5, tl.int32))": "is a float, and int32 an integer type",
    "tl.store(o + tl.arange(0, 4), tl.full([4], 2.0, tl.uint8))": "is a float, and uint8 an integer type",
    "tl.store(f, tl.load(o).to(tl.float8e5).to(tl.float32))": "cannot cast int32 to fp8e5; convert to",
    "tl.store(f, (n > 2).to(tl.float8e4nv).to(tl.float32))": "cannot cast int1 to fp8e4nv; convert to",
    BLOCK.format(4, 16, 2**31) + "tl.store(f, tl.sum(tl.load(p)))": BITS.format(32),
    BLOCK.format(4, 16, -(2**31) - 1) + "tl.store(f, tl.sum(tl.load(p)))": BITS.format(32),
    BLOCK.format(2**63, 16, 0) + "tl.store(f, tl.sum(tl.load(p)))": BITS.format(64),
    BLOCK.format(4, 2**63, 0) + "tl.store(f, tl.sum(tl.load(p)))": BITS.format(64),
    BLOCK.format(4, 16, 0) + "p = tl.advance(p, (2**32, 0))\ntl.store(f, tl.sum(tl.load(p)))": BITS.format(
        32
    ),
    DESCRIPTOR.format(2**32 + 4) + "tl.store(f, tl.sum(d.load([0, 0])))": BITS.format(32),
    DESCRIPTOR.format(4) + "tl.store(f, tl.sum(d.load([2**32, 0])))": BITS.format(32),
    DESCRIPTOR.format(4) + "d.store([0, 2**32], d.load([0, 0]))": BITS.format(32),
    "n = tl.multiple_of(n, 0)\ntl.store(o, n)": "element 0 of multiple_of must be a positive int32, got 0",
    "n = tl.multiple_of(n, 2**31)\ntl.store(o, n)": "must be a positive int32, got 2147483648",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refused_at_its_line(body):
    with pytest.raises(triton.CompilationError, match=REFUSED[body]):
        launched(body, "interp")


TAKEN = {
    "tl.store(o, tl.full([], 2, tl.int1).to(tl.int32))": 1,
    "tl.store(o, tl.sum(tl.full([4], 256, tl.int1).to(tl.int32)))": 4,
    "tl.store(o, tl.full([], 0.5, tl.int1).to(tl.int32))": 1,
    "tl.store(o, tl.full([], 300, tl.int8).to(tl.int32))": 44,
    "tl.store(o, tl.full([], 2**80, tl.float32) > 1e24)": 1,
    "tl.store(o, tl.full([], 2**63, tl.uint64) >> 62)": 2,
    "tl.store(o, 2**32 + 7)": 7,
    "tl.store(o, tl.load(o, mask=n > 5, other=-1))": -1,
    BLOCK.format(4, 16, 3) + "tl.store(o, tl.sum(tl.load(p)).to(tl.int32))": 16,
}


@pytest.mark.parametrize("tier", ["interp", "cpu"])
@pytest.mark.parametrize("body", TAKEN)
def test_taken_with_the_value_that_it_has(body, tier):
    assert launched(body, tier) == TAKEN[body]
