"""Arithmetic that is not an operator: choices, clamps, extrema, products with options."""

from enum import Enum

from ..builtin import builtin
from ..constants import unwrap
from ..tensor import tensor


class PropagateNan(Enum):
    """How minimum, maximum and clamp treat NaN."""

    NONE = 0
    ALL = 0xFFFF


@builtin
def add(x, y, sanitize_overflow=True, _semantic=None):
    """Addition, with control over the overflow sanitizer."""
    return _semantic.add(unwrap(x), unwrap(y), sanitize_overflow)


@builtin
def sub(x, y, sanitize_overflow=True, _semantic=None):
    """Subtraction, with control over the overflow sanitizer."""
    return _semantic.sub(unwrap(x), unwrap(y), sanitize_overflow)


@builtin
def mul(x, y, sanitize_overflow=True, _semantic=None):
    """Multiplication, with control over the overflow sanitizer."""
    return _semantic.mul(unwrap(x), unwrap(y), sanitize_overflow)


@builtin
def where(condition, x, y, _semantic=None):
    """Elementwise choice: x where the condition holds, else y; both are evaluated."""
    return _semantic.where(condition, unwrap(x), unwrap(y))


@builtin
def minimum(x, y, propagate_nan=PropagateNan.NONE, _semantic=None):
    """Elementwise smaller value with a NaN policy."""
    x, y = _promoted(_semantic, x, y)
    return _semantic.minimum(x, y, propagate_nan)


@builtin
def maximum(x, y, propagate_nan=PropagateNan.NONE, _semantic=None):
    """Elementwise larger value with a NaN policy."""
    x, y = _promoted(_semantic, x, y)
    return _semantic.maximum(x, y, propagate_nan)


@builtin
def clamp(x, min, max, propagate_nan=PropagateNan.NONE, _semantic=None):
    """Limits values to the range [min, max] with a NaN policy."""
    x, min, max = _promoted(_semantic, x, min, max)
    return _semantic.clamp(x, min, max, propagate_nan)


def _promoted(semantic, *values):
    """The operands as tensors, numbers among them by the types that they have alone; bfloat16 in float32."""
    return [semantic.promote_bfloat16(unwrap(value)) for value in values]


def _fold(name, propagate_nan, args, semantic):
    values = [unwrap(arg) for arg in args]
    if not any(isinstance(value, tensor) for value in values):
        from ..constexpr import constexpr

        return constexpr(min(values) if name == "minimum" else max(values))
    result = values[0]
    for value in values[1:]:
        result, value = _promoted(semantic, result, value)
        result = getattr(semantic, name)(result, value, propagate_nan)
    return result


@builtin
def builtin_max(*args, propagate_nan=None, _semantic=None):
    """Compile-time and tensor version of Python max."""
    return _fold("maximum", PropagateNan.NONE if propagate_nan is None else propagate_nan, args, _semantic)


@builtin
def builtin_min(*args, propagate_nan=None, _semantic=None):
    """Compile-time and tensor version of Python min."""
    return _fold("minimum", PropagateNan.NONE if propagate_nan is None else propagate_nan, args, _semantic)


@builtin
def expect_zero(x, mask, _semantic=None):
    """Returns x while promising masked-off elements are zero."""
    _semantic.device_assert(
        _semantic.equal(x, 0), "expect_zero expected x == 0 where mask is true", _semantic.logical_not(mask)
    )
    return x


def check_bit_width(value, shift_value):
    """Refuses a constant shift that reaches the operand width."""
    from ..semantic.arith import Arithmetic

    Arithmetic.check_shift(value, shift_value)


def is_negative_zero(x):
    """True when the value is the float -0.0."""
    x = unwrap(x)
    return isinstance(x, float) and x == 0.0 and str(x).startswith("-")


def binary_op_type_legalization(lhs, rhs, semantic):
    """Applies binary promotion and broadcasting to two operands."""
    return semantic.legalize(lhs, rhs)
