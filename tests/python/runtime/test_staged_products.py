"""Loops that multiply matrices, compiled: the bits of tier 0 whatever the sizes, strides, masks and orders.

Compiled code makes several rounds of such a loop ready before it multiplies, reads the left matrix where it
lies where it can, and leaves the packed right one to the next program (docs/tiers.md). The cases are chosen
at the edges of each: rounds that no stage divides, more stages than stay, masks that are off in the middle
of a stage, rows that are not side by side, programs that need another right matrix than the one before, and
matrices that change while the launch runs.
"""

import ml_dtypes
import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, skew,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, MASKED: tl.constexpr, SUMS: tl.constexpr,
    OTHER: tl.constexpr = 0, HOP: tl.constexpr = 1,
):  # fmt: skip
    rows_of_tiles = tl.cdiv(M, BM)
    pid = tl.program_id(0)
    rows = (pid % rows_of_tiles * BM + tl.arange(0, BM)) % M
    columns = (pid // rows_of_tiles * BN + tl.arange(0, BN)) % N
    steps = tl.arange(0, BK)
    a_ptrs = a_ptr + (rows[:, None] * stride_am + steps[None, :] * stride_ak)
    b_ptrs = b_ptr + (steps[:, None] * stride_bk + columns[None, :] * stride_bn)
    acc = tl.zeros((BM, BN), dtype=SUMS)
    for k in range(0, tl.cdiv(K, BK)):
        if MASKED:
            # `skew` turns the masks of some rounds in the middle off, and then on again.
            left = tl.minimum(K - k * BK, BK - skew * (k % 3))
            a = tl.load(a_ptrs, mask=steps[None, :] < left, other=OTHER)
            b = tl.load(b_ptrs, mask=steps[:, None] < left, other=OTHER)
        else:
            a, b = tl.load(a_ptrs), tl.load(b_ptrs)
        acc = tl.dot(a, b, acc, input_precision="ieee", out_dtype=SUMS)
        a_ptrs += HOP * BK * stride_ak
        b_ptrs += BK * stride_bk
    rows = pid % rows_of_tiles * BM + tl.arange(0, BM)
    columns = pid // rows_of_tiles * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + N * rows[:, None] + columns[None, :]
    tl.store(c_ptrs, acc, mask=(rows[:, None] < M) & (columns[None, :] < N))


def in_both_tiers(monkeypatch, launch):
    # What compiled code gives, not what a comparison makes of it.
    monkeypatch.setenv("TRISECT_CHECK", "off")
    results = []
    for tier in ("interp", "cpu"):
        monkeypatch.setenv("TRISECT_TIER", tier)
        results.append(launch())
    np.testing.assert_array_equal(results[0].view(np.uint8), results[1].view(np.uint8))
    return results[1]


def numbers(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


CASES = {
    "one round": (96, 32, 32, (32, 32, 32)),
    "no round": (32, 32, 0, (32, 32, 32)),
    "ragged": (70, 50, 100, (32, 32, 16)),
    "rounds that no stage divides": (64, 64, 11 * 16, (32, 32, 16)),
    "a stage and one step": (40, 40, 129, (16, 16, 16)),
    "several panels": (48, 300, 260, (32, 256, 32)),
    "deep rounds": (80, 64, 520, (32, 64, 256)),
    "more stages than stay": (96, 300, 2300, (32, 256, 32)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("layout", ["rows", "turned right", "turned left", "apart"])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_sizes(monkeypatch, case, layout, dtype):
    m, n, k, (bm, bn, bk) = CASES[case]
    a = numbers(0, k, m, dtype=dtype).T if layout == "turned left" else numbers(0, m, k, dtype=dtype)
    b = numbers(1, n, k, dtype=dtype).T if layout == "turned right" else numbers(1, k, n, dtype=dtype)
    if layout == "apart":
        a = numbers(0, m, 2 * k + 1, dtype=dtype)[:, : 2 * k : 2]
        b = numbers(1, k, 3 * n, dtype=dtype)[:, ::3]
    strides = [s // a.itemsize for s in (*a.strides, *b.strides)]

    def launch():
        c = np.zeros((m, n), np.float32)
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
        matmul[grid](a, b, c, m, n, k, *strides, 0, bm, bn, bk, True, tl.float32)
        return c

    c = in_both_tiers(monkeypatch, launch)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-3)


@pytest.mark.parametrize(
    ("dtype", "sums"),
    [
        ("f4", tl.float32),
        ("f8", tl.float64),
        ("f2", tl.float32),
        (ml_dtypes.bfloat16, tl.float32),
        ("i1", tl.int32),
    ],
)
@pytest.mark.parametrize("skew", [0, 9, 40])
def test_types_and_masks(monkeypatch, dtype, sums, skew):
    m, n, k = 96, 160, 32 * 7
    a, b = (20 * numbers(s, *shape).clip(-4, 4) for s, shape in enumerate([(m, k), (k, n)]))
    a, b = a.astype(dtype), b.astype(dtype)

    def launch():
        c = np.zeros((m, n), {"f8": np.float64, "i1": np.int32}.get(dtype, np.float32))
        matmul[(6,)](a, b, c, m, n, k, k, 1, n, 1, skew, 32, 128, 32, True, sums, OTHER=2)
        return c

    in_both_tiers(monkeypatch, launch)


def test_without_masks(monkeypatch):
    a, b = numbers(0, 64, 192), numbers(1, 192, 128)

    def launch():
        c = np.zeros((64, 128), np.float32)
        matmul[(4,)](a, b, c, 64, 128, 192, 192, 1, 128, 1, 0, 32, 64, 32, False, tl.float32)
        return c

    in_both_tiers(monkeypatch, launch)


@pytest.mark.parametrize("hop", [0, 2, -1])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_left_matrix_that_does_not_go_on(monkeypatch, hop, dtype):
    a, b = numbers(0, 64, 512, dtype=dtype), numbers(1, 192, 64, dtype=dtype)
    left = a[:, 256:] if hop < 0 else a

    def launch():
        c = np.zeros((64, 64), np.float32)
        matmul[(2,)](left, b, c, 64, 64, 192, 512, 1, 64, 1, 0, 32, 64, 32, False, tl.float32, HOP=hop)
        return c

    in_both_tiers(monkeypatch, launch)


def test_right_matrix_that_changes_between_launches(monkeypatch):
    a, b = numbers(0, 64, 128), numbers(1, 128, 32)

    def launch():
        results, right = np.zeros((3, 64, 32), np.float32), b.copy()
        for result in results:
            matmul[(2,)](a, right, result, 64, 32, 128, 128, 1, 32, 1, 0, 32, 32, 32, True, tl.float32)
            right *= 2
        return results

    in_both_tiers(monkeypatch, launch)


@triton.jit
def same_right(a_ptr, b_ptr, c_ptr, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    """Every program multiplies by one right matrix, and then changes it."""
    pid = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    a_ptrs = a_ptr + i[:, None] * BLOCK + tl.arange(0, 16)[None, :]
    b_ptrs = b_ptr + tl.arange(0, 16)[:, None] * BLOCK + i[None, :]
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(BLOCK // 16):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc, input_precision="ieee")
        a_ptrs += 16
        b_ptrs += 16 * BLOCK
    tl.store(c_ptr + pid * BLOCK * BLOCK + i[:, None] * BLOCK + i[None, :], acc)
    if ATOMIC:
        tl.atomic_add(b_ptr + i, 1.0)
    else:
        tl.store(b_ptr + i, pid + 1.0)


@pytest.mark.parametrize("atomic", [False, True])
def test_right_matrix_that_changes_while_a_launch_runs(monkeypatch, atomic):
    a, start = numbers(0, 32, 32), numbers(1, 32, 32)

    def launch():
        b, c = start.copy(), np.zeros((5, 32, 32), np.float32)
        same_right[(5,)](a, b, c, BLOCK=32, ATOMIC=atomic, num_threads=1)
        return c

    c = in_both_tiers(monkeypatch, launch)
    assert not np.array_equal(c[0], c[1])


@triton.jit
def feedback(x_ptr, b_ptr, out_ptr, rounds, BLOCK: tl.constexpr):
    """Products whose factor is the block that they add to."""
    i = tl.arange(0, BLOCK)
    at = i[:, None] * BLOCK + i[None, :]
    x, b = tl.load(x_ptr + at), tl.load(b_ptr + at)
    for _ in range(rounds):
        y = x * 0.5
        x = tl.dot(x, b, x, input_precision="ieee")
        y = tl.dot(b, y, y, input_precision="ieee")
        x = tl.dot(y, x, x + y, input_precision="ieee")
    tl.store(out_ptr + at, x)


@pytest.mark.parametrize("size", [16, 32, 128])
def test_factors_that_are_added_to(monkeypatch, size):
    x, b = numbers(0, size, size) / size, numbers(1, size, size) / size

    def launch():
        out = np.zeros((size, size), np.float32)
        feedback[(1,)](x, b, out, 3, BLOCK=size)
        return out

    in_both_tiers(monkeypatch, launch)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("layout", ["rows", "turned right", "turned left", "apart"])
def test_bytes(monkeypatch, case, layout):
    m, n, k, (bm, bn, bk) = CASES[case]
    draw = np.random.default_rng(2)
    a, b = (draw.integers(-128, 128, shape, dtype=np.int8) for shape in ((m, k), (k, n)))
    a[:, : k // 2], b[: k // 2, ::2] = -128, -128
    if layout == "turned left":
        a = np.ascontiguousarray(a.T).T
    elif layout == "turned right":
        b = np.ascontiguousarray(b.T).T
    elif layout == "apart":
        a, b = np.repeat(a, 2, axis=1)[:, ::2], np.repeat(b, 3, axis=1)[:, ::3]

    def launch():
        c = np.zeros((m, n), np.int32)
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
        matmul[grid](a, b, c, m, n, k, *a.strides, *b.strides, 0, bm, bn, bk, True, tl.int32)
        return c

    c = in_both_tiers(monkeypatch, launch)
    np.testing.assert_array_equal(c, a.astype(np.int64) @ b.astype(np.int64))
