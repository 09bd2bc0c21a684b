"""Sums of rows of a table, as an embedding bag has them: the block is turned, with loads, checks and sums."""

import numpy as np
import pytest

import trisect
import trisect.language as tl


@trisect.jit
def bags(id_ptr, table_ptr, out_ptr, rows, WIDTH: tl.constexpr, EACH: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    ids = tl.load(id_ptr + tl.arange(0, EACH)[None, :] + EACH * (at // WIDTH))
    tl.device_assert((ids >= 0) & (ids < rows), "no such row")
    parts = tl.load(table_ptr + at % WIDTH + WIDTH * ids)
    tl.store(out_ptr + at, tl.sum(parts, 1)[:, None])


def run(ids, table, **options):
    out = np.zeros((len(ids), table.shape[1]), table.dtype)
    bags[(out.size // 64,)](
        ids, table, out, len(table), WIDTH=table.shape[1], EACH=ids.shape[1], BLOCK=64, debug=True, **options
    )
    return out


@pytest.mark.parametrize("each", [2, 32, 128])
@pytest.mark.parametrize("width", [16, 24, 128])
def test_rows_have_the_sums_of_tier_0(each, width):
    rng = np.random.default_rng(0)
    table = rng.standard_normal((50, width), dtype=np.float32)
    ids = rng.integers(0, 50, (64, each))
    assert run(ids, table, tier="cpu").tobytes() == run(ids, table, tier="interp").tobytes()


def test_a_row_that_is_not_there_is_a_fault():
    table = np.zeros((50, 128), np.float32)
    ids = np.zeros((64, 32), np.int64)
    ids[40, 31] = 50
    for tier in ("cpu", "interp"):
        with pytest.raises(trisect.KernelFault, match="no such row"):
            run(ids, table, tier=tier)
