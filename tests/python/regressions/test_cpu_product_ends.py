"""Products whose last round is masked: what both masks leave out is not multiplied, and nobody sees it."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl


@triton.jit
def product(
    a_ptr, b_ptr, c_ptr, start_ptr, K, DEPTH, LEFT: tl.constexpr, RIGHT: tl.constexpr, OTHER: tl.constexpr,
    TURNED: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    m, n, k = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.load(start_ptr + m[:, None] * BN + n[None, :])
    for at in range(0, DEPTH, BK):
        a_at = a_ptr + m[:, None] * DEPTH + at + k[None, :]
        if LEFT:
            a = tl.load(a_at, mask=k[None, :] < K - at, other=OTHER)
        else:
            a = tl.load(a_at)
        if TURNED:
            b_at = b_ptr + n[:, None] * DEPTH + at + k[None, :]
            b = tl.load(b_at, mask=k[None, :] < K - at, other=OTHER) if RIGHT else tl.load(b_at)
            acc = tl.dot(a, tl.trans(b), acc, input_precision="ieee")
        else:
            b_at = b_ptr + (at + k[:, None]) * BN + n[None, :]
            b = tl.load(b_at, mask=k[:, None] < K - at, other=OTHER) if RIGHT else tl.load(b_at)
            acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(c_ptr + m[:, None] * BN + n[None, :], acc)


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """A comparison would give tier 0's result in the place of a wrong one."""
    monkeypatch.setenv("TRISECT_CHECK", "off")


BM, BN, BK, DEPTH = 16, 32, 16, 320


def run(tier, a, b, start, steps, left=True, right=True, other=0.0, turned=False):
    out = np.full((BM, BN), np.nan, start.dtype)
    given = np.ascontiguousarray(b.T) if turned else b
    for _ in range(3):  # the second and third find the right factor ready
        product[(1,)](a, given, out, start, steps, DEPTH, left, right, other, turned, BM, BN, BK, tier=tier)
    return out


def same(*given, **options):
    bits = {np.float32: np.uint32, np.float64: np.uint64}[given[2].dtype.type]
    compiled, told = run("cpu", *given, **options), run("interp", *given, **options)
    np.testing.assert_array_equal(compiled.view(bits), told.view(bits))
    return compiled


def factors(dtype, seed=1):
    random = np.random.default_rng(seed)
    return random.standard_normal((BM, DEPTH)).astype(dtype), random.standard_normal((DEPTH, BN)).astype(
        dtype
    )


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "steps", [0, 1, 3, 4, 5, 15, 16, 17, 127, 128, 129, 255, 256, 300, 301, 319, 320, 999]
)
def test_every_end_adds_up_what_tier_0_does(steps, turned):
    a, b = factors(np.float32)
    found = same(a, b, np.ones((BM, BN), np.float32), steps, turned=turned)
    np.testing.assert_allclose(found, 1 + a[:, :steps] @ b[:steps], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("steps", [0, 16, 128, 300, 316])
def test_a_sum_of_negative_zero_meets_a_step_of_zeros(steps, dtype):
    """-0 + 0 * 0 is 0, so one step of zeros must be there if any is left out."""
    a, b = factors(dtype)
    a[:], b[:] = -0.0, 1.0
    start = np.full((BM, BN), -0.0, np.float64 if dtype is np.float64 else np.float32)
    assert not np.signbit(same(a, b, start, steps)).any()
    assert np.signbit(same(a, b, start, DEPTH)).all()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("left", "right", "other"), [(True, False, 0.0), (False, True, 0.0), (True, True, 1.0)]
)
@pytest.mark.parametrize("special", [np.inf, np.nan])
def test_what_one_mask_lets_through_is_multiplied(special, left, right, other, turned):
    a, b = factors(np.float32)
    a[:, 305:], b[305:] = special, special
    found = same(
        a, b, np.zeros((BM, BN), np.float32), 300, left=left, right=right, other=other, turned=turned
    )
    assert np.isnan(found).all() == (not (left and right))


@triton.jit
def masked_apart(a_ptr, b_ptr, c_ptr, KA, KB, DEPTH, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, k = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for at in range(0, DEPTH, BK):
        a = tl.load(
            a_ptr + m[:, None] * DEPTH + at + k[None, :], (k < KA - at)[None, :] & (m < 15)[:, None], 0.0
        )
        b = tl.load(b_ptr + (at + k[:, None]) * BN + n[None, :], mask=k[:, None] < KB - at, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(c_ptr + m[:, None] * BN + n[None, :], acc)


@pytest.mark.parametrize(
    ("left", "right"), [(300, 17), (17, 300), (0, 320), (320, 0), (-5, 40), (2**31 - 1, 7)]
)
def test_masks_that_end_apart(left, right):
    a, b = factors(np.float32)
    a[:, 310:], b[310:] = np.nan, np.nan  # both masks off: nobody reads them; one on: NaN in both tiers
    found = {}
    for tier in ("cpu", "interp"):
        found[tier] = np.empty((BM, BN), np.float32)
        for _ in range(2):
            masked_apart[(1,)](a, b, found[tier], left, right, DEPTH, BM, BN, BK, tier=tier)
    np.testing.assert_array_equal(found["cpu"].view(np.uint32), found["interp"].view(np.uint32))
