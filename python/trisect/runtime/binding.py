"""From a call's arguments to the specialisation that it asks for.

What: binds arguments to parameters, gives each its type and key, makes the key under which a kernel is found
in memory, and takes a specialisation apart into options, signature, constants and attributes.
Limits: this is the first launch of a kind; the dispatcher (trisect._C.launch) does the ones that follow.
"""

from __future__ import annotations

from trisect._utils import find_paths_if, get_iterable_path

from .constants import is_plain, text_of_constant
from .outside import Keyed
from .parameters import specialize


def compute_cache_key(kernel_key_cache, specialization, options) -> str:
    """The key of a kernel in memory: a text, since 1, 1.0 and True are equal, and 0.0 and -0.0."""
    return ",".join(map(_text, specialization)) + str(options)


def _leads_on(item) -> bool:
    """Whether an item of a specialisation is more than its repr: a function, or an object that may change."""
    if isinstance(item, tuple):
        return any(map(_leads_on, item))
    return isinstance(item, Keyed) or not is_plain(item)


def _text(item):
    if isinstance(item, tuple):
        return f"({','.join(map(_text, item))})"
    return text_of_constant(item) if _leads_on(item) else repr(item)


def kwargs_as_options(kwargs, bound) -> tuple:
    """The keywords of a call that may be options."""
    return tuple(
        (name, str(value))
        for name, value in sorted(kwargs.items())
        if name not in bound or name.startswith("num_")
    )


def create_function_from_signature(sig, kparams, backend=None):
    """A function that binds a call: (name → argument, [(type, key)], options)."""
    by_name = {param.name: param for param in kparams}

    def bind(*args, **kwargs):
        options = {name: value for name, value in kwargs.items() if name not in by_name}
        own = {name: value for name, value in kwargs.items() if name in by_name}
        bound = sig.bind(*args, **own)
        bound.apply_defaults()
        arguments = {param.name: bound.arguments[param.name] for param in kparams}
        return arguments, [_specialized(arguments[param.name], param) for param in kparams], options

    return bind


def _specialized(value, param):
    try:
        return specialize(value, param)
    except (TypeError, OverflowError, ValueError) as error:
        raise type(error)(f"argument '{param.name}': {error}") from None
    except RuntimeError as error:  # of the tensor's own library
        text = f"argument '{param.name}': the address of a {type(value).__name__} cannot be read: {error}"
        raise RuntimeError(text) from error


def pack_args(function, backend, kwargs, bound, specialization, extra):
    """(options, signature, constants, attributes) of a specialisation."""
    options = backend.parse_options({**kwargs, **function.launch_options})
    for name in extra:
        if name not in options.__dict__ and name not in ("debug", "instrumentation_mode"):
            known = ", ".join(sorted(options.__dict__))
            raise KeyError(
                f"Keyword argument {name} was specified but unrecognised: kernel '{function.__name__}' "
                f"has no such parameter, and the launch options are {known}"
            )
    names = list(bound)
    signature = {name: kind for name, (kind, _) in zip(names, specialization, strict=True)}
    values = list(bound.values())
    kinds = list(signature.values())
    constants = {
        path: get_iterable_path(values, path) for path in find_paths_if(kinds, lambda _, k: k == "constexpr")
    }
    keys = [key if kind != "constexpr" else None for kind, key in specialization]
    attrs = {
        path: backend.parse_attr(get_iterable_path(keys, path))
        for path in find_paths_if(
            keys, lambda path, key: isinstance(key, str) and _kind_at(kinds, path) != "constexpr"
        )
    }
    return options, signature, constants, {path: attr for path, attr in attrs.items() if attr}


def _kind_at(kinds, path):
    """The type at a path; the entry of its parameter where that is not a tuple."""
    current = kinds
    for index in path:
        if not isinstance(current, (tuple, list)):
            break
        current = current[index]
    return current
