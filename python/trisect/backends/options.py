"""The launch options of a target as a dataclass, made from the target's own table.

What: `options_class("CpuOptions", "cpu", module)` has a field for each row of the table; `idle` names
those that change nothing on that target.
Why: an option is declared once, beside the compiler that reads it (backends/*/*Options.def).
"""

from __future__ import annotations

import functools
import hashlib
import operator
from dataclasses import field, make_dataclass

from trisect import knobs

#: What a table may name as the source of a default.
_KNOBS = {
    "TRITON_DEFAULT_FP_FUSION": lambda: "1" if knobs.language.default_fp_fusion else "0",
    "TRITON_F32_DEFAULT": lambda: knobs.language.fp32_default,
    "TRISECT_BF16_SUMS": lambda: knobs.language.bf16_sums,
    "TRISECT_LINE_INFO": lambda: "1" if knobs.compilation.cpu_line_info else "0",
}
#: Type of an option: annotation, and the value of a default's text.
_TYPES = {
    "Integer": (int, int),
    "PowerOfTwo": (int, int),
    "OptionalInteger": (int | None, lambda text: int(text) if text else None),
    "Integers": (tuple, lambda text: tuple(int(part) for part in text.split(",")) if text else ()),
    "Flag": (bool, lambda text: text == "1"),
    "Text": (str, str),
    "OptionalText": (str | None, lambda text: text or None),
    "Texts": (tuple, lambda text: tuple(text.split(",")) if text else ()),
    "Pairs": (tuple | None, lambda text: None),
}


def _field(row):
    annotation, read = _TYPES[row.type]
    if not row.default.startswith("$"):
        return row.name, annotation, field(default=read(row.default))
    variable, _, text = row.default[1:].partition(":")
    told = _KNOBS[variable]
    return row.name, annotation, field(default_factory=lambda: read(told() or text))


def _whole(name, value):
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


class LaunchOptions:
    """Base of the classes that are made here."""

    def __post_init__(self):
        from trisect._C import runtime

        values = vars(self)
        for name in self.whole:
            if type(value := values[name]) is not int and value is not None:
                values[name] = _whole(name, value)
        for name in self.pairs:
            if isinstance(value := values[name], dict):
                values[name] = tuple(sorted(value.items()))
        if self.sanitize != "":
            from trisect.sanitizer.session import kinds_text

            self.sanitize = kinds_text(self.sanitize)
        runtime.check_launch_options(self.target, vars(self))

    def hash(self) -> str:
        text = "_".join(f"{name}-{value}" for name, value in sorted(self.__dict__.items()))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


@functools.cache
def options_class(name: str, target: str, module: str) -> type:
    """The class of a target's options."""
    from trisect._C import runtime

    rows = runtime.launch_options(target)
    made = make_dataclass(name, [_field(row) for row in rows], bases=(LaunchOptions,))
    made.__doc__ = "What a launch or a Config may say.\n\n" + "\n".join(
        f"{row.name}: {row.help}" for row in rows
    )
    made.__module__ = module
    made.target = target
    made.whole = [row.name for row in rows if row.type in ("Integer", "PowerOfTwo", "OptionalInteger")]
    made.pairs = [row.name for row in rows if row.type == "Pairs"]
    made.idle = frozenset(row.name for row in rows if row.effect == "Idle")
    return made
