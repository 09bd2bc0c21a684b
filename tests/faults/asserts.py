"""Assertions in kernel source, checked in debug mode."""

import torch
from language import tl, triton
from tensors import floats, full, ints, zeros

from cases import group

fails, clean = group("assert")


@triton.jit
def checked_gather(index, table, out, rows, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    i = tl.load(index + lanes, mask=lanes < n, other=0)
    tl.device_assert(i < rows, "index outside the table")  # fault
    tl.store(out + lanes, tl.load(table + i), mask=lanes < n)


@fails(program=0)
def index_fails_its_assertion():
    checked_gather[(1,)](ints(16), floats(16), zeros(16), 12, 16, BLOCK=16, debug=True)


@clean()
def index_meets_its_assertion():
    checked_gather[(1,)](ints(16), floats(16), zeros(16), 16, 16, BLOCK=16, debug=True)


@clean()
def assertion_without_debug():
    checked_gather[(1,)](ints(16), floats(16), zeros(16), 12, 16, BLOCK=16)


@triton.jit
def plain_assert(x, out):
    value = tl.load(x + tl.program_id(0))
    assert value > 0, "needs a positive value"  # fault
    tl.store(out + tl.program_id(0), 1.0 / value)


@fails(program=0)
def scalar_fails_its_assertion():
    plain_assert[(4,)](floats(4) - 0.5, zeros(4), debug=True)


@clean()
def scalar_meets_its_assertion():
    plain_assert[(4,)](floats(4) + 0.5, zeros(4), debug=True)


@triton.jit
def masked_assert(x, out, n, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    value = tl.load(x + lanes, mask=lanes < n, other=-1.0)
    if MASKED:
        tl.device_assert(value >= 0, "negative", mask=lanes < n)
    else:
        tl.device_assert(value >= 0, "negative")  # fault
    tl.store(out + lanes, tl.sqrt(tl.maximum(value, 0.0)), mask=lanes < n)


@fails(program=0)
def assertion_sees_the_padding():
    masked_assert[(1,)](floats(10), zeros(10), 10, MASKED=False, BLOCK=16, debug=True)


@clean()
def assertion_masks_the_padding():
    masked_assert[(1,)](floats(10), zeros(10), 10, MASKED=True, BLOCK=16, debug=True)


@triton.jit
def require_finite(x):
    tl.device_assert(x == x, "NaN in the input")  # fault
    return x


@triton.jit
def asserted_in_a_helper(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, require_finite(tl.load(x + lanes)) * 2.0)


@fails(program=0)
def helper_meets_nan():
    x = floats(16)
    x[7] = float("nan")
    asserted_in_a_helper[(1,)](x, zeros(16), BLOCK=16, debug=True)


@clean()
def helper_meets_infinity():
    x = floats(16)
    x[7] = float("inf")
    asserted_in_a_helper[(1,)](x, zeros(16), BLOCK=16, debug=True)


@triton.jit
def asserted_in_a_loop(x, out, rounds):
    value = tl.load(x)
    for _ in range(0, rounds):
        value = value * 2
        tl.device_assert(value < 100, "grew too large")  # fault
    tl.store(out, value)


@fails(program=0)
def later_round_fails():
    asserted_in_a_loop[(1,)](full(1, 1, dtype=torch.int32), zeros(1, dtype=torch.int32), 9, debug=True)


@clean()
def no_round_fails():
    asserted_in_a_loop[(1,)](full(1, 1, dtype=torch.int32), zeros(1, dtype=torch.int32), 6, debug=True)


@triton.jit
def asserted_in_a_branch(x, out, kind):
    if kind == 1:
        tl.device_assert(tl.load(x) != 0, "division by zero")  # fault
        tl.store(out, 1.0)
    else:
        tl.store(out, 2.0)


@fails(program=0)
def branch_with_the_assertion():
    asserted_in_a_branch[(1,)](zeros(1), zeros(1), 1, debug=True)


@clean()
def branch_without_the_assertion():
    asserted_in_a_branch[(1,)](zeros(1), zeros(1), 2, debug=True)


@triton.jit
def asserted_tile(x, out, limit, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    tile = tl.load(x + (tl.program_id(0) * R + r) * C + c)
    tl.device_assert(tl.abs(tile) < limit, "value out of range")  # fault
    tl.store(out + (tl.program_id(0) * R + r) * C + c, tile)


@fails(program=1)
def one_element_of_a_tile():
    x = zeros(8, 16)
    x[6, 9] = 500.0
    asserted_tile[(2,)](x, zeros(8, 16), 100.0, R=4, C=16, debug=True)


@clean()
def no_element_of_a_tile():
    asserted_tile[(2,)](zeros(8, 16), zeros(8, 16), 100.0, R=4, C=16, debug=True)
