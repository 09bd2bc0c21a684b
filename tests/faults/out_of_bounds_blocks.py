"""Block pointers and descriptors outside their tensor."""

from language import TensorDescriptor, tl, triton
from tensors import floats, zeros

from cases import group

fails, clean = group("out-of-bounds")


@triton.jit
def block_copy_plain(src, dst, rows, columns, R: tl.constexpr, C: tl.constexpr):
    s = tl.make_block_ptr(src, (rows, columns), (columns, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    d = tl.make_block_ptr(dst, (rows, columns), (columns, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    x = tl.load(s)  # fault
    tl.store(d, x, boundary_check=(0, 1))


@fails(tensor="src", program=1, index=(12, 0), lane=(4, 0), lanes=64)
def block_pointer_without_boundary_check():
    block_copy_plain[(2,)](floats(12, 16), zeros(12, 16), 12, 16, R=8, C=16)


@clean()
def block_pointer_over_whole_blocks():
    block_copy_plain[(2,)](floats(16, 16), zeros(16, 16), 16, 16, R=8, C=16)


@triton.jit
def block_copy(src, dst, rows, columns, stride, CHECK: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    s = tl.make_block_ptr(src, (rows, columns), (stride, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    d = tl.make_block_ptr(dst, (rows, columns), (columns, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    x = tl.load(s, boundary_check=CHECK, padding_option="zero")  # fault
    tl.store(d, x, boundary_check=(0, 1))


@fails(tensor="src", program=1, index=(12, 0), lane=(4, 0), lanes=48)
def block_pointer_checked_in_one_dimension():
    block_copy[(2,)](floats(12, 12), zeros(12, 12), 12, 12, 12, CHECK=(1,), R=8, C=16)


@clean()
def block_pointer_checked_in_both_dimensions():
    block_copy[(2,)](floats(12, 12), zeros(12, 12), 12, 12, 12, CHECK=(0, 1), R=8, C=16)


@fails(tensor="src", program=1, index=(12, 0), lane=(4, 0), lanes=12)
def block_pointer_with_too_many_rows():
    block_copy[(2,)](floats(12, 12), zeros(13, 12), 13, 12, 12, CHECK=(0, 1), R=8, C=16)


@clean()
def block_pointer_with_fewer_rows():
    block_copy[(2,)](floats(12, 12), zeros(11, 12), 11, 12, 12, CHECK=(0, 1), R=8, C=16)


@fails(tensor="src", program=1, index=(12, 0), lane=(1, 0), lanes=36)
def block_pointer_with_the_stride_of_the_padded_row():
    block_copy[(2,)](floats(12, 12), zeros(12, 12), 12, 12, 16, CHECK=(0, 1), R=8, C=16)


@clean()
def block_pointer_into_padded_rows():
    block_copy[(2,)](floats(12, 16)[:, :12], zeros(12, 12), 12, 12, 16, CHECK=(0, 1), R=8, C=16)


@triton.jit
def block_sum(src, out, columns, blocks, C: tl.constexpr):
    at = tl.make_block_ptr(src, (columns,), (1,), (0,), (C,), (0,))
    total = tl.zeros((C,), tl.float32)
    for _ in range(0, blocks):
        total += tl.load(at)  # fault
        at = tl.advance(at, (C,))
    tl.store(out, tl.sum(total, axis=0))


@fails(tensor="src", index=(48,), lane=(0,), lanes=16)
def block_pointer_advanced_too_often():
    block_sum[(1,)](floats(48), zeros(1), 48, 4, C=16)


@clean()
def block_pointer_advanced_past_the_end_unread():
    block_sum[(1,)](floats(48), zeros(1), 48, 3, C=16)


@triton.jit
def block_store(dst, rows, columns, CHECKED: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_block_ptr(dst, (rows, columns), (columns, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    x = tl.full((R, C), 1.0, tl.float32)
    if CHECKED:
        tl.store(d, x, boundary_check=(0, 1))
    else:
        tl.store(d, x)  # fault


@fails(tensor="dst", program=1, index=(12, 0), lane=(4, 0), lanes=64)
def block_pointer_store_without_boundary_check():
    block_store[(2,)](zeros(12, 16), 12, 16, CHECKED=False, R=8, C=16)


@clean()
def block_pointer_store_with_boundary_check():
    block_store[(2,)](zeros(12, 16), 12, 16, CHECKED=True, R=8, C=16)


@triton.jit
def descriptor_copy(src, dst, rows, columns, stride, R: tl.constexpr, C: tl.constexpr):
    s = tl.make_tensor_descriptor(src, [rows, columns], [stride, 1], [R, C])
    x = s.load([tl.program_id(0) * R, 0])  # fault
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    tl.store(dst + r * columns + c, x, mask=(r < 12) & (c < columns))


@fails(tensor="src", program=1, index=(12, 0), lane=(4, 0), lanes=64)
def descriptor_with_too_many_rows():
    descriptor_copy[(2,)](floats(12, 16), zeros(12, 16), 16, 16, 16, R=8, C=16)


@clean()
def descriptor_with_its_rows():
    descriptor_copy[(2,)](floats(12, 16), zeros(12, 16), 12, 16, 16, R=8, C=16)


@fails(tensor="src", program=0, index=(12, 0), lane=(6, 0), lanes=32)
def descriptor_with_a_longer_stride():
    descriptor_copy[(2,)](floats(12, 16), zeros(12, 16), 12, 16, 32, R=8, C=16)


@clean()
def descriptor_of_a_view_with_a_longer_stride():
    descriptor_copy[(2,)](floats(12, 32)[:, :16], zeros(12, 16), 12, 16, 32, R=8, C=16)


@triton.jit
def descriptor_fill(dst, rows, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(dst, [rows, C], [C, 1], [R, C])
    d.store([tl.program_id(0) * R, 0], tl.full((R, C), 1.0, tl.float32))  # fault


@fails(tensor="dst", program=1, index=(12, 0), lane=(4, 0), lanes=64)
def descriptor_store_past_the_rows():
    descriptor_fill[(2,)](zeros(12, 16), 16, R=8, C=16)


@clean()
def descriptor_store_cut_at_the_rows():
    descriptor_fill[(2,)](zeros(12, 16), 12, R=8, C=16)


@triton.jit
def host_descriptor_sum(desc, out, R: tl.constexpr):
    x = desc.load([tl.program_id(0) * R, 0])  # fault
    tl.store(out + tl.program_id(0), tl.sum(tl.sum(x, axis=0), axis=0))


@fails(program=1, lane=(4, 0), lanes=64)
def host_descriptor_with_a_wrong_shape():
    base = floats(12, 16)
    described = TensorDescriptor(base, [16, 16], [16, 1], [8, 16])
    host_descriptor_sum[(2,)](described, zeros(2), R=8)


@clean()
def host_descriptor_with_its_shape():
    described = TensorDescriptor(floats(12, 16), [12, 16], [16, 1], [8, 16])
    host_descriptor_sum[(2,)](described, zeros(2), R=8)
