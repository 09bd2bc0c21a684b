"""Program identity, ranges, constants and conversions."""

from ..builtin import builtin, tensor_member
from ..constants import unwrap


@builtin
def program_id(axis, _semantic=None):
    """Index of this program instance along a grid axis 0, 1 or 2."""
    return _semantic.program_id(axis)


@builtin
def num_programs(axis, _semantic=None):
    """Number of program instances along a grid axis."""
    return _semantic.num_programs(axis)


@builtin
def arange(start, end, _semantic=None):
    """Consecutive int32 values from start up to end; the length is a power of two."""
    return _semantic.arange(start, end)


@builtin
def full(shape, value, dtype, _semantic=None):
    """Tensor of the given shape with every element equal to value."""
    return _semantic.full(shape, value, dtype)


@builtin
def to_tensor(x, _semantic=None):
    """Converts a Python scalar or constexpr to a tensor value."""
    return _semantic.to_tensor(x)


@tensor_member
@builtin
def cast(input, dtype, fp_downcast_rounding=None, bitcast=False, _semantic=None):
    """Converts element type, by value or by bits."""
    return _semantic.cast_to(input, dtype, fp_downcast_rounding, bitcast)


@tensor_member
@builtin
def item(input, _semantic=None):
    """Converts a one-element tensor to a scalar."""
    return _semantic.item(input)


def shape_arguments(dims):
    """`f(x, 2, 4)` and `f(x, (2, 4))` as one list."""
    if len(dims) == 1:
        only = unwrap(dims[0])
        if hasattr(only, "__iter__"):
            return [unwrap(size) for size in only]
        if only is None:
            return []
    return [unwrap(size) for size in dims]
