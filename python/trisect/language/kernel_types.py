"""Signature entries as types.

What: `str_to_ty` reads `*fp16`, `i32`, `constexpr` or `tensordesc<fp16[64,32]>`; `DESCRIPTOR` is the
pattern of the last form, whose padding stands after the shape.
"""

import re

from .constexpr import constexpr_type
from .descriptor import tensor_descriptor_type
from .types import block_type, type_from_signature

DESCRIPTOR = re.compile(r"tensordesc<\s*([a-z0-9]+)\s*\[([0-9, ]+)\]\s*(?:,\s*(zero|nan))?.*>")


def descriptor_block(entry: str):
    """Block type and padding of a descriptor entry; None for any other entry."""
    found = DESCRIPTOR.match(entry)
    if found is None:
        return None
    shape = [int(size) for size in found.group(2).split(",")]
    return block_type(type_from_signature(found.group(1)), shape), found.group(3) or "zero"


def str_to_ty(name: str, c=None):
    """Parses a signature type string such as *fp16 into a type object; `c` is the value of a constexpr."""
    if name == "constexpr":
        return constexpr_type(c)
    descriptor = descriptor_block(name)
    if descriptor is not None:
        return tensor_descriptor_type(descriptor[0])
    return type_from_signature(name)
