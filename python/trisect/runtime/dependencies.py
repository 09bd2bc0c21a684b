"""What a kernel's text refers to outside of itself.

What: walks the syntax tree of a function and hashes every jit function, helper, class and global that it
names, so that two kernels with one key are one program; notes what each of these names held, so that a
launch can tell that one of them holds something else now.
Limits: names are resolved when the key is made. Names of this package's modules are hashed, not noted, unless
somebody has put something else there. What Python functions of installed libraries read of objects is not
looked for, nor what no name leads to: the environment, context variables, what a file holds.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import types

from trisect._syntax import nodes_below

from .outside import (
    ABSENT,
    Keyed,
    cells_of,
    current,
    defaults_of,
    is_constexpr,
    is_installed,
    is_instance,
    is_mutable,
    is_own,
    is_platform,
    text_of,
)
from .own_names import own_names


class DependenciesFinder(ast.NodeVisitor):
    """Collects the hash of everything that `src` names, and the values that these names hold."""

    def __init__(self, name, globals, nonlocals, src) -> None:
        super().__init__()
        self.name = name
        self.globals = globals
        self.nonlocals = nonlocals
        self.cells: dict = {}
        self.hasher = hashlib.sha256(src.encode("utf-8"))
        #: (name, id of its owner) → (value, owner): must be unchanged at each launch (outside.py).
        self.used_global_vals: dict[tuple[str, int], tuple[object, object]] = {}
        #: The texts of those that can change in place.
        self.mutable_texts: dict[tuple[str, int], str] = {}
        self.local_names: set[str] = set()
        self._seen: dict[int, object] = {}
        #: Names that code reads, of attributes too; and the objects that may have them.
        self.read: set[str] = set()
        self._instances: list[object] = []
        self._whole = False
        self._waiting: list[ast.AST] = []

    @property
    def ret(self) -> str:
        return self.hasher.hexdigest()

    def find(self, tree: ast.AST) -> str:
        """Walks a tree whose local names shadow globals; returns the hash."""
        self.local_names = own_names(tree.body[0], {**self.globals, **self.nonlocals})
        self._waiting.append(tree)
        while self._waiting:
            self.visit(self._waiting.pop())
        self._record_members()
        return self.ret

    def find_value(self, value) -> str:
        """Follows a value, and all that objects hold in it; returns the hash."""
        self._whole = True
        self._follow(value)
        self._record_members()
        return self.ret

    def find_changes(self, rows) -> None:
        """What a program has put into the language, whether this function names it or what it calls does."""
        for text, name, value, owner in rows:
            self._update(f"{text}={text_of(value)}")
            self._record(name, value, vars(owner) if isinstance(owner, types.ModuleType) else owner)

    def generic_visit(self, node):
        # Later, and not from here: expressions that programs write nest deeply.
        self._waiting.extend(reversed(nodes_below(node)))

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or node.id in self.local_names:
            return None
        if node.id in self.nonlocals:
            value = self.nonlocals[node.id]
            cell = self.cells.get(node.id)
            if cell is None:
                self._record(node.id, value, self.nonlocals)
            else:
                self._record("cell_contents", value, cell)
            return value
        value = self.globals.get(node.id, ABSENT)
        self._record(node.id, value, self.globals)
        return None if value is ABSENT else value

    def visit_Attribute(self, node):
        self.read.add(node.attr)
        owner = self.visit(node.value)
        if is_constexpr(owner):
            owner = owner.value
        if owner is None:
            return None
        value = getattr(owner, node.attr, None)
        if not isinstance(owner, (types.ModuleType, type)):
            if is_instance(owner):
                self._record_member(owner, node.attr)
                self._follow(type(owner))
            return value
        if is_own(owner) and (is_own(value) or not callable(value)) and not is_constexpr(value):
            self._update(f"{node.attr}:{owner.__name__}")
        else:
            self._record(node.attr, value, vars(owner) if isinstance(owner, types.ModuleType) else owner)
        return value

    def visit_FunctionDef(self, node):
        # Annotations and decorators do not run; defaults do.
        defaults = (*node.args.defaults, *filter(None, node.args.kw_defaults))
        self._waiting.extend(reversed((*defaults, *node.body)))

    def _note(self, name, value, owner):
        key = (name, id(owner))
        self.used_global_vals[key] = (value, owner)
        if is_mutable(value):
            self.mutable_texts[key] = text_of(value)

    def _record(self, name, value, owner):
        if isinstance(value, types.ModuleType):
            if not is_own(value):
                self._note(name, value, owner)
                self._follow_module(value)
            return
        self._note(name, value, owner)
        if value is ABSENT or value is None:
            return
        self._update(f"{name}:{text_of(value)}")
        self._follow(value)

    def _follow_module(self, module):
        if not is_installed(module.__name__) and id(module) not in self._seen:
            self._seen[id(module)] = module
            self._instances.append(module)

    def _follow(self, value):
        """Records what a value leads to."""
        if isinstance(value, Keyed):
            self._update(f"{getattr(value, 'noinline', '')}")
            if not is_own(value):
                self._adopt(value)
        elif is_constexpr(value):
            self._note("value", value.value, value)
            self._follow(value.value)
        elif isinstance(value, types.ModuleType):
            self._follow_module(value)
        elif is_own(value) or id(value) in self._seen:
            return
        else:
            self._seen[id(value)] = value
            self._follow_python(value)

    def _follow_python(self, value):
        inner = getattr(value, "__wrapped__", None)
        if isinstance(value, types.FunctionType):
            self._record_function(value)
        elif isinstance(value, type):
            self._record_class(value)
        elif isinstance(value, (tuple, list)):
            self._follow_all(value)
        elif isinstance(value, (set, frozenset)):
            self._follow_all(sorted(value, key=text_of))
        elif isinstance(value, dict):
            self._follow_all(value.values())
        elif isinstance(value, types.MethodType):
            self._follow_all((value.__func__, value.__self__))
        elif isinstance(value, functools.partial):
            self._follow_all((value.func, *value.args, *value.keywords.values()))
        elif isinstance(value, (staticmethod, classmethod)):
            self._follow(value.__func__)
        elif isinstance(value, (property, functools.cached_property)):
            self._follow(value.fget if isinstance(value, property) else value.func)
        elif isinstance(inner, types.FunctionType):  # what functools.lru_cache made, for one
            self._record("__wrapped__", inner, value)
        elif is_instance(value):
            self._instances.append(value)
            self._follow(type(value))

    def _follow_all(self, values):
        for value in values:
            self._follow(value)

    def _adopt(self, function):
        self.used_global_vals.update(function.used_global_vals or {})
        self.mutable_texts.update(function.mutable_texts)
        self.read |= function.names_read
        if fn := getattr(function, "fn", None):  # none where it came in a pickle
            self._note_defaults(inspect.unwrap(fn))

    def _note_defaults(self, fn):
        """What a function's parameters have by default may be set anew, and those with names in place."""
        if fn.__defaults__ is not None:
            self._note("__defaults__", fn.__defaults__, fn)
        if fn.__kwdefaults__ is not None:
            # As a dictionary it would count as one that changes at any time.
            self.used_global_vals["__kwdefaults__", id(fn)] = fn.__kwdefaults__, fn
            for name, value in fn.__kwdefaults__.items():
                self._note(name, value, fn.__kwdefaults__)

    def record_defaults(self, fn):
        """The values that the defaults of a jit function have, whatever its text says of them."""
        fn = inspect.unwrap(fn)
        self._update(text_of(defaults_of(fn)))
        self._follow_defaults(fn)

    def _follow_defaults(self, fn):
        positional, named = defaults_of(fn)
        self._follow_all((*positional, *named.values()))

    def _record_function(self, function):
        """A Python function that runs while a kernel is compiled, and what it names."""
        self._note("__code__", function.__code__, function)
        self._note_defaults(function)
        self._follow_defaults(function)
        for name, cell in cells_of(function).items():
            self._record("cell_contents", getattr(cell, "cell_contents", ABSENT), cell)
            self._update(name)
        names = _names_in(function.__code__)
        if not is_installed(function.__module__):
            self.read.update(names)
            self._instances.append(function)
        for name in names:
            if name in function.__globals__:
                self._record(name, function.__globals__[name], function.__globals__)

    def _record_class(self, cls):
        """What a kernel may find in a class without naming it: methods, and constants of its own."""
        for home in cls.__mro__:
            if is_own(home) or is_platform(home.__module__):
                continue
            self._update(repr(sorted(vars(home).get("__annotations__", {}).items(), key=lambda it: it[0])))
            for key, member in vars(home).items():
                counts = isinstance(member, (Keyed, types.FunctionType)) or is_constexpr(member)
                if counts and getattr(cls, key, None) is member:
                    self._record(key, member, cls)
                elif isinstance(member, _WRAPPERS):
                    self._follow(member)
        if not is_platform(cls.__module__):
            self._instances.append(cls)

    def _record_members(self):
        """What objects, classes, functions and modules hold under the names that code reads."""
        done: set[tuple[str, int]] = set()
        while open := [(each, name) for each in self._instances for name in self._names_of(each)
                       if (name, id(each)) not in done]:  # fmt: skip
            for each, name in open:
                done.add((name, id(each)))
                if not name.startswith("__"):
                    self._record_member(each, name)

    def _names_of(self, each) -> list[str]:
        if not self._whole or isinstance(each, (types.ModuleType, types.FunctionType)):
            return sorted(self.read)
        if isinstance(each, type):
            homes = [home for home in each.__mro__ if not (is_own(home) or is_platform(home.__module__))]
            return sorted(self.read.union(*map(vars, homes)))
        slots = [vars(home).get("__slots__", ()) for home in type(each).__mro__]
        named = [name for some in slots for name in ([some] if isinstance(some, str) else some)]
        return sorted(self.read.union(named, getattr(each, "__dict__", ())))

    def _record_member(self, owner, name):
        """What an owner holds under a name, if it is no method or property: their code is in its class."""
        kept = inspect.getattr_static(owner, name, ABSENT)
        if kept is ABSENT or isinstance(kept, _WRAPPERS):
            return
        value = current(owner, name)  # a slot gives what it holds
        if not isinstance(value, (types.MethodType, types.BuiltinMethodType)):
            self._record(name, value, vars(owner) if isinstance(owner, types.ModuleType) else owner)

    def _update(self, text):
        self.hasher.update(text.encode("utf-8", "backslashreplace"))


_WRAPPERS = (staticmethod, classmethod, property, functools.cached_property)


def _names_in(code) -> list[str]:
    """Names of globals and attributes that a code object and those inside it may read, by getattr() too."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names += _names_in(constant)
        elif isinstance(constant, str) and constant.isidentifier():
            names.append(constant)
    return names
