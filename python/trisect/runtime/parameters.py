"""Parameters of kernels and the specialisation of their arguments.

What: `KernelParam` reads annotation, default and flags of one parameter; `specialize` gives the type and key
of its argument; `mangle_type` the type alone.
"""

from __future__ import annotations

import inspect

from trisect._locks import lazy
from trisect._utils import type_canonicalisation_dict

from ._native import launch

_SPELLINGS = frozenset(type_canonicalisation_dict.values())


class KernelParam:
    """One parameter of a kernel."""

    def __init__(self, num, param, do_not_specialize, do_not_specialize_on_alignment):
        self.num = num
        self._param = param
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment

    @lazy
    def name(self) -> str:
        return self._param.name

    @lazy
    def annotation(self) -> str:
        """The annotation as text; type names in the spelling of signatures."""
        annotation = self._param.annotation
        if annotation is inspect.Parameter.empty:
            return ""
        return _normalize(annotation)

    @lazy
    def annotation_type(self) -> str:
        """The type that the annotation demands, in the spelling of signatures; empty if it demands none."""
        # `int` says nothing of the width, and a size may need 64 bits.
        if self._param.annotation in (int, "int"):
            return ""
        bare = self.annotation
        bare = bare[2:] if bare.startswith("*k") else bare[1:] if bare.startswith("*") else bare
        return self.annotation if bare in _SPELLINGS else ""

    @lazy
    def is_constexpr(self) -> bool:
        return "constexpr" in self.annotation

    @lazy
    def is_const(self) -> bool:
        if self.is_constexpr:
            return False
        return "const" in self.annotation or self.annotation.startswith("*k")

    @property
    def default(self):
        return self._param.default

    @property
    def has_default(self) -> bool:
        return self._param.default is not inspect.Parameter.empty

    @property
    def is_keyword_only(self) -> bool:
        return self._param.kind is inspect.Parameter.KEYWORD_ONLY


def _normalize(annotation) -> str:
    if isinstance(annotation, str):
        text = annotation.strip().strip("'\"")
        if text.startswith("const "):
            text = text.removeprefix("const")
            return f"*k{_normalize(text.rstrip('* '))}"
        if text.endswith("*"):
            return f"*{_normalize(text[:-1])}"
        if text.startswith("*"):
            marks = "*k" if text.startswith("*k") else "*"
            return marks + _normalize(text[len(marks) :])
        last = text.split(".")[-1]
        return type_canonicalisation_dict.get(last, last)
    if hasattr(annotation, "element_ty"):
        marks = "*k" if getattr(annotation, "const", False) else "*"
        return marks + _normalize(annotation.element_ty)
    if isinstance(annotation, type):
        return type_canonicalisation_dict.get(annotation.__name__, annotation.__name__)
    name = str(getattr(annotation, "name", annotation))
    return type_canonicalisation_dict.get(name, name)


def specialize(value, param: KernelParam):
    """(type, key) of an argument for a parameter."""
    if param.is_constexpr:
        return "constexpr", value
    kind, key = launch().specialize(
        value, param.is_const, not param.do_not_specialize, not param.do_not_specialize_on_alignment
    )
    wanted = param.annotation_type
    if not wanted or value is None:
        return kind, key
    if kind == "constexpr" or wanted == "u1" or wanted.startswith(("fp", "bf")):
        # An annotated type is kept as it is: floats and bools have no key, and 1 stays a run-time value.
        return wanted, None if kind != "constexpr" or param.do_not_specialize else ""
    return wanted, key


def mangle_type(arg, specialize=False) -> str:
    """The type of an argument in the spelling of signatures, with its key if asked for."""
    kind, key = launch().specialize(arg, False, bool(specialize), bool(specialize))
    if isinstance(kind, tuple):
        return str(kind)
    return kind + key if specialize and isinstance(key, str) else kind


def native_specialize_impl(backend, arg, is_const, specialize_value, align):
    """(type, key) of an argument; the backend has no rules of its own."""
    return launch().specialize(arg, bool(is_const), bool(specialize_value), bool(align))
