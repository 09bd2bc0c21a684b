"""Reductions, scans and elementwise application of a jit function."""

from ..builtin import builtin, tensor_member
from ..constants import unwrap
from ..tensor import tensor
from ..tuples import tuple as tl_tuple


def _inputs(value):
    return list(value) if isinstance(value, (tl_tuple, tuple, list)) else [value]


def _caller(semantic, generator, function):
    """Callback that calls a jit function on scalars and gives its results as tensors."""

    def combine(scalars):
        result = generator.call_function(function, scalars, {})
        parts = list(result) if isinstance(result, tl_tuple) else [result]
        return [part if isinstance(part, tensor) else semantic.to_tensor(part) for part in parts]

    return combine


def _packed(value, results):
    return tl_tuple(results) if isinstance(value, (tl_tuple, tuple, list)) else results[0]


@tensor_member
@builtin
def reduce(input, axis, combine_fn, keep_dims=False, _semantic=None, _generator=None):
    """Reduction along an axis with a user-supplied jit combine function."""
    inputs = _inputs(input)
    axis, shape = unwrap(axis), _semantic.to_tensor(inputs[0]).type.shape
    results = _semantic.reduction(inputs, axis, _caller(_semantic, _generator, unwrap(combine_fn)))
    if unwrap(keep_dims) and shape:
        results = [_kept(_semantic, result, axis, len(shape)) for result in results]
    return _packed(input, results)


def _kept(semantic, value, axis, rank):
    if axis is not None:
        return semantic.expand_dims(value, axis + rank if axis < 0 else axis)
    for _ in range(rank):
        value = semantic.expand_dims(value, 0)
    return value


@builtin
def _reduce_with_indices(input, axis, combine_fn, keep_dims=False, _semantic=None, _generator=None):
    """Reduces values together with their positions along the axis."""
    axis = unwrap(axis)
    shape = input.type.shape
    if axis is None:
        flat = _semantic.reshape(input, (input.type.numel,)) if len(shape) > 1 else input
        pair = tl_tuple([flat, _semantic.arange(0, flat.type.numel)])
        reduced = reduce(pair, 0, combine_fn, _semantic=_semantic, _generator=_generator)
        if unwrap(keep_dims):
            return tl_tuple([_kept(_semantic, value, None, len(shape)) for value in reduced])
        return reduced
    axis = axis + len(shape) if axis < 0 else axis
    index = _semantic.arange(0, shape[axis])
    for dim in range(len(shape)):
        if dim != axis:
            index = _semantic.expand_dims(index, dim)
    index = _semantic.broadcast_to(index, shape)
    return reduce(
        tl_tuple([input, index]),
        axis,
        combine_fn,
        keep_dims=keep_dims,
        _semantic=_semantic,
        _generator=_generator,
    )


@tensor_member
@builtin
def associative_scan(input, axis, combine_fn, reverse=False, _semantic=None, _generator=None):
    """Prefix scan along an axis with a user-supplied associative jit function."""
    results = _semantic.associative_scan(
        _inputs(input), axis, _caller(_semantic, _generator, unwrap(combine_fn)), reverse
    )
    return _packed(input, results)


@builtin
def map_elementwise(scalar_fn, *args, pack=1, _semantic=None, _generator=None):
    """Calls a scalar jit function, with control flow, on each element."""
    if not args:
        raise ValueError("map_elementwise needs at least one argument")
    shape = _Outcome()
    call = unwrap(scalar_fn)

    def function(scalars):
        result = _generator.call_function(call, scalars, {})
        shape.single = not isinstance(result, tl_tuple)
        parts = [result] if shape.single else list(result)
        return [part if isinstance(part, tensor) else _semantic.to_tensor(part) for part in parts]

    results = _semantic.map_elementwise(args, pack, function)
    return results[0] if shape.single else tl_tuple(results)


class _Outcome:
    """Whether the mapped function gave one value or a tuple."""

    single = True
