"""Functions whose source is what gets compiled.

What: `JITCallable` holds a function's text (which may be edited), the names it sees and a key that covers
everything it refers to; `ConstexprFunction` is such a function that runs at compile time, or on the host.
Limits: a function needs a text that can be found (source_text.py).
"""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import re
import textwrap
import types

from trisect._imports import service
from trisect._locks import fork_safe_lock
from trisect._syntax import fresh_tree, syntax_tree
from trisect._utils import text_of_path

from . import altered
from .dependencies import DependenciesFinder
from .generation import edition, start_edition
from .outside import Keyed, cells_of, closed_over, current, is_constant, is_own, text_of
from .source_text import lines_of

#: Types of values that are what they are: neither constexprs nor tensors.
PLAIN_TYPES = frozenset({int, float, bool, str, type(None)})
INDENT_PATTERN = re.compile(r"^(?P<indent>[ \t]*)def\s", re.MULTILINE)
_DEF = re.compile(r"^def\s+\w+\s*\(", re.MULTILINE)

_FROM_SOURCE = frozenset(
    {"raw_src", "starting_line_number", "def_file_line_number", "def_file_col_number", "_src"}
)


def get_def_line_number(raw_src, starting_line_number: int) -> int:
    """The line in the file of the `def` of decorated source lines."""
    for offset, line in enumerate(raw_src):
        if line.strip().startswith("def "):
            return starting_line_number + offset
    return starting_line_number


def get_def_col_number(raw_src_str: str) -> int:
    """The column in the file, from 1, of the `def` of decorated source."""
    found = INDENT_PATTERN.search(raw_src_str)
    return len(found.group("indent")) + 1 if found else 1


def _outdented(lines) -> str:
    """Lines of a function, less the indentation of the first; those that begin left of it as they are."""
    indentation = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return "".join(line.removeprefix(indentation) for line in lines)


def get_full_name(fn) -> str:
    return f"{fn.__module__}.{fn.__qualname__}"


class JITCallable(Keyed):
    """A function known by its source."""

    #: (name, id of its owner) → (value, owner), for what the key covers outside of the source.
    used_global_vals: dict[tuple[str, int], tuple[object, object]] | None = None
    #: The texts of those that can change in place.
    mutable_texts: dict[tuple[str, int], str] = types.MappingProxyType({})

    #: The attributes that its text reads, of whatever it is given.
    names_read: frozenset[str] = frozenset()

    def __init__(self, fn):
        self.fn = fn
        self.signature = inspect.signature(fn)
        self.file_name = text_of_path(fn.__code__.co_filename)
        self._fn_name = get_full_name(fn)
        self._hash_lock = fork_safe_lock()
        self._hash: tuple[str, int] | None = None
        # A file may be edited after its import, so a user's source is read now. The library's own is read
        # when needed: finding the end of each function would take longer than the rest of the import.
        if not str(fn.__module__).startswith("trisect."):
            self._read_source()
        self.used_global_vals = {}

        self.__doc__ = fn.__doc__
        self.__name__ = fn.__name__
        self.__qualname__ = fn.__qualname__
        self.__globals__ = fn.__globals__
        self.__module__ = fn.__module__

    def _read_source(self) -> None:
        self.raw_src, self.starting_line_number, name = lines_of(self.fn)
        self.file_name = text_of_path(name)
        self.def_file_line_number = get_def_line_number(self.raw_src, self.starting_line_number)
        self.def_file_col_number = get_def_col_number("".join(self.raw_src))
        found = _DEF.search(text := textwrap.dedent("".join(self.raw_src)))
        if found is None:
            # A comment, a string or what stands in brackets may begin left of the function.
            found = _DEF.search(text := _outdented(self.raw_src))
        if found is None:
            raise ValueError(f"{self._fn_name}: a jit function is made with `def`")
        self._src = text[found.start() :]

    def __getattr__(self, name):
        if name in _FROM_SOURCE and self.__dict__.get("fn") is not None:
            self._read_source()
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def get_capture_scope(self) -> dict:
        """Globals of the function, shadowed by what it closes over."""
        closure = closed_over(self.fn) if self.fn.__closure__ else {}
        return {**self.__globals__, **closure} if closure else self.__globals__

    @property
    def hash(self) -> str | None:
        """The key as last computed, None if it must be computed anew."""
        return self._hash[0] if self._hash and self._hash[1] == edition() else None

    @hash.setter
    def hash(self, value):
        self._hash = None if value is None else (value, edition())

    @property
    def cache_key(self) -> str:
        """A hash of the source, of everything it refers to, and of where it stands."""
        with self._hash_lock:
            if self.hash is None:
                if self.fn is None:
                    raise RuntimeError(
                        f"{self._fn_name} came in a pickle, as text alone: it was made inside a function; "
                        "make it there again, or move it to its module"
                    )
                began = edition()
                # A recursive function meets itself here.
                self.hash = f"recursion:{self._fn_name}"
                nonlocals = closed_over(self.fn) if self.fn.__closure__ else {}
                finder = DependenciesFinder(self._fn_name, self.__globals__, nonlocals, self._src)
                finder.cells = cells_of(self.fn)
                try:
                    if not is_own(self.fn):
                        finder.record_defaults(self.fn)
                    finder.find_changes(altered.changes())
                    finder.find(self._definition(syntax_tree(self._src)))
                except BaseException as error:
                    self.hash = None
                    if isinstance(error, RecursionError):
                        raise self._too_deep() from None
                    raise
                self.used_global_vals = finder.used_global_vals
                self.mutable_texts = finder.mutable_texts
                self.names_read = frozenset(finder.read)
                text = f"{finder.ret}{self.file_name}:{self.starting_line_number}"
                self._hash = hashlib.sha256(text.encode("utf-8")).hexdigest(), began
            return self._hash[0]

    def _too_deep(self) -> Exception:
        errors = service("compiler").errors
        where = ast.Pass(lineno=1, col_offset=0)
        error = errors.CompilationError(self._src, where, errors.too_deep(self.__name__))
        return error.locate(self.file_name, self.def_file_line_number, self.def_file_col_number)

    def globals_changed(self) -> bool:
        """Whether what the key covers outside of the source is another now; then the key is computed anew."""
        for key, (value, owner) in list((self.used_global_vals or {}).items()):
            now, text = current(owner, key[0]), self.mutable_texts.get(key)
            if now is value and (text is None or text_of(now) == text):
                continue
            if is_constant(now) and type(now) is type(value) and text_of(now) == (text or text_of(value)):
                self.used_global_vals[key] = (now, owner)
                continue
            start_edition()
            return True
        return False

    def __deepcopy__(self, memo):
        return self  # as a Python function is

    def parse(self) -> ast.Module:
        """A syntax tree of the source, the caller's own."""
        return self._definition(fresh_tree(self._src))

    def _definition(self, tree: ast.Module) -> ast.Module:
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
            raise ValueError(f"{self._fn_name}: the source must be one function definition")
        return tree

    @property
    def type(self):
        return service("language").constexpr_type(self)

    def _unsafe_update_src(self, new_src: str):
        """Replaces the source text. What was compiled from the old one is kept under its own key."""
        self._src = new_src
        start_edition()

    @property
    def src(self) -> str:
        return self._src

    @src.setter
    def src(self, new_src: str):
        self._unsafe_update_src(new_src)


class ConstexprFunction(JITCallable):
    """A Python function of compile-time values, for kernels and for the host."""

    def __get__(self, obj, objclass=None):
        return self if obj is None else BoundConstexprFunction(obj, self)

    def __call__(self, *args, **kwargs):
        # In a grid this is on the path of every launch: a native one takes its place at the first.
        if not kwargs:
            for arg in args:
                if type(arg) not in PLAIN_TYPES:
                    break
            else:
                return self.fn(*args)
        return self._of_any(*args, **kwargs)

    def _of_any(self, *args, _semantic=None, **kwargs):
        language = service("language")
        unwrap = language.unwrap
        value = self.fn(*map(unwrap, args), **{name: unwrap(item) for name, item in kwargs.items()})
        return value if _semantic is None else language.as_value(value)


class BoundConstexprFunction(JITCallable):
    """A constexpr function as a method of an instance."""

    def __init__(self, instance, fn):
        self.instance = instance
        self.bound = fn
        self.__name__, self.__module__, self.__qualname__ = fn.__name__, fn.__module__, fn.__qualname__

    @property
    def cache_key(self):
        return self.bound.cache_key

    def __deepcopy__(self, memo):
        return type(self)(copy.deepcopy(self.instance, memo), self.bound)

    def __call__(self, *args, **kwargs):
        return self.bound(self.instance, *args, **kwargs)


def constexpr_function(fn) -> ConstexprFunction:
    """Marks a Python function to be evaluated at compile time when a kernel calls it."""
    return ConstexprFunction(fn)
