"""Result types of every function and operator over every pair of types, ours against upstream's.

What: one kernel an operation and a form of its operands (a block, a scalar, a Python number), compiled for
every pair of types by both front ends: both give the same types, or both refuse. Rows that differ are listed
with the reason that KEPT gives; one without a reason fails the run, and so does a function of the language
without a row (./dev peer typing [OPERATION...]).
"""

import collections
import itertools
import re
import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
from typing_cases import BINARY, HELPERS, KEPT, NOT_TYPED, NUMBERS, POINTED, TYPES, UNARY  # noqa: E402

import trisect.language as language  # noqa: E402
from front_ends import answers  # noqa: E402
from trisect.language.extra.libdevice_table import TABLE  # noqa: E402

HEAD = "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n" + HELPERS
#: Where a block meets a scalar, one type of each kind is enough: the shape of an operand changes no type.
MIXED = {("block", "scalar"), ("scalar", "block")}
KINDS = ("i1", "i8", "u16", "i32", "u64", "fp16", "bf16", "fp32", "fp64")
#: What library functions are called with.
LIBRARY_FORMS = {("block", "block"), ("block", "number"), ("number", "block")}
FORMS = {"block": "tl.load({p} + tl.arange(0, 16))", "scalar": "tl.load({p})", "number": "{p}"}


def library(count):
    """Calls of the library functions that take so many operands; three are x and two y."""
    calls = {}
    for name, overloads in TABLE.items():
        arity = len(next(iter(overloads)))
        if min(arity, 2) == count:
            calls[f"libdevice {name}"] = f"libdevice.{name}({', '.join('xyyy'[:arity])})"
    return calls


def uncalled():
    """Functions of the language that no row calls, and that have no reason to be left out."""
    text = "\n".join([*UNARY.values(), *BINARY.values(), *POINTED.values()])
    excused = " ".join(NOT_TYPED).split()
    return [
        name
        for name in dir(language)
        if not name.startswith("_")
        and callable(value := getattr(language, name))
        and not isinstance(value, type)
        and name not in excused
        and not re.search(rf"\btl\.{name}\b", text)
    ]


def statement(label, expression):
    """What shows the type of an expression; an operation without a result has a label that ends in `=`."""
    return expression if label.endswith("=") and label not in BINARY else f"SEEN(({expression}).type)"


def kernels():
    """(name, text) of every operation in every form of its operands, and the rows that compile it."""
    for number, (label, expression) in enumerate({**UNARY, **library(1)}.items()):
        for form, value in FORMS.items():
            name = f"unary{number}_{form}"
            mark = ": tl.constexpr" if form == "number" else ""
            yield (
                name,
                [
                    f"def {name}(p{mark}, q, SEEN: tl.constexpr):",
                    f"    x{mark} = {value.format(p='p')}",
                    f"    {statement(label, expression)}",
                ],
                [(label, form, given, row(name, p=given, q="*fp16")) for given in operands(form)],
            )
    for number, (label, expression) in enumerate({**BINARY, **POINTED, **library(2)}.items()):
        for forms in itertools.product(FORMS, FORMS):
            if forms[0] == "number" and label in POINTED:
                continue
            if label.startswith("libdevice ") and forms not in LIBRARY_FORMS:
                continue
            name = f"binary{number}_{forms[0]}_{forms[1]}"
            marks = [": tl.constexpr" if form == "number" else "" for form in forms]
            first = FORMS[forms[0]].format(p="p")
            if label in POINTED:
                first = "p + tl.arange(0, 16)" if forms[0] == "block" else "p"
            yield (
                name,
                [
                    f"def {name}(p{marks[0]}, q{marks[1]}, SEEN: tl.constexpr):",
                    f"    x{marks[0]} = {first}",
                    f"    y{marks[1]} = {FORMS[forms[1]].format(p='q')}",
                    f"    {statement(label, expression)}",
                ],
                [
                    (label, "-".join(forms), f"{a}, {b}", row(name, p=a, q=b))
                    for a, b in itertools.product(*(operands(form, forms in MIXED) for form in forms))
                ],
            )


def operands(form, few=False):
    return NUMBERS if form == "number" else [f"*{ty}" for ty in (KINDS if few else TYPES)]


def row(name, **given):
    types = {key: value for key, value in given.items() if isinstance(value, str)}
    return [name, types, {key: value for key, value in given.items() if key not in types}]


def verdict(mine, theirs):
    """None if both say the same, else what each says."""
    both = []
    for answer in (mine, theirs):
        types = answer.get("types")
        both.append(
            "refused"
            if types is None
            else re.sub(r"'(\d+)'", r"\1", " ".join(types)).replace("pointer<", "*<")
        )
    return None if both[0] == both[1] else tuple(both)


def kept(label, form, given):
    """The reason for which a row that differs stays as it is."""
    return next((why for pattern, why in KEPT if re.fullmatch(pattern, f"{label} | {form} | {given}")), None)


def main():
    if left_out := uncalled():
        sys.exit(f"no row calls {', '.join(left_out)}: give each one, or a reason in NOT_TYPED")
    chosen, text, rows, labels = set(sys.argv[1:]), [HEAD], [], []
    for _, lines, cases in kernels():
        cases = [case for case in cases if not chosen or case[0] in chosen]
        if cases:
            text.append("\n".join(["\n\n@triton.jit", *lines]))
            rows += [case[3] for case in cases]
            labels += [case[:3] for case in cases]
    mine, theirs = answers("\n".join(text) + "\n", rows)
    same, refused, reasons, open_rows = 0, 0, collections.Counter(), []
    for label, own, other in zip(labels, mine, theirs, strict=True):
        difference = verdict(own, other)
        if difference is None:
            same += 1
            refused += "types" not in own
        elif why := kept(*label):
            reasons[why] += 1
        else:
            open_rows.append((label, difference, own, other))
    print(
        f"{len(rows)} rows: {same} alike ({refused} refused by both), {sum(reasons.values())} kept otherwise"
    )
    for why, count in reasons.items():
        print(f"  {count:5} {why}")
    for (label, form, given), (own, other), mine_says, theirs_says in open_rows:
        hint = (mine_says if own == "refused" else theirs_says).get("text", "")
        print(f"differs: {label} | {form} | {given}: ours {own}, upstream {other}  {hint[:120]}")
    print(f"{len(open_rows)} rows differ")
    sys.exit(1 if open_rows else 0)


if __name__ == "__main__":
    main()
