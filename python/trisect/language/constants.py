"""Small facts that everything in the language needs: limits, unwrapping of constexpr values, shape checks."""

TRITON_MAX_TENSOR_NUMEL = 1048576


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


def is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def validate_block_shape(shape) -> int:
    """Element count of a block of that shape; raises if a block cannot have it."""
    numel = 1
    for position, size in enumerate(shape):
        if isinstance(size, bool) or not isinstance(size, int):
            got = f"`constexpr[{type(size).__name__}]`" if not hasattr(size, "handle") else "a run-time value"
            raise TypeError(
                f"Shape element {position} must have type `constexpr[int]`, got {got}; "
                "pass block sizes as tl.constexpr arguments"
            )
        if not is_power_of_two(size):
            raise ValueError(
                f"Shape element {position} must be a power of 2, got {size}; round it up with "
                "triton.next_power_of_2 and mask what is beyond"
            )
        numel *= size
    if numel > TRITON_MAX_TENSOR_NUMEL:
        raise ValueError(
            f"numel ({numel}) exceeds triton maximum tensor numel ({TRITON_MAX_TENSOR_NUMEL}); "
            "loop over smaller blocks"
        )
    return numel
