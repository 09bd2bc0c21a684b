"""Everything the language is made of, under the name that libraries import it by.

What: re-exports values, types, builtins and marks from the themed files.
"""

from .aggregate import aggregate, aggregate_replace, aggregate_value
from .base import base_type, base_value
from .block_pointer import block_pointer, block_pointer_type
from .builtin import TRITON_BUILTIN, builtin, extern, is_builtin, must_use_result, tensor_member
from .constants import TRITON_MAX_TENSOR_NUMEL, unwrap_shape, validate_block_shape
from .constants import unwrap as _unwrap_if_constexpr
from .constexpr import CONSTEXPR_0, constexpr, constexpr_type
from .descriptor import (
    tensor_descriptor,
    tensor_descriptor_base,
    tensor_descriptor_base_type,
    tensor_descriptor_type,
)
from .math import abs, ceil, cos, div_rn, erf, exp, exp2, fdiv, floor, fma, log, log2, rsqrt, sin, sqrt, sqrt_rn, umulhi
from .ops.arithmetic import (
    PropagateNan,
    add,
    binary_op_type_legalization,
    builtin_max,
    builtin_min,
    check_bit_width,
    clamp,
    expect_zero,
    is_negative_zero,
    maximum,
    minimum,
    mul,
    sub,
    where,
)
from .ops.atomics import (
    atomic_add,
    atomic_and,
    atomic_cas,
    atomic_load,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_poll,
    atomic_store,
    atomic_xchg,
    atomic_xor,
)
from .ops.creation import arange, cast, full, item, num_programs, program_id, to_tensor
from .ops.debugging import (
    assume,
    debug_barrier,
    device_assert,
    device_print,
    dispatch,
    extern_elementwise,
    inline_asm_elementwise,
    max_constancy,
    max_contiguous,
    multiple_of,
    static_assert,
    static_print,
)
from .ops.descriptors import load_tensor_descriptor, make_tensor_descriptor, store_tensor_descriptor
from .ops.dot import dot, dot_scaled
from .ops.loops import condition, const, range, static_range
from .ops.memory import advance, load, make_block_ptr, store
from .ops.reduction import _reduce_with_indices, associative_scan, map_elementwise, reduce
from .ops.shape import (
    broadcast,
    broadcast_to,
    cat,
    expand_dims,
    gather,
    histogram,
    join,
    permute,
    reshape,
    split,
    trans,
    view,
)
from .tensor import tensor
from .tuples import slice, tuple
from .types import (
    bfloat16,
    block_type,
    dtype,
    float8e4b8,
    float8e4b15,
    float8e4nv,
    float8e5,
    float8e5b16,
    float16,
    float32,
    float64,
    get_int_dtype,
    int1,
    int8,
    int16,
    int32,
    int64,
    pi32_t,
    pointer_type,
    slice_type,
    tuple_type,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)

_experimental_make_tensor_descriptor = make_tensor_descriptor
_aggregate = aggregate
_constexpr_to_value = _unwrap_if_constexpr
_unwrap_shape = unwrap_shape


@builtin
def _promote_bfloat16_to_float32(t, _semantic=None):
    """A tensor in fp32 where it is bf16; anything else as it is."""
    return _semantic.promote_bfloat16(t)


__all__ = [name for name in globals() if not name.startswith("__")]
