"""Blocks that lie along their first dimension in memory, in tier 1: transposed in registers.

What: copies that transpose, on either side, of every width, with ragged ends, strides that are arguments and
channels that are made last, give the bits of tier 0; so do strides for which lanes meet, where the order of
lanes decides, and a block that is transposed in place.
"""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@pytest.fixture(autouse=True)
def nobody_else_compares(monkeypatch):
    """Else tier 0 would take over where the tiers differ."""
    monkeypatch.setenv("TRISECT_CHECK", "off")


@trisect.jit
def scattered(x_ptr, out_ptr, m, n, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Reads along rows, writes along columns."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (rows < m) & (columns < n)
    x = tl.load(x_ptr + rows * n + columns, mask=inside)
    tl.store(out_ptr + columns * pitch + rows, x + x, mask=inside)


@trisect.jit
def gathered(x_ptr, out_ptr, m, n, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Reads along columns, writes along rows."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (rows < m) & (columns < n)
    x = tl.load(x_ptr + columns * pitch + rows, mask=inside, other=3)
    tl.store(out_ptr + rows * 128 + columns, x + x, mask=rows < m)


@trisect.jit
def asked(x_ptr, out_ptr, m, n, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The kernel transposes by itself what it read along columns, and what it read along rows."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (rows < m) & (columns < n)
    x = tl.load(x_ptr + columns * pitch + rows, mask=inside, other=0)
    y = tl.load(x_ptr + rows + columns, mask=inside, other=0)
    there = tl.arange(0, COLUMNS)[:, None] * ROWS + tl.arange(0, ROWS)[None, :]
    block = (tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)) * ROWS * COLUMNS
    tl.store(out_ptr + block + there, tl.trans(x) + tl.trans(y))


@trisect.jit
def channels_last(
    x_ptr, out_ptr, count, ROWS: tl.constexpr, COLUMNS: tl.constexpr, C: tl.constexpr, P: tl.constexpr
):
    """As Inductor writes it: [count, C, P] becomes [count, P, C]."""
    y = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    x = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (y < count * C) & (x < P)
    channel, image = y % C, y // C
    value = tl.load(x_ptr + x + P * y, mask=inside)
    tl.store(out_ptr + channel + C * x + C * P * image, value, mask=inside)


@trisect.jit
def in_place(x_ptr, ROWS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS)[:, None], tl.arange(0, ROWS)[None, :]
    x = tl.load(x_ptr + rows * ROWS + columns)
    tl.store(x_ptr + columns * ROWS + rows, x)


@trisect.jit
def chosen(x_ptr, out_ptr, m, n, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The mask comes from memory, in a loop, and one result is the same for all."""
    rows, columns = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    for at in range(0, n, COLUMNS):
        inside = (rows < m) & (columns + at < n)
        x = tl.load(x_ptr + rows * n + at + columns, mask=inside, other=0)
        tl.store(out_ptr + (columns + at) * pitch + rows, tl.full((ROWS, COLUMNS), 7, x.dtype), mask=inside)
        tl.store(out_ptr + (columns + at) * pitch + rows, x * at, mask=inside & (x > 0))


def both(kernel, grid, x, size, *numbers, **options):
    """The bytes of both tiers, and the plan of the compiled one."""
    results, arch = [], options.pop("arch", "")
    for tier in ("interp", "cpu"):
        out = np.zeros(size, x.dtype)
        made = kernel[grid](x.copy(), out, *numbers, **options, tier=tier, arch=arch)
        results.append(out)
    return (*results, made.asm["plan"])


def sample(count, dtype):
    return (np.random.default_rng(count).standard_normal(count) * 40).astype(dtype)


TYPES = [np.int8, np.float16, np.float32, np.int64, np.float64]


@pytest.mark.parametrize("kernel", [scattered, gathered, asked, chosen])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("m", "n"), [(64, 32), (61, 37), (9, 3)])
@pytest.mark.parametrize("tile", [(32, 16), (8, 64), (64, 8)])
def test_both_tiers_agree(kernel, dtype, m, n, tile):
    rows, columns = tile
    grid = (-(-m // rows), -(-n // columns)) if kernel is not chosen else (1, 1)
    x, size = sample(80 * 80, dtype), 1 << 14
    first, second, plan = both(kernel, grid, x, size, m, n, m + 3, ROWS=rows, COLUMNS=columns)
    assert "transposed in registers" in plan
    assert first.tobytes() == second.tobytes()
    if kernel is scattered:
        want = (x[: m * n] + x[: m * n]).reshape(m, n).T
        wide = np.lib.stride_tricks.as_strided(second, (n, m), ((m + 3) * x.itemsize, x.itemsize))
        assert wide.tobytes() == np.ascontiguousarray(want).tobytes()


@pytest.mark.parametrize("arch", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("kernel", [scattered, gathered, asked])
def test_every_level_of_x86_agrees(kernel, arch):
    for dtype in (np.int8, np.float16, np.float32, np.float64):
        x = sample(80 * 80, dtype)
        first, second, _ = both(kernel, (2, 2), x, 1 << 13, 61, 37, 64, ROWS=32, COLUMNS=32, arch=arch)
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("pitch", [0, 1, 2, 15, 31, 32, 33, -1, -32, -40, 1 << 30, -(1 << 31)])
def test_lanes_that_meet_keep_their_order(pitch):
    """Of two lanes with one address the later one in the block's own order wins."""
    x = np.arange(32 * 16, dtype=np.int32)
    if abs(pitch) <= 40:
        results = []
        for tier in ("interp", "cpu"):
            out = np.zeros(4096, np.int32)
            scattered[(1, 1)](x, out[2048:], 32, 16, pitch, ROWS=32, COLUMNS=16, tier=tier)
            results.append(out.tobytes())
        assert results[0] == results[1]
    else:  # one column stays inside
        first, second, _ = both(scattered, (1, 1), x, 64, 32, 1, pitch, ROWS=32, COLUMNS=16)
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("count", "channels", "positions"), [(2, 64, 9), (3, 32, 100), (4, 3, 50), (1, 48, 16)]
)
@pytest.mark.parametrize("tile", [(32, 32), (64, 16), (16, 64)])
def test_channels_are_made_last(count, channels, positions, tile):
    x = sample(count * channels * positions, np.float32)
    grid = (-(-count * channels // tile[0]), -(-positions // tile[1]))
    options = {"ROWS": tile[0], "COLUMNS": tile[1], "C": channels, "P": positions}
    first, second, plan = both(channels_last, grid, x, x.size, count, **options)
    assert first.tobytes() == second.tobytes()
    want = x.reshape(count, channels, positions).transpose(0, 2, 1)
    assert second.tobytes() == np.ascontiguousarray(want).tobytes()
    # A block of rows that crosses a multiple of the channels has neighbours that do not follow each other.
    assert ("transposed in registers" in plan) == (channels % tile[0] == 0)


def test_a_block_is_transposed_in_place():
    x = sample(32 * 32, np.float32)
    for tier in ("interp", "cpu"):
        out = x.copy()
        in_place[(1,)](out, ROWS=32, tier=tier)
        assert out.tobytes() == np.ascontiguousarray(x.reshape(32, 32).T).tobytes()
