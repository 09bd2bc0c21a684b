"""What a kernel's text refers to outside of itself.

What: walks the syntax tree of a function and hashes every jit function, helper, class and global that it
names, so that two kernels with one key are one program; notes what each of these names held, so that a
launch can tell that one of them holds something else now.
Limits: names are resolved when the key is made. Names of this package's modules are hashed, not noted.
"""

from __future__ import annotations

import ast
import hashlib
import types

from trisect._syntax import nodes_below

from .outside import ABSENT, Keyed, cells_of, is_constexpr, is_mutable, is_own, text_of


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
        self._seen: set[int] = set()
        self._waiting: list[ast.AST] = []

    @property
    def ret(self) -> str:
        return self.hasher.hexdigest()

    def find(self, tree: ast.AST) -> str:
        """Walks a tree whose local names shadow globals; returns the hash."""
        self.local_names = _local_names(tree)
        self._waiting.append(tree)
        while self._waiting:
            self.visit(self._waiting.pop())
        return self.ret

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
        owner = self.visit(node.value)
        if is_constexpr(owner):
            owner = owner.value
        if owner is None:
            return None
        value = getattr(owner, node.attr, None)
        if not isinstance(owner, (types.ModuleType, type)):
            # A constant's own text is hashed already; a member may change in place.
            if value is not None and not callable(value) and node.attr in getattr(owner, "__dict__", ()):
                self._note(node.attr, value, owner)
            return value
        if is_own(owner):
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
            return
        self._note(name, value, owner)
        if value is ABSENT or value is None:
            return
        self._update(f"{name}:{text_of(value)}")
        if isinstance(value, Keyed):
            self._update(f"{getattr(value, 'noinline', '')}")
            if not is_own(value):
                self._adopt(value)
        elif is_constexpr(value):
            self._note("value", value.value, value)
        elif is_own(value) or id(value) in self._seen:
            return
        elif isinstance(value, types.FunctionType):
            self._seen.add(id(value))
            self._record_function(value)
        elif isinstance(value, type):
            self._seen.add(id(value))
            self._record_class(value)
        elif type(value) in (tuple, list):
            for item in value:
                if isinstance(item, Keyed) and not is_own(item):
                    self._adopt(item)

    def _adopt(self, function):
        self.used_global_vals.update(function.used_global_vals or {})
        self.mutable_texts.update(function.mutable_texts)

    def _record_function(self, function):
        """A Python function that runs while a kernel is compiled, and what it names."""
        self._note("__code__", function.__code__, function)
        for name, cell in cells_of(function).items():
            self._record("cell_contents", getattr(cell, "cell_contents", ABSENT), cell)
            self._update(name)
        for name in _names_in(function.__code__):
            if name in function.__globals__:
                self._record(name, function.__globals__[name], function.__globals__)

    def _record_class(self, cls):
        """What a kernel may find in a class without naming it: methods, and constants of its own."""
        for home in cls.__mro__:
            if is_own(home) or home.__module__ == "builtins":
                continue
            self._update(repr(sorted(vars(home).get("__annotations__", {}).items(), key=lambda it: it[0])))
            for key, member in vars(home).items():
                counts = isinstance(member, (Keyed, types.FunctionType)) or is_constexpr(member)
                if counts and getattr(cls, key, None) is member:
                    self._record(key, member, cls)

    def _update(self, text):
        self.hasher.update(text.encode("utf-8", "backslashreplace"))


def _names_in(code) -> list[str]:
    """Names that a code object and those inside it may read from globals; names of attributes too."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names += _names_in(constant)
    return names


def _local_names(tree) -> set[str]:
    names, waiting = set(), [tree]
    while waiting:
        node = waiting.pop()
        waiting += nodes_below(node)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef) and node is not tree.body[0]:
            names.add(node.name)
    return names
