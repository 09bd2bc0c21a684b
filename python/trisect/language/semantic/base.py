"""What every part of the semantic object needs: IR types, constants, operations that give one value.

What: `SemanticBase` owns the builder and turns (operation, operands, language type) into language values.
Why: op construction has one door; the themed parts (arithmetic, shape, memory ...) are mixed in beside it.
"""

import struct

from ..constants import unwrap
from ..tensor import tensor
from ..types import block_type, int32
from ..typing_rules import check_bits, is_python_scalar, type_of_python_scalar


def round_to_fp32(value: float) -> float:
    """`value` rounded to fp32, infinities where it overflows."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class SemanticBase:
    """Builder, options and caches of one compilation."""

    tensor = tensor
    lang = None

    def __init__(self, builder, options=None, codegen_fns=None):
        self.builder = builder
        self.context = builder.context
        self.options = options
        self.codegen_fns = codegen_fns or {}
        self.debug = bool(getattr(options, "debug", False))
        self.sanitize_overflow = self.debug and bool(getattr(options, "sanitize_overflow", False))
        self._ir_types = {}
        self._attributes = {}

    def ir_type(self, ty):
        """The IR type of a language type that is one IR value."""
        found = self._ir_types.get(ty)
        if found is None:
            self._require_known_to_target(ty)
            found = self._ir_types[ty] = ty.make_ir(self.context)
        return found

    def _require_known_to_target(self, ty):
        known = getattr(self.options, "supported_fp8_dtypes", None)
        scalar = getattr(ty, "scalar", None)  # a descriptor is none; what it loads has one
        if known is not None and scalar is not None and scalar.is_fp8() and scalar.name not in known:
            raise ValueError(
                f"type {scalar.name} not supported in this architecture. The supported fp8 dtypes are {known}"
            )

    def attribute(self, text: str):
        """A parsed attribute, such as `2 : i64`."""
        found = self._attributes.get(text)
        if found is None:
            found = self._attributes[text] = self.context.attr(text)
        return found

    def emit(self, name: str, operands: list, ty, attrs=None) -> tensor:
        """Builds an operation with one result of language type `ty`."""
        return tensor(self.builder.value(name, operands, self.ir_type(ty), attrs), ty)

    def constant(self, value, ty) -> tensor:
        """Scalar or splat constant of type `ty`; what its bits cannot hold wraps around."""
        scalar = ty.scalar
        if isinstance(value, int):
            type_of_python_scalar(value)  # refuses what no type holds
        if scalar.is_ptr():
            address = self.constant(value, ty.with_element_ty(type_of_python_scalar(0)))
            return self.cast(address, ty)
        if scalar.is_floating():
            if scalar.is_fp8():
                from ..types import float16

                return self.cast(self.constant(value, ty.with_element_ty(float16)), ty)
            value = float(value)
            if scalar.primitive_bitwidth <= 32:
                value = round_to_fp32(value)
        else:
            value = int(value)
        return tensor(self.builder.constant(self.ir_type(ty), value), ty)

    def to_tensor(self, value) -> tensor:
        """A Python scalar, constexpr or tensor as a tensor."""
        if isinstance(value, tensor):
            return value
        value = unwrap(value)
        if is_python_scalar(value):
            return self.constant(value, type_of_python_scalar(value))
        if isinstance(value, tensor):
            return value
        if value is None:
            raise TypeError("None cannot become a tensor; test it with `is None` before using it as a value")
        raise TypeError(f"cannot convert {value} of type {type(value)} to tensor")

    def operand(self, value):
        """A tensor as it is, a Python scalar or constexpr as a weak Python scalar."""
        if isinstance(value, tensor):
            return value
        value = unwrap(value)
        if is_python_scalar(value) or isinstance(value, tensor):
            return value
        return self.to_tensor(value)

    def poison(self, ty) -> tensor:
        return self.emit("ub.poison", [], ty)

    @staticmethod
    def block(scalar, shape):
        return block_type(scalar, shape) if shape else scalar

    def index32(self, value) -> tensor:
        """A compile-time or run-time integer as an i32 scalar."""
        value = self.operand(value)
        if is_python_scalar(value):
            check_bits(value, 32)
            return self.constant(value, int32)
        return self.cast(value, int32)
