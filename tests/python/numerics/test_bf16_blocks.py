"""Products of bf16 that add up in blocks of steps (`bf16_sums="blocks"`), as AMX does.

What docs/numerics.md says of them is computed here once more, with NumPy: in each block of 32 steps the even
steps are one chain of fused multiply-adds from zero on, the odd ones another; the sum of both is added. Both
tiers give those bits on every machine, with tile registers and without.
"""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from kernels import ARCHS
from trisect.errors import InvalidInput


def product(
    a_ptr, b_ptr, c_ptr, m, n, k, a_row, b_row, b_column,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SUMS: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    steps = tl.arange(0, BK)
    a_ptrs = a_ptr + (rows % m)[:, None] * a_row + steps[None, :]
    b_ptrs = b_ptr + steps[:, None] * b_row + (columns % n)[None, :] * b_column
    acc = tl.zeros((BM, BN), SUMS)
    for i in range(0, tl.cdiv(k, BK)):
        a = tl.load(a_ptrs, mask=steps[None, :] < k - i * BK, other=0)
        b = tl.load(b_ptrs, mask=steps[:, None] < k - i * BK, other=0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * b_row
    c_ptrs = c_ptr + rows[:, None] * n + columns[None, :]
    tl.store(c_ptrs, acc, mask=(rows < m)[:, None] & (columns < n)[None, :])


def attention(q_ptr, k_ptr, v_ptr, o_ptr, length, B: tl.constexpr, D: tl.constexpr):
    rows, along = tl.arange(0, B), tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + along[None, :])
    acc = tl.zeros((B, D), tl.float32) + 0.5
    for first in range(0, length, B):
        place = (first + rows)[:, None] * D + along[None, :]
        scores = tl.dot(q, tl.trans(tl.load(k_ptr + place)))
        acc = acc * 0.5
        acc = tl.dot(scores.to(tl.bfloat16), tl.load(v_ptr + place), acc)
    tl.store(o_ptr + rows[:, None] * D + along[None, :], acc)


def blocks(a, b, start, width):
    """`width`: steps of one product."""
    total = start.astype(np.float32)
    a, b = a.astype(np.float64), b.astype(np.float64)
    block = min(32, width)
    for first in range(0, a.shape[1], block):
        halves = []
        for half in range(2):
            chain = np.zeros_like(total)
            for step in range(first + half, min(first + block, a.shape[1]), 2):
                # Exact in f64: products have 16 bits, and exponents are near one another.
                chain = (chain.astype(np.float64) + np.outer(a[:, step], b[step])).astype(np.float32)
            halves.append(chain)
        total = total + (halves[0] + halves[1])
    return total


def halves(*shape, seed, scale=4):
    random = np.random.default_rng(seed)
    values = random.choice([-1, 1], shape) * 2.0 ** random.uniform(-scale, scale, shape)
    return values.astype(ml_dtypes.bfloat16)


def launched(kernel, grid, *args, tier, **options):
    compiled = triton.jit(kernel)[grid](*args, tier=tier, bf16_sums="blocks", **options)
    return compiled


#: Rows, columns, steps; the block of each.
SHAPES = {
    "one tile": ((16, 16, 32), (16, 16, 32)),
    "half a tile of steps": ((16, 16, 16), (16, 16, 16)),
    "two by one": ((32, 16, 64), (32, 16, 64)),
    "one by two": ((16, 32, 64), (16, 32, 64)),
    "in a loop": ((64, 64, 512), (64, 64, 32)),
    "several stages": ((64, 128, 1600), (64, 128, 64)),
    "ragged": ((50, 77, 201), (32, 32, 32)),
    "ragged in panels": ((100, 200, 333), (64, 128, 64)),
    "few rows": ((4, 64, 64), (4, 64, 32)),
}


@pytest.mark.parametrize("turned", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_are_those_of_the_definition(monkeypatch, shape, turned):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    (m, n, k), (bm, bn, bk) = SHAPES[shape]
    a, b = halves(m, k, seed=1), halves(k, n, seed=2)
    expected = blocks(a, b, np.zeros((m, n)), bk)
    assert not np.array_equal(expected, chain(a, b)) or k == 16, "the data shows nothing"
    lies = np.ascontiguousarray(b.T) if turned else b
    strides = (k, 1, k) if turned else (k, n, 1)
    grid = (triton.cdiv(m, bm), triton.cdiv(n, bn))
    for tier, arch in [("interp", None), *(("cpu", arch) for arch in (None, *ARCHS))]:
        c = np.zeros((m, n), np.float32)
        launched(product, grid, a, lies, c, m, n, k, *strides, bm, bn, bk, tl.float32, tier=tier,
                 **({"arch": arch} if arch else {}))  # fmt: skip
        np.testing.assert_array_equal(c.view(np.uint32), expected.view(np.uint32), f"{tier} {arch}")


def chain(a, b):
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for step in range(a.shape[1]):
        each = np.outer(a[:, step].astype(np.float64), b[step].astype(np.float64))
        total = (total.astype(np.float64) + each).astype(np.float32)
    return total


def test_products_that_are_no_loop_of_loads(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    b, d, length = 64, 32, 256
    q, k, v = halves(b, d, seed=1), halves(length, d, seed=2), halves(length, d, seed=3)
    expected = np.full((b, d), 0.5, np.float32)
    for first in range(0, length, b):
        part = slice(first, first + b)
        scores = blocks(q, k[part].T, np.zeros((b, b)), d).astype(ml_dtypes.bfloat16)
        expected = blocks(scores, v[part], expected * np.float32(0.5), b)
    for tier in ("interp", "cpu"):
        out = np.zeros((b, d), np.float32)
        launched(attention, (1,), q, k, v, out, length, b, d, tier=tier)
        np.testing.assert_array_equal(out.view(np.uint32), expected.view(np.uint32), tier)


def test_products_of_batches(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")

    def batches(a_ptr, b_ptr, c_ptr, N: tl.constexpr, B: tl.constexpr):
        i, j, n = (
            tl.arange(0, B)[None, :, None],
            tl.arange(0, B)[None, None, :],
            tl.arange(0, N)[:, None, None],
        )
        place = (n * B + i) * B + j
        a, b = tl.load(a_ptr + place), tl.load(b_ptr + place)
        tl.store(c_ptr + place, tl.dot(a, b, tl.load(c_ptr + place)))

    a, b = halves(2, 64, 64, seed=1), halves(2, 64, 64, seed=2)
    start = np.random.default_rng(3).standard_normal((2, 64, 64)).astype(np.float32)
    expected = np.stack([blocks(x, y, z, 64) for x, y, z in zip(a, b, start, strict=True)])
    for tier in ("interp", "cpu"):
        c = start.copy()
        launched(batches, (1,), a, b, c, 2, 64, tier=tier)
        np.testing.assert_array_equal(c.view(np.uint32), expected.view(np.uint32), tier)


def test_a_start_of_minus_zero_stays_where_nothing_is_added(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")

    def start(a_ptr, c_ptr, B: tl.constexpr):
        i = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
        a = tl.load(a_ptr + i)
        tl.store(c_ptr + i, tl.dot(a, a, tl.full((B, B), -0.0, tl.float32)))

    a = np.zeros((32, 32), ml_dtypes.bfloat16)
    out = {tier: np.ones((32, 32), np.float32) for tier in ("interp", "cpu")}
    for tier, c in out.items():
        launched(start, (1,), a, c, 32, tier=tier)
    np.testing.assert_array_equal(out["interp"].view(np.uint32), out["cpu"].view(np.uint32))


@pytest.mark.parametrize("small", [False, True], ids=["ordinary", "subnormal"])
def test_comparisons_know_the_order(monkeypatch, small):
    monkeypatch.setenv("TRISECT_CHECK", "always")
    a, b = halves(64, 256, seed=1), halves(256, 64, seed=2)
    if small:
        b = (b.astype(np.float64) * 2.0**-128).astype(ml_dtypes.bfloat16)
    c = np.zeros((64, 64), np.float32)
    compiled = launched(product, (1, 1), a, b, c, 64, 64, 256, 256, 64, 1, 64, 64, 32, tl.float32, tier="cpu")
    text = [event.text for event in compiled.function.events if event.kind in ("promoted", "checked")][-1]
    tiles = "tdpbf16ps" in compiled.asm["asm"]
    assert (": within bound" if tiles and small else ": equal") in text


def test_strict_numerics_keep_subnormals(monkeypatch):
    monkeypatch.setenv("TRISECT_NUMERICS", "ieee")
    monkeypatch.setenv("TRISECT_CHECK", "off")
    a = halves(64, 256, seed=1)
    b = (halves(256, 64, seed=2).astype(np.float64) * 2.0**-128).astype(ml_dtypes.bfloat16)
    out = {tier: np.zeros((64, 64), np.float32) for tier in ("interp", "cpu")}
    for tier, c in out.items():
        compiled = launched(
            product, (1, 1), a, b, c, 64, 64, 256, 256, 64, 1, 64, 64, 32, tl.float32, tier=tier
        )
    assert "tdpbf16ps" not in compiled.asm["asm"]
    np.testing.assert_array_equal(out["interp"].view(np.uint32), out["cpu"].view(np.uint32))


@pytest.mark.parametrize("turned", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("shape", SHAPES)
def test_bytes_wrap_as_ever(monkeypatch, shape, turned):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    (m, n, k), (bm, bn, bk) = SHAPES[shape]
    random = np.random.default_rng(5)
    a, b = (random.integers(-128, 128, size, dtype=np.int8) for size in ((m, k), (k, n)))
    lies = np.ascontiguousarray(b.T) if turned else b
    strides = (k, 1, k) if turned else (k, n, 1)
    c = np.zeros((m, n), np.int32)
    grid = (triton.cdiv(m, bm), triton.cdiv(n, bn))
    triton.jit(product)[grid](a, lies, c, m, n, k, *strides, bm, bn, bk, tl.int32, tier="cpu")
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))


def test_the_variable_gives_the_default(monkeypatch):
    monkeypatch.setenv("TRISECT_BF16_SUMS", "blocks")
    a, b = halves(64, 64, seed=1), halves(64, 64, seed=2)
    c = np.zeros((64, 64), np.float32)
    compiled = triton.jit(product)[(1, 1)](a, b, c, 64, 64, 64, 64, 64, 1, 64, 64, 64, tl.float32)
    assert "inputPrecision = blocks" in compiled.asm["ttir"]


def test_orders_that_are_none_are_refused():
    a = halves(16, 16, seed=1)
    c = np.zeros((16, 16), np.float32)
    with pytest.raises(InvalidInput, match="bf16_sums must be one of chain, blocks, not 'some'"):
        triton.jit(product)[(1, 1)](a, a, c, 16, 16, 16, 16, 16, 1, 16, 16, 16, tl.float32, bf16_sums="some")


def test_signals_threads_and_children_leave_tiles_alone(monkeypatch):
    monkeypatch.setenv("TRISECT_CHECK", "off")
    a, b = halves(128, 512, seed=1), halves(512, 128, seed=2)
    expected = blocks(a, b, np.zeros((128, 128)), 32)
    kernel = triton.jit(product)

    def right(times):
        for _ in range(times):
            c = np.zeros((128, 128), np.float32)
            kernel[(2, 2)](
                a, b, c, 128, 128, 512, 512, 128, 1, 64, 64, 32, tl.float32, tier="cpu", bf16_sums="blocks"
            )
            if not np.array_equal(c.view(np.uint32), expected.view(np.uint32)):
                return False
        return True

    assert right(1)
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
    try:
        assert right(100)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(right, [40] * 8))
    child = os.fork()
    if child == 0:
        os._exit(0 if right(20) else 1)
    assert os.waitpid(child, 0)[1] == 0
