"""Reductions and scans have one order in tiers 0 and 1, whatever joins their elements.

A function that is not associative, or rounds, gives the bits of docs/numerics.md in both, and the check calls
them equal.
"""

import functools

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


@triton.jit
def difference(a, b):
    return a - b


@triton.jit
def sum_of_both(a, b):
    return b + a


@triton.jit
def by_branch(a, b):
    if a > b:
        return a - b
    return b * 3 - a


@triton.jit(noinline=True)
def far_difference(a, b):
    return a - b


@triton.jit
def by_call(a, b):
    return far_difference(a, b)


FUNCTIONS = {
    "difference": (difference, lambda a, b: a - b),
    "sum": (sum_of_both, lambda a, b: a + b),
    "branch": (by_branch, lambda a, b: np.where(a > b, a - b, b * 3 - a)),
    "call": (by_call, lambda a, b: a - b),
}


@triton.jit
def scans(o, x, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, JOIN: tl.constexpr, BACK: tl.constexpr):
    i = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(o + i, tl.associative_scan(tl.load(x + i), AXIS, JOIN, reverse=BACK))


@triton.jit
def reduces(
    o, x, A: tl.constexpr, B: tl.constexpr, AXIS: tl.constexpr, JOIN: tl.constexpr, BACK: tl.constexpr
):
    i = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    one = tl.reduce(tl.load(x + i), AXIS, JOIN, keep_dims=True)
    tl.store(o + i, tl.broadcast_to(one, A, B))


def scanned(x, join, back):
    """Along axis 0."""
    x = x[::-1].copy() if back else x.copy()
    if x[0].size >= 64:
        for n in range(1, len(x)):
            x[n] = join(x[n - 1], x[n])
    else:
        distance = 1
        while distance < len(x):
            x[distance:] = join(x[:-distance], x[distance:])
            distance *= 2
    return x[::-1] if back else x


def reduced(x, join):
    rows = min(len(x), 64)
    total = functools.reduce(join, (x[n : n + rows] for n in range(0, len(x), rows)))
    while len(total) > 1:
        half = len(total) // 2
        total = join(total[:half], total[half:])
    return np.broadcast_to(total, x.shape)


SMALL = [((1, 1), 1), ((1, 8), 1), ((1, 16), 1), ((1, 128), 1), ((4, 32), 1), ((4, 32), 0), ((4, 64), 0)]
LARGE = [((1, 1024), 1), ((32, 1), 0), ((64, 16), 0), ((64, 8), 1), ((32, 64), 0), ((2, 512), 1)]
CASES = [
    (name, dtype, shape, axis)
    for name in FUNCTIONS
    for dtype in ("int8", "float32", "float16")
    for shape, axis in SMALL + (LARGE if name in ("difference", "sum") else [])
]


@pytest.mark.parametrize(("name", "dtype", "shape", "axis"), CASES)
def test_one_order(monkeypatch, name, dtype, shape, axis):
    monkeypatch.setenv("TRISECT_CHECK", "always")
    monkeypatch.delenv("TRISECT_TIER", raising=False)
    join, meaning = FUNCTIONS[name]
    values = np.random.default_rng(len(name) + axis).integers(-9, 9, shape)
    x = (values * (1 if "int" in dtype else 0.37)).astype(dtype)
    first = np.moveaxis(x, axis, 0)
    with np.errstate(all="ignore"):
        cases = [
            (scans, False, scanned(first, meaning, False)),
            (scans, True, scanned(first, meaning, True)),
            (reduces, False, reduced(first, meaning)),
        ]
    for launched, back, expected in cases:
        expected = np.ascontiguousarray(np.moveaxis(expected, 0, axis))
        for tier in ("interp", "cpu"):
            o = np.zeros_like(x)
            kernel = launched[(1,)](o, x, *shape, axis, join, back, tier=tier)
            assert o.tobytes() == expected.tobytes(), (launched.__name__, back, tier)
        verdicts = [event.verdict for event in kernel.function.events if event.verdict]
        assert verdicts and set(verdicts) == {"equal"}, kernel.function.events
