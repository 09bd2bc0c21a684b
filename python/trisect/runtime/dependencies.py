"""What a kernel's text refers to outside of itself.

What: walks the syntax tree of a function and hashes every jit function, helper, class and global that it
names, so that two kernels with one key are one program.
Limits: names are resolved when the key is made; attributes are followed through modules and classes only.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import types

#: Changes of these packages change the key of the whole package already.
_OWN = ("trisect.", "triton.")


class DependenciesFinder(ast.NodeVisitor):
    """Collects the hash of everything that `src` names, and the globals it reads."""

    def __init__(self, name, globals, nonlocals, src) -> None:
        super().__init__()
        self.name = name
        self.globals = globals
        self.nonlocals = nonlocals
        self.hasher = hashlib.sha256(src.encode("utf-8"))
        self.supported_python_builtins = frozenset(dir(builtins))
        #: (name, id of its dictionary) → (value, dictionary): must be unchanged at each launch.
        self.used_global_vals: dict[tuple[str, int], tuple[object, dict]] = {}
        self.local_names: set[str] = set()

    @property
    def ret(self) -> str:
        return self.hasher.hexdigest()

    def find(self, tree: ast.AST) -> str:
        """Walks a tree whose local names shadow globals; returns the hash."""
        self.local_names = _local_names(tree)
        self.visit(tree)
        return self.ret

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or node.id in self.local_names:
            return None
        for scope in (self.nonlocals, self.globals):
            if node.id in scope:
                value = scope[node.id]
                self._record(node.id, value, scope)
                return value
        return None

    def visit_Attribute(self, node):
        owner = self.visit(node.value)
        if not isinstance(owner, (types.ModuleType, type)):
            return None
        value = getattr(owner, node.attr, None)
        if not getattr(owner, "__name__", "").startswith(_OWN):
            self._record(node.attr, value, vars(owner))
        return value

    def visit_FunctionDef(self, node):
        # Annotations and decorators do not run; defaults do.
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        for statement in node.body:
            self.visit(statement)

    def _record(self, name, value, scope):
        from .callable import JITCallable

        if value is None or isinstance(value, types.ModuleType):
            return
        if isinstance(value, JITCallable):
            if not str(value.__module__).startswith(_OWN):
                self._update(f"{name}:{value.cache_key}:{getattr(value, 'noinline', '')}")
                self.used_global_vals.update(value.used_global_vals or {})
            return
        is_constant = type(value).__name__ == "constexpr"
        if str(getattr(value, "__module__", "")).startswith(_OWN) and callable(value) and not is_constant:
            return
        if inspect.isfunction(value):
            code = value.__code__
            self._update(f"{name}:{code.co_code!r}:{code.co_consts!r}:{code.co_names!r}")
        elif isinstance(value, type):
            self._record_class(name, value)
        elif is_constant or not callable(value):
            self._update(f"{name}={value!r}")
            if isinstance(scope, dict):
                self.used_global_vals[(name, id(scope))] = (value, scope)

    def _record_class(self, name, cls):
        from .callable import JITCallable

        self._update(f"{name}:{cls.__module__}.{cls.__qualname__}")
        for key, member in vars(cls).items():
            if isinstance(member, JITCallable):
                self._update(f"{key}:{member.cache_key}")

    def _update(self, text):
        self.hasher.update(text.encode("utf-8", "backslashreplace"))


def _local_names(tree) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef) and node is not tree.body[0]:
            names.add(node.name)
    return names
