"""One module under construction: its functions, and what all function generators share.

What: `ModuleState` owns builder, semantic object and the table of specialised functions. A specialisation
is found by the function, the types of its arguments and its constants.
"""

import re

from trisect.language.semantic import TritonSemantic

from .marks import MODE


class Record:
    """A specialised function: its symbol, and its result types once its body is complete."""

    def __init__(self, symbol, callee):
        self.symbol, self.callee = symbol, callee
        self.result_type = None
        self.ir_results = []


class ModuleState:
    """What the generators of one module share."""

    def __init__(self, builder, module, options, codegen_fns, module_map, make_generator):
        self.builder, self.module = builder, module
        self.context = builder.context
        self.semantic = TritonSemantic(builder, options, codegen_fns)
        self.module_map = module_map
        self.records = {}
        self.symbols = set()
        self._make_generator = make_generator
        self.marks = getattr(options, "instrumentation_mode", "") == MODE

    def specialize(self, function, values, caller) -> Record:
        """The record of `function` for arguments of these types; generates the function if it is new."""
        types = [value.type for value in values]
        key = (function, *map(_hashable, types))
        record = self.records.get(key)
        if record is None:
            symbol = self._unique(mangle(function, types))
            record = self.records[key] = Record(symbol, self.context.symbol_attr(symbol))
            self._make_generator(self, function).generate_helper(record, types, caller)
        return record

    def _unique(self, symbol):
        candidate, number = symbol, 1
        while candidate in self.symbols:
            candidate, number = f"{symbol}_{number}", number + 1
        self.symbols.add(candidate)
        return candidate


def _hashable(ty):
    try:
        hash(ty)
        return ty
    except TypeError:
        return repr(ty)


def mangle(function, types) -> str:
    """Symbol of a specialised helper: its name, then its argument types and constants."""
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', function.__name__)}"
    text = f"{name}__{'_'.join(ty.mangle() for ty in types)}"
    return re.sub(r"[^A-Za-z0-9_.$<>,]", "_", text)[:240]
