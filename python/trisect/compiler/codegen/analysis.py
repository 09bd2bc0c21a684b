"""What can be read off a syntax tree without types: assigned names, returns, what is long.

What: results are kept on the nodes, since trees are cached and walked again for each specialisation.
Limits: nothing here calls itself once a node, since trees that programs write are deep.
"""

import ast

from trisect._syntax import COMPREHENSIONS, nodes_below

_OWN_SCOPE = (ast.FunctionDef, ast.Lambda, *COMPREHENSIONS)

#: What the language evaluates first of an expression, so that chains of these can be walked from their end.
FIRST_PART = {
    ast.Attribute: "value",
    ast.BinOp: "left",
    ast.Call: "func",
    ast.Compare: "left",
    ast.Subscript: "value",
    ast.UnaryOp: "operand",
}
_STRIDE = 16


def _inside(node, children):
    """A node and everything below it that belongs to the same function, in order."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _OWN_SCOPE):
            waiting.extend(reversed(list(children(node))))


def _but_targets(node):
    """The parts of a node; of a `for` not its target."""
    if isinstance(node, ast.For):
        return (*node.body, *node.orelse, node.iter)
    return ast.iter_child_nodes(node)


def _statements(node):
    return (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))


def assigned_names(statements) -> tuple:
    """Names that statements may assign, in order of appearance; targets of inner `for` loops excepted."""
    names = {}
    for statement in statements:
        known = getattr(statement, "_assigned", None)
        if known is None:
            known = statement._assigned = tuple(dict.fromkeys(_assigned_in(statement)))
        names.update(dict.fromkeys(known))
    return tuple(names)


def _assigned_in(statement):
    for node in _inside(statement, _but_targets):
        if isinstance(node, COMPREHENSIONS):
            yield from (each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
        if not isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        if (name := target_name(node)) is not None:
            yield name


def target_name(node) -> str | None:
    """The variable that an assignment to a target sets or changes."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed_in_place(statements) -> set:
    """Names of which statements assign elements."""
    nodes = (node for statement in statements for node in _inside(statement, ast.iter_child_nodes))
    return {
        target_name(node)
        for node in nodes
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    }


def unrolled_targets(statements) -> dict:
    """Targets of loops inside that may be unrolled, whose last values stay → whether the next pass of a loop
    around these statements may read one before it is set again."""
    found = {}
    for statement in statements:
        for node in _inside(statement, ast.iter_child_nodes):
            if isinstance(node, ast.For) and not _counts_at_run_time(node.iter):
                names = (each.id for each in ast.walk(node.target) if isinstance(each, ast.Name))
                found.update((name, _read_first(statements, name)) for name in names)
    return found


def _counts_at_run_time(iterator) -> bool:
    called = getattr(iterator, "func", None)
    return "range" in (getattr(called, "id", None), getattr(called, "attr", None))


def _binds(node, name) -> bool:
    return isinstance(node, ast.For) and name in (getattr(each, "id", None) for each in ast.walk(node.target))


def _read_first(statements, name) -> bool:
    """May statements read a name before one of them that is a `for` gives it a value?"""
    for statement in statements:
        waiting = [statement]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                return True
            waiting.extend([node.iter] if _binds(node, name) else ast.iter_child_nodes(node))
        if _binds(statement, name):
            return False
    return False


def contains_return(node) -> bool:
    """Does a statement (or list of statements) contain a `return` of the function it stands in?"""
    if isinstance(node, list):
        return any(contains_return(statement) for statement in node)
    known = getattr(node, "_contains_return", None)
    if known is None:
        known = any(isinstance(each, ast.Return) for each in _inside(node, _statements))
        node._contains_return = known
    return known


def always_returns(statements) -> bool:
    """Do the statements return whichever way their conditions go?"""
    return any(
        isinstance(statement, ast.Return)
        or isinstance(statement, ast.If)
        and all(always_returns(way) for way in ways_of(statement))
        for statement in statements
    )


def ways_of(node) -> list:
    """The statements of each way through an `if` with its `elif`s; the last may be empty."""
    return [*(link.body for link in links_of(node)), links_of(node)[-1].orelse]


def links_of(node) -> list:
    """An `if` and its `elif`s; a ternary and those after its `else`."""
    links = [node]
    if isinstance(node, ast.IfExp):
        while isinstance(links[-1].orelse, ast.IfExp):
            links.append(links[-1].orelse)
        return links
    while len(rest := links[-1].orelse) == 1 and isinstance(rest[0], ast.If):
        links.append(rest[0])
    return links


def _is_short(node) -> bool:
    """Whether a node has too little text for a long expression: each part of one takes a character."""
    if not isinstance(node, ast.expr):
        return False
    return node.end_lineno == node.lineno and node.end_col_offset - node.col_offset <= 2 * _STRIDE


def long_expressions(tree) -> dict:
    """Expression → what to evaluate before it, in order, for those that nest deeply in their first part."""
    known = getattr(tree, "_long", None)
    if known is not None:
        return known
    found, inner, waiting = {}, set(), [tree]
    while waiting:
        node = waiting.pop()
        if _is_short(node):
            continue
        waiting += nodes_below(node)
        if node in inner or type(node) not in FIRST_PART:
            continue
        spine = [node]
        while type(spine[-1]) in FIRST_PART:
            spine.append(getattr(spine[-1], FIRST_PART[type(spine[-1])]))
        inner.update(spine)
        if len(spine) > 2 * _STRIDE:
            found[node] = spine[_STRIDE::_STRIDE][::-1]
    tree._long = found
    return found
