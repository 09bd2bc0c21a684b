"""Names: local variables, closures, globals, Python's builtins.

What: local names are a dictionary that control flow copies and merges. A global may be read only if it
cannot change what the kernel means unnoticed: modules, functions, types and constexpr values; any other
global is refused by name.
"""

import types

from trisect import knobs
from trisect.language.base import base_value
from trisect.language.constexpr import constexpr
from trisect.language.ops import arithmetic, debugging
from trisect.language.tuples import as_value
from trisect.language.types import dtype

PYTHON_BUILTINS = {
    "len": len,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "range": range,
    "float": float,
    "int": int,
    "bool": bool,
    "str": str,
    "repr": repr,
    "isinstance": isinstance,
    "issubclass": issubclass,
    "type": type,
    "getattr": getattr,
    "hasattr": hasattr,
    "zip": zip,
    "enumerate": enumerate,
    "reversed": reversed,
    "sorted": sorted,
    "all": all,
    "any": any,
    "round": round,
    "divmod": divmod,
    "pow": pow,
    "callable": callable,
    "slice": slice,
    "ValueError": ValueError,
    "TypeError": TypeError,
    "NotImplemented": NotImplemented,
    "Exception": Exception,
    "breakpoint": breakpoint,
    "super": super,
    "property": property,
    "id": id,
    "print": debugging.plain_print,
    "min": arithmetic.builtin_min,
    "max": arithmetic.builtin_max,
}

_REFUSED = (
    "Cannot access global variable {name} from within @jit'ed function. "
    "Triton kernels can only access global variables that are instanstiated as constexpr "
    "(`x = triton.language.constexpr(42)`). "
    "Note that this is different from annotating a variable as constexpr "
    "(`x: triton.language.constexpr = 42`). Pass it as an argument, make it a constexpr, "
    "or set TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=1 to accept that a change of it goes unnoticed."
)


class Conflict(base_value):
    """A name whose values from different paths do not go together; an error only if it is used."""

    def __init__(self, message, node):
        self.message, self.node = message, node

    def flatten_ir(self, handles):
        raise TypeError(self.message)


def capture_scope(fn) -> dict:
    """Globals that a function sees, shadowed by what it closes over."""
    capture = getattr(fn, "get_capture_scope", None)
    if capture is not None:
        return capture()
    python = fn.fn
    closure = python.__closure__ or ()
    nonlocals = {}
    for name, cell in zip(python.__code__.co_freevars, closure, strict=True):
        try:
            nonlocals[name] = cell.cell_contents
        except ValueError:
            continue
    return {**python.__globals__, **nonlocals} if nonlocals else python.__globals__


def is_jit_function(value) -> bool:
    """A function compiled from its source, such as `triton.jit` makes."""
    return hasattr(value, "src") and hasattr(value, "arg_names") and hasattr(value, "params")


def is_constexpr_function(value) -> bool:
    """A function that `triton.constexpr_function` marked: Python, run while compiling."""
    return hasattr(value, "src") and hasattr(value, "fn") and not hasattr(value, "params")


def is_code(value) -> bool:
    """A function, class or module."""
    plain = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
    return isinstance(value, plain) or is_jit_function(value) or is_constexpr_function(value)


class GlobalNames:
    """Look-up of names that are not local to a function."""

    def __init__(self, fn, module_map):
        self.names = capture_scope(fn)
        self.module_map = module_map or {}
        self.cache = {}

    def find(self, name: str):
        """The value of a non-local name; KeyError if there is none, NameError if it must not be used."""
        found = self.cache.get(name)
        if found is None:
            found = self.cache[name] = self._resolve(name)
        return found

    def _resolve(self, name):
        if name in self.names:
            value = self.mapped(self.names[name])
            if not self._allowed(name, value):
                raise NameError(_REFUSED.format(name=name))
            return as_value(value)
        if name in PYTHON_BUILTINS:
            return constexpr(PYTHON_BUILTINS[name])
        raise KeyError(name)

    def mapped(self, value):
        """A library module, or a function of one, in the form the target wants."""
        if not self.module_map:
            return value
        if isinstance(value, types.ModuleType):
            return self.module_map.get(value.__name__, value)
        home = self.module_map.get(getattr(value, "__module__", None))
        return getattr(home, value.__name__, value) if home is not None else value

    def _allowed(self, name, value):
        if (
            isinstance(value, (base_value, types.ModuleType, dtype))
            or callable(value)
            or is_jit_function(value)
        ):
            return True
        if (
            isinstance(value, (tuple, list))
            and value
            and all(isinstance(item, base_value) or callable(item) for item in value)
        ):
            return True
        if value is None and name in ("None",):
            return True
        if getattr(value, "__module__", "").startswith("trisect."):
            return True
        return knobs.compilation.allow_non_constexpr_globals
