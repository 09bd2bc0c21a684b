"""Library functions, run and compared with NumPy."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

M, N = 8, 32


def matrix(dtype, seed=0):
    generator = np.random.default_rng(seed)
    if np.issubdtype(dtype, np.floating):
        return generator.normal(size=(M, N)).astype(dtype)
    return generator.integers(-100 if np.issubdtype(dtype, np.signedinteger) else 0, 100, (M, N)).astype(
        dtype
    )


@triton.jit
def _block(x, M: tl.constexpr, N: tl.constexpr):
    return tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])


@triton.jit
def reductions(o, p, x, F: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = _block(x, M, N)
    tl.store(o + tl.arange(0, M), F(v, 1))
    tl.store(p + tl.arange(0, N), F(v, 0))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.uint8, np.int16], ids=str)
@pytest.mark.parametrize(
    "function,numpy",
    [(tl.max, np.max), (tl.min, np.min), (tl.argmax, np.argmax), (tl.argmin, np.argmin), (tl.sum, np.sum)],
    ids=lambda f: f.__name__,
)
def test_reductions(dtype, function, numpy):
    x = matrix(dtype)
    kind = np.int32 if numpy in (np.argmax, np.argmin) or x.dtype.itemsize < 4 else dtype
    rows, columns = np.zeros(M, kind), np.zeros(N, kind)
    reductions[(1,)](rows, columns, x, function, M, N)
    compare = (
        np.testing.assert_allclose if np.issubdtype(kind, np.floating) else np.testing.assert_array_equal
    )
    options = {"rtol": 1e-5, "atol": 1e-5} if compare is np.testing.assert_allclose else {}
    compare(rows, numpy(x, axis=1).astype(kind), **options)
    compare(columns, numpy(x, axis=0).astype(kind), **options)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8], ids=str)
@pytest.mark.parametrize(
    "function,numpy", [(tl.xor_sum, np.bitwise_xor), (tl.reduce_or, np.bitwise_or)], ids=["xor", "or"]
)
def test_bit_reductions(dtype, function, numpy):
    x = matrix(dtype)
    rows, columns = np.zeros(M, dtype), np.zeros(N, dtype)
    reductions[(1,)](rows, columns, x, function, M, N)
    np.testing.assert_array_equal(rows, numpy.reduce(x, axis=1))
    np.testing.assert_array_equal(columns, numpy.reduce(x, axis=0))


@triton.jit
def first_of_equals(o, x, LEFT: tl.constexpr, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    a, i = tl.max(v, 0, return_indices=True, return_indices_tie_break_left=LEFT)
    b, j = tl.min(v, 0, return_indices=True, return_indices_tie_break_left=LEFT)
    tl.store(o, a)
    tl.store(o + 1, b)
    tl.store(o + 2, i)
    tl.store(o + 3, j)


def test_ties_break_to_the_left():
    x = np.array([3, 7, 1, 7, 1, 7, 2, 1], np.int32)
    out = np.zeros(4, np.int32)
    first_of_equals[(1,)](out, x, True, 8)
    assert out.tolist() == [7, 1, 1, 2]
    first_of_equals[(1,)](out, x, False, 8)
    assert out[:2].tolist() == [7, 1] and x[out[2]] == 7 and x[out[3]] == 1


@triton.jit
def kept_dimensions(o, x, M: tl.constexpr, N: tl.constexpr):
    v = _block(x, M, N)
    centred = v - tl.sum(v, 1, keep_dims=True) / N
    scaled = centred / tl.max(tl.abs(centred), keep_dims=True)
    tl.store(o + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], scaled)


def test_kept_dimensions():
    x, out = matrix(np.float32), np.zeros((M, N), np.float32)
    kept_dimensions[(1,)](out, x, M, N)
    centred = x - x.mean(1, keepdims=True)
    np.testing.assert_allclose(out, centred / np.abs(centred).max(), rtol=1e-5, atol=1e-6)


@triton.jit
def scans(o, x, F: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = _block(x, M, N)
    tl.store(o + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], F(v, AXIS, REVERSE))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int8], ids=str)
@pytest.mark.parametrize(
    "function,numpy", [(tl.cumsum, np.cumsum), (tl.cumprod, np.cumprod)], ids=["sum", "prod"]
)
def test_scans(function, numpy, dtype, axis, reverse):
    x = matrix(dtype) if numpy is np.cumsum else (matrix(dtype) % 3 + 1).astype(dtype)
    kind = np.int32 if dtype is np.int8 and numpy is np.cumsum else dtype
    out = np.zeros((M, N), kind)
    scans[(1,)](out, x, function, axis, reverse, M, N)
    flipped = np.flip(x, axis) if reverse else x
    expected = numpy(flipped, axis=axis, dtype=kind)
    expected = np.flip(expected, axis) if reverse else expected
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-5)


@triton.jit
def maximum_of(a, b):
    return tl.maximum(a, b)


@triton.jit
def linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def custom(o, p, x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(o + i, tl.associative_scan(a, 0, maximum_of))
    _, h = tl.associative_scan((a, b), 0, linear)
    tl.store(p + i, h)


def test_custom_scans():
    generator = np.random.default_rng(1)
    a, b = generator.uniform(0.5, 1, N).astype(np.float32), generator.normal(size=N).astype(np.float32)
    out, state = np.zeros(N, np.float32), np.zeros(N, np.float32)
    custom[(1,)](out, state, a, b, N)
    np.testing.assert_array_equal(out, np.maximum.accumulate(a))
    h, expected = 0.0, []
    for p, q in zip(a, b, strict=True):
        h = p * h + q
        expected.append(h)
    np.testing.assert_allclose(state, expected, rtol=1e-5, atol=1e-5)


@triton.jit
def sorts(o, x, DESCENDING: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = tl.sort(_block(x, M, N), descending=DESCENDING)
    tl.store(o + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], v)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint32, np.int8, np.int64], ids=str)
def test_sort(dtype, descending):
    x, out = matrix(dtype), np.zeros((M, N), dtype)
    sorts[(1,)](out, x, descending, M, N)
    expected = np.sort(x, axis=1)
    np.testing.assert_array_equal(out, expected[:, ::-1] if descending else expected)


@triton.jit
def tops(o, x, K: tl.constexpr, DESCENDING: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = tl.topk(_block(x, M, N), K, descending=DESCENDING)
    tl.store(o + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], v)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("k", [1, 2, 8, 32])
@pytest.mark.parametrize("dtype", [np.float32, np.int32], ids=str)
def test_topk(dtype, k, descending):
    x, out = matrix(dtype), np.zeros((M, k), dtype)
    tops[(1,)](out, x, k, descending, M, N)
    expected = np.sort(x, axis=1)
    np.testing.assert_array_equal(out, expected[:, ::-1][:, :k] if descending else expected[:, :k])


@triton.jit
def merges(o, x, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.bitonic_merge(tl.load(x + tl.arange(0, N))))


def test_bitonic_merge():
    x = np.concatenate([np.arange(16), np.arange(40, 24, -1)]).astype(np.int32)
    out = np.zeros(N, np.int32)
    merges[(1,)](out, x, N)
    np.testing.assert_array_equal(out, np.sort(x))


@triton.jit
def moves(o, x, WHAT: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = _block(x, M, N)
    if WHAT == "flip0":
        r = tl.flip(v, 0)
    elif WHAT == "flip1":
        r = v.flip()
    elif WHAT == "trans":
        r = tl.trans(v)
    elif WHAT == "permute":
        r = tl.permute(v.reshape(M, N // 4, 4), (1, 2, 0))
    elif WHAT == "ravel":
        r = tl.ravel(v)
    elif WHAT == "reshape":
        r = tl.reshape(v, (N, M))
    elif WHAT == "join":
        r = tl.join(v, v + 1)
    elif WHAT == "split":
        a, b = tl.split(v.reshape(M, N // 2, 2))
        r = a * 2 + b
    elif WHAT == "interleave":
        r = tl.interleave(v, -v)
    elif WHAT == "cat0":
        r = tl.cat(v, v + 1, dim=0)
    elif WHAT == "cat1":
        r = tl.cat(v, v + 1, dim=1)
    elif WHAT == "gather":
        r = tl.gather(v, (tl.arange(0, N)[None, :] * 7 + tl.arange(0, M)[:, None]) % N, 1)
    elif WHAT == "squeeze":
        r = tl.squeeze(tl.unsqueeze(v, 1), 1)
    else:
        r = tl.broadcast_to(v[:, :, None], (M, N, 2))
    flat = tl.ravel(r)
    tl.store(o + tl.arange(0, flat.numel), flat)


_MOVES = {
    "flip0": lambda x: x[::-1], "flip1": lambda x: x[:, ::-1], "trans": lambda x: x.T,
    "permute": lambda x: x.reshape(M, N // 4, 4).transpose(1, 2, 0), "ravel": lambda x: x,
    "reshape": lambda x: x, "join": lambda x: np.stack([x, x + 1], -1),
    "split": lambda x: x[:, ::2] * 2 + x[:, 1::2], "interleave": lambda x: np.stack([x, -x], -1),
    "cat0": lambda x: np.concatenate([x, x + 1]), "cat1": lambda x: np.concatenate([x, x + 1], 1),
    "gather": lambda x: np.take_along_axis(x, (np.arange(N)[None] * 7 + np.arange(M)[:, None]) % N, 1),
    "squeeze": lambda x: x, "broadcast": lambda x: np.stack([x, x], -1),
}  # fmt: skip


@pytest.mark.parametrize("what", _MOVES)
@pytest.mark.parametrize("dtype", [np.float32, np.int8], ids=str)
def test_moves(what, dtype):
    x = matrix(dtype)
    expected = np.ascontiguousarray(_MOVES[what](x)).ravel()
    out = np.zeros(expected.size, dtype)
    moves[(1,)](out, x, what, M, N)
    np.testing.assert_array_equal(out, expected)


@triton.jit
def functions(o, x, WHAT: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    v = _block(x, M, N)
    if WHAT == "softmax":
        r = tl.softmax(v, 1)
    elif WHAT == "sigmoid":
        r = tl.sigmoid(v)
    elif WHAT == "exp":
        r = tl.exp(v)
    elif WHAT == "exp2":
        r = tl.exp2(v)
    elif WHAT == "log":
        r = tl.log(tl.abs(v) + 0.5)
    elif WHAT == "log2":
        r = tl.log2(tl.abs(v) + 0.5)
    elif WHAT == "sin":
        r = tl.sin(v)
    elif WHAT == "cos":
        r = tl.cos(v)
    elif WHAT == "sqrt":
        r = tl.sqrt(tl.abs(v))
    elif WHAT == "rsqrt":
        r = tl.rsqrt(tl.abs(v) + 0.5)
    elif WHAT == "floor":
        r = tl.floor(v * 3)
    elif WHAT == "ceil":
        r = tl.ceil(v * 3)
    elif WHAT == "fma":
        r = tl.fma(v, v, 2.0)
    elif WHAT == "clamp":
        r = tl.clamp(v, -0.5, 0.5)
    elif WHAT == "where":
        r = tl.where(v > 0, v, 0.1 * v)
    elif WHAT == "fdiv":
        r = tl.fdiv(v, tl.full([], 3.0, v.dtype))
    else:
        r = tl.zeros_like(v) + tl.full((M, N), 2, v.dtype)
    tl.store(o + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], r)


def _softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


_FUNCTIONS = {
    "softmax": _softmax, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "exp": np.exp, "exp2": np.exp2,
    "log": lambda x: np.log(np.abs(x) + 0.5), "log2": lambda x: np.log2(np.abs(x) + 0.5),
    "sin": np.sin, "cos": np.cos,
    "sqrt": lambda x: np.sqrt(np.abs(x)), "rsqrt": lambda x: 1 / np.sqrt(np.abs(x) + 0.5),
    "floor": lambda x: np.floor(x * 3), "ceil": lambda x: np.ceil(x * 3), "fma": lambda x: x * x + 2,
    "clamp": lambda x: np.clip(x, -0.5, 0.5), "where": lambda x: np.where(x > 0, x, 0.1 * x),
    "fdiv": lambda x: x / 3,
    "full": lambda x: np.full_like(x, 2),
}  # fmt: skip


@pytest.mark.parametrize("what", _FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=str)
def test_functions(what, dtype):
    x, out = matrix(dtype), np.zeros((M, N), dtype)
    functions[(1,)](out, x, what, M, N)
    np.testing.assert_allclose(out, _FUNCTIONS[what](x), rtol=1e-5, atol=1e-6)


@triton.jit
def histograms(o, x, n, BINS: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + tl.arange(0, BINS), tl.histogram(tl.load(x + i), BINS, mask=i < n))


def test_histogram():
    x = np.random.default_rng(3).integers(0, 16, 128).astype(np.int32)
    out = np.zeros(16, np.int32)
    histograms[(1,)](out, x, 100, 16, 128)
    np.testing.assert_array_equal(out, np.bincount(x[:100], minlength=16))


@triton.jit
def swizzles(o, rows, columns, group):
    i, j = tl.program_id(0), tl.program_id(1)
    a, b = tl.swizzle2d(i, j, rows, columns, group)
    tl.store(o + (i * columns + j) * 2, a)
    tl.store(o + (i * columns + j) * 2 + 1, b)


def test_swizzle2d_visits_every_tile_once():
    out = np.zeros((5, 6, 2), np.int32)
    swizzles[(5, 6)](out, 5, 6, 2)
    assert len({tuple(pair) for pair in out.reshape(-1, 2)}) == 30
    assert out.reshape(-1, 2)[:4].tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert out[..., 0].max() == 4 and out[..., 1].max() == 5


def philox_reference(key, counter, rounds=10):
    """Philox 4x32 of one counter of four words."""
    mask = 0xFFFFFFFF
    c0, c1, c2, c3 = counter
    k0, k1 = key & mask, key >> 32 & mask
    for _ in range(rounds):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = p1 >> 32 ^ c1 ^ k0, p1 & mask, p0 >> 32 ^ c3 ^ k1, p0 & mask
        k0, k1 = k0 + 0x9E3779B9 & mask, k1 + 0xBB67AE85 & mask
    return c0, c1, c2, c3


@triton.jit
def philox_words(o, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(o + i * 4, a)
    tl.store(o + i * 4 + 1, b)
    tl.store(o + i * 4 + 2, c)
    tl.store(o + i * 4 + 3, d)


@pytest.mark.parametrize("seed", [0, 1, 123456789012345])
def test_philox_bit_for_bit(seed):
    out = np.zeros((N, 4), np.uint32)
    philox_words[(1,)](out, seed, N)
    expected = [philox_reference(seed, (i, 0, 0, 0)) for i in range(N)]
    np.testing.assert_array_equal(out, np.array(expected, np.uint32))


@triton.jit
def random_floats(o, p, seed, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(o + i, tl.rand(seed, i))
    tl.store(p + i, tl.randn(seed, i))


def test_random_floats_are_uniform_and_normal():
    count = 64 * 512
    uniform, normal = np.zeros(count, np.float32), np.zeros(count, np.float32)
    random_floats[(64,)](uniform, normal, 42, 512)
    assert 0 <= uniform.min() and uniform.max() < 1
    assert abs(uniform.mean() - 0.5) < 0.01 and abs(uniform.var() - 1 / 12) < 0.005
    assert abs(normal.mean()) < 0.02 and abs(normal.std() - 1) < 0.02


@triton.jit
def cumulative_helpers(o, n, div):
    tl.store(o, tl.cdiv(n, div))
    tl.store(o + 1, max(n, div, 7))
    tl.store(o + 2, min(n, div))
    tl.store(o + 3, tl.num_programs(0))


def test_small_helpers():
    out = np.zeros(4, np.int32)
    cumulative_helpers[(3,)](out, 17, 5)
    assert out.tolist() == [4, 17, 5, 3]
