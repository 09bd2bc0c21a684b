"""Slices of different lengths in one tensor, accessed through one descriptor.

What: `create_ragged_descriptor` describes a tensor one of whose dimensions holds slices one after the other;
`load_ragged`, `store_ragged` and `atomic_add_ragged` access a block of one slice. What lies past the slice's
end reads as zero or is dropped.
Why: only the upper bound of a dimension is checked for nothing, and it is fixed in the descriptor. So the
rows of each slice are counted to end at that bound, and two more dimensions move the address back: their
offsets and the counting cancel, since 64-bit addresses wrap around.
"""

from __future__ import annotations

import trisect.language as tl
from trisect.runtime.jit import jit
from trisect.tools.tensor_descriptor import TensorDescriptor

#: The upper bound of the ragged dimension.
_BOUND = 1 << 30
#: Elements whose `_BOUND`-fold is a multiple of 2**64 bytes.
_WRAP = 1 << 34
#: An upper bound that no index reaches.
_UNBOUNDED = 0x7FFF0000


def create_ragged_descriptor(T, block_shape, ragged_dim=0):
    """The descriptor of a tensor with slices of different lengths along a dimension."""
    block_shape, shape, strides = list(block_shape), list(T.shape), list(T.stride())
    if not 1 <= len(shape) <= 3:
        raise ValueError(f"a ragged tensor has one to three dimensions, not {len(shape)}")
    if len(block_shape) != len(shape):
        raise ValueError(f"rank mismatch: {len(shape)} sizes and a block of {len(block_shape)}")
    ragged_dim %= len(shape)
    stride = strides[ragged_dim]
    shape[ragged_dim] = _BOUND
    return TensorDescriptor(
        T, [_UNBOUNDED, _UNBOUNDED, *shape], [_WRAP - stride, stride, *strides], [1, 1, *block_shape]
    )


@jit
def to_ragged_indices(slice_off, slice_size, row):
    """The three indices that stand for a row of a slice: two that move the address, one that is checked."""
    bound: tl.constexpr = 1 << 30
    return bound, slice_off + slice_size, bound - slice_size + row


@jit
def load_ragged(TMA, slice_off, slice_size, coords, ragged_dim: tl.constexpr = 0):
    """A block of the slice of `slice_size` rows from row `slice_off` on; `coords` count within the slice."""
    tl.static_assert(len(TMA.shape) == len(coords) + 2, "TMA must be a ragged descriptor of the slice's rank")
    first, second, row = to_ragged_indices(slice_off, slice_size, coords[ragged_dim])
    data = TMA.load((first, second) + coords[:ragged_dim] + (row,) + coords[ragged_dim + 1 :])
    return tl.reshape(data, data.shape[2:])


@jit
def store_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Writes a block of a slice."""
    tl.static_assert(len(TMA.shape) == len(coords) + 2, "TMA must be a ragged descriptor of the slice's rank")
    first, second, row = to_ragged_indices(slice_off, slice_size, coords[ragged_dim])
    data = tl.reshape(data, (1, 1) + data.shape)
    TMA.store((first, second) + coords[:ragged_dim] + (row,) + coords[ragged_dim + 1 :], data)


@jit
def atomic_add_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Adds a block to a slice atomically."""
    tl.static_assert(len(TMA.shape) == len(coords) + 2, "TMA must be a ragged descriptor of the slice's rank")
    first, second, row = to_ragged_indices(slice_off, slice_size, coords[ragged_dim])
    data = tl.reshape(data, (1, 1) + data.shape)
    TMA.atomic_add((first, second) + coords[:ragged_dim] + (row,) + coords[ragged_dim + 1 :], data)
