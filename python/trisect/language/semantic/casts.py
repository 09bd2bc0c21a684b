"""Conversions: by value, by bits, with a stated rounding.

What: `cast` builds what typing_rules.conversion decides; `cast_to` is the language's `x.to(...)` with its
checks. fp8e4b15 has no IR type: it is carried as i8 and converted here, by bits, through fp16 (same
exponent bias, so the widening is a shift).
"""

from ..constants import unwrap
from ..tensor import tensor
from ..types import block_type, dtype, float16, float32, int64, uint8, uint16
from ..typing_rules import Conversion, conversion, is_python_scalar
from .enums import ROUNDING_MODE

_ONE_OP = {
    Conversion.FP_EXTEND: "arith.extf",
    Conversion.FP_TRUNCATE: "arith.truncf",
    Conversion.INT_EXTEND_SIGNED: "arith.extsi",
    Conversion.INT_EXTEND_UNSIGNED: "arith.extui",
    Conversion.INT_TRUNCATE: "arith.trunci",
    Conversion.FP_TO_SIGNED: "arith.fptosi",
    Conversion.FP_TO_UNSIGNED: "arith.fptoui",
    Conversion.SIGNED_TO_FP: "arith.sitofp",
    Conversion.UNSIGNED_TO_FP: "arith.uitofp",
    Conversion.INT_TO_PTR: "tt.int_to_ptr",
    Conversion.PTR_TO_PTR: "tt.bitcast",
}


class Casts:
    """Conversion part of the semantic object."""

    def cast(self, value: tensor, dst, rounding=None) -> tensor:
        """`value` with the scalar type of `dst`, by value; `rounding` is None, "rtne" or "rtz"."""
        src_ty = value.type
        src, dst = src_ty.scalar, dst.scalar
        if src is dst:
            return value
        if src.is_int() and dst.is_fp8():
            raise ValueError(f"cannot cast {src} to {dst}; convert to float32 first")
        ty = src_ty.with_element_ty(dst)
        how = conversion(src, dst, custom_rounding=rounding not in (None, "rtne"))
        op = _ONE_OP.get(how)
        if op is not None:
            if how is Conversion.INT_TO_PTR and src.int_bitwidth != 64:
                value = self.cast(value, int64)
            return self.emit(op, [value.handle], ty)
        if how is Conversion.NONE:
            return tensor(value.handle, ty)
        if how is Conversion.NOT_ZERO:
            return self.compare("ne", value, 0)
        if how is Conversion.FP_TO_FP:
            narrowing = (
                src.primitive_bitwidth > dst.primitive_bitwidth
                or src.primitive_bitwidth == dst.primitive_bitwidth
            )
            attrs = {"rounding": ROUNDING_MODE[rounding or "rtne"]} if narrowing else None
            return self.emit("tt.fp_to_fp", [value.handle], ty, attrs)
        if how is Conversion.PTR_TO_INT:
            address = self.emit("tt.ptr_to_int", [value.handle], src_ty.with_element_ty(int64))
            return self.cast(address, dst)
        if how is Conversion.FP8_SOFTWARE:
            return self._cast_fp8e4b15(value, dst)
        return self.cast(self.cast(value, float32), dst, rounding)

    def _cast_fp8e4b15(self, value, dst):
        src = value.dtype
        if src.is_fp8e4b15():
            bits = tensor(value.handle, value.type.with_element_ty(uint8))
            bits = self.cast(bits, uint16)
            sign = self.shl(self.and_(bits, 0x80), 8)
            rest = self.shl(self.and_(bits, 0x7F), 7)
            return self.cast(self.bitcast(self.or_(sign, rest), float16), dst)
        half = self.cast(self.cast(value, float32), float16) if src is not float16 else value
        bits = self.bitcast(half, uint16)
        size = self.minimum(self.and_(bits, 0x7FFF), 0x3F80)
        rounded = self.shr(self.add(size, 0x40), 7)
        sign = self.shr(self.and_(bits, 0x8000), 8)
        byte = self.cast(self.or_(sign, rounded), uint8)
        return tensor(byte.handle, value.type.with_element_ty(dst))

    def bitcast(self, value: tensor, dst) -> tensor:
        """The bits of `value` as another scalar type of the same width."""
        src, dst = value.type.scalar, dst.scalar
        if src is dst:
            return value
        if src.is_ptr() or dst.is_ptr():
            return self.cast(value, dst)
        if src.primitive_bitwidth != dst.primitive_bitwidth:
            raise ValueError(
                f"Cannot bitcast data-type of size {src.primitive_bitwidth} to data-type of size "
                f"{dst.primitive_bitwidth}; bitcast needs equal sizes, .to({dst}) converts values"
            )
        ty = value.type.with_element_ty(dst)
        if src.is_int() and dst.is_int() or self.ir_type(src) == self.ir_type(dst):
            return tensor(value.handle, ty)
        return self.emit("tt.bitcast", [value.handle], ty)

    def cast_to(self, value, dst, fp_downcast_rounding=None, bitcast=False):
        """`x.to(dst)`: any scalar or block, by value or by bits."""
        dst, bitcast, rounding = unwrap(dst), unwrap(bitcast), unwrap(fp_downcast_rounding)
        value = self.to_tensor(value) if not isinstance(value, tensor) else value
        if not isinstance(dst, dtype):
            raise TypeError(f"cannot convert to {dst!r}: the target must be a type such as tl.float32")
        if isinstance(dst, block_type) and value.type.is_block() and dst.shape != value.type.shape:
            raise ValueError(
                f"cannot convert shape {list(value.type.shape)} to {list(dst.shape)}; "
                ".to() changes the element type only"
            )
        if bitcast:
            return self.bitcast(value, dst)
        src, to = value.type.scalar, dst.scalar
        if src is to:
            return value
        if rounding is not None:
            if rounding not in ROUNDING_MODE:
                raise ValueError(
                    f"Invalid rounding mode: {rounding}. Supported rounding modes are 'rtne' and 'rtz'."
                )
            narrowing = (
                src.is_floating() and to.is_floating() and to.primitive_bitwidth < src.primitive_bitwidth
            )
            if not narrowing:
                raise ValueError(
                    "fp_downcast_rounding should be set only for truncating fp conversions. "
                    f"Source scalar type is {src} and destination type is {to}; leave it out here"
                )
        return self.cast(value, dst, rounding)

    def truth(self, value) -> tensor:
        """`value` as i1: not zero."""
        value = self.operand(value)
        if is_python_scalar(value):
            return self.to_tensor(bool(value))
        return self.cast(value, dtype("int1"))
