"""Statements: assignments, returns, asserts, and lists of statements.

What: a list of statements gives an outcome (outcome.py). Where an `if` with a run-time condition returns on
all ways but one, the statements after it are generated inside that one.
"""

import ast
from functools import partial

from trisect.language.aggregate import aggregate_value
from trisect.language.base import base_value
from trisect.language.builtin import must_use_sentence
from trisect.language.constants import unwrap
from trisect.language.constexpr import constexpr
from trisect.language.tensor import tensor
from trisect.language.tuples import as_value
from trisect.language.tuples import tuple as tl_tuple
from trisect.language.typing_rules import is_python_scalar

from ..errors import CompilationError, CompileTimeAssertionFailure
from .analysis import always_returns, contains_return, links_of, target_name, ways_of
from .chains import LONGEST_NEST, is_long
from .closures import InlineFunction
from .outcome import FALLS, After, MaybeReturned, Paused, Returned, paused_in


class _Way:
    """The statements of one way of an `if`, with what goes on after it where the other ways return."""

    def __init__(self, statements, final):
        self.statements, self.final, self.after = list(statements), final, None

    def go_on(self, after):
        self.after = after
        return True

    def run(self, generator):
        if self.after is None:
            return generator.run(self.statements, self.final)
        return generator.go_on([*self.statements, *self.after.rest], self.after, deeper=1)


class Statements:
    """Statement part of the function generator."""

    def run(self, statements, final=False, then=None):
        """Generates statements; after them the function ends (`final`), or `then(depth)` goes on."""
        outcome = self.go_on(statements, After(final=final, then=then))
        while (paused := paused_in(outcome)) is not None:
            if paused is outcome:
                outcome = paused.resume()
                continue
            value = outcome.value
            outcome = self.branch(paused.node, outcome.flag, partial(Returned, value), paused.resume)
        return outcome

    def go_on(self, statements, end, deeper=0):
        """`run` inside another one, which goes on with the statements itself where they lie too deep."""
        depth = end.depth + deeper
        if depth > LONGEST_NEST and statements:
            return Paused(statements[0], partial(self.go_on, statements, After((), end.final, end.then)))
        for position, statement in enumerate(statements):
            after = After(statements[position + 1 :], end.final, end.then, depth)
            if self.marks:
                self.mark_statement(statement, statements[position - 1] if position else None)
            if type(statement) is ast.If:
                outcome, complete = self.run_if(statement, after)
                if complete:
                    return outcome
            else:
                outcome = self.visit(statement)
            if isinstance(outcome, Returned):
                return outcome
            if isinstance(outcome, MaybeReturned):
                returned = partial(Returned, outcome.value)
                following = partial(self.go_on, after.rest, after, deeper=1)
                return self.branch(statement, outcome.flag, returned, following)
        if end.then is not None:
            return end.then(depth)
        if end.final and self.marks:
            self.mark_end()
        return Returned(constexpr(None)) if end.final else FALLS

    def run_if(self, node, after):
        """The outcome of an `if`, and whether it includes that of what comes after it."""
        try:
            return self._run_if(node, after)
        except CompilationError:
            raise
        except Exception as error:
            raise self.error_at(node.test, error) from error

    def _run_if(self, node, after):
        links = links_of(node)
        if is_long(links):
            return self._run_chain(node, links, after)
        condition = self.condition_of(node)
        if not isinstance(condition, tensor):
            return self.run(node.body if unwrap(condition) else node.orelse), False
        ways, took_rest = self._ways(node, [node.body, node.orelse], after)
        actions = (partial(way.run, self) for way in ways)
        return self.branch(node, condition, *actions, continued=took_rest), took_rest

    def _run_chain(self, node, links, after):
        index, live = self.first_true(links, self._test_of_link)
        statements = ways_of(node)
        if not isinstance(index, tensor):
            return self.run(statements[index.value]), False
        ways, took_rest = self._ways(node, [statements[at] for at in live], after)
        actions = [(at, partial(way.run, self)) for at, way in zip(live, ways, strict=True)]
        return self.decide(links, index, actions, partial(self.branch, continued=took_rest)), took_rest

    def _test_of_link(self, link, first):
        if self.marks and not first:
            self.mark_statement(link, None)
        return self.condition_of(link)

    def condition_of(self, node):
        """The condition of an `if`: a scalar i1 or a compile-time value."""
        condition = self.visit(node.test)
        if isinstance(condition, InlineFunction):
            raise TypeError("the condition of `if` is a function; call it")
        if not isinstance(condition, tensor):
            return condition
        self.locate(node.test)
        return self.scalar_condition(condition)

    def _ways(self, node, statements, after):
        """The ways of an `if`; true if one of them, or each, takes what comes after it."""
        took_rest = after.ends_function
        ways = [_Way(each, took_rest) for each in statements]
        if contains_return(node):
            if self.loop_depth:
                raise ValueError(
                    "Cannot have `return` statements inside `while` or `for` statements in triton "
                    "(note that this also applies to `return` statements that are inside functions "
                    "transitively called from within `while`/`for` statements); carry a flag instead"
                )
            open_ways = [way for way in ways if not always_returns(way.statements)]
            if len(open_ways) <= 1:
                took_rest = (open_ways or ways)[-1].go_on(after)
        return ways, took_rest

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return FALLS
        value = self.visit(node.value)
        if isinstance(node.value, ast.Call):
            self.check_result_used(node.value, value)
        return FALLS

    def check_result_used(self, node, value):
        function = self.called.get(id(node))
        sentence = None if function is None else must_use_sentence(function)
        if sentence is not None and unwrap(value) is not None:
            raise RuntimeError(
                sentence
                if isinstance(sentence, str)
                else f"The result of {ast.unparse(node)} is not being used; assign it, or drop the call"
            )

    def visit_Pass(self, node):
        return FALLS

    def visit_Return(self, node):
        # A number leaves a function with a type of its own: what calls it must not see how it was computed.
        value = constexpr(None) if node.value is None else self.materialize(self.visit(node.value))
        if self.loop_depth:
            raise ValueError(
                "Cannot have `return` statements inside `while` or `for` statements in triton; carry a "
                "flag instead"
            )
        if not isinstance(value, base_value):
            value = as_value(value)
        return Returned(value, node)

    def visit_FunctionDef(self, node):
        raise TypeError(
            f"nested function definition is not supported; define `{node.name}` outside, with @triton.jit"
        )

    # Assignment.

    def visit_Assign(self, node):
        first = node.targets[0]
        named = type(first) is ast.Name
        if named:
            outer, self.loc_name = self.loc_name, first.id
        try:
            value = self.visit(node.value)
            for target in node.targets:
                self.assign(target, value)
        finally:
            if named:
                self.loc_name = outer
        return FALLS

    def visit_AnnAssign(self, node):
        wants_constexpr = self.is_constexpr_annotation(node.annotation)
        if node.value is None:
            if wants_constexpr and isinstance(node.target, ast.Name):
                self.pending_constexpr.add(node.target.id)
            return FALLS
        if not wants_constexpr:
            return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))
        if not isinstance(node.target, ast.Name):
            raise TypeError("only a local name can be annotated as constexpr")
        if node.target.id in self.scope:
            raise ValueError(f"{node.target.id} is already defined. constexpr cannot be reassigned.")
        # A value of run time may stand here too: kernels annotate what is constant for some callers only.
        self.scope[node.target.id] = self.visit(node.value)
        return FALLS

    def is_constexpr_annotation(self, annotation):
        if isinstance(annotation, ast.Constant):
            return isinstance(annotation.value, str) and annotation.value.split(".")[-1] == "constexpr"
        name = annotation.attr if isinstance(annotation, ast.Attribute) else getattr(annotation, "id", None)
        return name == "constexpr" and unwrap(self.visit(annotation)) is constexpr

    def visit_AugAssign(self, node):
        target = node.target
        named = type(target) is ast.Name
        if named:
            outer, self.loc_name = self.loc_name, target.id
        try:
            load = ast.copy_location(_as_load(target), target)
            lhs, rhs = self.visit(load), self.visit(node.value)
            self.locate(node)
            self.assign(target, self.binary(type(node.op), lhs, rhs))
        finally:
            if named:
                self.loc_name = outer
        return FALLS

    def assign(self, target, value):
        """Assigns a value to a target; compile-time numbers become tensors unless annotated otherwise."""
        kind = type(target)
        if kind is ast.Name:
            if target.id in self.pending_constexpr:
                self.pending_constexpr.discard(target.id)
            else:
                value = self.materialize(value)
            self.scope[target.id] = value
            return value
        if kind in (ast.Tuple, ast.List):
            for element, item in zip(*self._unpack(target.elts, value), strict=True):
                self.assign(element, item)
            return value
        if kind is ast.Attribute:
            owner = self.visit(target.value)
            if not isinstance(owner, aggregate_value):
                raise TypeError(
                    f"cannot assign to an attribute of {getattr(owner, 'type', owner)}; kernel values are "
                    "immutable"
                )
            setattr(owner, target.attr, value)
            return value
        if kind is ast.Subscript:
            owner = self.visit(target.value)
            if not isinstance(owner, tl_tuple):
                raise TypeError(
                    "subscript assignment works on tuples only; a block is written with tl.store or chosen "
                    "with tl.where"
                )
            self.check_alone(target_name(target), owner)
            replaced = owner.renewed(owner.values)
            replaced[self.visit(target.slice)] = self.materialize(value)
            self.assign(target.value, replaced)
            return value
        raise TypeError(f"cannot assign to {ast.unparse(target)}")

    def check_alone(self, name, owner):
        """An element may change where one name leads to it: in Python it would change under all of them."""
        for other, value in self.scope.items():
            if other != name and _leads_to(value, owner):
                raise TypeError(
                    f"{other} leads to the tuple or list too of which {name} changes an element, and would "
                    "keep the old one; make a copy first, such as tuple(...)"
                )

    def _unpack(self, targets, value):
        items = list(value) if isinstance(value, tl_tuple) else None
        if items is None and isinstance(value, constexpr) and hasattr(value.value, "__iter__"):
            items = [as_value(item) for item in value.value]
        if items is None:
            raise TypeError(
                f"cannot unpack a value of type {getattr(value, 'type', value)}; only tuples have elements"
            )
        stars = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if stars:
            before, after = stars[0], len(targets) - stars[0] - 1
            if len(items) < before + after:
                raise ValueError(
                    f"not enough values to unpack (expected at least {before + after}, got {len(items)}); "
                    "leave out targets"
                )
            middle = tl_tuple(items[before : len(items) - after])
            items = [*items[:before], middle, *items[len(items) - after :]]
            targets = [target.value if isinstance(target, ast.Starred) else target for target in targets]
        if len(items) < len(targets):
            raise ValueError(
                f"not enough values to unpack (expected {len(targets)}, got {len(items)}); leave out targets"
            )
        if len(items) > len(targets):
            raise ValueError(
                f"too many values to unpack (expected {len(targets)}, got {len(items)}); "
                "name one target for each"
            )
        return targets, items

    def materialize(self, value):
        """Numbers as tensors, inside tuples too; other compile-time objects as they are."""
        if isinstance(value, constexpr):
            if is_python_scalar(value.value):
                return self.semantic.to_tensor(value.value)
            return value
        if isinstance(value, tl_tuple):
            values = [self.materialize(item) for item in value.values]
            if all(new is old for new, old in zip(values, value.values, strict=True)):
                return value
            return value.renewed(values)
        return value

    def bind(self, target, value):
        """Binds a loop or comprehension target without making tensors of compile-time numbers."""
        if isinstance(target, ast.Name):
            self.scope[target.id] = as_value(value)
            return
        if isinstance(target, (ast.Tuple, ast.List)):
            for element, item in zip(*self._unpack(target.elts, as_value(value)), strict=True):
                self.bind(element, item)
            return
        raise TypeError(f"cannot loop with target {ast.unparse(target)}")

    # Asserts.

    def visit_Assert(self, node):
        condition = self.visit(node.test)
        message = "" if node.msg is None else str(unwrap(self.visit(node.msg)))
        self.locate(node)
        if not isinstance(condition, tensor):
            if not unwrap(condition):
                raise CompileTimeAssertionFailure(self.source.text, node, message or None)
            return FALLS
        self.semantic.device_assert(condition, message)
        return FALLS


def _leads_to(value, owner) -> bool:
    return (
        value is owner or isinstance(value, tl_tuple) and any(_leads_to(item, owner) for item in value.values)
    )


def _as_load(target):
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())
