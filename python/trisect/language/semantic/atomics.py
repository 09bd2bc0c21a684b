"""Atomic operations.

What: read-modify-write, compare-and-swap, atomic load, store and poll. The dialect has integer minimum and
maximum only: the order of IEEE floats is that of their bit patterns, reversed for negative ones, so float
min and max are two masked integer operations, one for each sign of the new value.
"""

from ..constants import unwrap
from ..tensor import tensor
from ..types import bfloat16, float16, float32, float64, int1, int32, int64, pointer_type, uint32, uint64
from ..typing_rules import is_python_scalar
from .enums import MEM_SCOPE, MEM_SEMANTIC, RMW_KIND

_WORDS = {
    "add": "atomic_add",
    "and": "atomic_and",
    "or": "atomic_or",
    "xor": "atomic_xor",
    "max": "atomic_max",
    "min": "atomic_min",
    "exch": "atomic_xchg",
}


def _word(value, table, default, what):
    value = unwrap(value)
    if value in (None, ""):
        value = default
    if value not in table:
        raise ValueError(f"{what} {value} not supported; it is one of {', '.join(table)}")
    return table[value]


class Atomics:
    """Atomic part of the semantic object."""

    def _order(self, sem, scope, default="acq_rel", allowed=MEM_SEMANTIC):
        table = {name: MEM_SEMANTIC[name] for name in allowed}
        return {
            "sem": _word(sem, table, default, "Memory semantic"),
            "scope": _word(scope, MEM_SCOPE, "gpu", "Scope"),
        }

    def _target(self, ptr, name):
        if not isinstance(ptr, tensor) or not ptr.type.scalar.is_ptr():
            raise ValueError(
                f"Pointer argument of {name} must be a pointer or a block of pointers, got "
                f"{getattr(ptr, 'type', ptr)}"
            )
        if ptr.type.scalar.is_const():
            raise ValueError(f"{name}: cannot write to a constant pointer")
        return ptr.type.scalar.element_ty

    def _operand_for(self, ptr, value, element):
        value = unwrap(value)
        if is_python_scalar(value):
            return self._filler(value, ptr.type.with_element_ty(element))
        value = self.cast(value, element)
        return self.broadcast_to(value, ptr.type.shape) if ptr.type.is_block() else value

    def _mask_for(self, ptr, mask):
        mask = unwrap(mask)
        if mask is None:
            mask = True
        if is_python_scalar(mask):
            return self.constant(int(bool(mask)), ptr.type.with_element_ty(int1))
        mask = self.mask(mask)
        return self.broadcast_to(mask, ptr.type.shape) if ptr.type.is_block() else mask

    def atomic(self, operation, ptr, value, mask=None, sem=None, scope=None):
        """One of the keys of `_WORDS`; returns the old values."""
        name = _WORDS[operation]
        order = self._order(sem, scope)
        element = self._target(ptr, name)
        if (
            element.primitive_bitwidth < 16
            or element.is_fp8()
            or element.primitive_bitwidth == 16
            and not element.is_floating()
        ):
            raise ValueError(
                f"{name} does not support {element}; it needs 32- or 64-bit elements, or fp16 and bf16 "
                "for addition"
            )
        if element in (float16, bfloat16) and operation != "add":
            raise ValueError(f"{name} does not support {element}; of the 16-bit types only addition exists")
        if isinstance(unwrap(mask), tensor) and ptr.type.is_block() is False and unwrap(mask).type.is_block():
            raise ValueError(
                "Mask argument cannot be block type if pointer argument is not a block; "
                "make the pointer a block with ptr + tl.arange(...)"
            )
        if isinstance(value, tensor) and value.type.is_block() and not ptr.type.is_block():
            ptr = self.broadcast(ptr, value)[0]
        value = self._operand_for(ptr, value, element)
        mask = self._mask_for(ptr, mask)
        if operation in ("max", "min"):
            if element.is_floating():
                return self._float_extremum(operation, ptr, value, mask, order)
            if element.is_int_unsigned():
                operation = "u" + operation
        elif operation == "add" and element.is_floating():
            operation = "fadd"
        elif operation in ("and", "or", "xor") and not element.is_int():
            raise ValueError(f"{name} does not support {element}; it needs integers")
        return self._rmw(operation, ptr, value, mask, order)

    def _rmw(self, kind, ptr, value, mask, order):
        return self.emit(
            "tt.atomic_rmw",
            [ptr.handle, value.handle, mask.handle],
            value.type,
            {"atomic_rmw_op": RMW_KIND[kind], **order},
        )

    def _float_extremum(self, operation, ptr, value, mask, order):
        element = value.type.scalar
        if element not in (float32, float64):
            raise TypeError(f"atomic_{operation} not supported for dtype {element}")
        signed, unsigned = (int32, uint32) if element is float32 else (int64, uint64)
        bits = self.bitcast(value, signed)
        pattern = tensor(bits.handle, bits.type.with_element_ty(unsigned))
        pointer = ptr.type.scalar
        int_ptr = self.cast(ptr, pointer_type(signed, pointer.address_space))
        negative = self.compare("ne", self.shr(pattern, element.primitive_bitwidth - 1), 0)
        positive = self.logical_not(negative)
        opposite = "umin" if operation == "max" else "umax"
        above = self._rmw(operation, int_ptr, bits, self.and_(mask, positive), order)
        below = self._rmw(opposite, int_ptr, bits, self.and_(mask, negative), order)
        return self.bitcast(self.where(positive, above, below), element)

    def atomic_cas(self, ptr, compare, value, sem=None, scope=None):
        order = self._order(sem, scope)
        element = self._target(ptr, "atomic_cas")
        if element.primitive_bitwidth not in (16, 32, 64):
            raise ValueError("atomic_cas only supports elements with width {16, 32, 64}")
        written = value.type.scalar if isinstance(value, tensor) else element
        for operand in (compare, value):
            if isinstance(operand, tensor):
                scalar = operand.type.scalar
                # Bits are compared: a sign says nothing.
                wide = scalar.primitive_bitwidth == element.primitive_bitwidth
                if scalar is not element and not (wide and scalar.is_int() and element.is_int()):
                    raise TypeError(
                        f"atomic_cas compares and writes {element}, got {scalar}; convert it with .to(...)"
                    )
                ptr = self.broadcast(ptr, operand)[0]
        compare, value = self._operand_for(ptr, compare, element), self._operand_for(ptr, value, element)
        type_ = value.type.with_element_ty(written)
        return self.emit("tt.atomic_cas", [ptr.handle, compare.handle, value.handle], type_, order)

    def atomic_load(self, ptr, mask=None, sem=None, scope=None):
        order = self._order(sem, scope, "acquire", ("acquire", "relaxed"))
        if not isinstance(ptr, tensor) or not ptr.type.scalar.is_ptr():
            raise ValueError("atomic_load takes a pointer or a block of pointers")
        boolean = ptr.type.scalar.element_ty is int1
        if boolean:
            ptr = self._byte_pointer(ptr)
        operands = [ptr.handle]
        if unwrap(mask) is not None:
            operands.append(self._mask_for(ptr, mask).handle)
        value = self.emit(
            "tt.atomic_load", operands, ptr.type.with_element_ty(ptr.type.scalar.element_ty), order
        )
        return self.cast(value, int1) if boolean else value

    def atomic_store(self, ptr, value, mask=None, sem=None, scope=None):
        order = self._order(sem, scope, "release", ("release", "relaxed"))
        element = self._target(ptr, "atomic_store")
        if element is int1:
            ptr, value = self._byte_pointer(ptr), self.truth(value)
            element = ptr.type.scalar.element_ty
        operands = [ptr.handle, self._operand_for(ptr, value, element).handle]
        if unwrap(mask) is not None:
            operands.append(self._mask_for(ptr, mask).handle)
        self.builder.op("tt.atomic_store", operands, [], order)

    def atomic_poll(self, ptr, expected, sem=None, scope=None, timeout_ns=None):
        order = self._order(sem, scope, "acquire", ("acquire", "relaxed"))
        element = self._target(ptr, "atomic_poll")
        if not element.is_int() or element.primitive_bitwidth not in (16, 32, 64):
            raise ValueError(f"atomic_poll needs 16-, 32- or 64-bit integers, got {element}")
        operands = [ptr.handle, self._operand_for(ptr, expected, element).handle]
        timeout_ns = unwrap(timeout_ns)
        if timeout_ns is not None:
            if is_python_scalar(timeout_ns):
                if timeout_ns < 0:
                    raise ValueError(f"timeout_ns must not be negative, got {timeout_ns}")
                timeout_ns = self.constant(timeout_ns, int64)
            operands.append(self.cast(timeout_ns, int64).handle)
        return self.emit("tt.atomic_poll", operands, ptr.type.with_element_ty(int1), order)
