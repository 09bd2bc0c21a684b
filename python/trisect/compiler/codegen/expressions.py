"""Expressions: every visitor gives a kernel value.

What: compile-time operands are computed in Python, run-time ones build operations through the semantic
object.
Limits: every Python object is wrapped in a constexpr while it is a value here.
"""

import ast
import difflib
import operator
import warnings
from functools import partial

from trisect.language.aggregate import aggregate_value
from trisect.language.base import base_value
from trisect.language.constants import lshift, power, unwrap
from trisect.language.constexpr import constexpr
from trisect.language.tensor import tensor
from trisect.language.tuples import as_value
from trisect.language.tuples import slice as tl_slice
from trisect.language.tuples import tuple as tl_tuple

from ..errors import NotInLanguage
from .analysis import links_of
from .chains import is_long
from .closures import InlineFunction
from .scope import Conflict, is_code, is_jit_function

_BINARY = {
    ast.Add: ("add", operator.add, "__add__"),
    ast.Sub: ("sub", operator.sub, "__sub__"),
    ast.Mult: ("mul", operator.mul, "__mul__"),
    ast.Div: ("truediv", operator.truediv, "__truediv__"),
    ast.FloorDiv: ("floordiv", operator.floordiv, "__floordiv__"),
    ast.Mod: ("mod", operator.mod, "__mod__"),
    ast.Pow: (None, power, "__pow__"),
    ast.LShift: ("shl", lshift, "__lshift__"),
    ast.RShift: ("shr", operator.rshift, "__rshift__"),
    ast.BitAnd: ("and_", operator.and_, "__and__"),
    ast.BitOr: ("or_", operator.or_, "__or__"),
    ast.BitXor: ("xor_", operator.xor, "__xor__"),
    ast.MatMult: (None, operator.matmul, "__matmul__"),
}
_COMPARE = {
    ast.Eq: ("eq", operator.eq, "__eq__"),
    ast.NotEq: ("ne", operator.ne, "__ne__"),
    ast.Lt: ("lt", operator.lt, "__lt__"),
    ast.LtE: ("le", operator.le, "__le__"),
    ast.Gt: ("gt", operator.gt, "__gt__"),
    ast.GtE: ("ge", operator.ge, "__ge__"),
}
_REFLECTED = {
    "__lt__": "__gt__",
    "__gt__": "__lt__",
    "__le__": "__ge__",
    "__ge__": "__le__",
    "__eq__": "__eq__",
    "__ne__": "__ne__",
}


class BoundFunction(base_value):
    """A jit function reached as a method of a value."""

    def __init__(self, function, owner):
        self.function, self.owner = function, owner


class Expressions:
    """Expression part of the function generator."""

    def visit_Constant(self, node):
        known = getattr(node, "_value", None)
        if known is None:
            known = node._value = constexpr(node.value)
        return known

    def visit_Name(self, node):
        name = node.id
        value = self.scope.get(name)
        if value is not None:
            if type(value) is Conflict:
                raise self.error_at(value.node, value.message)
            return value
        try:
            found = self.globals.find(name)
        except KeyError:
            found = None
        # A number that a branch or loop assigned is not taken for a global one, but a function is itself.
        if found is None or name in self.ended and not is_code(unwrap(found)):
            raise NameError(
                f"{name} is not defined; a name must be assigned on every path that leads here, and names "
                "assigned first inside a loop or one branch end with it"
            )
        return found

    def visit_Tuple(self, node):
        return tl_tuple(self.visit_elements(node.elts))

    visit_List = visit_Tuple

    def visit_elements(self, nodes):
        values = []
        for element in nodes:
            if isinstance(element, ast.Starred):
                values.extend(as_value(item) for item in self.visit(element.value))
            else:
                values.append(self.visit(element))
        return values

    def visit_Dict(self, node):
        keys = [unwrap(self.visit(key)) for key in node.keys]
        return constexpr(dict(zip(keys, (unwrap(self.visit(value)) for value in node.values), strict=True)))

    # Operators.

    def visit_BinOp(self, node):
        lhs, rhs = self.visit(node.left), self.visit(node.right)
        self.locate(node)
        return self.binary(type(node.op), lhs, rhs)

    def binary(self, kind, lhs, rhs):
        name, python, method = _BINARY[kind]
        if isinstance(lhs, constexpr) and isinstance(rhs, constexpr):
            return as_value(python(lhs.value, rhs.value))
        if isinstance(lhs, tensor) or isinstance(rhs, tensor):
            if name is None:
                raise TypeError(
                    f"unsupported operand {method} on {_described(lhs)} and {_described(rhs)}; "
                    "use tl.extra.libdevice.pow for powers and tl.dot for matrix products"
                )
            if isinstance(lhs, (tensor, constexpr)) and isinstance(rhs, (tensor, constexpr)):
                return getattr(self.semantic, name)(unwrap(lhs), unwrap(rhs))
        return self.overloaded(method, "__r" + method[2:], lhs, rhs, _symbol(kind))

    def overloaded(self, method, reflected, lhs, rhs, symbol):
        """Operators of aggregates and tuples, in Python's order."""
        for owner, name, argument in ((lhs, method, rhs), (rhs, reflected, lhs)):
            result = self.try_method(owner, name, argument)
            if result is not NotImplemented:
                return result
        raise TypeError(f"unsupported operand type(s) for {symbol}: {_described(lhs)} and {_described(rhs)}")

    def try_method(self, owner, name, argument):
        if isinstance(owner, aggregate_value):
            function = owner.find_method(name)
            if function is None:
                return NotImplemented
            result = self.call_function(function, [owner, argument], {})
            return NotImplemented if unwrap(result) is NotImplemented else result
        if isinstance(owner, tl_tuple) and name in (
            "__add__",
            "__radd__",
            "__mul__",
            "__rmul__",
            "__eq__",
            "__ne__",
        ):
            if isinstance(argument, (tl_tuple, constexpr)):
                return as_value(getattr(owner, name)(argument))
        return NotImplemented

    def visit_UnaryOp(self, node):
        value = self.visit(node.operand)
        self.locate(node)
        kind = type(node.op)
        if isinstance(value, constexpr):
            python = {
                ast.USub: operator.neg,
                ast.UAdd: operator.pos,
                ast.Not: operator.not_,
                ast.Invert: operator.invert,
            }[kind]
            return constexpr(python(value.value))
        if isinstance(value, tensor):
            if kind is ast.USub:
                return self.semantic.minus(value)
            if kind is ast.UAdd:
                raise TypeError("'tensor' object has no attribute '__pos__'; drop the sign")
            return self.semantic.logical_not(value) if kind is ast.Not else self.semantic.invert(value)
        if kind is ast.Not and isinstance(value, tl_tuple):
            return constexpr(not value)
        method = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Not: "__not__", ast.Invert: "__invert__"}[
            kind
        ]
        function = value.find_method(method) if isinstance(value, aggregate_value) else None
        if function is None:
            raise TypeError(f"bad operand type for unary {method}: {_described(value)}")
        return self.call_function(function, [value], {})

    def visit_BoolOp(self, node):
        """`and`, `or`: compile-time operands decide at once, run-time ones combine by element."""
        conjunction = isinstance(node.op, ast.And)
        run_time, last = [], None
        for operand in node.values:
            last = self.visit(operand)
            if isinstance(last, tensor):
                run_time.append(last)
                continue
            if bool(unwrap(last)) != conjunction:
                return last
        if not run_time:
            return last
        self.locate(node)
        if any(operand.type.is_block() for operand in run_time):
            warnings.warn(
                "Logical operators 'and' and 'or' are deprecated for non-scalar tensors; please use '&' or "
                "'|' instead",
                stacklevel=2,
            )
        combine = self.semantic.logical_and if conjunction else self.semantic.logical_or
        result = run_time.pop()
        while run_time:
            result = combine(run_time.pop(), result)
        return result

    def visit_Compare(self, node):
        lhs, result = self.visit(node.left), None
        for op, right in zip(node.ops, node.comparators, strict=True):
            rhs = self.visit(right)
            self.locate(node)
            link = self.comparison(op, lhs, rhs)
            if result is None:
                result = link
            elif isinstance(result, constexpr):
                result = link if result.value else result
            elif isinstance(link, constexpr):
                result = result if link.value else link
            else:
                result = self.semantic.logical_and(result, link)
            lhs = rhs
        return result

    def comparison(self, op, lhs, rhs):
        kind = type(op)
        if kind is ast.Is:
            return constexpr(unwrap(lhs) is unwrap(rhs))
        if kind is ast.IsNot:
            return constexpr(unwrap(lhs) is not unwrap(rhs))
        if kind in (ast.In, ast.NotIn):
            found = _contains(rhs, lhs)
            return constexpr(found if kind is ast.In else not found)
        name, python, method = _COMPARE[kind]
        if isinstance(lhs, constexpr) and isinstance(rhs, constexpr):
            return constexpr(python(lhs.value, rhs.value))
        numbers = isinstance(lhs, (tensor, constexpr)) and isinstance(rhs, (tensor, constexpr))
        if numbers:
            return self.semantic.compare(name, unwrap(lhs), unwrap(rhs))
        return self.overloaded(method, _REFLECTED[method], lhs, rhs, method)

    def visit_IfExp(self, node):
        links = links_of(node)
        if is_long(links):
            return self._long_ternary(links)
        condition = self._test_of_ternary(node)
        if not isinstance(condition, tensor):
            return self.visit(node.body if unwrap(condition) else node.orelse)
        return self.choose(node, condition, lambda: self.visit(node.body), lambda: self.visit(node.orelse))

    def _long_ternary(self, links):
        index, live = self.first_true(links, lambda link, _: self._test_of_ternary(link))
        values = [*(link.body for link in links), links[-1].orelse]
        if not isinstance(index, tensor):
            return self.visit(values[index.value])
        return self.decide(links, index, [(at, partial(self.visit, values[at])) for at in live], self.choose)

    def _test_of_ternary(self, link):
        condition = self.visit(link.test)
        if not isinstance(condition, tensor):
            return condition
        self.locate(link)
        return self.scalar_condition(condition)

    def scalar_condition(self, condition):
        """A run-time condition as an i1 scalar."""
        if condition.type.is_block():
            if condition.type.numel != 1:
                raise NotInLanguage(
                    "Boolean value of Tensor with more than one value is ambiguous: the condition is a block "
                    f"of shape {list(condition.type.shape)}; `if` and `while` need a scalar: use tl.where "
                    "for blocks, or reduce the condition first"
                )
            condition = self.semantic.item(condition)
        return self.semantic.truth(condition)

    def visit_NamedExpr(self, node):
        value = self.assign(node.target, self.visit(node.value))
        # Past a comprehension the name belongs to the function that it stands in.
        for scope in self.around[1:] if self.inlining else self.around:
            scope[node.target.id] = value
        return value

    # Members and elements.

    def visit_Attribute(self, node):
        value = self.visit(node.value)
        self.locate(node)
        return self.attribute(value, node.attr)

    def attribute(self, value, name):
        if isinstance(value, constexpr):
            return self.constexpr_attribute(value, name)
        if isinstance(value, tensor):
            if name == "T":
                return self.semantic.transpose(value)
            if name == "type":
                return constexpr(value.type)
            if name == "dtype":
                return constexpr(value.type.scalar)
            found = getattr(value, name, None)
            if found is None:
                raise AttributeError(
                    f"'tensor' object has no attribute {name!r}: {value.type} has methods such as .to, "
                    ".reshape, .sum and attributes .dtype, .shape, .type, .T"
                )
            if is_jit_function(found):
                return BoundFunction(found, value)
            return as_value(found)
        if isinstance(value, aggregate_value):
            return self.aggregate_attribute(value, name)
        return as_value(getattr(value, name))

    def constexpr_attribute(self, value, name):
        held = value.value
        if name == "value" and not hasattr(held, "value"):
            return value
        if name == "type" and not hasattr(held, "type"):
            return constexpr(value.type)
        try:
            found = getattr(held, name)
        except AttributeError as error:
            close = difflib.get_close_matches(name, dir(held), 1)
            raise AttributeError(f"{error}; did you mean {close[0]!r}?" if close else str(error)) from None
        return as_value(self.globals.mapped(found))

    def aggregate_attribute(self, value, name):
        if name in value.fields:
            return value.fields[name]
        if name == "type":
            return constexpr(value.type)
        found = value.find_method(name)
        if found is None:
            raise AttributeError(f"{value.type} has no field or method {name!r}")
        if isinstance(found, property):
            return self.call_function(found.fget, [value], {})
        return BoundFunction(found, value)

    def visit_Subscript(self, node):
        value = self.visit(node.value)
        index = self.visit(node.slice)
        self.locate(node)
        if isinstance(value, tensor):
            return self.semantic.subscript(value, index)
        if isinstance(value, tl_tuple):
            return value[index]
        if isinstance(value, constexpr):
            return as_value(value.value[_plain_index(index)])
        return self.overloaded("__getitem__", "__rgetitem__", value, index, "[]")

    def visit_Slice(self, node):
        parts = [None if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)]
        return tl_slice(*parts)

    # Text, closures, comprehensions.

    def visit_JoinedStr(self, node):
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
                continue
            inner = self.visit(value.value)
            if isinstance(inner, tensor):
                raise NotInLanguage(
                    "Cannot evaluate f-string containing non-constexpr conversion values, found a value of "
                    f"type {inner.type}; use tl.device_print for run-time values"
                )
            text = unwrap(inner)
            if value.conversion >= 0:
                text = {"s": str, "r": repr, "a": ascii}[chr(value.conversion)](text)
            spec = "" if value.format_spec is None else unwrap(self.visit(value.format_spec))
            parts.append(format(text, spec))
        return constexpr("".join(parts))

    def visit_Lambda(self, node):
        outside = self.around[0] if self.around else self.scope
        own = {name: value for name, value in self.scope.items() if outside.get(name) is not value}
        return InlineFunction(node, own, self.visit_elements(node.args.defaults), self)

    def visit_ListComp(self, node):
        items = []
        self._comprehend(node.generators, node.elt, items)
        return tl_tuple(items)

    visit_GeneratorExp = visit_ListComp

    def _comprehend(self, generators, element, items):
        if not generators:
            items.append(self.visit(element))
            return
        first, *rest = generators
        outer, around = self.scope, self.around
        for item in self.static_items(self.visit(first.iter)):
            self.scope, self.around = dict(outer), (*around, outer)
            self.bind(first.target, item)
            tests = [self.visit(test) for test in first.ifs]
            if any(isinstance(test, tensor) for test in tests):
                raise TypeError("the condition of a comprehension must be known at compile time")
            if all(bool(unwrap(test)) for test in tests):
                self._comprehend(rest, element, items)
            self.scope, self.around = outer, around


def _plain_index(index):
    if isinstance(index, tl_slice):
        return slice(unwrap(index.start), unwrap(index.stop), unwrap(index.step))
    if isinstance(index, tl_tuple):
        return tuple(unwrap(item) for item in index)
    return unwrap(index)


def _contains(container, item) -> bool:
    if isinstance(item, tensor):
        raise TypeError("`in` needs compile-time operands")
    if isinstance(container, tl_tuple):
        return item in container
    return unwrap(item) in unwrap(container)


def _symbol(kind):
    return {
        ast.Add: "+",
        ast.Sub: "-",
        ast.Mult: "*",
        ast.Div: "/",
        ast.FloorDiv: "//",
        ast.Mod: "%",
        ast.Pow: "**",
        ast.LShift: "<<",
        ast.RShift: ">>",
        ast.BitAnd: "&",
        ast.BitOr: "|",
        ast.BitXor: "^",
        ast.MatMult: "@",
    }[kind]


def _described(value):
    return f"'{getattr(value, 'type', type(value).__name__)}'"
