"""Elementary functions.

What: functions of fp32 and fp64 (some of fp32 alone); half types are refused, because rounding once to half
would promise an accuracy that no tier has: convert to fp32 first.
"""

from . import types as _types
from .builtin import builtin, tensor_member
from .tensor import tensor


def _checked(name, value, allowed, semantic):
    value = semantic.to_tensor(value)
    scalar = value.type.scalar
    if scalar.name not in allowed:
        raise ValueError(
            f"Expected dtype {list(allowed)} but got {scalar}: {name} needs the argument converted with "
            f".to(tl.{_types.dtype(allowed[0]).codegen_name()})"
        )
    return value


def _unary(name, op, sentence, allowed=("fp32", "fp64")):
    def function(x, _semantic=None):
        return _semantic.unary(op, _checked(name, x, allowed, _semantic))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = sentence
    return tensor_member(builtin(function))


exp = _unary("exp", "math.exp", "Natural exponential.")
exp2 = _unary("exp2", "math.exp2", "Base-two exponential.")
log = _unary("log", "math.log", "Natural logarithm.")
log2 = _unary("log2", "math.log2", "Base-two logarithm.")
cos = _unary("cos", "math.cos", "Cosine, radians.")
sin = _unary("sin", "math.sin", "Sine, radians.")
sqrt = _unary("sqrt", "math.sqrt", "Square root, fast version.")
sqrt_rn = _unary("sqrt_rn", "tt.precise_sqrt", "Square root rounded to nearest, fp32 only.", ("fp32",))
rsqrt = _unary("rsqrt", "math.rsqrt", "Reciprocal square root.")
erf = _unary("erf", "math.erf", "Error function.")
floor = _unary("floor", "math.floor", "Largest integer value not above x.")
ceil = _unary("ceil", "math.ceil", "Smallest integer value not below x.")


@tensor_member
@builtin
def abs(x, _semantic=None):
    """Absolute value of floats or integers."""
    return _semantic.absolute(_semantic.to_tensor(x))


@builtin
def fdiv(x, y, ieee_rounding=False, approx=False, _semantic=None):
    """Floating division, fast unless IEEE rounding is requested."""
    return _semantic.fdiv(_semantic.to_tensor(x), _semantic.to_tensor(y), ieee_rounding, approx)


@builtin
def div_rn(x, y, _semantic=None):
    """Floating division rounded to nearest, fp32 only."""
    for value in (x, y):
        if isinstance(value, tensor):
            _checked("div_rn", value, ("fp32",), _semantic)
    x, y = _semantic.legalize(_semantic.to_tensor(x), _semantic.to_tensor(y))
    return _semantic.emit("tt.precise_divf", [x.handle, y.handle], x.type)


@builtin
def umulhi(x, y, _semantic=None):
    """Upper half of the double-width product of two integers."""
    for value in (x, y):
        if isinstance(value, tensor):
            _checked("umulhi", value, ("int32", "int64", "uint32", "uint64"), _semantic)
    return _semantic.mulhi(_semantic.to_tensor(x), _semantic.to_tensor(y))


@builtin
def fma(x, y, z, _semantic=None):
    """Fused multiply-add x*y+z with one rounding."""
    return _semantic.fma(*map(_semantic.to_tensor, (x, y, z)))
