"""Keeps docs/ops.md equal to core/ops.def.

What: reads the rows of the table and writes them as Markdown; without --write it only says whether the page
is up to date. A word that the page does not explain is an error.
Why: what an operation reads, wraps, leaves undefined and does is asked by people too.
Limits: reads the table as text: a row is one line, TRISECT_OP(id, mnemonic, then nine words).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "core" / "ops.def"
PAGE = ROOT / "docs" / "ops.md"
ROW = re.compile(r'^TRISECT_OP\(\w+, "([^"]+)", ([^\n]*)\)$', re.MULTILINE)
HEADING = re.compile(r"^// ([A-Z][^\n]*)\.$", re.MULTILINE)
COLUMNS = ("class", "tolerance", "operands", "integers", "wraps", "undefined", "effects", "taints", "tiers")
INTRODUCTION = """\
# Operations

Every operation of TTIR, as core/ops.def has it. This page is made from that table; `./dev bless` rewrites
it when the table has changed. How far results may differ stands in numerics.md, how to add an operation in
add-an-op.md.
"""
WORDS = {
    "class": {
        "Elementwise": "lane by lane, no memory",
        "Shape": "moves elements",
        "Create": "makes a block from nothing",
        "Memory": "touches memory, or says where it lies",
        "Atomic": "touches memory atomically, may wait",
        "Reduce": "has a region",
        "Dot": "a matrix product",
        "Control": "moves the program counter or delimits a region",
        "Debug": "print, assert",
        "Hint": "no effect in a correct program",
    },
    "tolerance": {
        "Exact": "bit for bit on every tier",
        "Rounded": "correctly rounded, once",
        "Ulp": "within the ULP of numerics.md",
        "Reassoc": "sums may be in another order",
        "None": "has no value of its own",
    },
    "integers": {
        "Signed": "read as signed",
        "Unsigned": "read as unsigned",
        "Signless": "it makes no difference, or there are none",
        "Stated": "an attribute says",
    },
    "wraps": {"Wraps": "a result that does not fit wraps around", "Never": "always fits"},
    "undefined": {
        "Never": "every result is defined if the operands are",
        "Always": "the result means nothing",
        "Divisor": "by 0, or the least number by -1",
        "Shift": "by the width or more",
        "Range": "a float that fits no such integer",
        "Index": "an index outside the extent",
        "Masked": "lanes that the mask leaves out, unless another value is given",
        "Body": "what its region or text leaves undefined",
    },
    "effects": {
        "None": "sets its results, no more",
        "Reads": "memory",
        "Writes": "memory",
        "Updates": "reads and writes at once",
        "Tells": "the host",
        "Orders": "programs",
    },
    "taints": {
        "Clean": "none on the results",
        "Joins": "of every operand",
        "Structure": "of every operand, of wrapped numbers and broken promises too",
        "Wrapped": "of every operand, of wrapped numbers too",
        "Promised": "of every operand, of broken promises too",
        "Moves": "move with each element",
        "Indexed": "move with each element, and the index decides",
        "Access": "decide the access; a read adds its own",
        "Folds": "along the axis, or as the body's operations carry them",
        "Product": "along row and column",
        "Trials": "where other bits in tainted elements change a result, or as an access does",
        "Decides": "decide",
        "Poison": "on the whole result",
        "Flow": "as the operations do that it becomes",
        "Nothing": "has no results",
    },
    "tiers": {
        "Every": "interp, cpu and cuda run it",
        "Inlined": "every tier runs its body in its place; what cannot stand there (recursion) is refused",
        "Foreign": "every tier refuses it: what memory holds has a format of one GPU",
    },
}


def page() -> str:
    text = TABLE.read_text().split("#endif", 1)[1]
    parts = [INTRODUCTION, "\n| column | words |\n| --- | --- |\n"]
    for column, words in WORDS.items():
        parts.append(f"| {column} | {'; '.join(f'*{word}*: {what}' for word, what in words.items())} |\n")
    found = sorted([*HEADING.finditer(text), *ROW.finditer(text)], key=lambda match: match.start())
    if text.count("\nTRISECT_OP(") != sum(match.re is ROW for match in found):
        raise SystemExit("core/ops.def: not every row is understood")
    for match in found:
        if match.re is HEADING:
            parts.append(f"\n## {match[1]}\n\n| operation | {' | '.join(COLUMNS)} |\n|{' --- |' * 10}\n")
            continue
        cells = match[2].split(", ")
        for column, cell in zip(COLUMNS, cells, strict=True):
            if column in WORDS and cell not in WORDS[column]:
                raise SystemExit(f"core/ops.def: {match[1]}: {column} has no word '{cell}'")
        parts.append(f"| `{match[1]}` | {' | '.join(cells)} |\n")
    return "".join(parts)


def main() -> int:
    wanted = page()
    if "--write" in sys.argv:
        PAGE.write_text(wanted)
        return 0
    if not PAGE.exists() or PAGE.read_text() != wanted:
        print("docs/ops.md differs from core/ops.def: run ./dev bless")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
