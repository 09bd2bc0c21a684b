"""Integer functions for host and kernels."""

from trisect.runtime.jit import constexpr_function


@constexpr_function
def cdiv(x, y):
    """Ceiling division of two integers."""
    return (x + y - 1) // y


@constexpr_function
def next_power_of_2(n):
    """The smallest power of two not below n."""
    return 1 << (n - 1).bit_length() if n > 0 else n if n == 0 else 1
