"""Which names in a function's text are its own wherever they are read.

What: `own_names` gives the names that a function assigns, without those that it may read where they have no
value yet: there the language takes a global, since an `if` that is decided at compile time may have left the
assignment out, and a comprehension or lambda keeps its names to itself.
Limits: what a run-time branch or loop assigned first has no value after it, and no global takes its place
(codegen/merging.py, codegen/loops.py), so such names count as assigned. A global of the name that comes later
is not waited for. No call a node: trees that programs write are deep; statements nest no deeper than Python's
parser lets them.
"""

from __future__ import annotations

import ast

from trisect._syntax import COMPREHENSIONS, nodes_below


def own_names(function: ast.FunctionDef, outside) -> set[str]:
    """Names of parameters and locals that never stand for a global; `outside` holds the names there."""
    args = function.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
    params = {arg.arg for arg in every if arg is not None}
    assigned, waiting = set(params), list(function.body)
    while waiting:
        node = waiting.pop()
        waiting += nodes_below(node)
        if isinstance(node, ast.arg):
            assigned.add(node.arg)
        elif _is_assigned(node):
            assigned.add(node.id)
    doubtful = {name for name in assigned - params if name in outside}
    if not doubtful:
        return assigned
    reader = _Reader(doubtful)
    reader.statements(function.body, params)
    return assigned - reader.exposed


def _is_assigned(node) -> bool:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _targets(*nodes) -> set[str]:
    """Names that these give a value which they keep: not those of comprehensions, but `:=` inside."""
    found, waiting = set(), [(node, False) for node in nodes]
    while waiting:
        node, inside = waiting.pop()
        if _is_assigned(node) and not inside:
            found.add(node.id)
        elif isinstance(node, ast.NamedExpr):
            waiting += [(node.target, False), (node.value, inside)]
        elif not isinstance(node, ast.Lambda):
            inside = inside or isinstance(node, COMPREHENSIONS)
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return found


class _Reader:
    """Goes through statements in order with the names that have a value."""

    def __init__(self, doubtful):
        self.doubtful = doubtful
        self.exposed: set[str] = set()

    def statements(self, body, bound) -> set[str] | None:
        """The names that have a value after the statements; None if they always return."""
        bound = set(bound)
        for statement in body:
            bound = self._statement(statement, bound)
            if bound is None:
                return None
        return bound

    def _statement(self, node, bound):
        """Adds to the names that have a value, or gives others; None where nothing follows."""
        if isinstance(node, ast.If):
            return self._branches(node, bound)
        if isinstance(node, (ast.For, ast.While)):
            self._read(node.iter if isinstance(node, ast.For) else node.test, bound)
            bound |= _targets(node.target if isinstance(node, ast.For) else node.test)
            self.statements(node.body, bound)
            bound |= _targets(*node.body)
            return bound
        self._read(node, bound)
        if isinstance(node, ast.Return):
            return None
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._load(node.target.id, bound)
        if not isinstance(node, ast.AnnAssign) or node.value is not None:
            bound |= _targets(node)
        return bound

    def _branches(self, node, bound):
        ends = []
        while True:
            self._read(node.test, bound)
            bound |= _targets(node.test)
            ends.append(self.statements(node.body, bound))
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node = node.orelse[0]
        ends.append(self.statements(node.orelse, bound))
        ends = [end for end in ends if end is not None]
        return set.intersection(*ends) if ends else None

    def _load(self, name, bound):
        if name in self.doubtful and name not in bound:
            self.exposed.add(name)

    def _read(self, tree, bound):
        """Notes what an expression, or a statement without others inside, reads before it has a value."""
        named = {each.target.id for each in ast.walk(tree) if isinstance(each, ast.NamedExpr)}
        waiting = [(tree, bound | named if named else bound)]
        while waiting:
            node, known = waiting.pop()
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    self._load(node.id, known)
                continue
            if isinstance(node, COMPREHENSIONS):
                targets = (each for part in node.generators for each in ast.walk(part.target))
                known = known | {each.id for each in targets if isinstance(each, ast.Name)}
            elif isinstance(node, ast.Lambda):
                known = known | {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
            waiting.extend((child, known) for child in ast.iter_child_nodes(node))
