"""Syntax trees, in several threads, and walking them, fast: first launches do so several times.

What: `fresh_tree` is ast.parse, one call at a time; `syntax_tree` keeps trees by their text, so nobody may
change one; `nodes_below` is what a walk goes on with.
Why: Python 3.11 counts how deep it is in a tree for all threads together; two that make trees at once end in
a SystemError. Limits: against other code of the process that parses at the same time it can only try again.
"""

from __future__ import annotations

import ast
import functools

from trisect._locks import fork_safe_lock

_one = fork_safe_lock()
_TRIES = 5

#: Expressions whose loop variables are their own.
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def fresh_tree(text: str) -> ast.Module:
    with _one:
        for _ in range(_TRIES - 1):
            try:
                return ast.parse(text)
            except SystemError:
                continue
        return ast.parse(text)


@functools.lru_cache(maxsize=4096)
def syntax_tree(text: str) -> ast.Module:
    return fresh_tree(text)


def nodes_below(node) -> list:
    """The nodes of a node that have nodes or a name themselves: no operators, no contexts."""
    found = []
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, list):
            found += [child for child in part if isinstance(child, ast.AST) and child._fields]
        elif isinstance(part, ast.AST) and part._fields:
            found.append(part)
    return found
