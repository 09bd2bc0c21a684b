"""How types combine: the one place that decides the type of every operator and conversion.

What: pure functions from types (and weak Python scalars) to the type in which an operator computes, and the
kind of conversion between two types. Nothing here builds IR, so every pair of types is tested exhaustively.

The rules of a binary arithmetic operator, first match wins:
 1. A Python scalar is weak: where its kind (bool < int < float) is not above the tensor's, the tensor's
    type stays (fp16 and bf16 become fp32 under / and %). A negative scalar never meets an unsigned
    tensor, and an integer scalar must fit.
 2. fp64 beats fp32 beats fp16; bf16 stays only with bf16, otherwise it becomes fp32; under / and % the
    two halves become fp32. Two different fp8 types become fp16.
 3. Two integers: the wider one; of equal width the unsigned one. / and % refuse to mix signedness.
"""

from enum import Enum, auto

from .constants import unwrap
from .types import (
    bfloat16,
    dtype,
    float16,
    float32,
    float64,
    int1,
    int32,
    int64,
    uint8,
    uint32,
    uint64,
)


class IncompatibleTypeErrorImpl(Exception):
    """Two types that an operator cannot combine."""

    def __init__(self, type_a, type_b):
        self.type_a, self.type_b = type_a, type_b
        self.message = f"invalid operands of type {type_a!r} and {type_b!r}; convert one with .to(...)"
        super().__init__(self.message)


def is_python_scalar(value) -> bool:
    return isinstance(value, (bool, int, float))


_SMALLEST_NORMAL_FP32 = 2.0**-126
_LARGEST_FP32 = (2 - 2.0**-23) * 2.0**127


def check_bits(value, bits: int):
    """Refuses a compile-time shape, stride or offset that so many bits do not hold."""
    if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise ValueError(
            f"only {bits} bits are supported here, got a value {value} which is out of the range"
        )


def type_of_python_scalar(value) -> dtype:
    """Type that a Python scalar has on its own."""
    if isinstance(value, bool):
        return int1
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return int32
        if 2**31 <= value < 2**32:
            return uint32
        if -(2**63) <= value < 2**63:
            return int64
        if 2**63 <= value < 2**64:
            return uint64
        raise ValueError(f"Nonrepresentable integer {value}: it fits neither int64 nor uint64")
    if isinstance(value, float):
        size = abs(value)
        in_fp32 = (
            size == 0.0
            or value != value
            or size == float("inf")
            or _SMALLEST_NORMAL_FP32 <= size <= _LARGEST_FP32
        )
        return float32 if in_fp32 else float64
    raise TypeError(
        f"cannot convert {value!r} of type {type(value)} to tensor; "
        "only bool, int and float have a tensor type"
    )


def integer_promote(a: dtype, b: dtype) -> dtype:
    """Common type of two integers: the wider, of equal width the unsigned one."""
    if a.int_bitwidth != b.int_bitwidth and a.int_signedness == b.int_signedness:
        return a if a.int_bitwidth > b.int_bitwidth else b
    if a.int_signedness == b.int_signedness:
        return a
    unsigned, signed = (a, b) if a.is_int_unsigned() else (b, a)
    return unsigned if unsigned.int_bitwidth >= signed.int_bitwidth else signed


def computation_type(
    a: dtype, a_is_scalar: bool, b: dtype, b_is_scalar: bool, div_or_mod: bool = False
) -> dtype:
    """Scalar type in which an arithmetic operator computes; `*_is_scalar` marks weak Python scalars."""
    if a_is_scalar != b_is_scalar:
        scalar, other = (a, b) if a_is_scalar else (b, a)
        if scalar.kind().value <= other.kind().value:
            return float32 if div_or_mod and other in (float16, bfloat16) else other
    if a is float64 or b is float64:
        return float64
    if a is float32 or b is float32:
        return float32
    if a is float16 or b is float16:
        return float32 if div_or_mod else float16
    if a is bfloat16 or b is bfloat16:
        return bfloat16 if a is b and not div_or_mod else float32
    if a.is_fp8() and b.is_fp8():
        return a if a is b else float16
    if not a.is_int() or not b.is_int():
        raise TypeError(f"unexpected type {a} and {b}; convert one of them with .to(...)")
    if div_or_mod and a.int_signedness != b.int_signedness:
        raise TypeError(
            f"Cannot use /, //, or % with {a} and {b} because they have different signedness; "
            "this is unlikely to result in a useful answer. Cast them to the same signedness."
        )
    return integer_promote(a, b)


def binary_type(lhs, rhs, *, div_or_mod: bool = False) -> dtype:
    """Computation type of two operands, scalar types or Python scalars; checks the scalars' ranges."""
    lhs_weak, rhs_weak = is_python_scalar(lhs), is_python_scalar(rhs)
    a = type_of_python_scalar(lhs) if lhs_weak else lhs
    b = type_of_python_scalar(rhs) if rhs_weak else rhs
    if a.is_ptr() or b.is_ptr():
        raise IncompatibleTypeErrorImpl(a, b)
    result = computation_type(a, lhs_weak, b, rhs_weak, div_or_mod)
    for value, weak in ((lhs, lhs_weak), (rhs, rhs_weak)):
        if not weak or not result.is_int():
            continue
        if value < 0 and result.is_int_unsigned():
            raise ValueError(
                "Cannot perform a binary operation between an unsigned tensor and a negative scalar. "
                "Perform a explicit cast on one of them."
            )
        if not result.get_int_min_value() <= value <= result.get_int_max_value():
            raise ValueError(
                f"Scalar {value} is out of range for type {result}; convert the other operand to a wider type"
            )
    return result


def true_division_type(lhs, rhs) -> dtype:
    """Type of `/`: floats divide in their common type (fp32 at least), integers of one signedness in fp32."""
    a = type_of_python_scalar(lhs) if is_python_scalar(lhs) else lhs
    b = type_of_python_scalar(rhs) if is_python_scalar(rhs) else rhs
    for floating, integer in ((a, b), (b, a)):
        if floating.is_fp8() and integer.is_int() and not (is_python_scalar(lhs) or is_python_scalar(rhs)):
            raise TypeError(f"unexpected type {a} and {b} for /; convert the fp8 operand with .to(...)")
    if a.is_floating() and b.is_int():
        return binary_type(lhs, a if not is_python_scalar(rhs) else rhs, div_or_mod=True)
    if a.is_int() and b.is_floating():
        return binary_type(b if not is_python_scalar(lhs) else lhs, rhs, div_or_mod=True)
    if a.is_int() and b.is_int():
        binary_type(lhs, rhs, div_or_mod=True)
        return float32
    if a.is_floating() and b.is_floating():
        return binary_type(lhs, rhs, div_or_mod=True)
    raise TypeError(f"unexpected type {a} and {b} for /; both operands must be numbers")


class Conversion(Enum):
    """How `cast` turns one scalar type into another."""

    NONE = auto()  # same bits, same type or a change of signedness alone
    FP_EXTEND = auto()
    FP_TRUNCATE = auto()
    FP_VIA_FP32 = auto()  # fp16 <-> bf16
    FP_TO_FP = auto()  # fp8 on either side, or a stated rounding
    FP8_SOFTWARE = auto()  # fp8e4b15, which has no IR type
    INT_EXTEND_SIGNED = auto()
    INT_EXTEND_UNSIGNED = auto()
    INT_TRUNCATE = auto()
    NOT_ZERO = auto()
    FP_TO_SIGNED = auto()
    FP_TO_UNSIGNED = auto()
    SIGNED_TO_FP = auto()
    UNSIGNED_TO_FP = auto()
    INT_VIA_FP32 = auto()  # integer <-> fp8
    PTR_TO_INT = auto()
    INT_TO_PTR = auto()
    PTR_TO_PTR = auto()


def conversion(src: dtype, dst: dtype, custom_rounding: bool = False) -> Conversion:
    """How a value of scalar type `src` becomes one of scalar type `dst`."""
    if src is dst:
        return Conversion.NONE
    if src.is_ptr():
        if dst.is_ptr():
            return Conversion.PTR_TO_PTR
        if dst.is_int() and dst.int_bitwidth in (1, 64):
            return Conversion.PTR_TO_INT
        raise TypeError(
            f"cannot cast {src} to {dst}; a pointer converts to int64, uint64, int1 or another pointer"
        )
    if dst.is_ptr():
        if src.is_int():
            return Conversion.INT_TO_PTR
        raise TypeError(f"cannot cast {src} to {dst}; only integers and pointers convert to a pointer")
    if src.is_floating() and dst.is_floating():
        return _float_conversion(src, dst, custom_rounding)
    if src.is_int() and dst.is_int():
        return _int_conversion(src, dst)
    if src.is_floating() and dst.is_int():
        if src.is_fp8():
            return Conversion.INT_VIA_FP32
        if dst.is_bool():
            return Conversion.NOT_ZERO
        return Conversion.FP_TO_SIGNED if dst.is_int_signed() else Conversion.FP_TO_UNSIGNED
    if src.is_int() and dst.is_floating():
        if dst.is_fp8():
            return Conversion.INT_VIA_FP32
        return Conversion.SIGNED_TO_FP if src.is_int_signed() else Conversion.UNSIGNED_TO_FP
    raise TypeError(f"cannot cast {src} to {dst}")


def _float_conversion(src, dst, custom_rounding):
    if src.is_fp8e4b15() or dst.is_fp8e4b15():
        return Conversion.FP8_SOFTWARE
    if src.is_fp8() or dst.is_fp8() or custom_rounding:
        return Conversion.FP_TO_FP
    if src.primitive_bitwidth == dst.primitive_bitwidth:
        return Conversion.FP_VIA_FP32
    if src.primitive_bitwidth > dst.primitive_bitwidth:
        return Conversion.FP_TRUNCATE
    return Conversion.FP_EXTEND


def _int_conversion(src, dst):
    if dst.is_bool():
        return Conversion.NOT_ZERO
    if src.int_bitwidth == dst.int_bitwidth:
        return Conversion.NONE
    if src.int_bitwidth > dst.int_bitwidth:
        return Conversion.INT_TRUNCATE
    return Conversion.INT_EXTEND_SIGNED if src.is_int_signed() else Conversion.INT_EXTEND_UNSIGNED


def sum_type(in_dtype: dtype, dtype_wanted=None):
    """Type in which `sum`, `cumsum` add: the wanted one; narrow integers widen to 32 bits; None: as it is."""
    dtype_wanted = unwrap(dtype_wanted)
    if dtype_wanted is not None:
        return dtype_wanted
    if in_dtype.is_int() and in_dtype.int_bitwidth < 32:
        return int32 if in_dtype.is_int_signed() else uint32
    return None


def dot_result_type(lhs: dtype, rhs: dtype, out_dtype: dtype) -> dtype:
    """Element type of a matrix product, after checking that the operands' types go together."""
    for name, ty in (("first", lhs), ("second", rhs)):
        if not (
            ty.is_fp8() or ty in (float16, bfloat16, float32, float64) or ty.is_int() and ty.int_bitwidth == 8
        ):
            raise TypeError(
                f"Unsupported {name} operand of dot: {ty}; it must be int8, fp8, fp16, bf16, fp32 or fp64"
            )
    if lhs.is_fp8() != rhs.is_fp8() or not lhs.is_fp8() and lhs is not rhs:
        raise TypeError(
            f"Both operands of dot must have the same type, got {lhs} and {rhs}; convert one with .to(...)"
        )
    if lhs.is_int():
        # The operation has no sign: bytes above 127 would count as negative.
        if lhs is uint8:
            raise TypeError(
                "only int8 supported! Operands of dot are uint8; convert both with .to(tl.float16), which "
                "holds every byte, or with .to(tl.int8) if none is above 127"
            )
        return int32
    if lhs is float64:
        return float64
    return float16 if out_dtype is float16 and lhs not in (float32, bfloat16) else float32
