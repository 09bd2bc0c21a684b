"""Generating one function: arguments in, body, results out.

What: `FunctionGenerator` walks the tree of one jit function for one combination of argument types. Its
parts are the themed files beside this one. Every operation gets the position of the syntax it comes from,
under the name of the variable that is being assigned.
"""

import ast

from ..errors import CompilationError, NotInLanguage, UnsupportedLanguageConstruct, too_deep
from .analysis import long_expressions
from .calls import Calls
from .chains import Chains
from .expressions import Expressions
from .loops import Loops
from .marks import Marks
from .merging import Merging
from .printing import Printing
from .scope import GlobalNames
from .source import Source
from .statements import Statements

_WORDS = {
    "Delete": "del",
    "Break": "break; make the end of the loop a condition of `while`, or carry a flag",
    "Continue": "continue; put the rest of the body under an `if`",
    "Try": "try/except",
    "TryStar": "try/except",
    "With": "a `with` block",
    "Raise": "raise",
    "Global": "global",
    "Nonlocal": "nonlocal",
    "Import": "import",
    "ImportFrom": "import",
    "ClassDef": "a class",
    "AsyncFunctionDef": "async",
    "AsyncFor": "async",
    "AsyncWith": "async",
    "Await": "await",
    "Yield": "yield",
    "YieldFrom": "yield",
    "Match": "match",
    "SetComp": "a set",
    "DictComp": "a dict comprehension",
    "Set": "a set",
}


class FunctionGenerator(Expressions, Statements, Chains, Loops, Calls, Printing, Merging, Marks):
    """Code generator of one function."""

    def __init__(self, module, fn):
        self.module, self.fn = module, fn
        self.builder, self.semantic = module.builder, module.semantic
        self.source = Source(fn)
        self.globals = GlobalNames(fn, module.module_map)
        self.scope = {}
        self.around = ()  # in a comprehension or lambda: the variables outside, the function's own first
        self.ended = set()  # names that a branch or loop assigned first, and that ended with it
        self.loc_name = None
        self.loop_depth = 0
        self.pending_constexpr = set()
        self.called = {}
        self.inlining = 0
        self.long = long_expressions(self.source.tree)
        self.ready = {}

    # Walking.

    def visit(self, node):
        if self.long:
            for part in self.long.get(node, ()):
                self.ready[part] = self.visit(part)
            if node in self.ready:
                return self.ready.pop(node)
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise self._unsupported(node)
        try:
            return handler(self, node)
        except CompilationError as error:
            if error.file is None and error.src is self.source.text:
                error.locate(self.source.file, *self.source.position(error.node))
            raise
        except Exception as error:
            raise self.error_at(node, error) from error

    def locate(self, node):
        """Gives the operations that follow the position of `node`."""
        line, column = self.source.position(node)
        self.builder.set_loc(self.source.file, line, column, self.loc_name)

    def error_at(self, node, error):
        """An error as the user sees it: at this node of this function."""
        message = too_deep(self.fn.__name__) if isinstance(error, RecursionError) else str(error)
        if isinstance(error, (AttributeError, KeyError, ZeroDivisionError)):
            message = f"{type(error).__name__}: {message}"
        kind = UnsupportedLanguageConstruct if isinstance(error, NotInLanguage) else CompilationError
        return kind(self.source.text, node, message or repr(error)).locate(
            self.source.file, *self.source.position(node)
        )

    def _unsupported(self, node):
        word = _WORDS.get(type(node).__name__, type(node).__name__)
        return UnsupportedLanguageConstruct(
            self.source.text,
            node,
            f"unsupported AST node type: {type(node).__name__}; kernels cannot use {word}",
        ).locate(self.source.file, *self.source.position(node))

    # Whole functions.

    def generate_helper(self, record, types, caller):
        """Generates a private function for arguments of these types and completes its record."""
        builder, semantic = self.builder, self.semantic
        flat = []
        for ty in types:
            ty.flatten_types(flat)
        outer_location, outer_point = builder.get_loc(), builder.insertion_point
        self.locate(self.source.tree)
        function = builder.create_function(
            self.module.module,
            record.symbol,
            [semantic.ir_type(ty) for ty in flat],
            [],
            visibility="private",
            attrs={"noinline": bool(getattr(self.fn, "noinline", False))},
            arg_names=list(self._flat_names(types)),
        )
        builder.set_insertion_point_to_end(function.entry)
        handles = iter(function.args)
        for param, ty in zip(self.fn.params, types, strict=True):
            self.scope[param.name] = ty.rebuild(handles)
        try:
            value = self.run_body()
        except CompilationError as error:
            error.called_from(caller.where(outer_location))
            raise
        record.result_type = value.type
        value.type.flatten_types(results := [])
        record.ir_results = [semantic.ir_type(ty) for ty in results]
        function.result_types = record.ir_results
        builder.set_loc_obj(outer_location)
        builder.insertion_point = outer_point

    def _flat_names(self, types):
        for param, ty in zip(self.fn.params, types, strict=True):
            ty.flatten_types(flat := [])
            if len(flat) == 1:
                yield param.name
            else:
                yield from (f"{param.name}.{i}" for i in range(len(flat)))

    def run_body(self, kernel=False):
        """Generates the body at the insertion point, with its return; gives the returned value."""
        value = self.run(self.source.tree.body, final=True).value
        self.locate(self.source.tree.body[-1])
        handles = []
        if not kernel:
            value.flatten_ir(handles)
        self.builder.op("tt.return", handles, [])
        return value

    def where(self, location):
        """The place of a call, as an error further down should name it."""
        line = getattr(location, "line", 0) or self.source.first_line
        return f'`{self.fn.__name__}` (File "{self.source.file}", line {line})'


_HANDLERS = {
    getattr(ast, name.removeprefix("visit_")): getattr(FunctionGenerator, name)
    for name in dir(FunctionGenerator)
    if name.startswith("visit_") and hasattr(ast, name.removeprefix("visit_"))
}
