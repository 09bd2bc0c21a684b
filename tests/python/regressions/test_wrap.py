"""Narrow integers that wrap around keep doing so when a tier keeps them as ranges, masks and addresses."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

TIERS = ("interp", "cpu")


@pytest.fixture(autouse=True)
def as_compiled(monkeypatch):
    """A comparison must not stand in for a wrong result."""
    monkeypatch.setenv("TRISECT_CHECK", "off")


@triton.jit
def narrowed(o, n, BITS: tl.constexpr, ROUND: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    if BITS == 8:
        x = (i * n).to(tl.int8)
    else:
        x = (i * n).to(tl.int16)
    if ROUND:
        x = x // 2
    tl.store(o + i, x)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("bits, factor", [(8, 2), (8, 3), (8, -3), (16, 1000), (16, 2**31 - 1)])
@pytest.mark.parametrize("half", [False, True])
def test_a_range_in_a_narrower_type(tier, bits, factor, half):
    out = np.zeros(256, np.int32)
    narrowed[(1,)](out, factor, bits, half, 256, tier=tier)
    with np.errstate(over="ignore"):
        expected = (np.arange(256, dtype=np.int32) * np.int32(factor)).astype(f"int{bits}").astype(np.int32)
    if half:
        expected = np.trunc(expected / 2).astype(np.int32)
    np.testing.assert_array_equal(out, expected)


@triton.jit
def summed(o, B: tl.constexpr):
    i = tl.arange(0, B)
    x = i.to(tl.int8)
    tl.store(o + i, x + x + x)


@triton.jit
def negated(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, -(i.to(tl.int8)) - 100)


@triton.jit
def shifted(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, i.to(tl.int8) << 2)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "kernel, expected",
    [
        (summed, lambda x: x + x + x),
        (negated, lambda x: -x - np.int8(100)),
        (shifted, lambda x: x << np.int8(2)),
    ],
)
def test_arithmetic_of_bytes(tier, kernel, expected):
    out = np.zeros(256, np.int32)
    kernel[(1,)](out, 256, tier=tier)
    np.testing.assert_array_equal(out, expected(np.arange(256).astype(np.int8)).astype(np.int32))


@triton.jit
def addressed(o, x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + 128 + i.to(tl.int8)))


@pytest.mark.parametrize("tier", TIERS)
def test_bytes_as_offsets(tier):
    data, out = np.arange(512, dtype=np.int32), np.zeros(256, np.int32)
    addressed[(1,)](out, data, 256, tier=tier)
    np.testing.assert_array_equal(out, 128 + np.arange(256).astype(np.int8).astype(np.int32))


@triton.jit
def widened(o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, (i * n).to(tl.int64))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("factor", [2, 2**31 - 1, -(2**31), 2**27])
def test_a_product_is_widened_after_it_wrapped(tier, factor):
    out = np.zeros(64, np.int64)
    widened[(1,)](out, factor, 64, tier=tier)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(out, np.arange(64, dtype=np.int32) * np.int32(factor))


@triton.jit
def masked(o, n, FACTOR: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, i, mask=i * FACTOR < n)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("bound", [300, -5, 2**31 - 1])
def test_a_mask_that_wraps_between_its_ends(tier, bound):
    out = np.full(256, -1, np.int32)
    masked[(1,)](out, bound, 16843010, 256, tier=tier)
    i = np.arange(256, dtype=np.int32)
    with np.errstate(over="ignore"):
        on = i * np.int32(16843010) < bound
    np.testing.assert_array_equal(out, np.where(on, i, -1))


@triton.jit
def same_place(x, S, B: tl.constexpr):
    p = x + tl.arange(0, B) * S
    tl.store(p, tl.load(p) + 1)


@triton.jit
def same_bytes(x, B: tl.constexpr):
    p = x + 128 + tl.arange(0, B).to(tl.int8)
    tl.store(p, tl.load(p) + 1)


@pytest.mark.parametrize("tier", TIERS)
def test_lanes_that_meet_at_one_address_are_loaded_before_any_is_stored(tier):
    data = np.zeros(512, np.int32)
    same_place[(1,)](data, 0, 64, tier=tier)
    assert data[0] == 1
    data[:] = 0
    same_bytes[(1,)](data, 512, tier=tier)
    np.testing.assert_array_equal(data[:256], 1)


@triton.jit
def counted(o, a, b, s, LIMIT: tl.constexpr):
    n = 0
    last = a
    for i in range(a, b, s):
        n += 1
        last = i
        if n > LIMIT:
            tl.store(o + 2, 1)
    tl.store(o, n)
    tl.store(o + 1, last)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "start, end, step",
    [
        (0, 10, 3),
        (2**31 - 3, 2**31 - 1, 5),
        (-(2**31), 2**31 - 1, 2**30),
        (5, 2**31 - 1, 2**31 - 2),
        (7, 3, 2),
        (2**63 - 4, 2**63 - 1, 2),
        (-(2**63), 2**63 - 1, 2**62),
    ],
)
def test_a_loop_ends_at_the_end_of_its_type(tier, start, end, step):
    out = np.zeros(3, np.int64)
    counted[(1,)](out, start, end, step, 100, tier=tier)
    rounds = range(start, end, step)
    assert out.tolist() == [len(rounds), rounds[-1] if rounds else start, 0]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("step", [0, -1, -(2**31)])
@pytest.mark.parametrize("start, end", [(0, 10), (0, -10), (2**40, 2**41), (2**40, 0)])
def test_a_step_below_one_is_a_fault(tier, step, start, end):
    out = np.zeros(3, np.int64)
    with pytest.raises(triton.KernelFault, match=f"the step of this loop is {step};") as caught:
        counted[(1,)](out, start, end, step, 100, tier=tier)
    assert caught.value.kind == "undefined-value"
    assert caught.value.details["step"] == str(step)
    line = counted.fn.__code__.co_firstlineno + 4
    assert caught.value.line == line and caught.value.file.endswith("test_wrap.py")
