"""What can be read off a syntax tree without types: assigned names, returns.

What: results are kept on the nodes, since trees are cached and walked again for each specialisation.
"""

import ast

_STOP = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def assigned_names(statements) -> tuple:
    """Names that statements may assign, in order of appearance; targets of inner `for` loops excepted."""
    names = {}
    for statement in statements:
        for name in _assigned_in(statement):
            names[name] = None
    return tuple(names)


def _assigned_in(node):
    known = getattr(node, "_assigned", None)
    if known is not None:
        return known
    names = {}
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            names[node.id] = None
    elif isinstance(node, ast.For):
        for child in (*node.body, *node.orelse, node.iter):
            names.update(dict.fromkeys(_assigned_in(child)))
    elif not isinstance(node, _STOP):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            base = node.value
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(base, ast.Name):
                names[base.id] = None
        for child in ast.iter_child_nodes(node):
            names.update(dict.fromkeys(_assigned_in(child)))
    node._assigned = tuple(names)
    return node._assigned


def contains_return(node) -> bool:
    """Does a statement (or list of statements) contain a `return` of the function it stands in?"""
    if isinstance(node, list):
        return any(contains_return(statement) for statement in node)
    known = getattr(node, "_contains_return", None)
    if known is None:
        known = (
            isinstance(node, ast.Return)
            or not isinstance(node, _STOP)
            and any(
                contains_return(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)
            )
        )
        node._contains_return = known
    return known


def always_returns(statements) -> bool:
    """Do the statements return whichever way their conditions go?"""
    for statement in statements:
        if isinstance(statement, ast.Return):
            return True
        if (
            isinstance(statement, ast.If)
            and statement.orelse
            and always_returns(statement.body)
            and always_returns(statement.orelse)
        ):
            return True
    return False
