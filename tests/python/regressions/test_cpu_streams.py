"""Launches that write more than the caches hold: their results go past them, where they lie on lines."""

import numpy as np
import pytest

import trisect
import trisect.language as tl

#: More than the last cache of a processor, as compiled code counts it, in bytes.
PAST = 80 << 20


@trisect.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + x, mask=i < n)


@trisect.jit
def both_rows(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + i, mask=i < columns, other=0)
    tl.store(out_ptr + row + i, x - tl.max(x, axis=0), mask=i < columns)


def aligned(count, dtype, skip):
    """So many elements, the first one `skip` elements behind the begin of a line."""
    size = np.dtype(dtype).itemsize
    whole = np.zeros(count + 128, dtype)
    first = (-whole.ctypes.data % 64) // size + skip
    return whole[first : first + count]


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "cpu")


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.float64, np.int8])
@pytest.mark.parametrize("skip", [0, 4])
def test_results_past_the_caches(dtype, skip):
    n = PAST // np.dtype(dtype).itemsize + 13
    x = (np.arange(n) % 61).astype(dtype)
    out = aligned(n + 64, dtype, skip)
    launched = double[(-(-n // 4096),)](x, out, n, BLOCK=4096)
    assert np.array_equal(out[:n], x + x)
    assert not out[n:].any()
    assert any("equal" in str(event) for event in launched.function.events)


@pytest.mark.parametrize("columns", [4096, 4099, 1000])
def test_rows_past_the_caches(columns):
    rows = PAST // 4 // columns
    x = np.random.default_rng(0).integers(0, 99, (rows, columns)).astype(np.float32)
    out = aligned(rows * columns, np.float32, 0).reshape(rows, columns)
    both_rows[(rows,)](x, out, columns, BLOCK=trisect.next_power_of_2(columns))
    assert np.array_equal(out, x - x.max(axis=1, keepdims=True))
