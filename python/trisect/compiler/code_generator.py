"""From a jit function and its specialisation to a TTIR module.

What: `ast_to_ttir` is the front end's one door: it makes the module, generates the kernel and every helper
it calls, and verifies the result.
Limits: no pass runs here; helpers are still called, and code that a pass would drop is still there.
"""

from trisect._C import ir

from .codegen.function import FunctionGenerator
from .codegen.kernel import KernelSignature
from .codegen.module import ModuleState
from .errors import CompilationError, CompileTimeAssertionFailure, UnsupportedLanguageConstruct
from .naming import kernel_name


def ast_to_ttir(fn, src, context, options, codegen_fns=None, module_map=None, module=None):
    """TTIR module of `fn` for `src`: signature by name, constants and attrs by argument path."""
    builder = ir.Builder(context)
    if module is None:
        module = builder.create_module()
    state = ModuleState(builder, module, options, codegen_fns, module_map, FunctionGenerator)
    try:
        generator = FunctionGenerator(state, fn)
        _generate_kernel(
            generator, kernel_name(fn, src), KernelSignature(fn, src.signature, src.constants, src.attrs)
        )
    except CompilationError as error:
        cause = error.__cause__
        raise error.with_traceback(None) from cause and cause.with_traceback(None)
    module.verify()
    return module


def _generate_kernel(generator, name, signature):
    builder, semantic = generator.builder, generator.semantic
    generator.locate(generator.source.tree)
    function = builder.create_function(
        generator.module.module,
        name,
        [semantic.ir_type(argument.type) for argument in signature.arguments],
        [],
        visibility="public",
        arg_attrs=[argument.attributes for argument in signature.arguments],
        attrs={"noinline": False},
        arg_names=[argument.name for argument in signature.arguments],
    )
    builder.set_insertion_point_to_end(function.entry)
    generator.scope.update(signature.values(function.args, semantic))
    generator.run_body(kernel=True)


__all__ = [
    "CompilationError",
    "CompileTimeAssertionFailure",
    "UnsupportedLanguageConstruct",
    "ast_to_ttir",
    "kernel_name",
]
