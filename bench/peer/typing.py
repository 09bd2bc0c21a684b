"""Result types of every function and operator over every pair of types, ours against upstream's.

What: one kernel an operation and a form of its operands (a block, a scalar, a Python number), compiled for
every pair of types by both front ends: both give the same types, or both refuse. Rows that differ are listed
with the reason that KEPT gives; one without a reason fails the run (./dev peer typing [OPERATION...]).
"""

import collections
import itertools
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
from typing_cases import BINARY, KEPT, NUMBERS, POINTED, TYPES, UNARY  # noqa: E402

from front_ends import answers  # noqa: E402

HEAD = "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n"
#: Neither the shape of an operand nor two numbers change what an operation does with types.
MIXED = {("block", "scalar"), ("scalar", "block"), ("number", "number")}
FORMS = {"block": "tl.load({p} + tl.arange(0, 16))", "scalar": "tl.load({p})", "number": "{p}"}


def kernels():
    """(name, text) of every operation in every form of its operands, and the rows that compile it."""
    for number, (label, expression) in enumerate(UNARY.items()):
        for form, value in FORMS.items():
            name = f"unary{number}_{form}"
            mark = ": tl.constexpr" if form == "number" else ""
            yield (
                name,
                [
                    f"def {name}(p{mark}, SEEN: tl.constexpr):",
                    f"    x{mark} = {value.format(p='p')}",
                    f"    SEEN(({expression}).type)",
                ],
                [(label, form, given, row(name, p=given)) for given in operands(form)],
            )
    for number, (label, expression) in enumerate({**BINARY, **POINTED}.items()):
        for forms in itertools.product(FORMS, FORMS):
            if forms in MIXED or forms[0] == "number" and label in POINTED:
                continue
            name = f"binary{number}_{forms[0]}_{forms[1]}"
            marks = [": tl.constexpr" if form == "number" else "" for form in forms]
            first = FORMS[forms[0]].format(p="p")
            if label in POINTED:
                first = "p + tl.arange(0, 16)" if forms[0] == "block" else "p"
            shown = f"SEEN(({expression}).type)" if label != "store =" else f"{expression}"
            yield (
                name,
                [
                    f"def {name}(p{marks[0]}, q{marks[1]}, SEEN: tl.constexpr):",
                    f"    x{marks[0]} = {first}",
                    f"    y{marks[1]} = {FORMS[forms[1]].format(p='q')}",
                    f"    {shown}",
                ],
                [
                    (label, "-".join(forms), f"{a}, {b}", row(name, p=a, q=b))
                    for a, b in itertools.product(*map(operands, forms))
                ],
            )


def operands(form):
    return NUMBERS if form == "number" else [f"*{ty}" for ty in TYPES]


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
