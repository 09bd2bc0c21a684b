"""Modules as analyses of user kernels walk them."""

from trisect.ir import Block as block
from trisect.ir import Builder as builder
from trisect.ir import Context as context
from trisect.ir import Function as function
from trisect.ir import Location as location
from trisect.ir import Module as module
from trisect.ir import Operation as operation
from trisect.ir import Region as region
from trisect.ir import Type as type
from trisect.ir import Value as value


def load_dialects(context) -> None:
    """A context has every dialect from the start."""


def parse_mlir_module(path, context):
    """The module of a file."""
    from trisect.ir import parse

    with open(path, "rb") as file:
        return parse(file.read(), str(path), context)


__all__ = [
    "block", "builder", "context", "function", "load_dialects", "location", "module", "operation",
    "parse_mlir_module", "region", "type", "value",
]  # fmt: skip
