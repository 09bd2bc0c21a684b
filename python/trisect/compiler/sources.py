"""What a compilation starts from: a jit function with a specialisation, or a file of IR.

What: `ASTSource` and `IRSource` hash themselves and make the first module.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from trisect._utils import type_canonicalisation_dict
from trisect.errors import InvalidInput
from trisect.runtime.constants import text_of_constant

from .naming import kernel_name

_IR_TYPES = {
    "i1": "u1", "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8E4M3FN": "fp8e4nv",
    "f8E5M2": "fp8e5", "f8E4M3FNUZ": "fp8e4b8", "f8E5M2FNUZ": "fp8e5b16",
}  # fmt: skip

#: What MLIR's bytecode begins with.
_BYTECODE = b"ML\xefR"

ptx_arg_type_pattern = r"\.param\s+\.(\w+)"
ptx_prototype_pattern = r"\.(?:visible|extern)\s+\.(?:entry|func)\s+(\w+)\s*\(([^)]*)\)"
prototype_pattern = {"ptx": ptx_prototype_pattern}
arg_type_pattern = {"ptx": ptx_arg_type_pattern}


def convert_type_repr(x: str) -> str:
    """The signature entry of an IR type: `!tt.ptr<f32>` is `*fp32`."""
    pointer = re.search(r"!tt\.ptr<([^,]+)", x)
    descriptor = re.search(r"tensordesc<(?:tensor<)?([0-9x]+)x(\w+?)>", x)
    if descriptor is not None:
        shape, element = descriptor.groups()
        return f"tensordesc<{convert_type_repr(element.lstrip('su'))}[{shape.replace('x', ',')}]>"
    if pointer is not None:
        return "*" + convert_type_repr(
            pointer.group(1).rstrip(">") if "!" not in pointer.group(1) else pointer.group(1)
        )
    return _IR_TYPES.get(x, type_canonicalisation_dict.get(x, x))


def parse(full_name, ext, context):
    """The module or text of a file of a stage."""
    data = Path(full_name).read_bytes()
    if ext in ("ttir", "source"):
        from trisect.ir import parse as parse_module

        bytecode = data.startswith(_BYTECODE)
        return parse_module(data if bytecode else _text(data, full_name), str(full_name), context)
    return _text(data, full_name) if ext in ("ttgir", "llir", "ptx", "amdgcn", "asm") else data


def _text(data: bytes, path) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is no text: byte {error.start} is no UTF-8") from None


class ASTSource:
    """A jit function, the types of its arguments, and what is known of them.

    `constants` maps argument paths to compile-time values, `attrs` argument paths to [[name, value]].
    """

    def __init__(self, fn, signature, constexprs=None, attrs=None) -> None:
        self.fn = fn
        self.language = "triton"
        self.ext = "ttir"
        self.name = fn.__name__
        self.signature = signature
        self.constants = {}
        for key, value in (constexprs or {}).items():
            path = (fn.arg_names.index(key),) if isinstance(key, str) else key
            if not isinstance(path, tuple):
                raise TypeError(f"constants are keyed by name or by path of indices, not by {key!r}")
            self.constants[path] = value
        self.attrs = attrs or {}
        for name in signature:
            if not isinstance(name, str):
                raise TypeError("Signature keys must be string")

    def hash(self) -> str:
        attrs = sorted((str(path), str(value)) for path, value in self.attrs.items())
        constants = sorted((str(path), text_of_constant(value)) for path, value in self.constants.items())
        name = kernel_name(self.fn, self)
        text = f"{self.fn.cache_key}-{attrs}-{list(self.signature.items())}-{constants}-{name}"
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

    def make_ir(self, target, options, codegen_fns, module_map, context):
        from .code_generator import ast_to_ttir

        return ast_to_ttir(
            self.fn, self, context=context, options=options, codegen_fns=codegen_fns, module_map=module_map
        )

    def parse_options(self) -> dict:
        return {}


class IRSource:
    """A file of TTIR."""

    def __init__(self, path, context, backend) -> None:
        self.path = str(path)
        self.ext = os.path.splitext(self.path)[1][1:]
        if self.ext not in ("ttir", "source"):
            raise ValueError(f"{self.path}: expected a .ttir file, found .{self.ext}")
        self.language = "triton"
        self.src = _text(Path(self.path).read_bytes(), self.path)
        backend.load_dialects(context)
        self.module = parse(self.path, self.ext, context)
        function = kernel_function(self.module)
        self.name = function.name
        self.signature = {
            str(index): convert_type_repr(str(kind)) for index, kind in enumerate(function.arg_types)
        }
        self.constants = {}
        self.attrs = {}

    def __getstate__(self):
        return {**self.__dict__, "module": None}

    def hash(self) -> str:
        return hashlib.sha256(self.src.encode("utf-8")).hexdigest()

    def make_ir(self, target, options, codegen_fns, module_map, context):
        return self.module

    def parse_options(self) -> dict:
        num_warps = self.module.operation.get_int_attr("ttg.num-warps")
        return {} if num_warps is None else {"num_warps": num_warps}


def kernel_function(module):
    """The kernel of a module: its public function."""
    for function in module.functions:
        if function.get_str_attr("sym_visibility") in (None, "public"):
            return function
    raise ValueError("the module has no public tt.func")
