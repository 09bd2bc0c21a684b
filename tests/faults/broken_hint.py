"""Promises to the compiler that do not hold."""

import torch
from language import tl, triton
from tensors import floats, ints, listed, zeros

from cases import group

fails, clean = group("broken-hint")


@triton.jit
def from_multiple(src, dst, block, width, BLOCK: tl.constexpr):
    start = tl.multiple_of(block * width, 16)  # fault
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(src + start + lanes))


@fails(program=0, lane=())
def start_is_no_multiple():
    from_multiple[(1,)](floats(64), zeros(16), 2, 12, BLOCK=16)


@clean()
def start_is_a_multiple():
    from_multiple[(1,)](floats(64), zeros(16), 4, 8, BLOCK=16)


@clean()
def zero_is_a_multiple():
    from_multiple[(1,)](floats(64), zeros(16), 0, 12, BLOCK=16)


@triton.jit
def contiguous_lanes(src, dst, step, BLOCK: tl.constexpr):
    at = tl.max_contiguous(tl.arange(0, BLOCK) * step, BLOCK)  # fault
    tl.store(dst + tl.arange(0, BLOCK), tl.load(src + at))


@fails(lane=(1,))
def strided_lanes_called_contiguous():
    contiguous_lanes[(1,)](floats(64), zeros(16), 2, BLOCK=16)


@clean()
def contiguous_lanes_called_contiguous():
    contiguous_lanes[(1,)](floats(64), zeros(16), 1, BLOCK=16)


@triton.jit
def wrapped_rows(src, dst, n, KEPT: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.max_contiguous(tl.multiple_of(offsets % n, BLOCK), BLOCK)  # fault
    x = tl.load(src + at)
    if KEPT:
        tl.store(dst + offsets, x)
    else:
        tl.store(dst + offsets, x, mask=offsets < n)


@fails(program=1, lane=(8,))
def wrapped_lanes_called_contiguous():
    wrapped_rows[(2,)](floats(24), zeros(32), 24, KEPT=True, BLOCK=16)


@clean()
def unwrapped_lanes_called_contiguous():
    wrapped_rows[(2,)](floats(32), zeros(32), 32, KEPT=True, BLOCK=16)


@fails(program=1, lane=(8,))
def wrapped_lanes_that_are_not_stored_are_read_behind_the_end():
    wrapped_rows[(2,)](floats(24), zeros(24), 24, KEPT=False, BLOCK=16)


@clean()
def wrapped_lanes_are_not_stored():
    wrapped_rows[(2,)](floats(32), zeros(24), 24, KEPT=False, BLOCK=16)


@triton.jit
def wrapped_store(src, dst, n, start, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = tl.max_contiguous((start + lanes) % n, BLOCK)  # fault
    tl.store(dst + at, tl.load(src + lanes))


@fails(lane=(8,))
def ring_written_where_it_wraps():
    wrapped_store[(1,)](floats(16), zeros(24), 24, 16, BLOCK=16)


@clean()
def ring_written_where_it_does_not_wrap():
    wrapped_store[(1,)](floats(16), zeros(24), 24, 8, BLOCK=16)


@triton.jit
def tutorial_matmul(a, b, c, m, n, k, am, ak, KEPT: tl.constexpr, B: tl.constexpr):
    rows, columns = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    left = tl.max_contiguous(tl.multiple_of(rows % m, B), B)  # fault
    right = tl.max_contiguous(tl.multiple_of(columns % n, B), B)
    acc = tl.zeros((B, B), tl.float32)
    for start in range(0, k, B):
        inner = start + tl.arange(0, B)
        x = tl.load(a + left[:, None] * am + inner[None, :] * ak)
        acc += tl.dot(x, tl.load(b + inner[:, None] * n + right[None, :]), input_precision="ieee")
    at = c + rows[:, None] * n + columns[None, :]
    if KEPT:
        tl.store(at, acc)
    else:
        tl.store(at, acc, mask=(rows < m)[:, None] & (columns < n)[None, :])


@fails(program=(1, 0, 0), lane=(8,))
def tutorial_matmul_stores_wrapped_rows():
    tutorial_matmul[(2, 2)](floats(32, 24), floats(32, 32), zeros(32, 32), 24, 32, 32, 1, 24, KEPT=True, B=16)


@fails(program=(1, 0, 0), lane=(8,))
def tutorial_matmul_with_ragged_neighbours():
    """The last row of the transposed factor ends with its tensor."""
    tutorial_matmul[(2, 2)](
        floats(32, 24), floats(32, 32), zeros(24, 32), 24, 32, 32, 1, 24, KEPT=False, B=16
    )


@clean()
def tutorial_matmul_with_ragged_neighbours_in_a_wider_tensor():
    tutorial_matmul[(2, 2)](
        floats(33, 24), floats(32, 32), zeros(24, 32), 24, 32, 32, 1, 24, KEPT=False, B=16
    )


@clean()
def tutorial_matmul_with_ragged_rows_along_k():
    """Rows lie a stride apart: nobody reads them as neighbours."""
    tutorial_matmul[(2, 2)](
        floats(24, 32), floats(32, 32), zeros(24, 32), 24, 32, 32, 32, 1, KEPT=False, B=16
    )


@triton.jit
def wrapped_columns(src, dst, n, stride, live, R: tl.constexpr, B: tl.constexpr):
    rows = tl.arange(0, R)
    columns = tl.max_contiguous((tl.program_id(0) * B + tl.arange(0, B)) % n, B)  # fault
    inside = tl.program_id(0) * B + tl.arange(0, B) < live
    x = tl.load(src + rows[:, None] * stride + columns[None, :], mask=inside[None, :], other=0.0)
    tl.store(dst + rows, tl.sum(tl.where(columns[None, :] < 0, x, 0.0), axis=1))


@fails(program=1, lane=(8,))
def dropped_columns_behind_the_last_row():
    wrapped_columns[(2,)](floats(4, 24), zeros(4), 24, 24, 32, R=4, B=16)


@clean()
def dropped_columns_that_a_mask_switches_off():
    wrapped_columns[(2,)](floats(4, 24), zeros(4), 24, 24, 24, R=4, B=16)


@clean()
def dropped_columns_inside_wider_rows():
    wrapped_columns[(2,)](floats(4, 32), zeros(4), 24, 32, 32, R=4, B=16)


@fails(program=1, lane=(8,))
def dropped_columns_in_the_gap_of_a_view():
    wrapped_columns[(2,)](floats(4, 32)[:, :24], zeros(4), 24, 32, 32, R=4, B=16)


@triton.jit
def hint_in_a_mask(src, dst, n, wrap, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = tl.max_contiguous((lanes + 4) % wrap, BLOCK)
    tl.store(dst + lanes, tl.load(src + lanes), mask=at < n)


@clean()
def broken_hint_serves_a_comparison_only():
    hint_in_a_mask[(1,)](floats(16), zeros(16), 9, 12, BLOCK=16)


@triton.jit
def hint_for_dead_lanes(src, dst, start, n, BLOCK: tl.constexpr):
    at = tl.multiple_of(start * 2, 16) + tl.arange(0, BLOCK)  # fault
    tl.store(dst + tl.arange(0, BLOCK), tl.load(src + at, mask=at < n, other=0.0))


@fails(lane=())
def unaligned_start_with_a_live_lane():
    hint_for_dead_lanes[(1,)](floats(32), zeros(16), 12, 25, BLOCK=16)


@clean()
def unaligned_start_with_dead_lanes_alone():
    hint_for_dead_lanes[(1,)](floats(32), zeros(16), 12, 24, BLOCK=16)


@triton.jit
def hint_for_a_block_pointer(src, dst, start, n, B: tl.constexpr):
    start = tl.multiple_of(start * 2, 8)  # fault
    block = tl.make_block_ptr(src, (n,), (1,), (start,), (B,), (0,))
    tl.store(dst + tl.arange(0, B), tl.load(block, boundary_check=(0,)))


@fails(lane=())
def block_starts_at_no_multiple():
    hint_for_a_block_pointer[(1,)](floats(32), zeros(16), 6, 32, B=16)


@clean()
def block_starts_at_a_multiple():
    hint_for_a_block_pointer[(1,)](floats(32), zeros(16), 8, 32, B=16)


@triton.jit
def hinted_and_unused(src, dst, start, BLOCK: tl.constexpr):
    at = tl.max_contiguous(start * tl.arange(0, BLOCK), BLOCK)
    x = tl.load(src + at)
    x = tl.where(tl.arange(0, BLOCK) == 0, x, 0.0)
    tl.store(dst + tl.arange(0, BLOCK), x)


@clean()
def lanes_read_by_a_broken_hint_are_dropped():
    hinted_and_unused[(1,)](floats(64), zeros(16), 3, BLOCK=16)


@triton.jit
def hinted_sum(src, dst, step, BLOCK: tl.constexpr):
    at = tl.max_contiguous(step * tl.arange(0, BLOCK), BLOCK)  # fault
    tl.store(dst, tl.sum(tl.load(src + at), axis=0))


@fails(lane=(1,))
def sum_over_lanes_read_by_a_broken_hint():
    hinted_sum[(1,)](floats(64), zeros(1), 3, BLOCK=16)


@triton.jit
def constant_groups(src, dst, group, BLOCK: tl.constexpr):
    at = tl.max_constancy(tl.arange(0, BLOCK) // group, 4)  # fault
    tl.store(dst + tl.arange(0, BLOCK), tl.load(src + at))


@fails(lane=(2,))
def groups_of_two_called_groups_of_four():
    constant_groups[(1,)](floats(16), zeros(16), 2, BLOCK=16)


@clean()
def groups_of_four():
    constant_groups[(1,)](floats(16), zeros(16), 4, BLOCK=16)


@clean()
def groups_of_eight_called_groups_of_four():
    constant_groups[(1,)](floats(16), zeros(16), 8, BLOCK=16)


@triton.jit
def positive_length(src, dst, n, BLOCK: tl.constexpr):
    tl.assume(n > 0)  # fault
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(src + lanes, mask=lanes < n, other=0.0))


@fails(program=0)
def length_assumed_positive():
    positive_length[(1,)](floats(16), zeros(16), 0, BLOCK=16)


@clean()
def length_is_positive():
    positive_length[(1,)](floats(16), zeros(16), 5, BLOCK=16)


@triton.jit
def aligned_rows(src, dst, stride, BLOCK: tl.constexpr):
    tl.assume(stride % 16 == 0)  # fault
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(src + stride + lanes))


@fails(program=0)
def stride_assumed_aligned():
    aligned_rows[(1,)](floats(2, 20), zeros(16), 20, BLOCK=16)


@clean()
def stride_is_aligned():
    aligned_rows[(1,)](floats(2, 32), zeros(16), 32, BLOCK=16)


@triton.jit
def few_programs(out):
    program = tl.program_id(0)
    tl.assume(program < 4)  # fault
    tl.store(out + program, program)


@fails(program=4)
def program_id_assumed_small():
    few_programs[(6,)](zeros(6, dtype=torch.int32))


@clean()
def program_id_is_small():
    few_programs[(4,)](zeros(4, dtype=torch.int32))


@triton.jit
def assumed_in_a_branch(out, n):
    if n > 10:
        tl.assume(n % 8 == 0)  # fault
        tl.store(out, n // 8)
    else:
        tl.store(out, n)


@fails(program=0)
def assumption_in_the_taken_branch():
    assumed_in_a_branch[(1,)](zeros(1, dtype=torch.int32), 13)


@clean()
def assumption_in_the_other_branch():
    assumed_in_a_branch[(1,)](zeros(1, dtype=torch.int32), 7)


@triton.jit
def index_from_memory(index, src, dst, BLOCK: tl.constexpr):
    start = tl.multiple_of(tl.load(index + tl.program_id(0)), 8)  # fault
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + tl.program_id(0) * BLOCK + lanes, tl.load(src + start + lanes))


@fails(program=1)
def index_in_memory_is_no_multiple():
    index_from_memory[(2,)](listed([8, 12]), floats(64), zeros(2, 16), BLOCK=16)


@clean()
def index_in_memory_is_a_multiple():
    index_from_memory[(2,)](listed([8, 24]), floats(64), zeros(2, 16), BLOCK=16)


@triton.jit
def tile_hints(src, dst, stride, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    at = tl.multiple_of(r * stride + c, (1, 16))  # fault
    tl.store(dst + r * C + c, tl.load(src + at))


@fails(lane=(1, 0))
def rows_of_a_tile_are_no_multiples():
    tile_hints[(1,)](floats(4, 24), zeros(4, 16), 24, R=4, C=16)


@clean()
def rows_of_a_tile_are_multiples():
    tile_hints[(1,)](floats(4, 32), zeros(4, 16), 32, R=4, C=16)


@triton.jit
def scaled_copy(src, dst, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(src + lanes, mask=lanes < n, other=0.0)
    tl.store(dst + lanes, x, mask=lanes < n)


@fails()
def compiled_for_multiples_of_sixteen():
    kernel = scaled_copy[(1,)](floats(16), zeros(16), 16, BLOCK=16)
    kernel[(1,)](floats(16), zeros(16), 10, 16)


@clean()
def compiled_for_any_length():
    kernel = scaled_copy[(1,)](floats(16), zeros(16), 10, BLOCK=16)
    kernel[(1,)](floats(16), zeros(16), 16, 16)


@fails(tensor="src")
def compiled_for_aligned_tensors():
    kernel = scaled_copy[(1,)](floats(16), zeros(16), 10, BLOCK=16)
    kernel[(1,)](floats(20)[1:17], zeros(16), 10, 16)


@clean()
def compiled_for_unaligned_tensors():
    kernel = scaled_copy[(1,)](floats(20)[1:17], zeros(16), 10, BLOCK=16)
    kernel[(1,)](floats(16), zeros(16), 10, 16)


@triton.jit
def pointer_hint(src, dst, start, BLOCK: tl.constexpr):
    src = tl.multiple_of(src + start, 16)  # fault
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(src + lanes))


@fails(program=0)
def pointer_called_aligned():
    pointer_hint[(1,)](ints(20), zeros(16, dtype=torch.int32), 3, BLOCK=16)


@clean()
def pointer_is_aligned():
    pointer_hint[(1,)](ints(20), zeros(16, dtype=torch.int32), 4, BLOCK=16)
