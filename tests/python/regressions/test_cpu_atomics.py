"""Atomics of compiled code: elements of an aligned word of 16 bytes change together, others by themselves.

What: every type and kind, tensors that begin in the middle of a word, masks that are off in it, addresses
that come twice or backwards, blocks of several rows; many threads on the same words lose nothing.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@trisect.jit
def change(x_ptr, at_ptr, out_ptr, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr, KIND: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    places = rows * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + places)
    at = out_ptr + tl.load(at_ptr + places)
    if KIND == "add":
        tl.atomic_add(at, x, mask=places < n)
    elif KIND == "max":
        tl.atomic_max(at, x, mask=places < n)
    elif KIND == "xor":
        tl.atomic_xor(at, x, mask=places < n)
    else:
        tl.atomic_add(at, x, sem="relaxed")


@trisect.jit
def gathered(at_ptr, out_ptr, BLOCK: tl.constexpr):
    """Where the elements lie, memory says: no argument tells the launches apart."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + tl.load(at_ptr + i), 1, sem="relaxed")


@trisect.jit
def scatter(id_ptr, out_ptr, ROW: tl.constexpr):
    """Each program adds a row of ones to one of some rows."""
    row = tl.load(id_ptr + tl.program_id(0))
    tl.atomic_add(out_ptr + row * ROW + tl.arange(0, ROW), 1.0, sem="relaxed")


def places(order, rows, columns, rng):
    size = rows * columns
    if order == "along":
        return np.arange(size)
    if order == "backwards":
        return np.arange(size)[::-1]
    if order == "twice":
        return np.arange(size) // 2
    return rng.integers(0, size, size)


@pytest.mark.parametrize("skip", [0, 1, 3])
@pytest.mark.parametrize("order", ["along", "backwards", "twice", "anywhere"])
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("add", np.float32), ("add", np.float64), ("add", np.float16), ("all", np.float32), ("add", np.int32)]
    + [("max", np.int64), ("max", np.float32), ("xor", np.int32)],
)
def test_the_bits_of_tier_0(kind, dtype, order, skip):
    rng = np.random.default_rng(len(order) + skip)
    rows, columns = 4, 32
    size = rows * columns
    at = places(order, rows, columns, rng).astype(np.int32)
    x = rng.integers(-50, 50, size).astype(dtype)
    results = []
    for tier in ("interp", "cpu"):
        out = np.zeros(size + skip, dtype)
        change[(2,)](x, at, out[skip:], size - 37, ROWS=2, COLUMNS=columns, KIND=kind, tier=tier)
        results.append(out.tobytes())
    assert results[0] == results[1]


@pytest.mark.parametrize("row", [2, 4, 64])
def test_threads_that_meet_lose_nothing(row):
    ids = np.random.default_rng(0).integers(0, 3, 20000).astype(np.int32)
    for skip in (0, 1):
        out = np.zeros(3 * row + skip, np.float32)
        scatter[(len(ids),)](ids, out[skip:], ROW=row, tier="cpu", num_threads=4)
        assert (out[skip:].reshape(3, row) == np.bincount(ids, minlength=3)[:, None]).all()


def test_both_ways_are_compared():
    """Code that changes whole words is not trusted for elements by themselves."""
    size = 2048
    at, out = np.arange(size, dtype=np.int32), np.zeros(size + 4, np.int32)
    out = out[-out.ctypes.data // 4 % 4 :][:size]
    for _ in range(6):
        made = gathered[(size // 32,)](at, out, BLOCK=32)
        trisect._C.runtime.wait_for_compiles()
    ran = len(made.function.events)
    at[:] = at[::-1].copy()
    gathered[(size // 32,)](at, out, BLOCK=32)
    assert made.function.tier == "cpu" and (out == 7).all()
    assert [event.kind for event in made.function.events[ran:]] == ["checked"], made.function.events
