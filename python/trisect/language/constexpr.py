"""Compile-time values.

What: `constexpr` wraps a Python object that is known while the kernel is compiled; arithmetic on constexpr
values is Python arithmetic and yields constexpr values. It is also the annotation of compile-time
parameters.
Limits: an operator with a run-time operand returns NotImplemented, so that the run-time value's operator
decides.
"""

import operator

from .base import base_type, base_value
from .constants import Wrapped, lshift, power, unwrap


class constexpr_type(base_type):
    """Type of a constexpr: the value itself."""

    def __init__(self, value):
        self.value = unwrap(value)

    def __eq__(self, other):
        if not isinstance(other, constexpr_type) or type(self.value) is not type(other.value):
            return False
        if isinstance(self.value, float):
            return repr(self.value) == repr(other.value)
        if isinstance(self.value, tuple):
            pairs = zip(self.value, other.value, strict=False)
            return len(self.value) == len(other.value) and all(
                constexpr_type(one) == constexpr_type(another) for one, another in pairs
            )
        return self.value is other.value or bool(self.value == other.value)

    def __hash__(self):
        return hash(("constexpr", self.value))

    def __repr__(self):
        return f"constexpr_type[{self.value}]"

    def flatten_types(self, types):
        pass

    def rebuild(self, handles):
        return constexpr(self.value)

    def mangle(self):
        value = self.value
        if hasattr(value, "mangle"):
            return "c" + value.mangle()
        if isinstance(value, (tuple, list)):
            return "T" + "_".join(constexpr_type(item).mangle() for item in value) + "T"
        return f"c{value.__name__}" if hasattr(value, "__name__") else f"c{value}"


def _run_time(value) -> bool:
    return isinstance(value, base_value) and not isinstance(value, constexpr)


class constexpr(base_value, Wrapped):
    """Value known at compile time."""

    def __init__(self, value):
        self.value = unwrap(value)
        self._type = None

    @property
    def type(self):
        if self._type is None:
            self._type = constexpr_type(self.value)
        return self._type

    def flatten_ir(self, handles):
        pass

    def __repr__(self):
        return f"constexpr[{self.value}]"

    def __hash__(self):
        return hash((self.value, type(self.value)))

    def __index__(self):
        return operator.index(self.value)

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __str__(self):
        return f"constexpr[{self.value}]"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def __iter__(self):
        return (constexpr(item) for item in self.value)

    def __len__(self):
        return len(self.value)

    def __call__(self, *args, **kwds):
        return self.value(*args, **kwds)

    def __getitem__(self, *args):
        return constexpr(self.value.__getitem__(*(unwrap(arg) for arg in args)))

    def __neg__(self):
        return constexpr(-self.value)

    def __pos__(self):
        return constexpr(+self.value)

    def __invert__(self):
        return constexpr(~self.value)

    def __not__(self):
        return constexpr(not self.value)

    def logical_and(self, other):
        return constexpr(self.value and unwrap(other))

    def logical_or(self, other):
        return constexpr(self.value or unwrap(other))

    def __reduce__(self):
        return constexpr, (self.value,)


def _forward(name, function):
    def method(self, other):
        if _run_time(other):
            return NotImplemented
        return constexpr(function(self.value, unwrap(other)))

    method.__name__ = name
    return method


def _reflected(name, function):
    def method(self, other):
        if _run_time(other):
            return NotImplemented
        return constexpr(function(unwrap(other), self.value))

    method.__name__ = name
    return method


for _name in (
    "add",
    "sub",
    "mul",
    "mod",
    "truediv",
    "floordiv",
    "pow",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
):
    _function = {"pow": power, "lshift": lshift}.get(_name) or getattr(
        operator, _name + "_" if _name in ("and", "or") else _name
    )
    setattr(constexpr, f"__{_name}__", _forward(f"__{_name}__", _function))
    setattr(constexpr, f"__r{_name}__", _reflected(f"__r{_name}__", _function))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _function = getattr(operator, _name)
    setattr(constexpr, f"__{_name}__", _forward(f"__{_name}__", _function))
    setattr(constexpr, f"__r{_name}__", _reflected(f"__r{_name}__", _function))

CONSTEXPR_0 = constexpr(0)
