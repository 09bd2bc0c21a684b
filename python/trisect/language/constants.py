"""Small facts that everything in the language needs: limits, unwrapping of constexpr values, shape checks."""

import operator

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


#: Bits of an integer that a kernel may compute at compile time; Python itself knows no limit but memory.
MOST_BITS = 1 << 16


def _checked(bits: int):
    if bits > MOST_BITS:
        raise ValueError(f"a constant of more than {MOST_BITS} bits; no type of the language holds it")


def power(base, exponent):
    """`base ** exponent`; a result that would take all memory is refused before it is computed."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        _checked((abs(base).bit_length() - 1) * exponent)
    return operator.pow(base, exponent)


def lshift(value, count):
    """`value << count`, within the same limit."""
    if isinstance(value, int) and isinstance(count, int) and value:
        _checked(value.bit_length() + count)
    return operator.lshift(value, count)


__all__ = [
    "MOST_BITS", "TRITON_MAX_TENSOR_NUMEL", "Wrapped", "is_power_of_two", "lshift", "power", "unwrap",
    "unwrap_shape", "validate_block_shape",
]  # fmt: skip
