"""The typing rules over every pair of scalar types, against the stated rules written down a second way."""

import itertools

import pytest

from trisect.language import types as ty
from trisect.language.typing_rules import (
    Conversion,
    IncompatibleTypeErrorImpl,
    binary_type,
    computation_type,
    conversion,
    dot_result_type,
    integer_promote,
    sum_type,
    true_division_type,
    type_of_python_scalar,
)

SIGNED = [ty.int8, ty.int16, ty.int32, ty.int64]
UNSIGNED = [ty.int1, ty.uint8, ty.uint16, ty.uint32, ty.uint64]
INTS = SIGNED + UNSIGNED
FP8 = [ty.float8e5, ty.float8e5b16, ty.float8e4nv, ty.float8e4b8, ty.float8e4b15]
WIDE_FLOATS = [ty.float16, ty.bfloat16, ty.float32, ty.float64]
FLOATS = FP8 + WIDE_FLOATS
ALL = INTS + FLOATS
PAIRS = list(itertools.product(ALL, ALL))


def expected_tensor_pair(a, b, div_or_mod):
    """The type two tensors compute in, or None where the rules refuse."""
    kinds = {a.name, b.name}
    for winner in ("fp64", "fp32"):
        if winner in kinds:
            return ty.dtype(winner)
    if "fp16" in kinds:
        return ty.float32 if div_or_mod else ty.float16
    if "bf16" in kinds:
        return ty.bfloat16 if kinds == {"bf16"} and not div_or_mod else ty.float32
    if a.is_fp8() and b.is_fp8():
        return a if a is b else ty.float16
    if not (a.is_int() and b.is_int()):
        return None
    if div_or_mod and a.is_int_signed() != b.is_int_signed():
        return None
    widest = max(a.int_bitwidth, b.int_bitwidth)
    unsigned = any(t.is_int_unsigned() and t.int_bitwidth == widest for t in (a, b))
    return ty.get_int_dtype(widest, not unsigned)


@pytest.mark.parametrize("div_or_mod", [False, True])
@pytest.mark.parametrize("a,b", PAIRS, ids=lambda t: str(t))
def test_two_tensors(a, b, div_or_mod):
    expected = expected_tensor_pair(a, b, div_or_mod)
    if expected is None:
        with pytest.raises(TypeError):
            computation_type(a, False, b, False, div_or_mod)
    else:
        assert computation_type(a, False, b, False, div_or_mod) is expected


@pytest.mark.parametrize("a,b", PAIRS, ids=lambda t: str(t))
def test_two_tensors_commute(a, b):
    try:
        forward = computation_type(a, False, b, False)
    except TypeError:
        with pytest.raises(TypeError):
            computation_type(b, False, a, False)
    else:
        assert computation_type(b, False, a, False) is forward


@pytest.mark.parametrize("scalar", [True, 3, 2.5], ids=repr)
@pytest.mark.parametrize("tensor", ALL, ids=str)
def test_weak_scalar_of_lower_kind_keeps_the_tensor_type(tensor, scalar):
    kind = type_of_python_scalar(scalar).kind().value
    if kind > tensor.kind().value:
        expected = type_of_python_scalar(scalar)
        if tensor.is_int() and isinstance(scalar, int):
            expected = integer_promote(tensor, expected)
    else:
        expected = tensor
    assert binary_type(tensor, scalar) is expected
    assert binary_type(scalar, tensor) is expected


@pytest.mark.parametrize("half", [ty.float16, ty.bfloat16], ids=str)
def test_half_divided_by_weak_scalar_is_fp32(half):
    assert binary_type(half, 2, div_or_mod=True) is ty.float32
    assert binary_type(2.0, half, div_or_mod=True) is ty.float32


@pytest.mark.parametrize("tensor", UNSIGNED[1:], ids=str)
def test_negative_scalar_never_meets_unsigned(tensor):
    with pytest.raises(ValueError, match="negative scalar"):
        binary_type(tensor, -1)


@pytest.mark.parametrize("tensor", SIGNED + UNSIGNED[1:4], ids=str)
def test_scalar_must_fit(tensor):
    largest = tensor.get_int_max_value()
    assert binary_type(tensor, largest) is tensor
    with pytest.raises(ValueError, match="out of range"):
        binary_type(tensor, largest + 1)


@pytest.mark.parametrize(
    "value,expected",
    [
        (True, ty.int1),
        (0, ty.int32),
        (2**31 - 1, ty.int32),
        (2**31, ty.uint32),
        (2**32 - 1, ty.uint32),
        (2**32, ty.int64),
        (-(2**31), ty.int32),
        (-(2**31) - 1, ty.int64),
        (2**63, ty.uint64),
        (1.5, ty.float32),
        (0.0, ty.float32),
        (1e300, ty.float64),
        (1e-40, ty.float64),
        (float("inf"), ty.float32),
        (float("nan"), ty.float32),
    ],
)
def test_type_of_python_scalar(value, expected):
    assert type_of_python_scalar(value) is expected


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1])
def test_integers_without_a_type(value):
    with pytest.raises(ValueError, match="Nonrepresentable"):
        type_of_python_scalar(value)


@pytest.mark.parametrize("a,b", PAIRS, ids=lambda t: str(t))
def test_true_division(a, b):
    if a.is_int() and b.is_int():
        if a.int_signedness != b.int_signedness:
            with pytest.raises(TypeError, match="different signedness"):
                true_division_type(a, b)
            return
        expected = ty.float32
    elif (a.is_int() and b.is_fp8()) or (b.is_int() and a.is_fp8()):
        with pytest.raises(TypeError, match="convert the fp8 operand"):
            true_division_type(a, b)
        return
    elif a.is_int():
        expected = expected_tensor_pair(b, b, True)
    elif b.is_int():
        expected = expected_tensor_pair(a, a, True)
    else:
        expected = expected_tensor_pair(a, b, True)
    assert true_division_type(a, b) is expected


def test_pointers_do_not_combine():
    with pytest.raises(IncompatibleTypeErrorImpl, match="invalid operands"):
        binary_type(ty.pi32_t, ty.int32)


@pytest.mark.parametrize("a,b", PAIRS, ids=lambda t: str(t))
def test_every_pair_of_numbers_converts(a, b):
    how = conversion(a, b)
    if a is b:
        assert how is Conversion.NONE
    elif a.is_int() and b.is_int():
        if b is ty.int1:
            assert how is Conversion.NOT_ZERO
        elif a.int_bitwidth == b.int_bitwidth:
            assert how is Conversion.NONE
        elif a.int_bitwidth > b.int_bitwidth:
            assert how is Conversion.INT_TRUNCATE
        else:
            signed = a.is_int_signed()
            assert how is (Conversion.INT_EXTEND_SIGNED if signed else Conversion.INT_EXTEND_UNSIGNED)
    elif ty.float8e4b15 in (a, b) and a.is_floating() and b.is_floating():
        assert how is Conversion.FP8_SOFTWARE
    elif a.is_fp8() or b.is_fp8():
        assert how is (
            Conversion.FP_TO_FP if a.is_floating() and b.is_floating() else Conversion.INT_VIA_FP32
        )
    elif a.is_floating() and b.is_floating():
        widths = a.primitive_bitwidth - b.primitive_bitwidth
        assert how is (
            Conversion.FP_VIA_FP32
            if widths == 0
            else Conversion.FP_TRUNCATE
            if widths > 0
            else Conversion.FP_EXTEND
        )
    elif a.is_floating():
        assert how is (
            Conversion.NOT_ZERO
            if b is ty.int1
            else Conversion.FP_TO_SIGNED
            if b.is_int_signed()
            else Conversion.FP_TO_UNSIGNED
        )
    else:
        assert how is (Conversion.SIGNED_TO_FP if a.is_int_signed() else Conversion.UNSIGNED_TO_FP)


@pytest.mark.parametrize("other", ALL, ids=str)
def test_pointers_convert_to_addresses_only(other):
    pointer = ty.pointer_type(ty.float32)
    if other in (ty.int64, ty.uint64, ty.int1):
        assert conversion(pointer, other) is Conversion.PTR_TO_INT
    else:
        with pytest.raises(TypeError):
            conversion(pointer, other)
    if other.is_int():
        assert conversion(other, pointer) is Conversion.INT_TO_PTR
    else:
        with pytest.raises(TypeError):
            conversion(other, pointer)
    assert conversion(pointer, ty.pi32_t) is Conversion.PTR_TO_PTR


@pytest.mark.parametrize("in_type", ALL, ids=str)
def test_sum_widens_narrow_integers(in_type):
    expected = None
    if in_type.is_int() and in_type.int_bitwidth < 32:
        expected = ty.int32 if in_type.is_int_signed() else ty.uint32
    assert sum_type(in_type) is expected
    assert sum_type(in_type, ty.float64) is ty.float64


@pytest.mark.parametrize("a,b", PAIRS, ids=lambda t: str(t))
def test_dot_types(a, b):
    def operand(t):
        return t.is_floating() or t is ty.int8

    if not operand(a) or not operand(b) or a.is_fp8() != b.is_fp8() or (not a.is_fp8() and a is not b):
        with pytest.raises(TypeError):
            dot_result_type(a, b, ty.float32)
        return
    result = dot_result_type(a, b, ty.float32)
    assert result is (ty.int32 if a.is_int() else ty.float64 if a is ty.float64 else ty.float32)
    if a is ty.float16 or a.is_fp8():
        assert dot_result_type(a, b, ty.float16) is ty.float16
