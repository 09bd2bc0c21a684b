"""Accesses at addresses that are no multiple of their own size."""

import numpy
import torch
from language import tl, triton
from tensors import floats, ints, listed, zeros

from cases import group

fails, clean = group("misaligned")


@triton.jit
def read_words(src, dst, start, BLOCK: tl.constexpr):
    words = (src + start).to(tl.pointer_type(tl.int32))
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(words + lanes))  # fault


@fails(tensor="src", index=(1,), lane=(0,), lanes=16, value=1)
def words_from_an_odd_byte():
    read_words[(1,)](zeros(80, dtype=torch.uint8), zeros(16, dtype=torch.int32), 1, BLOCK=16)


@clean()
def words_from_a_fourth_byte():
    read_words[(1,)](zeros(80, dtype=torch.uint8), zeros(16, dtype=torch.int32), 4, BLOCK=16)


@fails(tensor="src", index=(1,), lane=(0,), lanes=16, value=2)
def words_from_an_odd_half():
    read_words[(1,)](zeros(40, dtype=torch.float16), zeros(16, dtype=torch.int32), 1, BLOCK=16)


@clean()
def words_from_an_even_half():
    read_words[(1,)](zeros(40, dtype=torch.float16), zeros(16, dtype=torch.int32), 2, BLOCK=16)


@fails(tensor="src", index=(0,), lane=(0,), lanes=16, value=2)
def words_of_a_shifted_view():
    read_words[(1,)](zeros(80, dtype=torch.uint8)[2:], zeros(16, dtype=torch.int32), 0, BLOCK=16)


@clean()
def words_of_an_aligned_view():
    read_words[(1,)](zeros(80, dtype=torch.uint8)[8:], zeros(16, dtype=torch.int32), 0, BLOCK=16)


@triton.jit
def copy(src, dst, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(src + lanes))  # fault


@fails(tensor="src", index=(0,), lane=(0,), lanes=16, value=1)
def floats_out_of_a_packed_file():
    packed = numpy.zeros(65, numpy.uint8)
    copy[(1,)](packed[1:].view(numpy.float32), numpy.zeros(16, numpy.float32), BLOCK=16)


@clean()
def floats_out_of_an_aligned_file():
    packed = numpy.zeros(68, numpy.uint8)
    copy[(1,)](packed[4:].view(numpy.float32), numpy.zeros(16, numpy.float32), BLOCK=16)


@triton.jit
def write_words(src, dst, step, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = (dst + lanes * step).to(tl.pointer_type(tl.int32))
    tl.store(at, tl.load(src + lanes))  # fault


@fails(tensor="dst", index=(5,), lane=(1,), lanes=6, value=1)
def records_of_five_bytes():
    write_words[(1,)](ints(8), zeros(48, dtype=torch.uint8), 5, BLOCK=8)


@clean()
def records_of_eight_bytes():
    write_words[(1,)](ints(8), zeros(64, dtype=torch.uint8), 8, BLOCK=8)


@triton.jit
def through_table(table, src, dst, BLOCK: tl.constexpr):
    data = tl.load(table).to(tl.pointer_type(tl.float32))
    lanes = tl.arange(0, BLOCK)
    tl.store(dst + lanes, tl.load(data + lanes))  # fault


@fails(tensor="src", index=(0,), lane=(0,), lanes=16, value=2)
def pointer_in_memory_off_by_two():
    src = floats(17)
    table = listed([src.data_ptr() + 2], torch.int64)
    through_table[(1,)](table, src, zeros(16), BLOCK=16)


@clean()
def pointer_in_memory_off_by_an_element():
    src = floats(17)
    table = listed([src.data_ptr() + 4], torch.int64)
    through_table[(1,)](table, src, zeros(16), BLOCK=16)


@triton.jit
def count_words(cells, index):
    at = (cells + index).to(tl.pointer_type(tl.int32))
    tl.atomic_add(at, 1)  # fault


@fails(tensor="cells", index=(3,), value=2)
def atomic_on_half_a_word():
    count_words[(1,)](zeros(8, dtype=torch.int16), 3)


@clean()
def atomic_on_a_whole_word():
    count_words[(1,)](zeros(8, dtype=torch.int16), 2)


@triton.jit
def long_words(src, dst, start, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    longs = (src + start).to(tl.pointer_type(tl.int64))
    tl.store(dst + lanes, tl.load(longs + lanes, mask=lanes < 4, other=0))  # fault


@fails(tensor="src", index=(1,), lane=(0,), lanes=4, value=4)
def longs_from_an_odd_word():
    long_words[(1,)](ints(16), zeros(8, dtype=torch.int64), 1, BLOCK=8)


@clean()
def longs_from_an_even_word():
    long_words[(1,)](ints(16), zeros(8, dtype=torch.int64), 2, BLOCK=8)


@triton.jit
def masked_words(src, dst, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = (src + lanes * 4 + (lanes >= 8)).to(tl.pointer_type(tl.int32))
    tl.store(dst + lanes, tl.load(at, mask=lanes < n, other=0))  # fault


@fails(tensor="src", index=(33,), lane=(8,), lanes=4, value=1)
def odd_addresses_in_live_lanes():
    masked_words[(1,)](zeros(80, dtype=torch.uint8), zeros(16, dtype=torch.int32), 12, BLOCK=16)


@clean()
def odd_addresses_in_dead_lanes():
    masked_words[(1,)](zeros(80, dtype=torch.uint8), zeros(16, dtype=torch.int32), 8, BLOCK=16)
