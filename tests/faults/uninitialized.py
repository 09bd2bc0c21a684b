"""Values out of memory that nobody has written, where they decide something."""

import numpy
import torch
from language import tl, triton
from tensors import empty, floats, full, listed, uninitialized, zeros

from cases import group

fails, clean = group("uninitialized-read")


@triton.jit
def atomic_total(src, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(out, tl.sum(x, axis=0))  # fault


@fails(tensor="out", program=0, index=(0,))
def atomic_total_without_zeroing():
    atomic_total[(2,)](floats(60), uninitialized(1), 60, BLOCK=32)


@clean()
def atomic_total_with_zeroing():
    atomic_total[(2,)](floats(60), zeros(1), 60, BLOCK=32)


@triton.jit
def add_into(src, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    live = offsets < n
    total = tl.load(out + offsets, mask=live, other=0.0)  # born
    total += tl.load(src + offsets, mask=live, other=0.0)
    tl.store(out + offsets, total, mask=live)  # fault


@fails(tensor="out", index=(0,), lane=(0,), lanes=20)
def accumulator_from_empty():
    add_into[(1,)](floats(20), uninitialized(20), 20, BLOCK=32)


@clean()
def accumulator_from_zeros():
    add_into[(1,)](floats(20), zeros(20), 20, BLOCK=32)


@clean()
def accumulator_from_empty_filled_by_the_host():
    out = uninitialized(20)
    out.fill_(2.0)
    add_into[(1,)](floats(20), out, 20, BLOCK=32)


@fails(tensor="out", index=(16,), lane=(16,), lanes=16)
def accumulator_half_filled_by_the_host():
    out = uninitialized(32)
    out[:16] = 0
    add_into[(1,)](floats(32), out, 32, BLOCK=32)


@clean()
def accumulator_half_filled_half_read():
    out = uninitialized(32)
    out[:16] = 0
    add_into[(1,)](floats(32), out, 16, BLOCK=32)


@triton.jit
def split_k(a, b, c, K, CHUNK: tl.constexpr, B: tl.constexpr):
    rows, columns = tl.arange(0, B), tl.arange(0, B)
    k = tl.program_id(0) * CHUNK + tl.arange(0, CHUNK)
    x = tl.load(a + rows[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    y = tl.load(b + k[:, None] * B + columns[None, :], mask=k[:, None] < K, other=0.0)
    acc = tl.dot(x, y, input_precision="ieee")
    tl.atomic_add(c + rows[:, None] * B + columns[None, :], acc)  # fault


@fails(tensor="c", program=0, index=(0, 0), lane=(0, 0), lanes=16 * 16)
def split_k_without_zeroing():
    split_k[(2,)](floats(16, 30), floats(30, 16), uninitialized(16, 16), 30, CHUNK=16, B=16)


@clean()
def split_k_with_zeroing():
    split_k[(2,)](floats(16, 30), floats(30, 16), zeros(16, 16), 30, CHUNK=16, B=16)


@triton.jit
def write_rows(out, n, stride, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * stride + offsets, offsets + 1.0, mask=offsets < n)


@triton.jit
def sum_rows(src, out, n, stride, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + tl.program_id(0) * stride + offsets, mask=offsets < n, other=0.0)  # born
    tl.store(out + tl.program_id(0), tl.sum(x, axis=0))  # fault


@fails(tensor="src", program=0, index=(0, 10))
def workspace_read_wider_than_written():
    work = uninitialized(3, 16)
    write_rows[(3,)](work, 10, 16, BLOCK=16)
    sum_rows[(3,)](work, zeros(3), 16, 16, BLOCK=16)


@clean()
def workspace_read_as_written():
    work = uninitialized(3, 16)
    write_rows[(3,)](work, 10, 16, BLOCK=16)
    sum_rows[(3,)](work, zeros(3), 10, 16, BLOCK=16)


@fails(tensor="src", program=3, index=(3, 0))
def workspace_with_more_rows_than_programs():
    work = uninitialized(4, 16)
    write_rows[(3,)](work, 16, 16, BLOCK=16)
    sum_rows[(4,)](work, zeros(4), 16, 16, BLOCK=16)


@clean()
def workspace_with_a_program_for_each_row():
    work = uninitialized(4, 16)
    write_rows[(4,)](work, 16, 16, BLOCK=16)
    sum_rows[(4,)](work, zeros(4), 16, 16, BLOCK=16)


@triton.jit
def copy(src, dst, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets)  # born
    tl.store(dst + offsets, x, mask=offsets < n)  # fault


@fails(tensor="src", index=(0,), lane=(0,), lanes=32)
def empty_copied():
    copy[(1,)](uninitialized(32), zeros(32), 32, BLOCK=32)


@clean()
def empty_loaded_and_not_stored():
    src = uninitialized(32)
    src[:20] = 1.0
    copy[(1,)](src, zeros(32), 20, BLOCK=32)


@triton.jit
def if_flag(flag, out):
    if tl.load(flag) > 0:  # fault
        tl.store(out, 1.0)
    else:
        tl.store(out, 2.0)


@fails(tensor="flag", index=(0,))
def branch_on_an_empty_flag():
    if_flag[(1,)](uninitialized(1, dtype=torch.int32), zeros(1))


@clean()
def branch_on_a_set_flag():
    if_flag[(1,)](zeros(1, dtype=torch.int32), zeros(1))


@triton.jit
def pick(index, src, dst, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    at = tl.load(index + offsets)  # born
    tl.store(dst + offsets, tl.load(src + (at & 15)))  # fault


@fails(tensor="index", index=(0,), lane=(0,), lanes=16)
def address_from_an_empty_index():
    pick[(1,)](uninitialized(16, dtype=torch.int32), floats(16), zeros(16), BLOCK=16)


@clean()
def address_from_a_filled_index():
    pick[(1,)](full(3, 16, dtype=torch.int32), floats(16), zeros(16), BLOCK=16)


@triton.jit
def repeat(count, out):
    total = 0.0
    for _ in range(0, tl.load(count) & 7):  # fault
        total += 1.0
    tl.store(out, total)


@fails(tensor="count", index=(0,))
def trip_count_from_empty():
    repeat[(1,)](uninitialized(1, dtype=torch.int32), zeros(1))


@clean()
def trip_count_from_memory():
    repeat[(1,)](listed([5]), zeros(1))


@triton.jit
def scaled_update(a, c, n, beta, SKIP_ZERO: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(a + offsets, mask=offsets < n, other=0.0)
    if SKIP_ZERO:
        if beta != 0.0:
            x += beta * tl.load(c + offsets, mask=offsets < n, other=0.0)
    else:
        x += beta * tl.load(c + offsets, mask=offsets < n, other=0.0)  # born
    tl.store(c + offsets, x, mask=offsets < n)  # fault


@fails(tensor="c", index=(0,), lane=(0,), lanes=20)
def zero_beta_times_empty():
    scaled_update[(1,)](floats(20), uninitialized(20), 20, 0.0, SKIP_ZERO=False, BLOCK=32)


@clean()
def zero_beta_skips_empty():
    scaled_update[(1,)](floats(20), uninitialized(20), 20, 0.0, SKIP_ZERO=True, BLOCK=32)


@triton.jit
def masked_sum(src, out, n, WHERE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(src + offsets)  # born
    if WHERE:
        x = tl.where(offsets < n, x, 0.0)
    else:
        x = x * (offsets < n)
    tl.store(out, tl.sum(x, axis=0))  # fault


@fails(tensor="src", index=(20,))
def padding_multiplied_by_zero():
    src = uninitialized(32)
    src[:20] = 1.0
    masked_sum[(1,)](src, zeros(1), 20, WHERE=False, BLOCK=32)


@clean()
def padding_replaced_by_where():
    src = uninitialized(32)
    src[:20] = 1.0
    masked_sum[(1,)](src, zeros(1), 20, WHERE=True, BLOCK=32)


@triton.jit
def running_mean(src, mean, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    seen = tl.load(count)  # born
    old = tl.load(mean + offsets)
    x = tl.load(src + offsets)
    tl.store(mean + offsets, old + (x - old) / (seen + 1))  # fault
    tl.store(count, seen + 1)


@fails(tensor="count", index=(0,), lane=(0,), lanes=16)
def running_mean_with_an_empty_count():
    running_mean[(1,)](floats(16), zeros(16), uninitialized(1), BLOCK=16)


@clean()
def running_mean_with_a_count():
    running_mean[(1,)](floats(16), zeros(16), zeros(1), BLOCK=16)


@triton.jit
def acquire(lock, out):
    while tl.atomic_cas(lock, 0, 1) == 1:  # fault
        pass
    tl.store(out, 1.0)
    tl.atomic_xchg(lock, 0)


@fails(tensor="lock", index=(0,))
def lock_never_initialised():
    acquire[(1,)](uninitialized(1, dtype=torch.int32), zeros(1))


@clean()
def lock_initialised_open():
    acquire[(1,)](zeros(1, dtype=torch.int32), zeros(1))


@fails(tensor="out", empty_is_uninitialized=True, index=(0,), lane=(0,), lanes=20)
def torch_empty_under_the_option():
    add_into[(1,)](floats(20), empty(20), 20, BLOCK=32)


@clean(empty_is_uninitialized=True)
def torch_zeros_under_the_option():
    add_into[(1,)](floats(20), zeros(20), 20, BLOCK=32)


@fails(tensor="src", empty_is_uninitialized=True, index=(0,), lane=(0,), lanes=32)
def numpy_empty_under_the_option():
    copy[(1,)](numpy.empty(32, numpy.float32), numpy.zeros(32, numpy.float32), 32, BLOCK=32)


@clean(empty_is_uninitialized=True)
def numpy_empty_as_a_target():
    copy[(1,)](numpy.ones(32, numpy.float32), numpy.empty(32, numpy.float32), 32, BLOCK=32)
