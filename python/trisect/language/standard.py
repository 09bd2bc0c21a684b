"""Library functions written in the language itself.

What: reductions, scans, sorting, softmax and small helpers, composed from builtins and specialised like any
helper.
"""

from ..runtime.jit import constexpr_function, jit
from . import core, math
from .builtin import tensor_member
from .constants import unwrap
from .typing_rules import sum_type


@constexpr_function
def _log2(i: core.constexpr):
    """Exponent of a power of two."""
    return unwrap(i).bit_length() - 1


@constexpr_function
def _normal_axis(axis, rank):
    """A dimension counted from the front; the last one for None."""
    axis, rank = unwrap(axis), unwrap(rank)
    if axis is None:
        return rank - 1
    return axis + rank if axis < 0 else axis


@constexpr_function
def _sum_type(dtype, wanted):
    return sum_type(unwrap(dtype), unwrap(wanted))


@tensor_member
@jit
def cdiv(x, div):
    """Ceiling division of x by div."""
    return (x + (div - 1)) // div


@tensor_member
@jit
def sigmoid(x):
    """Logistic function 1/(1+exp(-x))."""
    return 1 / (1 + math.exp(-x))


@tensor_member
@jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """Normalised exponentials along a dimension, with the maximum subtracted first."""
    axis: core.constexpr = 0 if dim is None else dim
    shifted = x - max(x, axis, keep_dims=True)
    numerator = math.exp(shifted)
    denominator = sum(numerator, axis, keep_dims=True)
    return math.fdiv(numerator, denominator, ieee_rounding)


@tensor_member
@jit
def ravel(x, can_reorder=False):
    """Flattens to one dimension."""
    return core.reshape(x, [x.numel], can_reorder=can_reorder)


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """Remaps row-major tile indices to group-of-rows order for cache locality."""
    linear = i * size_j + j
    group_size = size_g * size_j
    group = linear // group_size
    first_row = group * size_g
    rows = core.builtin_min(size_i - first_row, size_g)
    within = linear % group_size
    return first_row + within % rows, within // rows


@jit
def zeros(shape, dtype):
    """Tensor of the given shape and dtype filled with zero."""
    return core.full(shape, 0, dtype)


@jit
def zeros_like(input):
    """Zero tensor with the shape and dtype of another."""
    return zeros(input.shape, input.dtype)


# Extrema.


@jit
def _argmax_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first = value1 == value2 and index1 < index2
    else:
        first = False
    take_first = value1 > value2 or first
    return core.where(take_first, value1, value2), core.where(take_first, index1, index2)


@jit
def _argmax_combine_tie_break_left(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, True)


@jit
def _argmax_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, False)


@jit
def _argmin_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first = value1 == value2 and index1 < index2
    else:
        first = False
    take_first = value1 < value2 or first
    return core.where(take_first, value1, value2), core.where(take_first, index1, index2)


@jit
def _argmin_combine_tie_break_left(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, True)


@jit
def _argmin_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_max(a, b):
    return core.maximum(a, b)


@jit
def _elementwise_min(a, b):
    return core.minimum(a, b)


@jit
def _widened(input):
    """Values narrower than 32 bits in 32 bits."""
    if input.dtype.primitive_bitwidth < 32:
        if input.dtype.is_floating():
            return input.to(core.float32)
        else:
            return input.to(core.int32)
    else:
        return input


@tensor_member
@jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """Largest element along an axis (or over all), optionally with its index."""
    input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        return core.reduce(_widened(input), axis, _elementwise_max, keep_dims=keep_dims)


@tensor_member
@jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """Index of the largest element along an axis."""
    value, index = max(
        input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims
    )
    return index


@tensor_member
@jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """Smallest element along an axis (or over all), optionally with its index."""
    input = core._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        return core.reduce(_widened(input), axis, _elementwise_min, keep_dims=keep_dims)


@tensor_member
@jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """Index of the smallest element along an axis."""
    value, index = min(
        input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims
    )
    return index


# Sums and products.


@jit
def _sum_combine(a, b):
    return a + b


@jit
def _prod_combine(a, b):
    return a * b


@jit
def _xor_combine(a, b):
    return a ^ b


@jit
def _or_combine(a, b):
    return a | b


@tensor_member
@jit
def sum(input, axis=None, keep_dims=False, dtype: core.constexpr = None):
    """Sum along an axis; narrow integers are widened to 32 bits first."""
    out_dtype: core.constexpr = _sum_type(input.dtype, dtype)
    if out_dtype is not None:
        input = input.to(out_dtype)
    return core.reduce(input, axis, _sum_combine, keep_dims=keep_dims)


@tensor_member
@jit
def xor_sum(input, axis=None, keep_dims=False):
    """Bitwise exclusive-or reduction of integers along an axis."""
    core.static_assert(input.dtype.is_int(), "xor_sum only supported for integers; convert with .to(...)")
    return core.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@tensor_member
@jit
def reduce_or(input, axis=None, keep_dims=False):
    """Bitwise-or reduction of integers along an axis."""
    core.static_assert(input.dtype.is_int(), "reduce_or only supported for integers; convert with .to(...)")
    return core.reduce(input, axis, _or_combine, keep_dims=keep_dims)


@tensor_member
@jit
def cumsum(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """Running sum along an axis, optionally from the end or in another dtype."""
    input = core._promote_bfloat16_to_float32(input)
    out_dtype: core.constexpr = _sum_type(input.dtype, dtype)
    if out_dtype is not None:
        input = input.to(out_dtype)
    return core.associative_scan(input, axis, _sum_combine, reverse)


@tensor_member
@jit
def cumprod(input, axis=0, reverse=False, dtype: core.constexpr = None):
    """Running product along an axis, optionally from the end."""
    input = core._promote_bfloat16_to_float32(input)
    if dtype is not None:
        input = input.to(dtype)
    return core.associative_scan(input, axis, _prod_combine, reverse)


# Sorting: a bitonic network on the block seen as a hypercube, one dimension of two for each bit of an index.


@jit
def _indicator(n_dims: core.constexpr, bit: core.constexpr):
    """0 and 1 along the dimension of an index bit (0 is the last), broadcastable over the others."""
    return core.reshape(core.arange(0, 2), [1] * (n_dims - bit - 1) + [2] + [1] * bit)


@jit
def _partner(x, bit: core.constexpr):
    """Each element's partner: the one whose index differs in one bit."""
    bits_type: core.constexpr = core.get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    bits = x.to(bits_type, bitcast=True)
    both = xor_sum(bits, len(x.shape) - 1 - bit, True)
    return (bits ^ both).to(x.dtype, bitcast=True)


@jit
def _compare_and_swap(x, flip, bit: core.constexpr):
    other = _partner(x, bit)
    is_right = _indicator(len(x.shape), bit)
    return core.where((x > other) != (flip ^ is_right), other, x)


@jit
def _bitonic_merge_hypercube(x, stage: core.constexpr, order: core.constexpr):
    """Merges bitonic runs of 2**stage; order 2 alternates directions, 0 is ascending, 1 descending."""
    if order == 2:
        flip = _indicator(len(x.shape), stage)
    else:
        flip = order
    for i in core.static_range(stage):
        x = _compare_and_swap(x, flip, stage - 1 - i)
    return x


@jit
def bitonic_merge(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """Sorts a bitonic sequence along the last axis by one merge stage."""
    axis: core.constexpr = _normal_axis(dim, len(x.shape))
    core.static_assert(
        axis == len(x.shape) - 1, "only minor dimension is currently supported; permute the block first"
    )
    n_dims: core.constexpr = _log2(x.shape[axis])
    cube = core.reshape(x, [2] * _log2(x.numel))
    cube = _bitonic_merge_hypercube(cube, n_dims, descending)
    return core.reshape(cube, x.shape)


@jit
def sort_impl(
    x, k: core.constexpr = None, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0
):
    """Sort network core; with k keeps the top k."""
    axis: core.constexpr = _normal_axis(dim, len(x.shape))
    core.static_assert(
        axis == len(x.shape) - 1, "only minor dimension is currently supported; permute the block first"
    )
    log_n: core.constexpr = _log2(x.shape[axis])
    log_k: core.constexpr = log_n if k is None else _log2(k)
    n_dims: core.constexpr = _log2(x.numel)
    if log_n == 0:
        return x
    cube = core.reshape(x, [2] * n_dims)
    for i in core.static_range(1, log_k + 1):
        cube = _bitonic_merge_hypercube(cube, i, 2 if i < log_n else descending)
    if log_k < log_n:
        for i in core.static_range(log_k + 1, log_n + 1):
            cube = _keep_half(cube, len(cube.shape) - 1 - log_k, descending)
            cube = _bitonic_merge_hypercube(cube, log_k, 2 if i < log_n else descending)
    kept = core.reshape(cube, x.shape[:-1] + [2**log_k])
    if log_k < log_n:
        return _widened(kept)
    else:
        return kept


@jit
def _keep_half(cube, axis: core.constexpr, descending: core.constexpr):
    """The better one of each pair along an axis, in the type of the input."""
    if descending:
        return max(cube, axis).to(cube.dtype)
    else:
        return min(cube, axis).to(cube.dtype)


@tensor_member
@jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = core.CONSTEXPR_0):
    """Sorts along the last axis, ascending or descending."""
    return sort_impl(x, dim=dim, descending=descending)


@jit
def topk(x, k: core.constexpr, dim: core.constexpr = None, descending: core.constexpr = True):
    """The k largest (or smallest) elements along the last axis, sorted; in at least 32 bits if not all."""
    return sort_impl(x, k=k, dim=dim, descending=descending)


@tensor_member
@jit
def flip(x, dim=None):
    """Reverses element order along one axis, or the last by default."""
    axis: core.constexpr = _normal_axis(dim, len(x.shape))
    core.static_assert(0 <= axis and axis < len(x.shape), "flip: the dimension does not exist")
    steps: core.constexpr = _log2(x.shape[axis])
    shape: core.constexpr = _shape(x.shape)
    if steps == 0:
        return x
    else:
        cube = core.reshape(x, shape[:axis] + [2] * steps + shape[axis + 1 :])
        for i in core.static_range(steps):
            cube = _partner(cube, len(cube.shape) - 1 - (axis + i))
        return core.reshape(cube, shape)


@constexpr_function
def _shape(shape):
    return [unwrap(size) for size in shape]


@jit
def interleave(a, b):
    """Alternates elements of two tensors along the last axis, doubling its length."""
    joined = core.join(a, b)
    if len(joined.shape) == 1:
        return joined
    else:
        return core.reshape(joined, joined.shape[:-2] + [2 * joined.shape[-2]])


@jit
def squeeze(x, dim: core.constexpr):
    """Drops a dimension of length one."""
    axis: core.constexpr = _normal_axis(dim, len(x.shape))
    core.static_assert(x.shape[axis] == 1, "squeeze: the dimension is longer than one; use reshape")
    return core.reshape(x, x.shape[:axis] + x.shape[axis + 1 :])


@jit
def unsqueeze(x, dim: core.constexpr):
    """Inserts a dimension of length one."""
    axis: core.constexpr = _normal_axis(dim, len(x.shape) + 1)
    return core.reshape(x, x.shape[:axis] + [1] + x.shape[axis:])
