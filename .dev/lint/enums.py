"""Keeps python/trisect/language/semantic/enums.py equal to the enumerations of the dialects.

What: reads the enumerations of core/ir/Attrs.td and the predicates of MLIR's arith dialect, and writes their
words and numbers as Python; without --write it only says whether the file is up to date.
Why: the front end builds operations by number: a number that somebody copied could be another one.
Limits: reads the definitions as text; an enumeration that the front end does not name is written too.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "python" / "trisect" / "language" / "semantic" / "enums.py"
OURS = ROOT / "core" / "ir" / "Attrs.td"
ARITH = Path("/usr/lib/llvm-19/include/mlir/Dialect/Arith/IR/ArithBase.td")
ENUM = re.compile(r"^def \w+ : TT_Enum<\"(\w+)\", \"[^\"]*\", \[(.*?)\]>;", re.MULTILINE | re.DOTALL)
PREDICATE = re.compile(r"I64EnumAttr<\s*\"(Cmp[FI]Predicate)\", \"\",\s*\[(.*?)\]", re.DOTALL)
CASE = re.compile(r"I(?:32|64)EnumAttrCase<\"(\w+)\", (\d+)(?:, \"(\w+)\")?>")
HEAD = '''"""Words and numbers of the dialects' enumerations.

What: one table an enumeration, by the word of the custom form. Made from core/ir/Attrs.td and MLIR's arith
dialect by .dev/lint/enums.py: `./dev bless` rewrites it, `./dev lint` holds it.
"""
'''


def tables() -> dict[str, dict[str, int]]:
    """Name → word → number."""
    text = OURS.read_text()
    found = [*ENUM.findall(text), *PREDICATE.findall(ARITH.read_text())]
    if len(found) != text.count(" : TT_Enum<") + 2:
        raise SystemExit(f"{OURS.name}: not every enumeration is understood")
    return {
        name.removesuffix("Predicate"): {
            word or case: int(number) for case, number, word in CASE.findall(cases)
        }
        for name, cases in found
    }


def page() -> str:
    parts = [HEAD]
    for name, words in tables().items():
        constant = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", name).upper()
        line = f"{constant} = {{" + ", ".join(f'"{word}": {number}' for word, number in words.items()) + "}"
        if len(line) > 110:
            line = f"{constant} = {{\n" + "".join(f'    "{w}": {n},\n' for w, n in words.items()) + "}"
        parts.append(f"\n{line}")
    return "".join(parts) + "\n"


def main() -> int:
    wanted = page()
    if "--write" in sys.argv:
        FILE.write_text(wanted)
        return 0
    if not FILE.exists() or FILE.read_text() != wanted:
        print(f"{FILE.relative_to(ROOT)} differs from the dialects' enumerations: run ./dev bless")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
