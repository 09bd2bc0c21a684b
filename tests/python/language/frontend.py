"""What the front end's tests share: compiling a kernel to TTIR without launching it, and asking about the
module.
"""

import re
from types import SimpleNamespace

from trisect._C import ir

from trisect.compiler.code_generator import ast_to_ttir


def source(kernel, **given):
    """Signature and constants from keyword arguments: type strings are arguments, the rest constants."""
    signature, constants = {}, {}
    for index, name in enumerate(kernel.arg_names):
        value = given.get(name)
        if isinstance(value, (str, tuple)):
            signature[name] = value
        else:
            signature[name] = "constexpr"
            constants[(index,)] = value.value if isinstance(value, Text) else value
    return SimpleNamespace(signature=signature, constants=constants, attrs={})


class Text:
    """A constant that is a string."""

    def __init__(self, value):
        self.value = value


def compile_kernel(kernel, options=None, **given):
    """The verified module of a kernel."""
    return ast_to_ttir(kernel, source(kernel, **given), ir.Context(), SimpleNamespace(**(options or {})))


def text_of(module) -> str:
    return module.str(False, False)


def ops(module, name) -> int:
    """How often an operation occurs in a module."""
    names = []
    module.walk(lambda op: names.append(op.name))
    return names.count(name)


def kernel_text(module) -> str:
    """The public function's text."""
    text = text_of(module)
    start = text.index("tt.func public")
    end = text.find("tt.func private", start)
    return text[start : end if end > 0 else None]


def result_types(module) -> list:
    """Element types that the kernel stores, in order."""
    return re.findall(r"tt\.store .*: (?:tensor<[0-9x]*)?!tt\.ptr<(\w+)>", text_of(module))
