"""Scans and sorts of rows keep the bits of tier 0: lengths, both ways, each width, at every level of x86-64.

A scan is of a function that is not associative, which gives the order away.
"""

import numpy as np
import pytest

import kernels
import trisect
import trisect.language as tl

TYPES = [np.float32, np.float64, np.float16, np.int32, np.int64, np.int16, np.int8]


@trisect.jit
def less(a, b):
    return a - b


@trisect.jit
def scans(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, REVERSE: tl.constexpr):
    places = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + places)
    tl.store(out_ptr + places, tl.associative_scan(x, 1, less, reverse=REVERSE))


@trisect.jit
def sorts(x_ptr, out_ptr, COLUMNS: tl.constexpr, DESCENDING: tl.constexpr):
    places = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out_ptr + places, tl.sort(tl.load(x_ptr + places), descending=DESCENDING))


def numbers(dtype, rows, columns):
    random = np.random.default_rng(columns)
    if np.issubdtype(dtype, np.integer):
        return random.integers(-100, 100, (rows, columns)).astype(dtype)
    return random.standard_normal((rows, columns)).astype(dtype)


def both(kernel, grid, x, arch, **constants):
    found = {}
    for tier in ("interp", "cpu"):
        options = {"tier": tier} | ({"arch": arch} if tier == "cpu" else {})
        found[tier] = np.zeros_like(x)
        kernel[grid](x, found[tier], **constants, **options)
    kernels.assert_same(found["cpu"], found["interp"], x)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_scans(arch, dtype):
    for rows, columns, reverse in ((1, 64, False), (4, 256, True), (1, 512, False), (1, 2048, True)):
        x = numbers(dtype, rows, columns)
        both(scans, (1,), x, arch, ROWS=rows, COLUMNS=columns, REVERSE=reverse)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("arch", kernels.ARCHS)
def test_sorts(arch, dtype):
    for columns, descending in ((16, False), (128, True), (512, False)):
        x = numbers(dtype, 4, columns)
        if np.issubdtype(dtype, np.floating):
            x[1, ::3], x[1, 1::3], x[2, ::5] = 0, -0.0, np.inf
        both(sorts, (4,), x, arch, COLUMNS=columns, DESCENDING=descending)
