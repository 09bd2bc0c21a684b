"""Aggregates: structs of kernel values.

What: `aggregate` turns a class with annotated fields into one whose instances are kernel values: they cross
calls, loops and branches field by field. `__init__` runs as Python and may be left out; afterwards the
instance is immutable, and `aggregate_replace` makes a changed copy.
"""

from .base import base_type, base_value
from .builtin import builtin
from .tuples import as_value


class aggregate_type(base_type):
    """Type of an aggregate: its class and the types of its fields."""

    def __init__(self, cls, types):
        self.cls, self.types = cls, types

    def __eq__(self, other):
        return isinstance(other, aggregate_type) and self.cls is other.cls and self.types == other.types

    def __hash__(self):
        return hash((self.cls, tuple(self.types)))

    def __str__(self):
        return f"{self.cls.__name__}<{', '.join(map(str, self.types))}>"

    def flatten_types(self, types):
        for ty in self.types:
            ty.flatten_types(types)

    def rebuild(self, handles):
        names = self.cls.__aggregate_fields__
        return self.cls._of({name: ty.rebuild(handles) for name, ty in zip(names, self.types, strict=True)})

    def mangle(self):
        return f"{self.cls.__name__}<{'_'.join(ty.mangle() for ty in self.types)}>"


class _Construction(type):
    """Runs `__init__`, wraps the fields, freezes the instance."""

    def __call__(cls, *args, _semantic=None, _generator=None, **kwargs):
        instance = cls.__new__(cls)
        init = cls.__init__
        getattr(init, "fn", init)(instance, *args, **kwargs)
        missing = [name for name in cls.__aggregate_fields__ if name not in instance.__dict__]
        if missing:
            raise AttributeError(
                f"field(s) {', '.join(missing)} of aggregate {cls.__name__} are not set by __init__"
            )
        return cls._of({name: as_value(instance.__dict__[name]) for name in cls.__aggregate_fields__})


class aggregate_value(base_value, metaclass=_Construction):
    """Base of all aggregates."""

    __aggregate_fields__: dict = {}

    @classmethod
    def _of(cls, fields):
        instance = cls.__new__(cls)
        instance.__dict__.update(fields)
        instance.__dict__["_frozen"] = True
        return instance

    def __setattr__(self, name, value):
        if self.__dict__.get("_frozen"):
            raise AttributeError(
                f"aggregate {type(self).__name__} is immutable after __init__; "
                f"use tl.aggregate_replace(value, {name}=...) for a changed copy"
            )
        if name not in self.__aggregate_fields__:
            raise AttributeError(
                f"aggregate {type(self).__name__} has no field {name!r}; annotate it in the class"
            )
        self.__dict__[name] = value

    @property
    def fields(self) -> dict:
        return {name: self.__dict__[name] for name in self.__aggregate_fields__}

    @property
    def type(self):
        return aggregate_type(type(self), [value.type for value in self.fields.values()])

    def flatten_ir(self, handles):
        for value in self.fields.values():
            value.flatten_ir(handles)

    def find_method(self, name):
        """A method or property of the user's class; None if there is none."""
        for cls in type(self).__mro__:
            if cls is aggregate_value:
                return None
            if name in cls.__dict__:
                return cls.__dict__[name]
        return None


def _generated_init(fields, defaults):
    def __init__(self, *args, **kwargs):
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__}() takes {len(fields)} fields but {len(args)} were given")
        values = dict(zip(fields, args, strict=False))
        for name, value in kwargs.items():
            if name not in fields or name in values:
                raise TypeError(f"{type(self).__name__}() got an unexpected or repeated field {name!r}")
            values[name] = value
        for name in fields:
            if name not in values and name not in defaults:
                raise TypeError(f"{type(self).__name__}() is missing field {name!r}")
            setattr(self, name, values.get(name, defaults.get(name)))

    return __init__


def aggregate(cls):
    """Class decorator turning annotated fields into a kernel-passable struct value."""
    fields, defaults = {}, {}
    for base in reversed(cls.__mro__):
        for name, annotation in base.__dict__.get("__annotations__", {}).items():
            if name != "__aggregate_fields__":
                fields[name] = annotation
                if name in base.__dict__:
                    defaults[name] = base.__dict__[name]
    namespace = {
        "__aggregate_fields__": fields,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
    }
    has_init = any("__init__" in base.__dict__ for base in cls.__mro__ if base not in (object, base_value))
    inherited = any(getattr(base.__dict__.get("__init__"), "_generated", False) for base in cls.__mro__)
    if not has_init or inherited and "__init__" not in cls.__dict__:
        namespace["__init__"] = _generated_init(tuple(fields), defaults)
        namespace["__init__"]._generated = True
    bases = (cls,) if issubclass(cls, aggregate_value) else (cls, aggregate_value)
    return _Construction(cls.__name__, bases, namespace)


def is_aggregate_class(cls) -> bool:
    return isinstance(cls, type) and issubclass(cls, aggregate_value)


@builtin
def aggregate_replace(instance, _semantic=None, **changes):
    """Copies an aggregate value with some fields changed."""
    if not isinstance(instance, aggregate_value):
        raise TypeError(f"aggregate_replace takes an aggregate, got {instance!r}")
    unknown = [name for name in changes if name not in instance.__aggregate_fields__]
    if unknown:
        raise TypeError(
            f"aggregate {type(instance).__name__} has no field {unknown[0]!r}; its fields are "
            f"{', '.join(instance.__aggregate_fields__)}"
        )
    return type(instance)._of(
        {**instance.fields, **{name: as_value(value) for name, value in changes.items()}}
    )
