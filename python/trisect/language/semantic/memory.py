"""Loads, stores and block pointers.

What: the checks and conversions around `tt.load` and `tt.store`. Booleans are bytes in memory. A block
pointer is expanded here: addresses, bounds masks and padding are built from its base, shape, strides and
offsets, so that no tier needs to know it.
"""

from ..block_pointer import block_pointer
from ..constants import unwrap, unwrap_shape, validate_block_shape
from ..tensor import tensor
from ..types import int1, int8, int32, int64, pointer_type
from ..typing_rules import check_bits, is_python_scalar
from .enums import CACHE_MODIFIER, EVICTION_POLICY

_CACHE = {"": CACHE_MODIFIER["none"], **CACHE_MODIFIER}
_EVICTION = {"": EVICTION_POLICY["evict_normal"], **EVICTION_POLICY}
_LOAD_CACHE = ("", "none", "ca", "cg", "cs", "cv")
_STORE_CACHE = ("", "none", "wb", "cg", "cs", "wt")


class Memory:
    """Memory part of the semantic object."""

    def _policies(self, cache, eviction, allowed):
        word = (unwrap(cache) or "").lstrip(".")
        if word not in allowed:
            good = ", ".join(f".{name}" for name in allowed if name not in ("", "none"))
            raise ValueError(f"Cache modifier {unwrap(cache)} not supported; the modifiers here are {good}")
        policy = unwrap(eviction) or ""
        if policy not in _EVICTION:
            raise ValueError(
                f"Eviction policy {policy} not supported; the policies are evict_normal, evict_first and "
                "evict_last"
            )
        attrs = {}
        if _CACHE[word] != _CACHE[""]:
            attrs["cache"] = _CACHE[word]
        if _EVICTION[policy] != _EVICTION[""]:
            attrs["evict"] = _EVICTION[policy]
        return attrs

    def load(
        self,
        ptr,
        mask=None,
        other=None,
        boundary_check=(),
        padding_option="",
        cache_modifier="",
        eviction_policy="",
        volatile=False,
    ):
        attrs = self._policies(cache_modifier, eviction_policy, _LOAD_CACHE)
        if unwrap(volatile):
            attrs["isVolatile"] = True
        mask, other = unwrap(mask), unwrap(other)
        if isinstance(ptr, block_pointer):
            if mask is not None or other is not None:
                raise ValueError(
                    "`mask` and `other` arguments cannot be specified for loading block pointers; use "
                    "boundary_check and padding_option"
                )
            ptr, mask, other = self._expand_block_pointer(ptr, boundary_check, padding_option)
        elif unwrap(padding_option) or _dims(boundary_check):
            raise ValueError(
                "`padding_option` or `boundary_check` argument is not supported for loading a tensor of "
                "pointers or loading a scalar. Because the compiler does not know the boundary; please "
                "use block pointers (defined by `make_block_ptr`) instead"
            )
        if not isinstance(ptr, tensor) or not ptr.type.scalar.is_ptr():
            raise ValueError(
                f"Unsupported ptr type {getattr(ptr, 'type', ptr)!r} in `tl.load`; it takes a pointer or a "
                "block of pointers"
            )
        if mask is None and other is not None:
            raise ValueError("`other` cannot be provided without `mask`; give a mask, or leave `other` out")
        if not ptr.type.is_block():
            for name, value in (("Mask", mask), ("Other", other)):
                if isinstance(value, tensor) and value.type.is_block():
                    raise ValueError(
                        f"{name} argument cannot be block type if pointer argument is not a block; "
                        "make the pointer a block with ptr + tl.arange(...)"
                    )
        element = ptr.type.scalar.element_ty
        boolean = element is int1
        if boolean:
            ptr = self._byte_pointer(ptr)
            element = int8
        operands = [ptr]
        if mask is not None:
            ptr, mask = self.broadcast(ptr, self.mask(mask))
            operands = [ptr, mask]
            if other is not None:
                ptr, other = self._same_shape(ptr, other, element)
                mask = self.broadcast_to(mask, ptr.type.shape) if ptr.type.is_block() else mask
                operands = [ptr, mask, other]
        attrs["operandSegmentSizes"] = [1, int(len(operands) > 1), int(len(operands) > 2)]
        value = self.emit(
            "tt.load", [item.handle for item in operands], ptr.type.with_element_ty(element), attrs
        )
        return self.cast(value, int1) if boolean else value

    def mask(self, value):
        """A mask as a tensor of booleans."""
        value = self.to_tensor(value)
        if not value.type.scalar.is_bool():
            raise ValueError(f"Mask must have boolean scalar type, got {value.type.scalar}; compare with 0")
        return value

    def _same_shape(self, ptr, other, element):
        if is_python_scalar(other):
            return ptr, self._filler(other, ptr.type.with_element_ty(element))
        return self.broadcast(ptr, self.cast(other, element))

    def _filler(self, value, ty):
        """`other=` given as a Python scalar: by way of its own type, as `-1` for an unsigned block."""
        scalar = ty.scalar
        if scalar.is_int() and isinstance(value, float):
            return self.cast(self.constant(value, ty.with_element_ty(self._scalar_of(value))), scalar)
        return self.constant(value, ty)

    def _byte_pointer(self, ptr):
        pointer = ptr.type.scalar
        return self.cast(ptr, pointer_type(int8, pointer.address_space, pointer.const))

    def store(self, ptr, value, mask=None, boundary_check=(), cache_modifier="", eviction_policy=""):
        attrs = self._policies(cache_modifier, eviction_policy, _STORE_CACHE)
        mask = unwrap(mask)
        if isinstance(ptr, block_pointer):
            if mask is not None:
                raise ValueError(
                    "`mask` cannot be specified for storing through block pointers; use boundary_check"
                )
            ptr, mask, _ = self._expand_block_pointer(ptr, boundary_check, "")
        elif _dims(boundary_check):
            raise ValueError(
                "`boundary_check` argument is not supported for storing a tensor of pointers or storing a "
                "scalar. Because the compiler does not know the boundary; please use block pointers "
                "(defined by `make_block_ptr`) instead"
            )
        if not isinstance(ptr, tensor) or not ptr.type.scalar.is_ptr():
            raise ValueError(
                f"Unsupported ptr type {getattr(ptr, 'type', ptr)!r} in `tl.store`; it takes a pointer or a "
                "block of pointers"
            )
        if ptr.type.scalar.is_const():
            raise ValueError(
                "Cannot store to a constant pointer; drop `const` from the parameter's annotation"
            )
        value = self.operand(value)
        if not ptr.type.is_block():
            for name, item in (("Value", value), ("Mask", mask)):
                if isinstance(item, tensor) and item.type.is_block():
                    raise ValueError(
                        f"{name} argument cannot be block type if pointer argument is not a block; "
                        "make the pointer a block with ptr + tl.arange(...)"
                    )
        element = ptr.type.scalar.element_ty
        if element is int1:
            value = self.truth(value)
            ptr, element = self._byte_pointer(ptr), int8
        value = self._stored(value, ptr, element)
        operands = [ptr.handle, value.handle]
        if mask is not None:
            mask = self.mask(mask)
            operands.append((self.broadcast_to(mask, ptr.type.shape) if ptr.type.is_block() else mask).handle)
        self.builder.op("tt.store", operands, [], attrs or None)

    def _stored(self, value, ptr, element):
        """What to store, with the pointer's shape and element type."""
        if is_python_scalar(value):
            return self._filler(value, ptr.type.with_element_ty(element))
        value = self.cast(value, element)
        return self.broadcast_to(value, ptr.type.shape) if ptr.type.is_block() else value

    # Block pointers.

    def make_block_ptr(self, base, shape, strides, offsets, block_shape, order):
        if not isinstance(base, tensor) or base.type.is_block() or not base.type.scalar.is_ptr():
            raise ValueError("Expected `base` to be a pointer type (but not a block pointer type or others)")
        if base.type.scalar.element_ty is int1:
            base = self._byte_pointer(base)
        block_shape = tuple(unwrap_shape(block_shape))
        validate_block_shape(block_shape)
        order = [unwrap(dim) for dim in unwrap_shape(order)] if unwrap(order) is not None else []
        if order and sorted(order) != list(range(len(order))):
            raise ValueError(
                "Expected a permutation of (0, 1, ..., len(order)-1) in order; "
                "the fastest dimension comes first"
            )
        lists = [self.index64_list(values) for values in (shape, strides)]
        lists.append(self.index64_list(offsets, bits=32))
        if any(len(values) != len(block_shape) for values in lists):
            raise ValueError(
                "Expected shape/strides/offsets/block_shape to have the same length; "
                "give one entry for each dimension"
            )
        made = block_pointer(base, *lists, block_shape)
        self._note_block_pointer(made)
        return made

    def _note_block_pointer(self, pointer):
        """Says in one operation what is expanded access by access. Nothing reads its result: who asserts that
        shape and strides are defined finds it, and the first simplification drops it."""
        parts = [pointer.base, *pointer.shape, *pointer.strides]
        operands = [part.handle for part in parts] + [self.constant(0, int32).handle] * len(pointer.shape)
        order = [*reversed(range(len(pointer.shape)))]
        self.builder.op("tt.make_tensor_ptr", operands, [self.ir_type(pointer.dtype)], {"order": order})

    def advance(self, base, offsets):
        if not isinstance(base, block_pointer):
            raise ValueError("tl.advance takes a block pointer made by tl.make_block_ptr")
        offsets = self.index64_list(offsets, bits=32)
        if len(offsets) != len(base.block_shape):
            raise ValueError(f"advance needs {len(base.block_shape)} offsets, got {len(offsets)}")
        moved = [
            self.add(old, step, sanitize_overflow=False)
            for old, step in zip(base.offsets, offsets, strict=True)
        ]
        return base.at(moved)

    def index64_list(self, values, bits=64):
        """A list of compile-time integers of so many bits, or run-time integers, as i64 scalars."""
        values = unwrap(values)
        if isinstance(values, tensor) or is_python_scalar(values):
            values = [values]
        result = []
        for value in values:
            value = self.operand(value)
            if is_python_scalar(value):
                if isinstance(value, float):
                    raise ValueError(f"shapes, strides and offsets must be integers, got {value}")
                check_bits(value, bits)
                result.append(self.constant(value, int64))
                continue
            if value.type.is_block() or not value.type.scalar.is_int():
                raise ValueError(f"Expected a scalar integer in shape/strides/offsets, got {value.type}")
            result.append(self.cast(value, int64))
        return result

    def _expand_block_pointer(self, pointer, boundary_check, padding_option):
        checked = _dims(boundary_check)
        rank = len(pointer.block_shape)
        if any(not -rank <= dim < rank for dim in checked):
            raise ValueError(
                f"boundary_check names dimension {checked} of a block pointer with {rank} dimensions"
            )
        checked = {dim % rank for dim in checked}
        address, mask = pointer.base, None
        for dim, size in enumerate(pointer.block_shape):
            steps = self.cast(self.arange(0, size), int64)
            index = self.add(pointer.offsets[dim], steps, sanitize_overflow=False)
            for axis in range(rank):
                if axis != dim:
                    index = self.expand_dims(index, axis)
            index = self.broadcast_to(index, pointer.block_shape)
            address = self._add_pointer(
                address, self.mul(index, pointer.strides[dim], sanitize_overflow=False)
            )
            if dim in checked:
                inside = self.and_(
                    self.compare("ge", index, 0), self.compare("lt", index, pointer.shape[dim])
                )
                mask = inside if mask is None else self.and_(mask, inside)
        other = (
            self._padding(padding_option, pointer.base.type.scalar.element_ty) if mask is not None else None
        )
        return address, mask, other

    @staticmethod
    def _padding(option, element):
        option = unwrap(option) or ""
        if option == "":
            return None
        if option == "zero":
            return 0
        if option == "nan":
            if element.is_int():
                raise ValueError(
                    "Padding option `nan` is not supported for integer block pointers; use `zero`"
                )
            return float("nan")
        raise ValueError(f"Padding option {option} not supported; it is `zero` or `nan`")


def _dims(boundary_check) -> list:
    boundary_check = unwrap(boundary_check)
    if boundary_check is None:
        return []
    if isinstance(boundary_check, int):
        return [boundary_check]
    return [unwrap(dim) for dim in boundary_check]
