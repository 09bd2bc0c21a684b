"""Tuples and slices inside kernels.

What: `tuple` holds any kernel values, nested as deep as one likes, with the names and the class of the named
tuple that it came from; `as_value` makes one of Python's, `python_of` gives the named tuple back where all of
it is known at compile time. `tuple_type` compares by content.
Limits: length and structure are fixed at compile time; indices are compile-time integers.
"""

import builtins
import collections
import functools

from .base import base_type, base_value
from .constants import unwrap
from .constexpr import constexpr
from .types import slice_type


class tuple_type(base_type):
    """Type of a tuple; `fields` are the names of a named tuple, `kind` is its class where that is known."""

    def __init__(self, types, fields=None, kind=None):
        self.types = list(types)
        self.fields = list(fields) if fields else None
        self.kind = kind
        self.name = f"[{','.join(str(ty) for ty in self.types)}]"

    def __eq__(self, other):
        return (
            type(self) is type(other)
            and self.types == other.types
            and self.fields == other.fields
            and self.kind is other.kind
        )

    def __hash__(self):
        return hash((builtins.tuple(self.types), builtins.tuple(self.fields or ())))

    def __iter__(self):
        return iter(self.types)

    def __getitem__(self, index):
        return self.types[index]

    def __len__(self):
        return len(self.types)

    def __str__(self):
        return self.name

    def flatten_types(self, types):
        for ty in self.types:
            ty.flatten_types(types)

    def rebuild(self, handles):
        return tuple([ty.rebuild(handles) for ty in self.types], self)

    def mangle(self):
        return "T" + "_".join(ty.mangle() for ty in self.types) + "T"


class tuple(base_value):
    """Fixed sequence of kernel values."""

    def __init__(self, args, type=None, fields=None, kind=None):
        self.values = [as_value(item) for item in args]
        if type is not None:
            fields, kind = type.fields, type.kind
        self._fields = list(fields) if fields else None
        self._kind = kind
        self._type = type

    def renewed(self, values):
        """Other values under the same names."""
        return tuple(values, fields=self._fields, kind=self._kind)

    @property
    def type(self):
        if self._type is None:
            self._type = tuple_type([value.type for value in self.values], self._fields, self._kind)
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
        kind = self.__dict__.get("_kind")
        if hasattr(kind, name):
            if not holds_run_time(self):
                return getattr(python_of(self), name)
            raise AttributeError(
                f"{kind.__name__}.{name} is Python, and this one holds run-time values; compute it from the "
                "fields"
            )
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


def as_value(item):
    """`item` as a kernel value: run-time values and constexpr as they are, Python objects wrapped."""
    if isinstance(item, base_value):
        return item
    if isinstance(item, (builtins.tuple, list)):
        kind = type(item) if hasattr(item, "_fields") else None
        return tuple([as_value(element) for element in item], fields=kind and kind._fields, kind=kind)
    return constexpr(item)


def holds_run_time(value) -> bool:
    """Is some part of a value known only when the kernel runs?"""
    if isinstance(value, tuple):
        return any(map(holds_run_time, value))
    return isinstance(value, base_value) and not isinstance(value, constexpr)


def python_of(value):
    """The Python object that a value stands for: a tuple as one, under its names, with what it holds."""
    if not isinstance(value, tuple):
        return unwrap(value)
    items = map(python_of, value)
    if not value._fields:
        return builtins.tuple(items)
    return (value._kind or _named(*value._fields))._make(items)


@functools.lru_cache
def _named(*fields):
    return collections.namedtuple("tuple", fields)


class slice(base_value):
    """Compile-time slice of a subscript."""

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step
        self.type = slice_type()

    def flatten_ir(self, handles):
        pass

    def is_full(self) -> bool:
        return unwrap(self.start) is None and unwrap(self.stop) is None and unwrap(self.step) is None
