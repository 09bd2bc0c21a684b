"""Elementwise library functions by generic names.

What: one function for each name in libdevice_table; every tier knows the symbols. Arguments are blocks,
scalars or numbers, brought to one shape; half types are refused: convert them first.
"""

from .. import math as _math
from ..builtin import builtin as _builtin
from ..ops.debugging import extern_elementwise as _extern_elementwise
from ..ops.debugging import listed_for as _listed_for
from ..types import int1 as _int1
from .libdevice_table import TABLE as _TABLE

#: Their symbols give an integer, and the functions whether it is not 0.
_QUESTIONS = ("isnan", "isinf", "finitef", "isfinited")


def _define(name, overloads):
    count = len(next(iter(overloads)))

    def call(args, semantic):
        result = _extern_elementwise("", "", args, overloads, True, _semantic=semantic)
        return semantic.cast(result, _int1) if name in _QUESTIONS else result

    if count == 1:

        def function(arg0, _semantic=None):
            return call([arg0], _semantic)
    elif count == 2:

        def function(arg0, arg1, _semantic=None):
            return call([arg0, arg1], _semantic)
    elif count == 3:

        def function(arg0, arg1, arg2, _semantic=None):
            return call([arg0, arg1, arg2], _semantic)
    else:

        def function(arg0, arg1, arg2, arg3, _semantic=None):
            return call([arg0, arg1, arg2, arg3], _semantic)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    types = ", ".join("(" + ", ".join(map(str, key)) + ")" for key in overloads)
    function.__doc__ = f"Elementwise {name} for {types}."
    return _builtin(function)


for _name, _overloads in _TABLE.items():
    globals()[_name] = _define(_name, _overloads)


@_builtin
def fma(arg0, arg1, arg2, _semantic=None):
    """Elementwise fma: an operation of the language, for the types of the library's function."""
    args = [_semantic.to_tensor(arg) for arg in (arg0, arg1, arg2)]
    _listed_for(args, _TABLE["fma"])
    return _math.fma(*args, _semantic=_semantic)


__all__ = list(_TABLE)
