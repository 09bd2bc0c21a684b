"""Loops: `for` over ranges, unrolled `for`, `while`.

What: the variables that a loop carries are those assigned in it and defined before it; their types must not
change. Compile-time numbers among them become tensors first; other compile-time values stay what they are. A
range with a negative compile-time step runs upwards and the index is mirrored; an unsigned index runs in a
wider signed one.
"""

import ast
from functools import partial

from trisect.language.constants import unwrap
from trisect.language.constexpr import constexpr
from trisect.language.ops.loops import condition as tl_condition
from trisect.language.ops.loops import range as tl_range
from trisect.language.ops.loops import static_range
from trisect.language.tensor import tensor
from trisect.language.tuples import tuple as tl_tuple
from trisect.language.types import int64
from trisect.language.typing_rules import integer_promote

from .analysis import assigned_names, changed_in_place, contains_return, unrolled_targets
from .closures import InlineFunction
from .outcome import FALLS, After
from .scope import Conflict

_NO_LICM = "#llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>"

_MOST_REPETITIONS = 1 << 20


def _repetitions(start, end, step):
    """The values of a loop that is unrolled at compile time."""
    values = range(start, end, step)
    if len(values) > _MOST_REPETITIONS:
        raise ValueError(
            f"a loop of {len(values)} passes cannot be unrolled at compile time (at most "
            f"{_MOST_REPETITIONS}); use range, which loops when the kernel runs"
        )
    return [constexpr(i) for i in values]


class _Carried(dict):
    """The variables that a loop carries; `fixed`: what else it assigns, known at compile time."""

    def __init__(self):
        super().__init__()
        self.fixed = {}


class Loops:
    """Loop part of the function generator."""

    def visit_For(self, node):
        if node.orelse:
            raise SyntaxError("`for ... else` is not supported; test the condition after the loop")
        iterator = self.loop_iterator(node.iter)
        if isinstance(iterator, tl_range):
            return self._for_range(node, iterator)
        return self._unrolled(node, self.static_items(iterator))

    def _unrolled(self, node, items):
        """The body once for each item; an early return skips the rest of them."""
        if not items:
            return FALLS
        if contains_return(node.body):
            self.bind(node.target, items[0])
            return self.run(node.body, then=partial(self._next_pass, node, items, 1))
        for item in items:
            self.bind(node.target, item)
            self.run(node.body)
        return FALLS

    def _next_pass(self, node, items, number, depth):
        """An unrolled body after the first, inside what the passes before it left open."""
        if number == len(items):
            return FALLS
        self.bind(node.target, items[number])
        then = partial(self._next_pass, node, items, number + 1)
        return self.go_on(node.body, After(then=then, depth=depth), deeper=1)

    def loop_iterator(self, node):
        """The iterable of a `for`; Python's `range` becomes a language range."""
        if isinstance(node, ast.Call) and not node.keywords and unwrap(self.visit(node.func)) is range:
            arguments = self.visit_elements(node.args)
            self.locate(node)
            return tl_range(*arguments)
        return self.visit(node)

    def static_items(self, iterator):
        """The elements of something that is looped over at compile time."""
        if isinstance(iterator, static_range):
            return _repetitions(iterator.start, iterator.end, iterator.step)
        if isinstance(iterator, tl_tuple):
            return list(iterator)
        if isinstance(iterator, tl_range):
            bounds = [unwrap(bound) for bound in (iterator.start, iterator.end, iterator.step)]
            if all(isinstance(bound, int) for bound in bounds):
                return _repetitions(*bounds)
        if isinstance(iterator, constexpr) and hasattr(iterator.value, "__iter__"):
            return list(iterator)
        raise TypeError(
            "Only `range` and `static_range` iterators are currently supported, besides tuples and lists "
            "that are known at compile time"
        )

    def _for_range(self, node, loop):
        if not isinstance(node.target, ast.Name):
            raise TypeError("the target of a range loop must be a name")
        self.locate(node)
        semantic, builder = self.semantic, self.builder
        start, end, step, index_ty, mirrored = self._bounds(loop)
        carried = self._carried(node.body)
        handles, types = self._flattened(carried)
        op = builder.op(
            "scf.for",
            [start.handle, end.handle, step.handle, *handles],
            types,
            self._for_attributes(loop),
            regions=1,
        )
        block = op.region(0).add_block([semantic.ir_type(start.type), *types])
        arguments = block.args
        outer, saved = self.scope, builder.insertion_point
        self.scope = dict(outer)
        builder.set_insertion_point_to_end(block)
        name = node.target.id
        arguments[0].set_name(name)
        index = tensor(arguments[0], start.type)
        if mirrored:
            index = semantic.add(
                semantic.sub(end, index, sanitize_overflow=False), start, sanitize_overflow=False
            )
        self._enter(carried, iter(arguments[1:]))
        self.scope[name] = semantic.cast(index, index_ty)
        self._run_body(node, carried)
        builder.insertion_point = saved
        self._leave(carried, iter(op.results), outer)
        return FALLS

    def _bounds(self, loop):
        """Lower bound, upper bound and step in one type, the index type, whether the index is mirrored."""
        start, end, step = loop.start, loop.end, loop.step
        amount = unwrap(step)
        known = isinstance(amount, int)
        if known and amount == 0:
            raise ValueError("range() arg 3 must not be zero; give the step that leads to the end")
        mirrored = known and amount < 0
        if mirrored:
            start, end, step = end, start, -amount
        bounds = []
        for what, bound in (("start", start), ("stop", end), ("step", step)):
            bound = self.semantic.to_tensor(bound)
            if bound.type.is_block() and bound.type.numel == 1:
                bound = self.semantic.item(bound)
            if bound.type.is_block() or not bound.type.scalar.is_int():
                raise TypeError(
                    f"For loop bounds and step must all be ints, are ({what}: {bound.type}); convert with "
                    ".to(tl.int32)"
                )
            bounds.append(bound)
        index_ty = integer_promote(integer_promote(bounds[0].dtype, bounds[1].dtype), bounds[2].dtype)
        carrier = int64 if index_ty.is_int_unsigned() else index_ty
        return *(self.semantic.cast(bound, carrier) for bound in bounds), index_ty, mirrored

    def _for_attributes(self, loop):
        attrs = {}
        for name in ("num_stages", "loop_unroll_factor"):
            value = unwrap(getattr(loop, name))
            if value is not None:
                attrs[f"tt.{name}"] = int(value)
        for name in ("disallow_acc_multi_buffer", "flatten", "warp_specialize"):
            if unwrap(getattr(loop, name)):
                attrs[f"tt.{name}"] = None
        if unwrap(loop.disable_licm):
            attrs["llvm.loop_annotation"] = self.semantic.attribute(_NO_LICM)
        return attrs or None

    def visit_While(self, node):
        if node.orelse:
            raise SyntaxError("`while ... else` is not supported; test the condition after the loop")
        self.locate(node)
        builder = self.builder
        carried = self._carried([node.test, *node.body])
        handles, types = self._flattened(carried)
        op = builder.op("scf.while", handles, types, regions=2)
        before, after = op.region(0).add_block(types), op.region(1).add_block(types)
        outer, saved = self.scope, builder.insertion_point

        builder.set_insertion_point_to_end(before)
        self.scope = dict(outer)
        self._enter(carried, iter(before.args))
        if self.marks:
            self.mark(node, "line")
        condition = self._while_condition(node, op)
        self.locate(node.test)
        kept = self._yielded(node, carried)
        builder.op("scf.condition", [condition.handle, *kept], [])

        builder.set_insertion_point_to_end(after)
        self.scope = dict(outer)
        self._enter(carried, iter(after.args))
        self._run_body(node, carried)

        builder.insertion_point = saved
        self._leave(carried, iter(op.results), outer)
        return FALLS

    def _while_condition(self, node, op):
        value = self.visit(node.test)
        if isinstance(value, tl_condition):
            if unwrap(value.disable_licm):
                op.set_attr("llvm.loop_annotation", self.semantic.attribute(_NO_LICM))
            value = value.condition
        self.locate(node.test)
        if not isinstance(value, tensor):
            value = self.semantic.to_tensor(bool(unwrap(value)))
        return self.scalar_condition(value)

    # Carried variables.

    def _carried(self, parts):
        """The variables a loop carries, oldest first, by name; compile-time numbers become tensors. `parts`:
        what it runs in each pass."""
        carried, assigned = _Carried(), set(assigned_names(parts))
        for name, read_first in unrolled_targets(parts).items():
            if read_first or isinstance(self.scope.get(name), tensor):
                assigned.add(name)
        for name in changed_in_place(parts):
            if isinstance(self.scope.get(name), tl_tuple):
                self.check_alone(name, self.scope[name])
        for name, value in list(self.scope.items()):
            if name not in assigned or isinstance(value, (Conflict, InlineFunction)):
                continue
            value = self.materialize(value)
            types = []
            value.type.flatten_types(types)
            if types:
                self.scope[name] = carried[name] = value
            else:
                carried.fixed[name] = value
        return carried

    def _flattened(self, carried):
        handles, types = [], []
        for value in carried.values():
            value.flatten_ir(handles)
            value.type.flatten_types(types)
        return handles, [self.semantic.ir_type(ty) for ty in types]

    def _enter(self, carried, arguments):
        for name, value in carried.items():
            inside = value.type.rebuild(arguments)
            if isinstance(inside, tensor):
                inside.handle.set_name(name)
            self.scope[name] = inside

    def _run_body(self, node, carried):
        self.loop_depth += 1
        self.run(node.body)
        self.loop_depth -= 1
        self.locate(node)
        self.builder.op("scf.yield", self._yielded(node, carried), [])

    def _yielded(self, node, carried):
        handles = []
        for name, before in carried.items():
            value = self.scope.get(name)
            if value is None:
                raise NameError(f"{name} is deleted inside the loop but used by its next iteration")
            if isinstance(value, Conflict):
                raise self.error_at(value.node, value.message)
            value = self.materialize(value)
            if value.type != before.type:
                raise TypeError(
                    f"Loop-carried variable {name} has initial type {before.type} but is re-assigned to "
                    f"{value.type} in loop! Please make sure that the type stays consistent."
                )
            value.flatten_ir(handles)
        for name, before in carried.fixed.items():
            value = self.scope.get(name, before)
            if value is not before and value.type != before.type:
                raise TypeError(
                    f"Loop-carried variable {name} is the compile-time value {before.type} but is "
                    f"re-assigned to {value.type} in loop! What a loop changes must be a number or a block "
                    "from before it on."
                )
        return handles

    def _leave(self, carried, results, outer):
        """Goes on with the variables outside, with what the loop made of those that it carries."""
        inner, self.scope = self.scope, outer
        self.ended.update(name for name in inner if name not in outer)
        for name, value in carried.items():
            self.scope[name] = value.type.rebuild(results)
