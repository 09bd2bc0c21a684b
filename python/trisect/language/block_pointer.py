"""Block pointers: base, shape, strides and offsets of a tile.

What: the value that `tl.make_block_ptr` makes and `tl.advance` moves. It crosses loops and calls as its
scalars; the loads and stores through it are expanded in semantic/memory.
"""

from .base import base_type, base_value
from .types import block_type, int64, pointer_type


class block_pointer_type(base_type):
    """Type of a block pointer: `element_ty` is the type of the block it points to."""

    def __init__(self, pointer, block_shape):
        self.pointer = pointer
        self.block_shape = tuple(block_shape)

    @property
    def element_ty(self):
        return block_type(self.pointer.element_ty, self.block_shape)

    @property
    def scalar(self):
        return pointer_type(self.element_ty)

    @property
    def shape(self):
        return self.block_shape

    def is_ptr(self):
        return True

    def is_block(self):
        return False

    def __eq__(self, other):
        return (
            type(self) is type(other)
            and self.pointer is other.pointer
            and self.block_shape == other.block_shape
        )

    def __hash__(self):
        return hash((self.pointer, self.block_shape))

    def __str__(self):
        return f"pointer<{self.element_ty}>"

    def flatten_types(self, types):
        types.append(self.pointer)
        types.extend([int64] * (3 * len(self.block_shape)))

    def rebuild(self, handles):
        from .tensor import tensor

        rank = len(self.block_shape)
        base = tensor(next(handles), self.pointer)
        scalars = [tensor(next(handles), int64) for _ in range(3 * rank)]
        return block_pointer(
            base, scalars[:rank], scalars[rank : 2 * rank], scalars[2 * rank :], self.block_shape
        )

    def mangle(self):
        return f"B{self.pointer.mangle()}S{'_'.join(map(str, self.block_shape))}S"


class block_pointer(base_value):
    """A tile of a strided tensor; all of shape, strides and offsets are i64 scalars."""

    def __init__(self, base, shape, strides, offsets, block_shape):
        self.base, self.shape, self.strides, self.offsets = base, shape, strides, offsets
        self.block_shape = block_shape
        self.type = block_pointer_type(base.type, block_shape)

    @property
    def dtype(self):
        return self.type.scalar

    def at(self, offsets):
        return block_pointer(self.base, self.shape, self.strides, offsets, self.block_shape)

    def flatten_ir(self, handles):
        for value in (self.base, *self.shape, *self.strides, *self.offsets):
            value.flatten_ir(handles)

    def advance(self, offsets, _semantic=None):
        return _semantic.advance(self, offsets)

    def load(
        self, boundary_check=(), padding_option="", cache_modifier="", eviction_policy="", _semantic=None
    ):
        return _semantic.load(
            self, None, None, boundary_check, padding_option, cache_modifier, eviction_policy
        )

    def store(
        self, value, mask=None, boundary_check=(), cache_modifier="", eviction_policy="", _semantic=None
    ):
        return _semantic.store(self, value, mask, boundary_check, cache_modifier, eviction_policy)

    def __str__(self):
        return str(self.type)
