"""Compiled kernels ask early for rows that a number in memory chooses (backends/cpu/emit/Ahead.h).

What: right results for grids of every rank and more threads than one; numbers beyond the last program's, that
may lie outside of the process's memory, are not read.
"""

import ctypes
import mmap

import numpy as np
import pytest

import trisect
import trisect.language as tl

PAGE = mmap.PAGESIZE
NOTHING = 0  # PROT_NONE


@trisect.jit
def rows_of(table_ptr, ids_ptr, out_ptr, WIDTH: tl.constexpr):
    program = tl.program_id(0) + tl.num_programs(0) * (
        tl.program_id(1) + tl.num_programs(1) * tl.program_id(2)
    )
    columns = tl.arange(0, WIDTH)
    row = tl.load(ids_ptr + program).to(tl.int64)
    tl.store(out_ptr + program * WIDTH + columns, tl.load(table_ptr + row * WIDTH + columns))


@pytest.fixture
def before_a_hole():
    """A function that gives an array which ends where memory that may not be touched begins."""
    libc = ctypes.CDLL(None, use_errno=True)
    maps = []

    def array(values):
        size = -(-values.nbytes // PAGE) * PAGE
        area = mmap.mmap(-1, size + PAGE)
        maps.append(area)
        address = ctypes.addressof(ctypes.c_char.from_buffer(area))
        assert libc.mprotect(ctypes.c_void_p(address + size), PAGE, NOTHING) == 0
        placed = np.frombuffer(area, values.dtype, values.size, size - values.nbytes)
        placed[:] = values
        return placed

    return array


@pytest.mark.parametrize("grid", [(1,), (7,), (8,), (9,), (1000,), (3, 5), (1, 40), (5, 1, 9), (4, 3, 11)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_numbers_after_the_last_one_are_not_read(grid, dtype, before_a_hole):
    random = np.random.default_rng(3)
    programs, width = int(np.prod(grid)), 64
    table = random.standard_normal((200, width), dtype=np.float32)
    ids = before_a_hole(random.integers(0, 200, programs).astype(dtype))
    for threads in (1, 3):
        out = np.zeros((programs, width), np.float32)
        rows_of[grid](table, ids, out, WIDTH=width, tier="cpu", num_threads=threads)
        np.testing.assert_array_equal(out, table[ids])


def test_numbers_that_the_kernel_changes():
    """What was asked for early is another row then: it is asked for in vain and read right."""

    @trisect.jit
    def shifting(table_ptr, ids_ptr, out_ptr, WIDTH: tl.constexpr):
        program = tl.program_id(0)
        columns = tl.arange(0, WIDTH)
        row = tl.load(ids_ptr + program)
        tl.store(out_ptr + program * WIDTH + columns, tl.load(table_ptr + row * WIDTH + columns))
        tl.store(ids_ptr + program + 1, row + 1)

    table = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    ids, out = np.zeros(33, np.int32), np.zeros((32, 32), np.float32)
    ids[1:] = -(2**30)
    shifting[(32,)](table, ids, out, WIDTH=32, tier="cpu", num_threads=1)
    np.testing.assert_array_equal(ids, np.arange(33))
    np.testing.assert_array_equal(out, table[:32])
