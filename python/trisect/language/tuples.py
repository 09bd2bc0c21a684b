"""Tuples and slices inside kernels.

What: `tuple` holds any kernel values, nested as deep as one likes, with field names where it came from a
named tuple.
Limits: length and structure are fixed at compile time; indices are compile-time integers.
"""

import builtins

from .base import base_value
from .constants import unwrap
from .constexpr import as_value, constexpr
from .types import slice_type, tuple_type


class tuple(base_value):
    """Fixed sequence of kernel values."""

    def __init__(self, args, type=None, fields=None):
        self.values = [as_value(item) for item in args]
        if type is not None:
            fields = type.fields
        self._fields = list(fields) if fields else None
        self._type = type

    @property
    def type(self):
        if self._type is None:
            self._type = tuple_type([value.type for value in self.values], self._fields)
        return self._type

    def flatten_ir(self, handles):
        for value in self.values:
            value.flatten_ir(handles)

    def __getitem__(self, idx):
        idx = unwrap(idx)
        if isinstance(idx, slice):
            idx = builtins.slice(unwrap(idx.start), unwrap(idx.stop), unwrap(idx.step))
        if isinstance(idx, builtins.slice):
            return tuple(self.values[idx])
        if not isinstance(idx, int):
            raise TypeError(
                "a tuple is indexed with a compile-time integer; make the index a tl.constexpr or loop "
                "with tl.static_range"
            )
        return self.values[idx]

    def __getattr__(self, name):
        fields = self.__dict__.get("_fields")
        if fields and name in fields:
            return self.values[fields.index(name)]
        known = (
            f"its fields are {', '.join(fields)}" if fields else "its elements have no names: use an index"
        )
        raise AttributeError(f"'tuple' has no field {name!r}; {known}")

    def __setitem__(self, idx, value):
        self.values[unwrap(idx)] = as_value(value)
        self._type = None

    def __add__(self, other, _semantic=None):
        return tuple(self.values + list(as_value(unwrap(other)).values))

    def __radd__(self, other, _semantic=None):
        return tuple(list(as_value(unwrap(other)).values) + self.values)

    def __mul__(self, other, _semantic=None):
        return tuple(self.values * unwrap(other))

    __rmul__ = __mul__

    def __eq__(self, other):
        other = unwrap(other)
        if isinstance(other, (builtins.tuple, list)):
            other = as_value(other)
        if not isinstance(other, tuple) or len(self) != len(other):
            return constexpr(False)
        for mine, theirs in zip(self.values, other.values, strict=True):
            equal = mine == theirs
            if not isinstance(equal, constexpr):
                raise TypeError("tuples that hold run-time values cannot be compared; compare their elements")
            if not equal:
                return constexpr(False)
        return constexpr(True)

    def __ne__(self, other):
        return constexpr(not self == other)

    __hash__ = None

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __bool__(self):
        return bool(self.values)

    def __contains__(self, item):
        return any(bool(unwrap(value) == unwrap(item)) for value in self.values)

    def __repr__(self):
        return f"({', '.join(repr(value) for value in self.values)})"


class slice(base_value):
    """Compile-time slice of a subscript."""

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step
        self.type = slice_type()

    def flatten_ir(self, handles):
        pass

    def is_full(self) -> bool:
        return unwrap(self.start) is None and unwrap(self.stop) is None and unwrap(self.step) is None
