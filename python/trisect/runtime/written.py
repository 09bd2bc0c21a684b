"""Which parameters of a kernel its stores and atomics may write, for arguments that must not be written.

What: follows the addresses of all writes back through the module to the kernel's arguments.
Limits: what passes through a branch or a loop counts as coming from everything that enters it; an address
that is read from memory or made of an integer comes from nowhere.
"""

from __future__ import annotations

import re

_WRITES = (
    "tt.store", "tt.atomic_rmw", "tt.atomic_cas", "tt.atomic_store", "tt.descriptor_store",
    "tt.descriptor_scatter", "tt.descriptor_reduce",
)  # fmt: skip


def written_parameters(text: str) -> set[str]:
    """Names of the kernel's parameters whose memory its module may write."""
    from trisect._C import ir

    module = ir.parse(text, "kernel.ttir")
    module.run_passes("inline")
    sources: dict[int, list] = {}
    written: list = []

    def note(op):
        operands = [value for value in op.operands if _is_address(value)]
        if op.name in _WRITES and operands:
            written.append(operands[0])
        blocks = [block for n in range(op.num_regions) for block in op.region(n).blocks]
        for block in blocks:
            if op.name != "tt.func" and block.terminator is not None:
                operands += [value for value in block.terminator.operands if _is_address(value)]
        if op.name == "tt.func":
            return
        for value in (*op.results, *(argument for block in blocks for argument in block.args)):
            sources[value.id()] = operands

    module.walk(note)
    names = {}
    for function in module.functions:
        if function.get_str_attr("sym_visibility") in (None, "public"):
            names = {argument.id(): _name_of(argument) for argument in function.args}
    found, seen = set(), set()
    while written:
        value = written.pop()
        if value.id() in seen:
            continue
        seen.add(value.id())
        if value.id() in names:
            found.add(names[value.id()])
        written += sources.get(value.id(), ())
    return found


def _is_address(value) -> bool:
    return "!tt.ptr" in str(value.type) or "!tt.tensordesc" in str(value.type)


def _name_of(argument) -> str:
    """The parameter's name: that of its location, without the path into a tuple or descriptor."""
    named = re.match(r'loc\("([^"]+)"\(', str(argument.loc))
    return named.group(1).split(".")[0] if named else ""
