"""Blocks of many short dimensions in tier 1, as sorting and flipping make them: neighbours merge into loops.

What: bits equal tier 0's for every width and axis, whether partners lie in one chunk of lanes or not; NaNs
and zeros of both signs keep theirs. Code grows neither with the block nor with the rank.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@trisect.jit
def sort(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DESCENDING: tl.constexpr):
    places = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + places, tl.sort(tl.load(x_ptr + places), descending=DESCENDING))


@trisect.jit
def best(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, COUNT: tl.constexpr):
    rows = tl.arange(0, ROWS)[:, None]
    x = tl.load(x_ptr + rows * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(out_ptr + rows * COUNT + tl.arange(0, COUNT)[None, :], tl.topk(x, COUNT))


@trisect.jit
def merged(x_ptr, out_ptr, COLUMNS: tl.constexpr):
    """The block is read again beside what became of it."""
    places = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + places)
    tl.store(out_ptr + places, tl.bitonic_merge(x, descending=True) + x)


@trisect.jit
def flip(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr):
    places = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + places)
    tl.store(out_ptr + places, tl.flip(x, AXIS) * 2 + x)


@trisect.jit
def cube(x_ptr, out_ptr):
    """Sums along each axis of a cube, added where the axes meet, then seen as a block of two dimensions."""
    places = tl.arange(0, 256)
    x = tl.load(x_ptr + places).reshape([4, 8, 8])
    sums = tl.sum(x, 0)[None, :, :] + tl.sum(x, 1)[:, None, :] + tl.sum(x, 2)[:, :, None]
    y = tl.trans(x * sums, 2, 0, 1).reshape([16, 16])
    tl.store(out_ptr + places, tl.reshape(y + tl.arange(0, 16)[None, :], [256]))


@trisect.jit
def add_one(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n) + 1, mask=offsets < n)


SHAPES = [(1, 2), (2, 2), (1, 16), (4, 4), (32, 2), (8, 8), (2, 64), (1, 128)]


def sample(rows, columns, dtype):
    x = np.random.default_rng(rows + columns).standard_normal((rows, columns)) * 50
    if np.dtype(dtype).kind == "f":
        x.flat[:: columns + 3] = np.nan
        x.flat[1 :: columns + 5] = -0.0
        x.flat[2 :: columns + 7] = 0.0
    return x.astype(dtype)


def both(kernel, x, size, **options):
    results = []
    for tier in ("interp", "cpu"):
        out = np.zeros(size, x.dtype)
        kernel[(1,)](x.copy(), out, **options, tier=tier)
        results.append(out.tobytes())
    return results


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.int64])
@pytest.mark.parametrize("descending", [False, True])
def test_sorted_rows_have_the_bits_of_tier_0(shape, dtype, descending):
    x = sample(*shape, dtype)
    reference, compiled = both(sort, x, x.size, ROWS=shape[0], COLUMNS=shape[1], DESCENDING=descending)
    assert compiled == reference
    if np.dtype(dtype).kind == "i":
        want = np.sort(x, axis=1)
        assert compiled == (want[:, ::-1] if descending else want).tobytes()


@pytest.mark.parametrize("shape", [(16, 32), (1, 512), (2, 512), (1, 2048)])
@pytest.mark.parametrize(
    ("arch", "dtype"),
    [("", dtype) for dtype in (np.float32, np.float64, np.uint8, np.uint16, np.int32)]
    + [("x86-64-v3", np.float32), ("x86-64-v3", np.uint8), ("x86-64-v2", np.float32)],
)
def test_rows_of_many_vectors_have_the_bits_of_tier_0(shape, dtype, arch):
    """Steps of a network are done on parts of a row that stay in registers, half of them in reverse."""
    x = sample(*shape, dtype)
    for descending in (False, True):
        options = {"ROWS": shape[0], "COLUMNS": shape[1], "DESCENDING": descending}
        reference, compiled = both(sort, x, x.size, **options, arch=arch)
        assert compiled == reference
    options = {"ROWS": shape[0], "COLUMNS": shape[1], "COUNT": 16}
    reference, compiled = both(best, x, shape[0] * 16, **options, arch=arch)
    assert compiled == reference
    if shape[0] == 1:
        reference, compiled = both(merged, x, x.size, COLUMNS=shape[1], arch=arch)
        assert compiled == reference


@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize("shape", [(2, 8), (16, 16), (1, 64)])
def test_the_best_have_the_bits_of_tier_0(shape, count):
    x = sample(*shape, np.int32)
    reference, compiled = both(best, x, shape[0] * count, ROWS=shape[0], COLUMNS=shape[1], COUNT=count)
    assert compiled == reference == np.sort(x, axis=1)[:, ::-1][:, :count].tobytes()


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_flipped_blocks_have_the_bits_of_tier_0(shape, axis):
    x = sample(*shape, np.float32)
    reference, compiled = both(flip, x, x.size, ROWS=shape[0], COLUMNS=shape[1], AXIS=axis)
    assert compiled == reference


def test_sums_along_each_axis_of_a_cube():
    x = np.random.default_rng(0).integers(-9, 9, 256).astype(np.int32)
    reference, compiled = both(cube, x, 256)
    assert compiled == reference


def lines(kernel, *arguments, **options):
    kernel[(1,)](*arguments, **options, tier="cpu")
    made = kernel.warmup(*arguments, **options, grid=(1,), tier="cpu")
    return len(made.asm["vectors"].splitlines())


def test_code_grows_with_the_steps_of_a_sort_alone():
    x, out = np.zeros(4096, np.float32), np.zeros(4096, np.float32)
    steps = 10 * 11 // 2
    options = {"ROWS": 1, "COLUMNS": 1024, "DESCENDING": False}
    assert lines(sort, x, out, **options) < 40 * steps
    plan = sort.warmup(x, out, **options, grid=(1,), tier="cpu").asm["plan"]
    assert f"network of {steps} steps" in plan
    wide = lines(sort, x, out, ROWS=512, COLUMNS=8, DESCENDING=False)
    narrow = lines(sort, x, out, ROWS=16, COLUMNS=8, DESCENDING=False)
    assert wide <= 1.05 * narrow


def test_code_does_not_grow_with_the_block():
    x, out = np.zeros(65536, np.float32), np.zeros(65536, np.float32)
    small = lines(add_one, x, out, 1000, BLOCK=1024)
    assert lines(add_one, x, out, 1000, BLOCK=65536) <= 1.05 * small
