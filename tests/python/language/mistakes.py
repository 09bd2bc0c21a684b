"""Kernels that are wrong on purpose: each is one mistake, and has a stored report in reports/.

An argument's name says its type: see ARGUMENTS.
"""

# ruff: noqa: B007, B018, F841, F821, E711, SIM
from collections import namedtuple

import trisect.language as tl
from trisect.language.core import aggregate
from trisect.runtime.jit import jit

ARGUMENTS = {
    "o": "*i32", "p": "*fp32", "h": "fp16", "n": "i32", "m": "i64", "u": "u32", "f": "fp32", "c": "*kfp32",
    "b": "*i8", "q": "*fp16", "d": "tensordesc<fp16[16,32]>",
}  # fmt: skip
PLAIN = 3
Point = namedtuple("Point", ["x", "y"])
MISTAKES = {}


def mistake(fn):
    MISTAKES[fn.__name__] = jit(fn)
    return MISTAKES[fn.__name__]


@jit
def two_arguments(x, y):
    return x + y


@jit
def one_sided(x):
    if x > 0:
        return 1.0
    return x


@jit
def recursive(x):
    return recursive(x)


@jit
def three_results(a, b):
    return a, b, a


@jit
def changes_type(a, b):
    return (a + b).to(tl.float64)


def plain_python(x):
    return x + 1


@aggregate
class Pair:
    a: tl.tensor
    b: tl.tensor


@mistake
def store_block_to_scalar(o):
    tl.store(o, tl.arange(0, 4))


@mistake
def mask_block_on_scalar(o):
    tl.load(o, mask=tl.arange(0, 4) > 1)


@mistake
def other_without_mask(o):
    tl.load(o, other=1)


@mistake
def load_of_integer(n):
    tl.load(n)


@mistake
def store_to_integer(n):
    tl.store(n, 1)


@mistake
def store_to_const(c):
    tl.store(c, 1.0)


@mistake
def boundary_check_on_pointers(o):
    tl.load(o + tl.arange(0, 4), boundary_check=(0,))


@mistake
def unknown_cache_modifier(o):
    tl.load(o, cache_modifier=".xx")


@mistake
def unknown_eviction_policy(o):
    tl.store(o, 1, eviction_policy="later")


@mistake
def unknown_padding(q, n):
    tl.load(tl.make_block_ptr(q, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0,), padding_option="one")


@mistake
def mask_on_block_pointer(q, n):
    tl.load(tl.make_block_ptr(q, (n,), (1,), (0,), (16,), (0,)), mask=n > 3)


@mistake
def block_pointer_lengths(q, n):
    tl.make_block_ptr(q, (n, n), (1,), (0,), (16,), (0,))


@mistake
def block_pointer_order(q, n):
    tl.make_block_ptr(q, (n, n), (n, 1), (0, 0), (16, 16), (1, 1))


@mistake
def advance_of_pointer(q):
    tl.advance(q, (1,))


@mistake
def nan_padding_of_integers(o, n):
    tl.load(tl.make_block_ptr(o, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0,), padding_option="nan")


@mistake
def run_time_range(n):
    tl.arange(0, n)


@mistake
def odd_range(o):
    tl.arange(0, 3)


@mistake
def empty_range(o):
    tl.arange(4, 4)


@mistake
def fourth_axis(o):
    tl.program_id(3)


@mistake
def odd_block(o):
    tl.zeros((3, 4), tl.float32)


@mistake
def huge_block(o):
    tl.zeros((4096, 4096), tl.float32)


@mistake
def run_time_shape(n):
    tl.zeros((n,), tl.float32)


@mistake
def shapes_differ(o):
    tl.arange(0, 8) + tl.arange(0, 16)


@mistake
def broadcast_to_smaller(o):
    tl.broadcast_to(tl.arange(0, 8), (4,))


@mistake
def broadcast_rank(o):
    tl.broadcast_to(tl.arange(0, 8), (4, 8))


@mistake
def reshape_elements(o):
    tl.arange(0, 8).reshape(4, 4)


@mistake
def permutation_repeats(o):
    tl.zeros((4, 8), tl.int32).permute(0, 0)


@mistake
def transpose_of_vector(o):
    tl.trans(tl.arange(0, 8))


@mistake
def split_of_wide(o):
    tl.split(tl.zeros((4, 4), tl.int32))


@mistake
def cat_of_unequal(o):
    tl.cat(tl.arange(0, 8), tl.arange(0, 16))


@mistake
def squeeze_of_wide(o):
    tl.squeeze(tl.zeros((4, 4), tl.int32), 0)


@mistake
def gather_by_floats(p):
    tl.gather(tl.arange(0, 8), tl.zeros((8,), tl.float32), 0)


@mistake
def histogram_of_floats(p):
    tl.histogram(tl.zeros((8,), tl.float32), 8)


@mistake
def element_of_block(o):
    tl.arange(0, 4)[0]


@mistake
def item_of_many(o):
    tl.arange(0, 4).item()


@mistake
def reduction_axis(o):
    tl.sum(tl.arange(0, 4), 1)


@mistake
def sort_of_first_axis(o):
    tl.sort(tl.zeros((4, 4), tl.int32), 0)


@mistake
def xor_of_floats(p):
    tl.xor_sum(tl.zeros((4,), tl.float32))


@mistake
def combine_gives_three(o):
    tl.reduce(tl.arange(0, 4), 0, three_results)


@mistake
def combine_changes_type(o):
    tl.associative_scan(tl.arange(0, 4), 0, changes_type)


@mistake
def exp_of_half(h):
    tl.exp(h)


@mistake
def sqrt_rn_of_double(f):
    tl.sqrt_rn(f.to(tl.float64))


@mistake
def fdiv_of_integers(n):
    tl.fdiv(n, 3)


@mistake
def umulhi_of_narrow(n):
    tl.umulhi(n.to(tl.int16), n.to(tl.int16))


@mistake
def dot_shapes(o):
    tl.dot(tl.zeros((16, 32), tl.float16), tl.zeros((16, 32), tl.float16))


@mistake
def dot_types(o):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))


@mistake
def dot_accumulator(o):
    a = tl.zeros((16, 16), tl.float16)
    tl.dot(a, a, tl.zeros((16, 32), tl.float32))


@mistake
def dot_precision(o):
    a = tl.zeros((16, 16), tl.float32)
    tl.dot(a, a, input_precision="exact")


@mistake
def dot_out_type(o):
    a = tl.zeros((16, 16), tl.float16)
    tl.dot(a, a, out_dtype=tl.bfloat16)


@mistake
def scaled_format(o):
    a = tl.zeros((16, 16), tl.uint8)
    tl.dot_scaled(a, None, "e9m9", a, None, "e4m3")


@mistake
def bitcast_width(n):
    n.to(tl.int16, bitcast=True)


@mistake
def rounding_of_widening(h):
    h.to(tl.float32, fp_downcast_rounding="rtz")


@mistake
def unknown_rounding(f):
    f.to(tl.float16, fp_downcast_rounding="up")


@mistake
def convert_to_number(n):
    n.to(3)


@mistake
def pointer_to_float(o):
    o.to(tl.float32)


@mistake
def negative_with_unsigned(u):
    u + -1


@mistake
def scalar_out_of_range(n):
    n.to(tl.int8) + 1000


@mistake
def integer_too_large(n):
    n + 340282366920938463463374607431768211456


@mistake
def mixed_signs(n, u):
    n // u


@mistake
def floor_of_floats(f):
    f // 2


@mistake
def bits_of_floats(f):
    f & 1


@mistake
def invert_float(f):
    ~f


@mistake
def power(n):
    n**2


@mistake
def add_pointers(o, p):
    o + p


@mistake
def pointer_plus_float(o):
    o + 1.5


@mistake
def narrow_atomic(b):
    tl.atomic_add(b, 1)


@mistake
def half_atomic_max(q):
    tl.atomic_max(q, 1.0)


@mistake
def float_atomic_and(p):
    tl.atomic_and(p, 1)


@mistake
def unknown_semantic(o):
    tl.atomic_add(o, 1, sem="never")


@mistake
def unknown_scope(o):
    tl.atomic_add(o, 1, scope="galaxy")


@mistake
def narrow_descriptor(q):
    tl.make_tensor_descriptor(q, [8, 8], [8, 1], [8, 4])


@mistake
def descriptor_stride(q, n):
    tl.make_tensor_descriptor(q, [n, n], [n, 2], [8, 16])


@mistake
def descriptor_offsets(d):
    d.load([0])


@mistake
def descriptor_and_of_halves(d, o):
    d.atomic_and([0, 0], tl.zeros((16, 32), tl.float16))
