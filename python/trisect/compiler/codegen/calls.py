"""Calls: builtins, jit functions, methods, constructors, compile-time functions.

What: a jit function is generated once for each combination of argument types and constants, as a private
`tt.func`, and called with `tt.call`; constants are part of its symbol and of no operand. A combination
under construction may not be called again: recursion is refused.
"""

import ast
import functools
import inspect

from trisect.language.aggregate import aggregate_value, is_aggregate_class
from trisect.language.base import base_value
from trisect.language.builtin import is_builtin
from trisect.language.constants import unwrap
from trisect.language.constexpr import constexpr
from trisect.language.ops import debugging
from trisect.language.ops.loops import condition, static_range
from trisect.language.ops.loops import range as tl_range
from trisect.language.tensor import tensor
from trisect.language.tuples import as_value, holds_run_time, python_of
from trisect.language.tuples import tuple as tl_tuple
from trisect.language.types import dtype
from trisect.runtime.outside import defaults_of

from ..errors import CompileTimeAssertionFailure
from .closures import InlineFunction
from .expressions import BoundFunction
from .outcome import FALLS
from .printing import Pieces
from .scope import is_constexpr_function, is_jit_function

_TAKES_SEMANTIC = (static_range, tl_range, condition)


class Calls:
    """Call part of the function generator."""

    def visit_Call(self, node):
        function = self.visit(node.func)
        held = unwrap(function)
        self.called[id(node)] = held
        if held is debugging.static_assert:
            return self._static_assert(node)
        if held is debugging.static_print:
            return self._static_print(node)
        if held is breakpoint:
            self.mark_breakpoint(node)
            return constexpr(None)
        prints = held is debugging.device_print or held is debugging.plain_print
        prints = prints and not any(isinstance(arg, ast.Starred) for arg in node.args)
        args = self.print_arguments(node, held) if prints else self.visit_elements(node.args)
        kwargs = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                kwargs.update(
                    {name: as_value(item) for name, item in unwrap(self.visit(keyword.value)).items()}
                )
            else:
                kwargs[keyword.arg] = self.visit(keyword.value)
        self.locate(node)
        if isinstance(args, Pieces):
            return self.semantic.formatted_print(args, **kwargs)
        return self.call(function, held, args, kwargs)

    def call(self, function, held, args, kwargs):
        if is_jit_function(held) or isinstance(held, (InlineFunction, BoundFunction)):
            return self.call_function(held, args, kwargs)
        if is_builtin(held):
            if _wants(held, "_generator"):
                kwargs["_generator"] = self
            return _result(held(*args, _semantic=self.semantic, **kwargs))
        if isinstance(held, type):
            return self._construct(held, args, kwargs)
        if isinstance(held, dtype):
            return _result(held(*args, _semantic=self.semantic, **kwargs))
        owner = getattr(held, "__self__", None)
        if isinstance(owner, base_value) and not isinstance(owner, constexpr):
            return self._method(held, args, kwargs)
        if not callable(held):
            raise TypeError(f"{held!r} is not callable")
        return self._compile_time(held, args, kwargs)

    def _method(self, held, args, kwargs):
        if _wants(getattr(held, "__func__", held), "_semantic"):
            kwargs["_semantic"] = self.semantic
        return _result(held(*args, **kwargs))

    def _construct(self, held, args, kwargs):
        if is_aggregate_class(held):
            return held(*args, **kwargs)
        if issubclass(held, _TAKES_SEMANTIC):
            return held(*args, _semantic=self.semantic, **kwargs)
        if held is constexpr:
            return constexpr(unwrap(args[0]))
        if held in (tuple, list, tl_tuple):
            return tl_tuple(self.static_items(args[0]) if args else ())
        if held is range:
            return tl_range(*args, **kwargs)
        if held in (enumerate, zip, reversed):
            return tl_tuple([as_value(item) for item in held(*(self.static_items(arg) for arg in args))])
        if hasattr(held, "_fields") and issubclass(held, tuple):
            return tl_tuple(held(*args, **kwargs), fields=held._fields, kind=held)
        if held in (int, float, bool) and args and isinstance(args[0], tensor):
            raise TypeError(
                f"{held.__name__}() of a run-time value; use .to(tl.int32), .to(tl.float32) or .to(tl.int1)"
            )
        return self._compile_time(held, args, kwargs)

    def _compile_time(self, held, args, kwargs):
        """A Python function of compile-time values."""
        if held in (isinstance, issubclass, hasattr, getattr, len, type, all, any):
            return self._introspect(held, args, kwargs)
        for value in (*args, *kwargs.values()):
            if holds_run_time(value) and not is_constexpr_function(held):
                raise TypeError(
                    f"cannot call the Python function `{getattr(held, '__name__', held)}` with a run-time "
                    "value; decorate it with @triton.jit to use it in kernels"
                )
        args = [python_of(value) for value in args]
        return as_value(held(*args, **{name: python_of(value) for name, value in kwargs.items()}))

    def _introspect(self, held, args, kwargs):
        values = [unwrap(value) for value in args]
        if held is getattr:
            return self.attribute(args[0], values[1]) if len(values) < 3 else _get_default(self, args, values)
        if held in (all, any):
            values = [[unwrap(item) for item in values[0]]]
            if any(isinstance(item, tensor) for item in values[0]):
                raise TypeError(
                    f"{held.__name__}() needs compile-time values; use a reduction for run-time ones"
                )
        if held is hasattr and isinstance(values[0], aggregate_value):
            return constexpr(values[1] in values[0].fields)
        if held is isinstance and isinstance(values[1], tl_tuple):
            values[1] = tuple(unwrap(item) for item in values[1])
        if held is isinstance and isinstance(values[0], aggregate_value) and is_aggregate_class(values[1]):
            return constexpr(isinstance(values[0], values[1]))
        if held is isinstance and isinstance(values[0], tl_tuple) and values[0]._kind is not None:
            return constexpr(isinstance(*values) or issubclass(values[0]._kind, values[1]))
        return as_value(held(*values, **kwargs))

    # Compile-time statements in the form of calls.

    def _static_arguments(self, node, names):
        args = dict(zip(names, (self.visit(arg) for arg in node.args), strict=False))
        args.update({keyword.arg: self.visit(keyword.value) for keyword in node.keywords})
        return args

    def _static_assert(self, node):
        arguments = self._static_arguments(node, ("cond", "msg"))
        condition = arguments.get("cond", constexpr(True))
        if not isinstance(condition, constexpr) or not isinstance(condition.value, bool):
            raise NotImplementedError(
                "Assertion condition could not be determined at compile-time. Make sure that it "
                "depends only on `constexpr` values"
            )
        if not unwrap(condition):
            message = unwrap(arguments.get("msg", ""))
            raise CompileTimeAssertionFailure(self.source.text, node, str(message) or None)
        return constexpr(None)

    def _static_print(self, node):
        values = [_shown(self.visit(arg)) for arg in node.args]
        options = {keyword.arg: unwrap(self.visit(keyword.value)) for keyword in node.keywords}
        print(*values, **options)
        return constexpr(None)

    # Jit functions.

    def call_function(self, function, args, kwargs):
        """Calls a jit function, a bound method, a lambda or an inner function."""
        if isinstance(function, BoundFunction):
            return self.call_function(function.function, [function.owner, *args], kwargs)
        function = unwrap(function)
        if isinstance(function, InlineFunction):
            return self._call_inline(function, args, kwargs)
        if not is_jit_function(function):
            return self.call(as_value(function), function, list(args), dict(kwargs))
        values = bind_arguments(function, args, kwargs)
        record = self.module.specialize(function, values, self)
        handles = []
        for value in values:
            value.flatten_ir(handles)
        if record.result_type is None:
            raise RuntimeError(
                f"recursion is not supported: {record.symbol} calls itself; write it as a loop"
            )
        op = self.builder.op("tt.call", handles, record.ir_results, {"callee": record.callee})
        return record.result_type.rebuild(iter(op.results))

    def _call_inline(self, function, args, kwargs):
        node, generator = function.node, function.generator
        if generator is not self:
            raise TypeError("a function made inside a kernel cannot be called from another jit function")
        names = [arg.arg for arg in node.args.args]
        defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
        outer, around = self.scope, self.around
        outside = around[0] if around else outer
        self.scope, self.around = {**outside, **function.own}, (outside,)
        depth, self.loop_depth = self.loop_depth, 0
        self.inlining += 1
        try:
            bound = dict(zip(names, args, strict=False))
            bound.update(kwargs)
            if len(args) > len(names) or set(bound) - set(names):
                raise TypeError(
                    f"inner function takes {names}, got {len(args)} positional arguments and {sorted(kwargs)}"
                )
            for name in names:
                if name not in bound:
                    if name not in defaults:
                        raise TypeError(f"inner function is missing argument {name!r}")
                    bound[name] = defaults[name]
            self.scope.update(bound)
            if isinstance(node, ast.Lambda):
                return self.visit(node.body)
            outcome = self.run(node.body, final=True)
            return constexpr(None) if outcome is FALLS else outcome.value
        finally:
            self.scope, self.around, self.loop_depth = outer, around, depth
            self.inlining -= 1


@functools.lru_cache(maxsize=4096)
def _wants(function, name) -> bool:
    """Does a builtin or method ask for the semantic object or the code generator? Read from its signature."""
    return name in inspect.signature(function).parameters


def bind_arguments(function, args, kwargs):
    """One value for each parameter of a jit function, in order."""
    values = []
    positional, keywords = list(args), dict(kwargs)
    defaults = _defaults_of(function)
    for param in function.params:
        name = param.name
        kind = getattr(getattr(param, "_param", None), "kind", None)
        if kind is inspect.Parameter.VAR_POSITIONAL:
            values.append(tl_tuple(positional))
            positional = []
        elif positional and kind is not inspect.Parameter.KEYWORD_ONLY:
            if name in keywords:
                raise TypeError(f"{function.__name__}() got multiple values for argument '{name}'")
            values.append(as_value(positional.pop(0)))
        elif name in keywords:
            values.append(as_value(keywords.pop(name)))
        elif name in defaults:
            values.append(as_value(defaults[name]))
        else:
            raise TypeError(f"{function.__name__}() missing a required argument: '{name}'")
    if positional:
        raise TypeError(
            f"{function.__name__}() takes {len(function.params)} arguments but {len(args)} were given"
        )
    if keywords:
        raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{next(iter(keywords))}'")
    return values


def _defaults_of(function) -> dict:
    """The defaults of a function now; those that it was made with where its Python form is missing."""
    if function.fn is None:
        return {param.name: param.default for param in function.params if param.has_default}
    fn = inspect.unwrap(function.fn)
    positional, named = defaults_of(fn)
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    return {**dict(zip(names[len(names) - len(positional) :], positional, strict=True)), **named}


def _result(value):
    return value if isinstance(value, base_value) else as_value(value)


def _shown(value):
    return value if holds_run_time(value) else python_of(value)


def _get_default(generator, args, values):
    try:
        return generator.attribute(args[0], values[1])
    except AttributeError:
        return args[2]
