"""Marking functions of the language.

What: `builtin` marks a Python function that the code generator calls with `_semantic=` (and `_generator=`
where it asks for it); `extern` the same for library symbols; `tensor_member` also makes it a method of
`tensor`; `must_use_result` a compile error of a dropped result.
Limits: libraries define builtins of their own by setting `__triton_builtin__`, so the mark is an attribute
and the signature is read from the function, never from a registry.
"""

import functools
import inspect

TRITON_BUILTIN = "__triton_builtin__"
_MUST_USE_RESULT = "__triton_must_use_result__"


def builtin(fn):
    """Marks `fn` as callable only inside kernels."""

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if kwargs.get("_semantic") is None:
            raise ValueError(
                f"Did you forget to add @triton.jit ? `{fn.__name__}` runs only inside kernels "
                "(`_semantic` argument must be provided outside of JIT functions.)"
            )
        return fn(*args, **kwargs)

    setattr(wrapper, TRITON_BUILTIN, True)
    wrapper.signature = inspect.signature(fn)
    return wrapper


def extern(fn):
    """Marks `fn` as a function that maps to a symbol of an external library."""
    return builtin(fn)


def is_builtin(fn) -> bool:
    return getattr(fn, TRITON_BUILTIN, False)


def tensor_member(fn):
    """Attaches a builtin or jit function to `tensor`, which becomes its first argument."""
    from .tensor import tensor

    name = fn.__name__
    setattr(tensor, name, fn)
    return fn


def must_use_result(x, s=True):
    """Makes a call whose result is dropped a compile error; `s` may be the sentence to show."""
    if isinstance(x, str):
        return functools.partial(must_use_result, s=x)
    setattr(x, _MUST_USE_RESULT, s)
    return x


def must_use_sentence(fn):
    """What to tell a user who drops the result of `fn`: a sentence, True, or None where dropping is fine."""
    return getattr(fn, _MUST_USE_RESULT, None)
