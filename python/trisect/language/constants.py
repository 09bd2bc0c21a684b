"""Small facts that everything in the language needs: limits, unwrapping of constexpr values, shape checks."""

from trisect._utils import TRITON_MAX_TENSOR_NUMEL, is_power_of_two, validate_block_shape


class Wrapped:
    """Marks values that wrap a compile-time Python object in `.value`; `constexpr` is the only one."""

    __slots__ = ()


def unwrap(value):
    """The Python object inside a constexpr; any other value as it is."""
    while isinstance(value, Wrapped):
        value = value.value
    return value


def unwrap_shape(shape) -> list:
    """A shape given as constexpr, tuple, list or language tuple, as a list of Python integers."""
    return [unwrap(size) for size in unwrap(shape)]


__all__ = [
    "TRITON_MAX_TENSOR_NUMEL", "Wrapped", "is_power_of_two", "unwrap", "unwrap_shape", "validate_block_shape",
]  # fmt: skip
