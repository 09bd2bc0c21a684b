"""Operators and elementwise functions.

What: two operands are legalised (typing_rules decides the type, then conversion, then broadcasting) and one
operation is built. Python scalars stay weak until here, and become one splat constant of the final type and
shape.
"""

import warnings

from ..constants import unwrap
from ..tensor import tensor
from ..types import bfloat16, float32, int1, int32, int64
from ..typing_rules import (
    IncompatibleTypeErrorImpl,
    binary_type,
    is_python_scalar,
    true_division_type,
    type_of_python_scalar,
)
from .enums import CMPF, CMPI, PROPAGATE_NAN

_ORDERS = ("lt", "le", "gt", "ge")
_EQUALITIES = {"eq": CMPI["eq"], "ne": CMPI["ne"]}
_CMPI_SIGNED = _EQUALITIES | {order: CMPI["s" + order] for order in _ORDERS}
_CMPI_UNSIGNED = _EQUALITIES | {order: CMPI["u" + order] for order in _ORDERS}
# A NaN is unequal to everything and in no order.
_CMPF = {"eq": CMPF["oeq"], "ne": CMPF["une"]} | {order: CMPF["o" + order] for order in _ORDERS}
_PYTHON_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class Arithmetic:
    """Operator part of the semantic object."""

    def legalize(self, lhs, rhs, div_or_mod=False):
        """Both operands with one scalar type and one shape."""
        lhs, rhs = self.operand(lhs), self.operand(rhs)
        lhs_weak, rhs_weak = is_python_scalar(lhs), is_python_scalar(rhs)
        a = lhs if lhs_weak else lhs.type.scalar
        b = rhs if rhs_weak else rhs.type.scalar
        if lhs_weak or rhs_weak or a is not b or div_or_mod or a.is_ptr():
            scalar = binary_type(a, b, div_or_mod=div_or_mod)
        else:
            scalar = a
        return self._bring_to(lhs, lhs_weak, rhs, rhs_weak, scalar)

    def _bring_to(self, lhs, lhs_weak, rhs, rhs_weak, scalar):
        if not lhs_weak:
            lhs = self.cast(lhs, scalar)
        if not rhs_weak:
            rhs = self.cast(rhs, scalar)
        if lhs_weak:
            lhs = self.constant(lhs, scalar if rhs_weak else rhs.type.with_element_ty(scalar))
        if rhs_weak:
            rhs = self.constant(rhs, lhs.type.with_element_ty(scalar))
        if lhs.type is not rhs.type:
            lhs, rhs = self.broadcast(lhs, rhs)
        return lhs, rhs

    @staticmethod
    def _is_pointer(value):
        return isinstance(value, tensor) and value.type.scalar.is_ptr()

    # Sums, differences, products.

    def add(self, lhs, rhs, sanitize_overflow=True):
        if self._is_pointer(lhs) or self._is_pointer(rhs):
            return self._add_pointer(lhs, rhs)
        lhs, rhs = self.legalize(lhs, rhs)
        return self._sum(lhs, rhs, "add", sanitize_overflow)

    def sub(self, lhs, rhs, sanitize_overflow=True):
        if self._is_pointer(lhs):
            if self._is_pointer(rhs):
                raise TypeError("cannot subtract pointers; convert both to tl.int64 first")
            rhs = self.operand(rhs)
            return self._add_pointer(lhs, -rhs if is_python_scalar(rhs) else self.minus(rhs))
        lhs, rhs = self.legalize(lhs, rhs)
        return self._sum(lhs, rhs, "sub", sanitize_overflow)

    def mul(self, lhs, rhs, sanitize_overflow=True):
        lhs, rhs = self.legalize(lhs, rhs)
        return self._sum(lhs, rhs, "mul", sanitize_overflow)

    def _sum(self, lhs, rhs, name, sanitize_overflow):
        ty = lhs.type
        if ty.scalar.is_floating():
            if ty.scalar.is_fp8():
                raise TypeError(
                    f"unexpected type {ty.scalar}: fp8 has no arithmetic; convert with .to(tl.float16) or "
                    f".to(tl.float32) before `{name}`"
                )
            return self.emit(f"arith.{name}f", [lhs.handle, rhs.handle], ty)
        if self.sanitize_overflow and unwrap(sanitize_overflow):
            self._check_overflow(lhs, rhs, name)
        return self.emit(f"arith.{name}i", [lhs.handle, rhs.handle], ty)

    def _check_overflow(self, lhs, rhs, name):
        scalar = lhs.type.scalar
        if scalar.int_bitwidth >= 64 or scalar.is_bool():
            return
        wide = lhs.type.with_element_ty(int64)
        a, b = self.cast(lhs, int64), self.cast(rhs, int64)
        value = self.emit(f"arith.{name}i", [a.handle, b.handle], wide)
        low = self.compare("ge", value, scalar.get_int_min_value())
        high = self.compare("le", value, scalar.get_int_max_value())
        self.assert_op(self.and_(low, high), f"{scalar} overflow detected for operation {name}")

    def _add_pointer(self, lhs, rhs):
        if self._is_pointer(lhs) and self._is_pointer(rhs):
            raise TypeError("cannot add pointers together; add an integer offset to one pointer")
        if self._is_pointer(rhs):
            lhs, rhs = rhs, lhs
        rhs = self.operand(rhs)
        if is_python_scalar(rhs):
            offset_ty = type_of_python_scalar(rhs)
            if not offset_ty.is_int():
                raise IncompatibleTypeErrorImpl(lhs.type.scalar, offset_ty)
            rhs = self.constant(rhs, lhs.type.with_element_ty(offset_ty))
        if not rhs.type.scalar.is_int():
            raise IncompatibleTypeErrorImpl(lhs.type.scalar, rhs.type.scalar)
        lhs, rhs = self.broadcast(lhs, rhs)
        offset = rhs.type.scalar
        if offset.is_int_unsigned() and offset.int_bitwidth < 64:
            rhs = self.cast(rhs, int64)
        return self.emit("tt.addptr", [lhs.handle, rhs.handle], lhs.type)

    # Division.

    def truediv(self, lhs, rhs):
        lhs, rhs = self.operand(lhs), self.operand(rhs)
        lhs_weak, rhs_weak = is_python_scalar(lhs), is_python_scalar(rhs)
        scalar = true_division_type(
            lhs if lhs_weak else lhs.type.scalar, rhs if rhs_weak else rhs.type.scalar
        )
        lhs, rhs = self._bring_to(lhs, lhs_weak, rhs, rhs_weak, scalar)
        return self.emit("arith.divf", [lhs.handle, rhs.handle], lhs.type)

    def fdiv(self, lhs, rhs, ieee_rounding=False, approx=False):
        lhs, rhs = self.operand(lhs), self.operand(rhs)
        lhs_ty = lhs.type.scalar if isinstance(lhs, tensor) else type_of_python_scalar(lhs)
        rhs_ty = rhs.type.scalar if isinstance(rhs, tensor) else type_of_python_scalar(rhs)
        if not lhs_ty.is_floating() or not rhs_ty.is_floating():
            raise TypeError(
                "both operands of fdiv must have floating scalar type; convert integers with .to(...)"
            )
        lhs, rhs = self.broadcast(self.to_tensor(lhs), self.to_tensor(rhs))
        if lhs.type is not rhs.type:
            raise TypeError(
                f"fdiv converts nothing: its operands are {lhs_ty} and {rhs_ty}; convert one with .to(...)"
            )
        if unwrap(approx):
            if unwrap(ieee_rounding):
                raise ValueError(
                    "fdiv cannot be both approximate and IEEE rounded; give one of approx, ieee_rounding"
                )
            if lhs.type.scalar is not float32:
                raise ValueError(f"approximate fdiv needs fp32 operands, got {lhs.type.scalar}")
        if unwrap(ieee_rounding) and lhs.type.scalar is float32:
            return self.emit("tt.precise_divf", [lhs.handle, rhs.handle], lhs.type)
        return self.emit("arith.divf", [lhs.handle, rhs.handle], lhs.type)

    def floordiv(self, lhs, rhs):
        """`//` of integers; rounds to zero, as the hardware does."""
        self._need_integers(lhs, rhs, "//")
        lhs, rhs = self.legalize(lhs, rhs, div_or_mod=True)
        op = "arith.divsi" if lhs.type.scalar.is_int_signed() else "arith.divui"
        return self.emit(op, [lhs.handle, rhs.handle], lhs.type)

    def mod(self, lhs, rhs):
        lhs, rhs = self.legalize(lhs, rhs, div_or_mod=True)
        scalar = lhs.type.scalar
        op = (
            "arith.remf"
            if scalar.is_floating()
            else "arith.remsi"
            if scalar.is_int_signed()
            else "arith.remui"
        )
        return self.emit(op, [lhs.handle, rhs.handle], lhs.type)

    def _scalar_of(self, value):
        value = self.operand(value)
        return type_of_python_scalar(value) if is_python_scalar(value) else value.type.scalar

    def _need_integers(self, lhs, rhs, operator):
        a, b = self._scalar_of(lhs), self._scalar_of(rhs)
        if not a.is_int() or not b.is_int():
            raise TypeError(f"unexpected type {a} and {b} for {operator}; it needs integers")

    # Bits.

    def _bitwise_operands(self, lhs, rhs):
        a, b = self._scalar_of(lhs), self._scalar_of(rhs)
        if not a.is_int() or not b.is_int():
            raise IncompatibleTypeErrorImpl(a, b)
        return self.legalize(lhs, rhs)

    def and_(self, lhs, rhs):
        lhs, rhs = self._bitwise_operands(lhs, rhs)
        return self.emit("arith.andi", [lhs.handle, rhs.handle], lhs.type)

    def or_(self, lhs, rhs):
        lhs, rhs = self._bitwise_operands(lhs, rhs)
        return self.emit("arith.ori", [lhs.handle, rhs.handle], lhs.type)

    def xor_(self, lhs, rhs):
        lhs, rhs = self._bitwise_operands(lhs, rhs)
        return self.emit("arith.xori", [lhs.handle, rhs.handle], lhs.type)

    def shl(self, lhs, rhs):
        self.check_shift(lhs, rhs)
        lhs, rhs = self._bitwise_operands(lhs, rhs)
        return self.emit("arith.shli", [lhs.handle, rhs.handle], lhs.type)

    def shr(self, lhs, rhs):
        """`>>`: arithmetic where the left operand is signed, else logical."""
        self.check_shift(lhs, rhs)
        signed = self._scalar_of(lhs).is_int_signed()
        lhs, rhs = self._bitwise_operands(lhs, rhs)
        return self.emit("arith.shrsi" if signed else "arith.shrui", [lhs.handle, rhs.handle], lhs.type)

    def invert(self, value):
        scalar = value.type.scalar
        if scalar.is_ptr() or scalar.is_floating():
            raise ValueError(
                f"wrong type argument to unary invert ({value.type}); `~` needs integers or booleans"
            )
        return self.xor_(value, self.constant(-1 if not scalar.is_bool() else 1, value.type))

    def minus(self, value):
        scalar = value.type.scalar
        if scalar.is_ptr():
            raise ValueError(f"wrong type argument to unary minus ({value.type})")
        return self.sub(self.constant(0, value.type), value)

    @staticmethod
    def check_shift(lhs, rhs):
        """A compile-time shift by the width or more gives an undefined value."""
        amount = unwrap(rhs)
        if (
            isinstance(lhs, tensor)
            and isinstance(amount, int)
            and lhs.type.scalar.is_int()
            and amount >= lhs.type.scalar.primitive_bitwidth
        ):
            warnings.warn(
                f"Value {amount} exceeds the maximum bitwidth ({lhs.type.scalar.primitive_bitwidth}) for "
                f"type '{lhs.dtype}'. This may result in undefined behavior; "
                "shift by less, or convert with .to(...)",
                stacklevel=2,
            )

    # Logic.

    def logical_and(self, lhs, rhs):
        return self.and_(self._boolean(lhs), self._boolean(rhs))

    def logical_or(self, lhs, rhs):
        return self.or_(self._boolean(lhs), self._boolean(rhs))

    def _boolean(self, value):
        """An operand of `and`, `or` and `not`: its bits as a boolean, so no other type will do."""
        value = self.to_tensor(value)
        scalar = value.type.scalar
        if scalar.primitive_bitwidth != 1:
            raise ValueError(
                f"Cannot bitcast data-type of size {scalar.primitive_bitwidth} to data-type of size 1; "
                "compare with 0 first"
            )
        return value

    def logical_not(self, value):
        value = self._boolean(value)
        return self.xor_(value, self.constant(1, value.type))

    # Comparison.

    def compare(self, kind, lhs, rhs):
        lhs, rhs = self.legalize(lhs, rhs)
        scalar = lhs.type.scalar
        ty = lhs.type.with_element_ty(int1)
        if scalar.is_floating():
            if scalar.is_fp8():
                lhs, rhs = self.cast(lhs, float32), self.cast(rhs, float32)
            predicate, op = _CMPF[kind], "arith.cmpf"
        else:
            table = _CMPI_SIGNED if scalar.is_int_signed() else _CMPI_UNSIGNED
            predicate, op = table[kind], "arith.cmpi"
        return self.emit(
            op, [lhs.handle, rhs.handle], ty, {"predicate": self.attribute(f"{predicate} : i64")}
        )

    def less_than(self, lhs, rhs):
        return self.compare("lt", lhs, rhs)

    def less_equal(self, lhs, rhs):
        return self.compare("le", lhs, rhs)

    def greater_than(self, lhs, rhs):
        return self.compare("gt", lhs, rhs)

    def greater_equal(self, lhs, rhs):
        return self.compare("ge", lhs, rhs)

    def equal(self, lhs, rhs):
        return self.compare("eq", lhs, rhs)

    def not_equal(self, lhs, rhs):
        return self.compare("ne", lhs, rhs)

    # Choice.

    def where(self, condition, x, y):
        condition = self.to_tensor(condition)
        if condition.type.scalar is not int1:
            warnings.warn(
                "tl.where with a non-boolean condition is deprecated and will error out in a future triton "
                f"release. Got {condition.type.scalar}; compare with 0",
                stacklevel=2,
            )
        condition = self.truth(condition)
        if self._is_pointer(x) or self._is_pointer(y):
            x, y = self.to_tensor(x), self.to_tensor(y)
            if x.type.scalar is not y.type.scalar:
                raise IncompatibleTypeErrorImpl(x.type.scalar, y.type.scalar)
            x, y = self.broadcast(x, y)
        else:
            x, y = self.legalize(x, y)
        if condition.type.is_block():
            condition, x = self.broadcast(condition, x)
            x, y = self.broadcast(x, y)
        return self.emit("arith.select", [condition.handle, x.handle, y.handle], x.type)

    def minimum(self, x, y, propagate_nan=None):
        return self._extremum("min", x, y, propagate_nan)

    def maximum(self, x, y, propagate_nan=None):
        return self._extremum("max", x, y, propagate_nan)

    def _extremum(self, name, x, y, propagate_nan):
        x, y = self.legalize(x, y)
        scalar = x.type.scalar
        if scalar.is_floating():
            op = f"arith.{name}{'imum' if _propagates(propagate_nan) else 'num'}f"
        else:
            op = f"arith.{name}{'si' if scalar.is_int_signed() else 'ui'}"
        return self.emit(op, [x.handle, y.handle], x.type)

    def clamp(self, x, low, high, propagate_nan=None):
        x, low = self.legalize(x, low)
        x, high = self.legalize(x, high)
        low, high = self.legalize(low, high)
        if not x.type.scalar.is_floating():
            raise TypeError(
                f"Unexpected dtype {x.type.scalar}. Only floating point clamp is supported; clamp integers "
                "with tl.minimum(tl.maximum(x, low), high)"
            )
        return self.emit(
            "tt.clampf",
            [x.handle, low.handle, high.handle],
            x.type,
            {"propagateNan": PROPAGATE_NAN["all" if _propagates(propagate_nan) else "none"]},
        )

    def promote_bfloat16(self, value):
        """A tensor in fp32 where it is bf16."""
        value = self.to_tensor(value)
        return self.cast(value, float32) if value.type.scalar is bfloat16 else value

    # Functions of one, two or three arguments.

    def unary(self, op, value):
        return self.emit(op, [value.handle], value.type)

    def absolute(self, value):
        scalar = value.type.scalar
        if scalar.is_floating():
            if scalar.is_fp8():
                return self._absolute_bits(value)
            return self.unary("math.absf", value)
        if scalar.is_int_signed():
            return self.unary("math.absi", value)
        if scalar.is_int_unsigned():
            return value
        raise TypeError(f"Unexpected dtype {scalar} for abs")

    def _absolute_bits(self, value):
        from ..types import uint8

        bits = self.and_(tensor(self.bitcast(value, uint8).handle, value.type.with_element_ty(uint8)), 0x7F)
        return self.bitcast(bits, value.type.scalar)

    def mulhi(self, x, y):
        """High half of a product of 32- or 64-bit integers, as unsigned bit patterns."""
        x, y = self.legalize(x, y)
        if x.type.scalar not in (int32, int64) and x.type.scalar.name not in ("uint32", "uint64"):
            raise ValueError(
                f"Expected dtype int32, int64, uint32 or uint64 but got {x.type.scalar}; "
                "convert with .to(...)"
            )
        return self.emit("tt.mulhiui", [x.handle, y.handle], x.type)

    def fma(self, x, y, z):
        x, y = self.legalize(x, y)
        z, x = self.legalize(z, x)
        z, y = self.legalize(z, y)
        x, y = self.legalize(x, y)
        if not x.type.scalar.is_floating():
            raise TypeError(f"fma needs floating operands, got {x.type.scalar}")
        return self.emit("math.fma", [x.handle, y.handle, z.handle], x.type)

    def common_shape(self, values):
        """Tensors (each keeping its type) broadcast to one shape."""
        widest = None
        for value in values:
            if value.type.is_block():
                widest = value if widest is None else self.broadcast(value, widest)[1]
        if widest is None:
            return values
        return [self.broadcast(value, widest)[0] for value in values]


def _propagates(propagate_nan) -> bool:
    value = unwrap(propagate_nan)
    policy = getattr(value, "value", value)
    if policy not in (None, 0, 0xFFFF):
        raise ValueError(
            f"Unexpected propagate_nan {value}; it is tl.PropagateNan.NONE or tl.PropagateNan.ALL"
        )
    return policy == 0xFFFF
