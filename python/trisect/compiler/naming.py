"""The symbol of a kernel.

What: a kernel is called as its function, or as its `repr` callback says of a specialisation.
"""

from typing import NamedTuple


class SpecializationProxy(NamedTuple):
    """What a `repr` callback is told: constants by the names of their parameters, types by name.

    Constants are constexpr parameters and what an argument was specialised to: None, or an integer such as 1.
    """

    constants: dict
    signature: dict


def kernel_name(fn, src) -> str:
    """Symbol of a kernel: what its `repr` callback says of a specialisation, else its name."""
    custom = getattr(fn, "repr", None)
    if not callable(custom):
        return fn.__name__
    constants = {fn.arg_names[path[0]]: value for path, value in src.constants.items() if len(path) == 1}
    return custom(SpecializationProxy(constants, src.signature))
