"""Tensor descriptors.

What: making descriptors in the kernel, and the loads, stores, reductions, gathers and scatters through them.
"""

from ..constants import unwrap, unwrap_shape, validate_block_shape
from ..descriptor import tensor_descriptor, tensor_descriptor_base
from ..tensor import tensor
from ..types import block_type
from ..typing_rules import is_python_scalar
from .enums import DESCRIPTOR_REDUCE_KIND, PADDING_OPTION

_REDUCTION_TYPES = {
    "add": ("uint32", "int32", "uint64", "fp32", "fp16", "bf16", "int64"),
    "min": ("uint32", "int32", "uint64", "int64", "fp16", "bf16"),
    "max": ("uint32", "int32", "uint64", "int64", "fp16", "bf16"),
    "and": ("uint32", "int32", "uint64", "int64"),
    "or": ("uint32", "int32", "uint64", "int64"),
    "xor": ("uint32", "int32", "uint64", "int64"),
}


class Descriptors:
    """Tensor descriptor part of the semantic object."""

    def make_tensor_descriptor(self, base, shape, strides, block_shape, padding_option="zero"):
        if not isinstance(base, tensor) or not base.type.scalar.is_ptr() or base.type.is_block():
            raise ValueError(f"Expected base to be a pointer, got {getattr(base, 'type', base)}")
        block_shape = tuple(unwrap_shape(block_shape))
        shape, strides = list(unwrap(shape)), list(unwrap(strides))
        rank = len(shape)
        if not 1 <= rank <= 5:
            raise ValueError(f"Expected 1 <= ndim <= 5 but got {rank} dimensions")
        if len(strides) != rank or len(block_shape) != rank:
            raise ValueError(
                f"Expected {rank} strides and block sizes but got {len(strides)} and {len(block_shape)}"
            )
        validate_block_shape(block_shape)
        element = base.type.scalar.element_ty
        self._check_descriptor(element, strides, block_shape)
        padding = unwrap(padding_option)
        if padding not in PADDING_OPTION:
            raise ValueError(f"Padding option {padding} not supported; it is `zero` or `nan`")
        if padding == "nan" and element.is_int():
            raise ValueError("Padding option `nan` is not supported for integer blocks")
        shape = [self.index32(size) for size in shape]
        strides = self.index64_list(strides)
        desc = tensor_descriptor(None, shape, strides, block_type(element, block_shape))
        operands = [base.handle, *(value.handle for value in (*shape, *strides))]
        attrs = {"padding": PADDING_OPTION[padding]} if padding != "zero" else None
        desc.handle = self.builder.value(
            "tt.make_tensor_descriptor", operands, self.ir_type(desc.descriptor_type), attrs
        )
        return desc

    def _check_descriptor(self, element, strides, block_shape):
        last = unwrap(strides[-1])
        if is_python_scalar(last) and last != 1:
            raise ValueError(
                f"Tensor descriptor last dim must be 1 but got {last}; put the contiguous dimension last"
            )
        size = block_shape[-1] * element.primitive_bitwidth // 8
        if size < 16:
            raise ValueError(
                "Descriptor block shape must have at least 16 bytes in the last dimension, but got "
                f"{block_shape[-1]} * {element.primitive_bitwidth // 8} = {size} bytes"
            )
        for stride in strides[:-1]:
            stride = unwrap(stride)
            if is_python_scalar(stride) and stride * element.primitive_bitwidth % 128:
                raise ValueError(
                    "Descriptor strides but the last must be multiples of 16 bytes, got "
                    f"{stride} elements of {element}"
                )

    @staticmethod
    def _descriptor(desc):
        if not isinstance(desc, tensor_descriptor_base):
            raise TypeError(f"expected a tensor descriptor, got {desc!r}")
        return desc

    def _offsets(self, desc, offsets):
        offsets = list(unwrap(offsets))
        if len(offsets) != len(desc.block_shape):
            raise ValueError(
                f"expected {len(desc.block_shape)} offsets, but got {len(offsets)}; "
                "give one for each dimension"
            )
        return [self.index32(offset).handle for offset in offsets]

    def descriptor_load(self, desc, offsets, cache_modifier="", eviction_policy=""):
        self._descriptor(desc)
        attrs = self._policies(cache_modifier, eviction_policy, ("", "none", "ca", "cg", "cs", "cv"))
        return self.emit(
            "tt.descriptor_load", [desc.handle, *self._offsets(desc, offsets)], desc.block_type, attrs or None
        )

    def _block_for(self, desc, value):
        value = self.to_tensor(value)
        if value.type.shape != desc.block_type.shape:
            numel = value.type.numel if value.type.is_block() else 1
            if value.type.is_block() and numel == desc.block_type.numel:
                value = self.reshape(value, desc.block_type.shape)
            else:
                value = self.broadcast_to(value, desc.block_type.shape)
        return self.cast(value, desc.dtype)

    def descriptor_store(self, desc, value, offsets):
        self._descriptor(desc)
        operands = [desc.handle, self._block_for(desc, value).handle, *self._offsets(desc, offsets)]
        self.builder.op("tt.descriptor_store", operands, [])

    def descriptor_atomic(self, kind, desc, value, offsets):
        self._descriptor(desc)
        if desc.dtype.name not in _REDUCTION_TYPES[kind]:
            raise TypeError(
                f"descriptor atomic_{kind} does not support {desc.dtype}; "
                "convert what it describes to another type"
            )
        operands = [desc.handle, self._block_for(desc, value).handle, *self._offsets(desc, offsets)]
        self.builder.op("tt.descriptor_reduce", operands, [], {"kind": DESCRIPTOR_REDUCE_KIND[kind]})

    def _rows(self, desc, rows):
        if len(desc.block_shape) != 2 or desc.block_shape[0] != 1:
            raise ValueError(
                f"descriptor gather and scatter need a block of one row, got {list(desc.block_shape)}"
            )
        if not isinstance(rows, tensor) or len(rows.type.shape) != 1:
            raise ValueError("x offsets of a descriptor gather must be a 1D block of row numbers")
        if rows.type.shape[0] < 8:
            raise ValueError(f"descriptor gather must have at least 8 rows, but got {rows.type.shape[0]}")
        if rows.type.scalar.name not in ("int16", "int32"):
            raise ValueError(f"row numbers must be int16 or int32, got {rows.type.scalar}")
        return rows

    def descriptor_gather(self, desc, rows, column):
        rows = self._rows(self._descriptor(desc), rows)
        ty = block_type(desc.dtype, (rows.type.shape[0], desc.block_shape[1]))
        return self.emit("tt.descriptor_gather", [desc.handle, rows.handle, self.index32(column).handle], ty)

    def descriptor_scatter(self, desc, value, rows, column):
        rows = self._rows(self._descriptor(desc), rows)
        value = self.cast(value, desc.dtype)
        if value.type.shape != (rows.type.shape[0], desc.block_shape[1]):
            raise ValueError(
                f"scatter needs a block of shape {[rows.type.shape[0], desc.block_shape[1]]}, got "
                f"{list(value.type.shape)}"
            )
        self.builder.op(
            "tt.descriptor_scatter", [desc.handle, rows.handle, self.index32(column).handle, value.handle], []
        )

    def host_descriptor(self, base, shape, strides, block, padding="zero"):
        """The descriptor of a kernel argument that the host described, made at the kernel's entry."""
        return self.make_tensor_descriptor(base, shape, [*strides[:-1], 1], block.shape, padding)
