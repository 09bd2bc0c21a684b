"""Rows of behaviour outside kernels: an expression and its value."""

import trisect as triton
import trisect.language as tl


class Named(tl.base_type):
    """A type of a user, by its name."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name


@tl.aggregate
class Two:
    first: tl.constexpr
    second: tl.constexpr = 5


@tl.must_use_result("the sum is the point of it")
@tl.tensor_member
@triton.jit
def plus_one(x):
    return x + 1


del tl.tensor.plus_one

ROWS = [
    ("tl.dtype('fp16').primitive_bitwidth", 16),
    ("str(tl.dtype('bf16'))", "bf16"),
    ("repr(tl.float16)", "triton.language.float16"),
    ("tl.void.name", "void"),
    ("tl.block_type(tl.float32, [4, 8]).numel", 32),
    ("str(tl.pointer_type(tl.int8, const=True))", "const_pointer<int8>"),
    ("str(tl.pi32_t)", "pointer<int32>"),
    ("str(tl.str_to_ty('*fp16'))", "pointer<fp16>"),
    ("tl.str_to_ty('tensordesc<fp16[4,8]>').block_type.shape", (4, 8)),
    ("len(tl.tuple_type([tl.int32, tl.tuple_type([tl.int8])]))", 2),
    ("tl.slice_type() == tl.slice(0, 1, 2).type", True),
    ("tl.slice(None, None, None).is_full()", True),
    ("list(tl.tuple([1, 2]) + tl.tuple([3]))", [1, 2, 3]),
    ("tl.constexpr(3) + 4 == 7", True),
    ("tl.constexpr_type(3) == tl.constexpr(3).type", True),
    ("tl.CONSTEXPR_0.value", 0),
    ("tl.unwrap_shape([tl.constexpr(4), 8])", [4, 8]),
    ("tl.validate_block_shape([4, 8])", 32),
    ("tl.is_negative_zero(-0.0)", True),
    ("tl.is_negative_zero(0.0)", False),
    ("tl.is_builtin(tl.exp)", True),
    ("tl.is_builtin(tl.sum)", False),
    ("getattr(tl.load, tl.TRITON_BUILTIN)", True),
    ("tl.is_builtin(tl.builtin(lambda x, _semantic=None: x))", True),
    ("tl.is_builtin(tl.extern(lambda x, _semantic=None: x))", True),
    ("plus_one.fn(2)", 3),
    ("tl.must_use_result(Named)", Named),
    ("getattr(tl.tensor, tl.tensor_member(plus_one).__name__) is plus_one", True),
    ("issubclass(tl.tensor, tl.base_value)", True),
    ("Named('a') != Named('b')", True),
    ("issubclass(tl.dtype, tl.base_type)", True),
    ("issubclass(Two, tl.aggregate_value)", True),
    ("Two(1).second.value", 5),
    ("issubclass(tl.tensor_descriptor, tl.tensor_descriptor_base)", True),
    ("tl.tensor_descriptor_type(tl.block_type(tl.int8, [16])).element_ty", tl.int8),
    ("str(tl.tensor_descriptor_base_type(tl.block_type(tl.int8, [16])))", "tensor_descriptor<<[16], int8>>"),
    ("tl.block_pointer_type(tl.pointer_type(tl.int8), [4]).element_ty.numel", 4),
    ("tl.block_pointer(tl.tensor(None, tl.pi32_t), [], [], [], [4]).dtype.element_ty.shape", (4,)),
    ("tl.target_info.current_target().backend", "cpu"),
    ("tl.target_info.is_cuda()", False),
    ("tl.target_info.cuda_capability_geq(9)", False),
    ("tl.target_info.is_hip()", False),
    ("tl.target_info.is_hip_cdna3()", False),
    ("tl.target_info.is_hip_cdna4()", False),
    ("tl.target_info.is_hip_gfx1250()", False),
]


def value_of(expression):
    try:
        return eval(expression, globals())
    finally:
        if hasattr(tl.tensor, "plus_one"):
            del tl.tensor.plus_one
