"""Joining the two ways of a branch: values, variables, returns.

What: `Merging.branch` runs two actions in blocks of their own, decides which values differ afterwards, and
builds one `scf.if` whose results are the joined values. Compile-time values that agree stay compile-time
values; numbers that differ become tensors; values that do not go together become a `Conflict`.
"""

from trisect.language.constants import unwrap
from trisect.language.constexpr import constexpr
from trisect.language.tensor import tensor
from trisect.language.tuples import tuple as tl_tuple
from trisect.language.types import int1
from trisect.language.typing_rules import is_python_scalar

from .outcome import FALLS, MaybeReturned, Paused, Returned, paused_in
from .scope import Conflict


class _Side:
    """One way of a branch: its block, its variables at the end, how it ended."""

    def __init__(self, block, scope, outcome, value=None):
        self.block, self.scope, self.outcome, self.value = block, scope, outcome, value

    @property
    def gone(self):
        return isinstance(self.outcome, Returned)

    @property
    def falls(self):
        return self.outcome is FALLS or isinstance(self.outcome, Paused)


class Merging:
    """Branch part of the function generator."""

    def in_block(self, action, types=()):
        """Runs `action` in a new block on a copy of the variables; gives the side it makes."""
        builder, outer, around = self.builder, self.scope, self.around
        block = builder.create_block(list(types))
        saved = builder.insertion_point
        builder.set_insertion_point_to_end(block)
        self.scope, self.around = dict(outer), tuple(map(dict, around))
        try:
            outcome = action()
            return _Side(block, self.scope, outcome)
        finally:
            self.scope, self.around = outer, around
            builder.insertion_point = saved

    def branch(self, node, condition: tensor, then_action, else_action, continued=True):
        """Both actions give an outcome; the outcome of the whole. `continued`: one of them holds what comes
        after the `if`, too."""
        then, other = self.in_block(then_action), self.in_block(else_action)
        self.locate(node)
        joined = []
        names = [] if then.gone and other.gone else self._differing(then, other)
        for name in names:
            if not continued:
                self._check_kept(name, then, other)
            self._join_name(node, name, then, other, joined)
        outcome = self._join_outcomes(then, other, joined)
        results = self._finish(condition, then, other, joined)
        for (assign, _, _, ty), value in zip(joined, results, strict=True):
            assign(ty.rebuild(iter(value)))
        return outcome()

    def choose(self, node, condition: tensor, then_value, else_value):
        """`a if condition else b` with a run-time condition; the arguments are actions that give values."""
        chosen = []
        then = self.in_block(lambda: chosen.append(then_value()) or FALLS)
        other = self.in_block(lambda: chosen.append(else_value()) or FALLS)
        self.locate(node)
        for name, value in (*then.scope.items(), *other.scope.items()):
            if self.scope.get(name) is not value:
                raise TypeError(
                    f"`{name} :=` stands in a ternary whose condition is known when the kernel runs; assign "
                    f"{name} in an `if`"
                )
        a, b = self._unify(chosen[0], chosen[1], then, other)
        if a is None or a.type != b.type:
            raise TypeError(
                "Ternary expression with dynamic condition has inconsistent types "
                f"{chosen[0].type} and {chosen[1].type}; convert one with .to(...)"
            )
        results = self._finish(condition, then, other, [(None, a, b, a.type)])
        return a.type.rebuild(iter(results[0]))

    def _differing(self, then, other):
        names = []
        for name in {**then.scope, **other.scope}:
            a, b = then.scope.get(name), other.scope.get(name)
            if a is b:
                continue
            if (a is None and not then.gone) or (b is None and not other.gone):
                if name in self.scope:
                    names.append(name)
                else:
                    self.ended.add(name)
                continue
            names.append(name)
        return names

    def _check_kept(self, name, then, other):
        """A way must not make a compile-time number one of run time, nor the other way round."""
        before = self.scope.get(name)
        for side, way in ((then, "then"), (other, "else")):
            after = side.scope.get(name)
            if (
                side.gone
                or after is before
                or _number_at_compile_time(before) == _number_at_compile_time(after)
            ):
                continue
            if isinstance(before, (tensor, constexpr)) and isinstance(after, (tensor, constexpr)):
                raise TypeError(
                    f"initial value for `{name}` is of type {before.type}, but the {way} block redefines "
                    f"it as {after.type}; give what changes at run time a name of its own before the `if`"
                )

    def _join_name(self, node, name, then, other, joined):
        a, b = then.scope.get(name), other.scope.get(name)
        if then.gone or other.gone:
            value = b if then.gone else a
            if value is None:
                return
            a, b = (self._poison(value, then), value) if then.gone else (value, self._poison(value, other))
        else:
            first, second = a, b
            a, b = self._unify(a, b, then, other)
            if a is None or a.type != b.type:
                raise TypeError(
                    f"Mismatched type for {name} between then block ({_type_name(first)}) and else block "
                    f"({_type_name(second)}); give it the same type in both"
                )
        if not self._has_ir(a):
            self.scope[name] = a
            return
        joined.append((lambda value: self.scope.__setitem__(name, value), a, b, a.type))

    def _join_outcomes(self, then, other, joined):
        """Adds what the outcomes carry to `joined`; gives a function that makes the joined outcome."""
        if then.outcome is FALLS and other.outcome is FALLS:
            return lambda: FALLS
        value = self._join_returns(then, other, joined)
        if then.gone and other.gone:
            return lambda: Returned(value())
        flag = []
        joined.append((flag.append, self._flag(then), self._flag(other), int1))
        paused = paused_in(then.outcome) or paused_in(other.outcome)
        return lambda: MaybeReturned(flag[0], value(), paused)

    def _join_returns(self, then, other, joined):
        values = [None if side.falls else side.outcome.value for side in (then, other)]
        if values[0] is None or values[1] is None:
            value = values[0] if values[1] is None else values[1]
            pair = [self._poison(value, side) if side.falls else value for side in (then, other)]
        else:
            pair = self._unify(values[0], values[1], then, other)
            if pair[0] is None or pair[0].type != pair[1].type:
                error = TypeError(
                    f"Inconsistent return types: {_type_name(values[0])} and {_type_name(values[1])}; every "
                    "return of a function must give the same type"
                )
                node = getattr(other.outcome, "node", None)
                if node is None:
                    raise error
                raise self.error_at(node, error) from error
        if not self._has_ir(pair[0]):
            return lambda: pair[0]
        result = []
        joined.append((result.append, pair[0], pair[1], pair[0].type))
        return lambda: result[0]

    def _flag(self, side):
        if isinstance(side.outcome, MaybeReturned):
            return side.outcome.flag
        return self._at_end(side, lambda: self.semantic.constant(int(side.gone), int1))

    def _at_end(self, side, action):
        builder = self.builder
        saved = builder.insertion_point
        builder.set_insertion_point_to_end(side.block)
        try:
            return action()
        finally:
            builder.insertion_point = saved

    def _poison(self, value, side):
        """An undefined value of the type of `value`, made at the end of a side."""
        if not self._has_ir(value):
            return value
        types = []
        value.type.flatten_types(types)
        handles = self._at_end(side, lambda: [self.semantic.poison(ty).handle for ty in types])
        return value.type.rebuild(iter(handles))

    def _unify(self, a, b, then, other):
        """Both values in a form that can be joined; (None, None) if there is none."""
        if a is None or b is None or isinstance(a, Conflict) or isinstance(b, Conflict):
            return None, None
        if isinstance(a, tl_tuple) and isinstance(b, tl_tuple) and len(a) == len(b):
            pairs = [self._unify(x, y, then, other) for x, y in zip(a, b, strict=True)]
            if any(x is None for x, _ in pairs):
                return None, None
            names = {"fields": a._fields if a._fields == b._fields else None}
            names["kind"] = a._kind if names["fields"] and a._kind is b._kind else None
            return tuple(tl_tuple([pair[way] for pair in pairs], **names) for way in (0, 1))
        if isinstance(a, constexpr) and isinstance(b, constexpr) and a.type == b.type:
            return a, b
        return self._lowered(a, then), self._lowered(b, other)

    def _lowered(self, value, side):
        if isinstance(value, constexpr) and is_python_scalar(unwrap(value)):
            return self._at_end(side, lambda: self.semantic.to_tensor(value))
        return value

    @staticmethod
    def _has_ir(value) -> bool:
        types = []
        value.type.flatten_types(types)
        return bool(types)

    def _finish(self, condition, then, other, joined):
        """Builds the `scf.if`; the handles of each joined value."""
        builder, result_types, counts = self.builder, [], []
        for _, _, _, ty in joined:
            types = []
            ty.flatten_types(types)
            counts.append(len(types))
            result_types.extend(self.semantic.ir_type(each) for each in types)
        for side, position in ((then, 1), (other, 2)):
            handles = []
            for entry in joined:
                entry[position].flatten_ir(handles)
            self._at_end(side, lambda handles=handles: builder.op("scf.yield", handles, []))
        op = builder.op("scf.if", [condition.handle], result_types, regions=2)
        op.region(0).append(then.block)
        op.region(1).append(other.block)
        handles, values = iter(op.results), []
        for count in counts:
            values.append([next(handles) for _ in range(count)])
        return values


def _number_at_compile_time(value):
    return isinstance(value, constexpr) and is_python_scalar(value.value)


def _type_name(value):
    return "undefined" if value is None else getattr(value, "type", type(value).__name__)
