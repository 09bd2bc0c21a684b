"""Launchers of compiled kernels.

What: from a signature to the native launcher, with a wrapper where a parameter is a tuple or a host
descriptor and becomes several arguments.
"""

from __future__ import annotations

from trisect._utils import flatten_leaves

from ._native import launch as native
from ._tensors import descriptor_entries, flatten_descriptor, is_descriptor

_FIXED = 9


def is_descriptor_entry(entry) -> bool:
    return isinstance(entry, str) and entry.startswith("tensordesc")


def slots_of(entry) -> list[str]:
    """The types of the arguments that one signature entry stands for, `constexpr` for what is not passed."""
    if not isinstance(entry, (tuple, list)):  # most are not
        return descriptor_entries(entry) if is_descriptor_entry(entry) else [entry]
    return [slot for leaf in flatten_leaves(entry) for slot in slots_of(leaf)]


def _expand(arg):
    for leaf in flatten_leaves(arg):
        if is_descriptor(leaf):
            yield from flatten_descriptor(leaf)
        else:
            yield leaf


def make_launcher(src, metadata):
    """`(grid_0, grid_1, grid_2, stream, function, packed, facts, enter, exit, *args)` of a kernel."""
    names, slots, nested = [], [], False
    for name, entry in src.signature.items():
        own = slots_of(entry)
        nested |= not isinstance(entry, str) or is_descriptor_entry(entry)
        names.extend([str(name)] * len(own))
        slots.extend(own)
    launcher = native().launcher(metadata.name, names, slots, metadata.target.backend == "cuda")
    if not nested:
        return launcher
    entries = list(src.signature.values())

    def launch(*args):
        flat = list(args[:_FIXED])
        for entry, arg in zip(entries, args[_FIXED:], strict=True):
            # A constexpr parameter may hold a tuple, which is no argument at all.
            flat.extend([arg] if entry == "constexpr" else _expand(arg))
        return launcher(*flat)

    return launch
