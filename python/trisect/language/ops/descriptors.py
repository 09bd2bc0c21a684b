"""Tensor descriptors made in the kernel."""

from ..builtin import builtin


@builtin
def make_tensor_descriptor(base, shape, strides, block_shape, padding_option="zero", _semantic=None):
    """Builds a descriptor in the kernel from pointer, shape, strides and block shape."""
    return _semantic.make_tensor_descriptor(base, shape, strides, block_shape, padding_option)


@builtin
def load_tensor_descriptor(desc, offsets, _semantic=None):
    """Loads the block at offsets from a descriptor; same as desc.load."""
    return desc.load(offsets, _semantic=_semantic)


@builtin
def store_tensor_descriptor(desc, offsets, value, _semantic=None):
    """Stores a block at offsets through a descriptor; same as desc.store."""
    return desc.store(offsets, value, _semantic=_semantic)
