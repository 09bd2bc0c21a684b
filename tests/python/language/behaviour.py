"""Rows of behaviour: a piece of kernel, and what it computes.

What: `row(body, expected)` is one kernel. Its body may use the values of INPUTS by name, the pointers to them
by their capital name, and `i = tl.arange(0, 16)`; what it assigns to `r` is stored to the output `O`, whose
type must be that of `expected`. A body without `r` writes to `O` itself.
Why: the names that a body uses are read from its syntax tree, so that a test can tell which names of the
language no row exercises.
"""

import ast
import importlib.util
import sys
from dataclasses import dataclass

import ml_dtypes
import numpy as np

import trisect.language as tl

_random = np.random.default_rng(11)
#: Values that bodies use: f, d, h, b any floats, g positive ones, n any integers, m from 1 to 9; w, k blocks.
INPUTS = {
    "f": _random.normal(size=16).astype(np.float32),
    "g": _random.uniform(0.2, 3, 16).astype(np.float32),
    "d": _random.normal(size=16),
    "h": _random.normal(size=16).astype(np.float16),
    "b": _random.normal(size=16).astype(ml_dtypes.bfloat16),
    "n": _random.integers(-1000, 1000, 16).astype(np.int32),
    "m": _random.integers(1, 10, 16).astype(np.int32),
    "u": _random.integers(0, 2**32, 16, dtype=np.uint32),
    "w": _random.normal(size=(4, 8)).astype(np.float32),
    "k": _random.integers(0, 8, (4, 8)).astype(np.int32),
}
I = np.arange(16, dtype=np.int32)  # noqa: E741 - the host's `i`

_HEAD = """
import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice

@triton.jit
def add(a, b):
    return a + b

@triton.jit
def larger_with_index(a, i, b, j):
    keep = (a > b) | ((a == b) & (i < j))
    return tl.where(keep, a, b), tl.where(keep, i, j)

@tl.extern
def copysign(x, y, _semantic=None):
    symbols = {(tl.dtype("fp32"), tl.dtype("fp32")): ("__nv_copysignf", tl.dtype("fp32"))}
    return tl.extern_elementwise("", "", [x, y], symbols, is_pure=True, _semantic=_semantic)

@tl.builtin
def rounded(x, _semantic=None):
    symbols = {(tl.dtype("fp32"),): ("__nv_rintf", tl.dtype("fp32"))}
    return tl.dispatch(None, "", "", [x], symbols, None, True, _semantic=_semantic)

@tl.builtin
def promoted(x, y, _semantic=None):
    return tl.binary_op_type_legalization(x, y, _semantic)[0]

@tl.aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    @triton.jit
    def total(self):
        return self.first + self.second

@triton.jit
def twice(x, FACTOR: tl.constexpr = 2):
    return x * FACTOR

@triton.jit
def collatz_steps(x):
    steps = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    return steps
"""
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq",
    ast.NotEq: "ne",
}  # fmt: skip
_UNARY = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__", ast.Not: "__not__"}


@dataclass(frozen=True)
class Row:
    body: str
    expected: np.ndarray
    start: object  # what the output holds before
    grid: tuple
    tolerance: float


def row(body, expected, start=0, grid=(1,), tolerance=2e-6):
    return Row(body, np.asarray(expected), start, grid, tolerance)


def _dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else ["", *reversed(parts)]


def _is_number(node):
    return isinstance(node, ast.Constant)


def _helpers():
    tree = ast.parse(_HEAD)
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


_HELPERS = _helpers()


def names_in(body):
    """The names of the language that a body and the helpers it calls use: tl.x.y, libdevice.f, tensor.method,
    tensor.__add__."""
    found = set()
    tree = ast.parse(body)
    called = [
        _HELPERS[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _HELPERS
    ]
    for node in (inner for root in (tree, *called) for inner in ast.walk(root)):
        if isinstance(node, ast.Attribute):
            root, *rest = _dotted(node)
            found.add(".".join([root, *rest]) if root in ("tl", "libdevice") else f"tensor.{node.attr}")
        elif isinstance(node, (ast.BinOp, ast.Compare)):
            left, operator = (node.left, node.op) if isinstance(node, ast.BinOp) else (node.left, node.ops[0])
            if type(operator) not in _BINARY:
                continue
            reflected = "r" if _is_number(left) else ""
            found.add(f"tensor.__{reflected}{_BINARY[type(operator)]}__")
        elif isinstance(node, ast.UnaryOp) and not _is_number(node.operand):
            found.add(f"tensor.{_UNARY[type(node.op)]}")
        elif isinstance(node, ast.BoolOp):
            found.add("tensor.logical_and" if isinstance(node.op, ast.And) else "tensor.logical_or")
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            found.add("tensor.__getitem__")
    return found


class _AsMethod(ast.NodeTransformer):
    """tl.f(x, y) as x.f(y), where f is a method too; once."""

    def __init__(self):
        self.changed = False

    def visit_Call(self, node):
        function = node.func
        named = isinstance(function, ast.Attribute) and _dotted(function)[:-1] == ["tl"] and node.args
        if not self.changed and named and not isinstance(node.args[0], (ast.Constant, ast.Tuple)):
            if getattr(tl.tensor, function.attr, None) is getattr(tl, function.attr, 0):
                self.changed = True
                return ast.Call(ast.Attribute(node.args[0], function.attr), node.args[1:], node.keywords)
        return self.generic_visit(node)


def with_methods(rows):
    """The rows, and for each function that is a method too its first row written as a method."""
    methods, done = [], set()
    for each in rows:
        rewrite = _AsMethod()
        tree = rewrite.visit(ast.parse(each.body))
        if rewrite.changed:
            body = ast.unparse(tree)
            new = names_in(body) - names_in(each.body) - done
            if new:
                done |= new
                methods.append(row(body, each.expected, each.start, each.grid, each.tolerance))
    return [*rows, *methods]


def _kernel_text(index, each):
    used = {node.id for node in ast.walk(ast.parse(each.body)) if isinstance(node, ast.Name)}
    lines = [f"@triton.jit\ndef case_{index}(O, {', '.join(name.upper() for name in INPUTS)}):"]
    lines.append("i = tl.arange(0, 16)")
    for name, value in INPUTS.items():
        if name in used:
            where = "i" if value.ndim == 1 else "tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]"
            lines.append(f"{name} = tl.load({name.upper()} + {where})")
    lines += each.body.splitlines()
    if "r" in used:
        lines.append("r = tl.to_tensor(r)")
        lines.append("tl.static_assert(r.dtype == O.dtype.element_ty, f'the result is {r.dtype}')")
        if each.expected.ndim == 0:
            lines.append("tl.store(O, r)")
        else:
            lines.append(f"tl.static_assert(r.numel == {each.expected.size}, f'the shape is {{r.shape}}')")
            lines.append(f"tl.store(O + tl.arange(0, {each.expected.size}), tl.ravel(r))")
    return "\n    ".join(lines) + "\n"


def load_kernels(rows, path):
    """Writes the kernels of rows to a file; a list of them."""
    path.write_text(_HEAD + "\n\n".join(_kernel_text(index, each) for index, each in enumerate(rows)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return [getattr(module, f"case_{index}") for index in range(len(rows))]


def check(each, kernel):
    """Launches a row's kernel and compares."""
    out = np.full(each.expected.shape or 1, each.start, each.expected.dtype)
    kernel[each.grid](out, *(value.copy() for value in INPUTS.values()))
    expected = each.expected.reshape(out.shape)
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(out, expected, rtol=each.tolerance, atol=each.tolerance)
    elif expected.dtype == ml_dtypes.bfloat16:
        np.testing.assert_allclose(out.astype(np.float32), expected.astype(np.float32), rtol=1e-2)
    else:
        np.testing.assert_array_equal(out, expected)
