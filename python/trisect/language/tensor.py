"""Run-time values: scalars and blocks.

What: `tensor` pairs an IR value with its type. Its operators and methods forward to the semantic object
that the code generator passes as `_semantic`; library functions attach themselves as methods
(builtin.tensor_member).
Limits: a scalar has the scalar type itself and shape (). The class never holds data.
"""

from ..runtime.altered import WatchedClass
from .base import base_value
from .constants import unwrap
from .constexpr import constexpr
from .dtypes import dtype
from .tuples import tuple as tl_tuple


def _shape_of(ty):
    return tl_tuple([constexpr(size) for size in ty.shape])


class tensor(base_value, metaclass=WatchedClass):
    """Value of a scalar or block type inside a kernel."""

    def __init__(self, handle, type):
        self.handle = handle
        self.type = type

    @property
    def dtype(self):
        return self.type.scalar

    @property
    def shape(self):
        return _shape_of(self.type)

    @property
    def numel(self):
        return constexpr(self.type.numel if self.type.is_block() else 1)

    @property
    def ndim(self):
        return constexpr(len(self.type.shape))

    def flatten_ir(self, handles):
        handles.append(self.handle)

    def __str__(self):
        scalar, shape = self.type.scalar, self.type.shape
        return f"{scalar}[{', '.join(map(str, shape))}]"

    __repr__ = __str__

    def __bool__(self):
        raise TypeError(
            "a run-time tensor has no truth value while compiling; use `if` in the kernel on a scalar, "
            "or tl.where on a block"
        )

    __hash__ = base_value.__hash__

    def __getitem__(self, slices, _semantic=None):
        return _need(_semantic).subscript(self, slices)

    @property
    def T(self):
        raise RuntimeError("Transposition must be created by the code generator: use `.T` inside a kernel")

    def to(self, dtype, fp_downcast_rounding=None, bitcast=False, _semantic=None):
        return _need(_semantic).cast_to(self, dtype, fp_downcast_rounding, bitcast)

    def __neg__(self, _semantic=None):
        return _need(_semantic).minus(self)

    def __invert__(self, _semantic=None):
        return _need(_semantic).invert(self)

    def __not__(self, _semantic=None):
        return _need(_semantic).logical_not(self)

    def logical_and(self, other, _semantic=None):
        return _need(_semantic).logical_and(self, other)

    def logical_or(self, other, _semantic=None):
        return _need(_semantic).logical_or(self, other)


dtype._value_class = tensor


def _need(semantic):
    if semantic is None:
        raise ValueError(
            "Did you forget to add @triton.jit ? Operators of tensors work only inside kernels "
            "(`_semantic` argument must be provided outside of JIT functions.)"
        )
    return semantic


def _operator(name, reflected):
    def method(self, other, _semantic=None):
        other = unwrap(other)
        lhs, rhs = (other, self) if reflected else (self, other)
        return getattr(_need(_semantic), name)(lhs, rhs)

    return method


for _python, _semantic_name in {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "truediv",
    "floordiv": "floordiv",
    "mod": "mod",
    "and": "and_",
    "or": "or_",
    "xor": "xor_",
    "lshift": "shl",
    "rshift": "shr",
    "lt": "less_than",
    "le": "less_equal",
    "gt": "greater_than",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}.items():
    setattr(tensor, f"__{_python}__", _operator(_semantic_name, False))
    setattr(tensor, f"__r{_python}__", _operator(_semantic_name, True))
