"""Loads, stores and block pointers."""

from ..builtin import builtin, must_use_result, tensor_member


@builtin
def load(
    pointer,
    mask=None,
    other=None,
    boundary_check=(),
    padding_option="",
    cache_modifier="",
    eviction_policy="",
    volatile=False,
    _semantic=None,
):
    """Reads memory at pointers; masked-off lanes take `other` or are undefined."""
    return _semantic.load(
        pointer, mask, other, boundary_check, padding_option, cache_modifier, eviction_policy, volatile
    )


@tensor_member
@builtin
def store(
    pointer, value, mask=None, boundary_check=(), cache_modifier="", eviction_policy="", _semantic=None
):
    """Writes values at pointers where the mask holds."""
    return _semantic.store(pointer, value, mask, boundary_check, cache_modifier, eviction_policy)


@builtin
def make_block_ptr(base, shape, strides, offsets, block_shape, order, _semantic=None):
    """Builds a block pointer: base, shape, strides, offsets, tile shape and order."""
    return _semantic.make_block_ptr(base, shape, strides, offsets, block_shape, order)


@must_use_result(
    "The result of tl.advance is not being used. Note that tl.advance does not have any side effects. To "
    "move the block pointer, you need to assign the result of tl.advance to a variable."
)
@tensor_member
@builtin
def advance(base, offsets, _semantic=None):
    """Returns a block pointer moved by per-dimension offsets; the input is unchanged."""
    return _semantic.advance(base, offsets)
