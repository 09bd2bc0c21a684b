"""Tensor descriptor values and types.

What: `tensor_descriptor_base` is a handle with a block type, `tensor_descriptor` also knows shape and
strides. Both cross calls and loops as their parts.
"""

from .base import base_type, base_value
from .types import int32, int64


class _handle_type:
    """Type of the IR value itself: `!tt.tensordesc<...>`."""

    _known: dict = {}

    def __new__(cls, block):
        found = cls._known.get(block)
        if found is None:
            found = cls._known[block] = super().__new__(cls)
            found.block = block
        return found

    def make_ir(self, context):
        element = self.block.element_ty
        signedness = None
        if element.is_int() and not element.is_bool():
            signedness = "signed" if element.is_int_signed() else "unsigned"
        return context.tensordesc_type(list(self.block.shape), element.make_ir(context), signedness)


class tensor_descriptor_base_type(base_type):
    """Type of a descriptor without shape and strides."""

    def __init__(self, block_type):
        self.block_type = block_type

    def __eq__(self, other):
        return type(self) is type(other) and self.block_type == other.block_type

    def __hash__(self):
        return hash((type(self), self.block_type))

    def __str__(self):
        return f"tensor_descriptor<{self.block_type}>"

    @property
    def element_ty(self):
        return self.block_type.element_ty

    def flatten_types(self, types):
        types.append(_handle_type(self.block_type))

    def rebuild(self, handles):
        return tensor_descriptor_base(next(handles), self.block_type)

    def mangle(self):
        return f"TD{self.block_type.mangle()}"


class tensor_descriptor_type(tensor_descriptor_base_type):
    """Type of a descriptor with shape and strides."""

    def __init__(self, block_type, shape_type=None, strides_type=None):
        super().__init__(block_type)
        self.shape_type, self.strides_type = shape_type, strides_type

    def flatten_types(self, types):
        rank = len(self.block_type.shape)
        super().flatten_types(types)
        types.extend([int32] * rank + [int64] * rank)

    def rebuild(self, handles):
        from .tensor import tensor

        rank = len(self.block_type.shape)
        handle = next(handles)
        shape = [tensor(next(handles), int32) for _ in range(rank)]
        strides = [tensor(next(handles), int64) for _ in range(rank)]
        return tensor_descriptor(handle, shape, strides, self.block_type)


class tensor_descriptor_base(base_value):
    """Handle to a tiled global tensor."""

    def __init__(self, handle, block_type):
        self.handle = handle
        self.type = tensor_descriptor_base_type(block_type)

    @property
    def block_type(self):
        return self.type.block_type

    @property
    def descriptor_type(self):
        return _handle_type(self.block_type)

    @property
    def block_shape(self):
        return self.block_type.shape

    @property
    def dtype(self):
        return self.block_type.element_ty

    def flatten_ir(self, handles):
        handles.append(self.handle)

    def load(self, offsets, cache_modifier="", eviction_policy="", _semantic=None):
        return _semantic.descriptor_load(self, offsets, cache_modifier, eviction_policy)

    def store(self, offsets, value, _semantic=None):
        return _semantic.descriptor_store(self, value, offsets)

    def gather(self, *args, _semantic=None):
        if len(args) != 2:
            raise ValueError(
                f"descriptor gather takes row numbers and a column offset, got {len(args)} arguments"
            )
        return _semantic.descriptor_gather(self, args[0], args[1])

    def scatter(self, value, *args, _semantic=None):
        if len(args) != 2:
            raise ValueError(
                f"descriptor scatter takes row numbers and a column offset, got {len(args)} arguments"
            )
        return _semantic.descriptor_scatter(self, value, args[0], args[1])

    def __str__(self):
        return str(self.type)


def _atomic(kind):
    def method(self, offsets, value, _semantic=None):
        return _semantic.descriptor_atomic(kind, self, value, offsets)

    method.__name__ = f"atomic_{kind}"
    return method


for _kind in ("add", "min", "max", "and", "or", "xor"):
    setattr(tensor_descriptor_base, f"atomic_{_kind}", _atomic(_kind))


class tensor_descriptor(tensor_descriptor_base):
    """Descriptor with the shape and strides of the whole tensor."""

    def __init__(self, handle, shape, strides, block_type):
        from .tuples import tuple as tl_tuple

        super().__init__(handle, block_type)
        self.shape, self.strides = tl_tuple(shape), tl_tuple(strides)
        self.type = tensor_descriptor_type(block_type, self.shape.type, self.strides.type)

    def flatten_ir(self, handles):
        handles.append(self.handle)
        self.shape.flatten_ir(handles)
        self.strides.flatten_ir(handles)
