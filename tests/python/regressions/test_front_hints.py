"""Hints on values that no operation makes: arguments of functions, what a loop counts and carries."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

TIERS = ["interp", "cpu"]


@triton.jit
def on_the_index(x, o, n, B: tl.constexpr):
    total = tl.zeros([B], tl.float32)
    for i in range(0, n, B):
        i = tl.multiple_of(i, B)
        i = tl.max_contiguous(i, 1)
        i = tl.max_constancy(i, 1)
        total += tl.load(x + i + tl.arange(0, B))
    tl.store(o + tl.arange(0, B), total)


@triton.jit
def on_carried_pointers(x, o, n, B: tl.constexpr):
    at = x + tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    total = tl.zeros([B, B], tl.float32)
    for _ in range(n):
        tl.multiple_of(at, [B, B])
        at = tl.max_contiguous(at, [1, B])
        tl.max_constancy(at, (1, 1))
        total += tl.load(at)
        at += B * B
    tl.store(o + tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :], total)


@triton.jit
def on_what_while_carries(x, o, n, B: tl.constexpr):
    i = 0
    total = tl.zeros([B], tl.float32)
    while tl.multiple_of(i, 1) < n:
        i = tl.multiple_of(i, B)
        total += tl.load(x + i + tl.arange(0, B))
        i += B
    tl.store(o + tl.arange(0, B), total)


@triton.jit
def load_rows(at, stride, B: tl.constexpr):
    stride = tl.multiple_of(stride, B)
    at = tl.max_contiguous(tl.multiple_of(at, B), B)
    return tl.load(at + stride)


@triton.jit
def on_arguments(x, o, n, B: tl.constexpr):
    n = tl.multiple_of(n, B)
    x = tl.multiple_of(x, 16)
    total = tl.zeros([B], tl.float32)
    for i in range(0, n, B):
        total += load_rows(x + tl.arange(0, B), i, B)
    tl.store(o + tl.arange(0, B), total)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kernel", [on_the_index, on_what_while_carries, on_arguments])
def test_a_hint_on_a_block_argument_changes_nothing(kernel, tier):
    x = np.random.default_rng(0).normal(size=64).astype(np.float32)
    o = np.zeros(16, np.float32)
    kernel[(1,)](x, o, 64, B=16, tier=tier)
    np.testing.assert_allclose(o, x.reshape(4, 16).sum(0), rtol=1e-6)


@pytest.mark.parametrize("tier", TIERS)
def test_hints_on_carried_pointers_take_a_list(tier):
    x = np.random.default_rng(0).normal(size=(3, 16, 16)).astype(np.float32)
    o = np.zeros((16, 16), np.float32)
    on_carried_pointers[(1,)](x, o, 3, B=16, tier=tier)
    np.testing.assert_allclose(o, x.sum(0), rtol=1e-6)


@triton.jit
def told_of_each(x, o, n, STEP: tl.constexpr, B: tl.constexpr):
    total = tl.zeros([B], tl.float32)
    for i in range(0, n, STEP):
        i = tl.multiple_of(i, B)
        total += tl.load(x + i + tl.arange(0, B))
    tl.store(o + tl.arange(0, B), total)


def test_a_broken_hint_on_a_loop_variable_is_found():
    x, o = np.ones(80, np.float32), np.zeros(16, np.float32)
    with triton.sanitize("broken-hint"):
        told_of_each[(1,)](x, o, 48, STEP=16, B=16)
        with pytest.raises(triton.KernelFault, match="'i' is promised to be a multiple of 16, but it is"):
            told_of_each[(1,)](x, o, 48, STEP=8, B=16)


@triton.jit
def told_of_the_stride(x, o, stride, B: tl.constexpr):
    stride = tl.multiple_of(stride, 16)
    tl.store(o + tl.arange(0, B), tl.load(x + stride + tl.arange(0, B)))


def test_a_broken_hint_on_a_parameter_is_found():
    x, o = np.ones(80, np.float32), np.zeros(16, np.float32)
    with triton.sanitize("broken-hint"):
        told_of_the_stride[(1,)](x, o, 32, B=16)
        with pytest.raises(triton.KernelFault, match="'stride' is promised to be a multiple of 16"):
            told_of_the_stride[(1,)](x, o, 24, B=16)


@triton.jit
def told_of_pointers(x, o, start, step, KIND: tl.constexpr, B: tl.constexpr):
    at = x + start + tl.arange(0, B) * step
    if KIND == "multiple":
        at = tl.multiple_of(at, 16)
    elif KIND == "contiguous":
        at = tl.max_contiguous(at, B)
    else:
        at = tl.max_constancy(at, B)
    tl.store(o + tl.arange(0, B), tl.load(at))


@triton.jit
def told_of_carried_pointers(x, o, n, step, B: tl.constexpr):
    at = x + tl.arange(0, B)[:, None] * 64 + tl.arange(0, B)[None, :]
    total = tl.zeros([B, B], tl.float32)
    for _ in range(n):
        at = tl.max_contiguous(tl.multiple_of(at, [16, 16]), [1, B])
        total += tl.load(at)
        at += step
    tl.store(o + tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :], total)


def aligned(count, kind):
    """Memory that begins at a multiple of 64 bytes."""
    array = np.ones(count + 64, kind)
    skip = -array.ctypes.data % 64 // array.itemsize
    return array[skip : skip + count]


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8])
@pytest.mark.parametrize(
    "hint, good, bad, text",
    [("multiple", (16, 1), (17, 1), "a multiple of 16, but an element is"),
     ("contiguous", (3, 1), (3, 2), "16 neighbours in a row, but one of them is"),
     ("constant", (3, 0), (3, 1), "16 equal elements in a row, but one of them is"),
     ("multiple", (3, 5), None, "")],
)  # fmt: skip
def test_a_broken_hint_on_a_block_of_pointers_is_found(hint, good, bad, text, kind):
    """Pointers that are no neighbours are read one at a time: no width hangs on where they begin."""
    x, o = aligned(128, kind), np.zeros(16, kind)
    with triton.sanitize("broken-hint"):
        told_of_pointers[(1,)](x, o, *good, KIND=hint, B=16)
        if bad:
            with pytest.raises(triton.KernelFault, match=f"'at' is promised to (be|hold) {text}"):
                told_of_pointers[(1,)](x, o, *bad, KIND=hint, B=16)


def test_a_broken_hint_on_carried_pointers_is_found():
    """The hint of every product's factors: its rows lie apart, and their elements begin anywhere."""
    x, o = aligned(4096, np.float32), np.zeros((16, 16), np.float32)
    with triton.sanitize("broken-hint"):
        told_of_carried_pointers[(1,)](x, o, 3, 16, B=16)
        with pytest.raises(triton.KernelFault, match="'at' is promised to be a multiple of 16"):
            told_of_carried_pointers[(1,)](x, o, 3, 3, B=16)
