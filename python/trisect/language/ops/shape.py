"""Functions that move the elements of blocks."""

from ..builtin import builtin, tensor_member
from ..constants import unwrap
from .creation import shape_arguments


@builtin
def broadcast(input, other, _semantic=None):
    """Expands two operands to a common shape."""
    return _semantic.broadcast(_semantic.to_tensor(input), _semantic.to_tensor(other))


@tensor_member
@builtin
def broadcast_to(input, *shape, _semantic=None):
    """Expands a tensor to the given shape."""
    return _semantic.broadcast_to(input, shape_arguments(shape))


@tensor_member
@builtin
def trans(input, *dims, _semantic=None):
    """Transposes: swaps the last two dimensions or applies a permutation."""
    return _semantic.transpose(input, shape_arguments(dims))


@tensor_member
@builtin
def permute(input, *dims, _semantic=None):
    """Reorders dimensions by an explicit permutation."""
    return _semantic.permute(input, shape_arguments(dims))


@tensor_member
@builtin
def reshape(input, *shape, can_reorder=False, _semantic=None, _generator=None):
    """Gives a tensor a new shape with the same number of elements."""
    return _semantic.reshape(_semantic.to_tensor(input), shape_arguments(shape), can_reorder)


@tensor_member
@builtin
def view(input, *shape, _semantic=None):
    """Older spelling of reshape that may reorder elements."""
    return _semantic.reshape(_semantic.to_tensor(input), shape_arguments(shape), True)


@tensor_member
@builtin
def expand_dims(input, axis, _semantic=None):
    """Inserts length-one dimensions at the given positions."""
    input, axis = _semantic.to_tensor(input), unwrap(axis)
    axes = [unwrap(each) for each in axis] if hasattr(axis, "__iter__") else [axis]
    rank = len(input.type.shape) + len(axes)
    for each in axes:
        if not -rank <= each < rank:
            raise ValueError(f"invalid axis {each}. Expected {-rank} <= axis < {rank}")
    axes = sorted(each + rank if each < 0 else each for each in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"expand_dims received duplicate axes, normalized axes = {axes}")
    for each in axes:
        input = _semantic.expand_dims(input, each)
    return input


@builtin
def join(a, b, _semantic=None):
    """Stacks two tensors along a new last dimension of length two."""
    return _semantic.join(a, b)


@tensor_member
@builtin
def split(a, _semantic=None, _generator=None):
    """Inverse of join: separates the two halves of the last dimension."""
    from ..tuples import tuple as tl_tuple

    return tl_tuple(_semantic.split(a))


@builtin
def cat(input, other, can_reorder=False, dim=0, _semantic=None):
    """Concatenates two tensors of equal shape along a dimension."""
    return _semantic.cat(input, other, can_reorder, dim)


@tensor_member
@builtin
def gather(src, index, axis, _semantic=None):
    """Picks elements along an axis by an index tensor."""
    return _semantic.gather(src, index, axis)


@tensor_member
@builtin
def histogram(input, num_bins, mask=None, _semantic=None, _generator=None):
    """Counts integers into num_bins unit-width bins, optionally only where mask holds."""
    return _semantic.histogram(input, num_bins, mask)
