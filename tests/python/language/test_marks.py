"""Marks for the debugger: where statements begin, and which variables exist there."""

import re

from frontend import compile_kernel, ops, text_of

import trisect.language as tl
from trisect import jit

DEBUGGER = {"instrumentation_mode": "debugger"}


@jit
def doubled(value):
    twice = value * 2
    return twice


@jit
def kernel(out, n, SIZE: tl.constexpr):
    """Not a statement."""
    pair = (n, n + 1)
    total = pair[0]
    while total < SIZE:
        total = doubled(total)
    if SIZE > 4:
        breakpoint()
    tl.store(out, total + tl.cdiv(n, 2))


def marks(module):
    """(function, kind, names, constants) of each mark, in the order of the text."""
    found = re.findall(r'tt\.print "(\w+)" \{.*?tt\.statement = \{(.*?)\}\}', text_of(module))
    result = []
    for function, facts in found:
        kind = re.search(r'kind = "(\w+)"', facts).group(1)
        names = re.search(r'names = "(.*?)"', facts).group(1).split("\\0A")
        result.append((function, kind, names, "SIZE" in facts))
    return result


def test_every_statement_of_the_users_functions_is_marked():
    module = compile_kernel(kernel, DEBUGGER, out="*i32", n="i32", SIZE=8)
    assert marks(module) == [
        ("kernel", "line", ["out", "n"], True),
        ("kernel", "line", ["out", "n", "pair[0]", "pair[1]"], True),
        ("kernel", "line", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("kernel", "line", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("kernel", "line", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("kernel", "breakpoint", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("kernel", "line", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("kernel", "end", ["out", "n", "pair[0]", "pair[1]", "total"], True),
        ("doubled", "line", ["value"], False),
        ("doubled", "line", ["value", "twice"], False),
    ]


def test_without_a_debugger_only_the_breakpoint_leaves_a_mark():
    module = compile_kernel(kernel, out="*i32", n="i32", SIZE=8)
    assert ops(module, "tt.print") == 0
    assert text_of(module).count("tt.breakpoint") == 1
    assert "tt.breakpoint" not in text_of(compile_kernel(kernel, out="*i32", n="i32", SIZE=2))
