"""Keeps the numbers of the dialects' enumerations in Python and in C++ without MLIR equal to the definitions.

What: reads the enumerations of core/ir/Attrs.td and the predicates of MLIR's arith dialect, and writes their
words and numbers as python/trisect/language/semantic/enums.py and core/support/Enums.h; without --write it
only says whether the files are up to date.
Why: the front end builds operations by number, and tier 0 reads them so: a number that somebody copied could
be another one.
Limits: reads the definitions as text; an enumeration that nobody names is written too.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "python" / "trisect" / "language" / "semantic" / "enums.py"
HEADER = ROOT / "core" / "support" / "Enums.h"
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


HEADER_HEAD = """\
//===- Enums.h - numbers of the dialects' enumerations --------------------------------------------------===//
//
// What: the enumerations of core/ir/Attrs.td and the predicates of MLIR's arith dialect as plain C++. Made by
// .dev/lint/enums.py: `./dev bless` rewrites it, `./dev lint` holds it. Why: tier 0 reads them as numbers of
// its instructions and knows no MLIR. Limits: where MLIR is at hand, its own enumerations serve.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ENUMS_H
#define TRISECT_CORE_SUPPORT_ENUMS_H

#include <cstdint>

namespace trisect::attr {
"""
HEADER_TAIL = """
/// As an instruction's attribute.
template <typename Enum> constexpr uint64_t numberOf(Enum value) { return static_cast<uint64_t>(value); }

} // namespace trisect::attr

#endif // TRISECT_CORE_SUPPORT_ENUMS_H
"""


def tables() -> dict[str, list[tuple[str, str, int]]]:
    """Name → case, word and number of each."""
    text = OURS.read_text()
    found = [*ENUM.findall(text), *PREDICATE.findall(ARITH.read_text())]
    if len(found) != text.count(" : TT_Enum<") + 2:
        raise SystemExit(f"{OURS.name}: not every enumeration is understood")
    return {
        name.removesuffix("Predicate"): [
            (case, word or case, int(number)) for case, number, word in CASE.findall(cases)
        ]
        for name, cases in found
    }


def header() -> str:
    parts = [HEADER_HEAD]
    for name, cases in tables().items():
        rows = "".join(f"  {case[0].upper()}{case[1:]} = {number},\n" for case, _, number in cases)
        parts.append(f"\nenum class {name} : int64_t {{\n{rows}}};\n")
    return "".join([*parts, HEADER_TAIL])


def page() -> str:
    parts = [HEAD]
    for name, cases in tables().items():
        words = {word: number for _, word, number in cases}
        constant = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", name).upper()
        line = f"{constant} = {{" + ", ".join(f'"{word}": {number}' for word, number in words.items()) + "}"
        if len(line) > 110:
            line = f"{constant} = {{\n" + "".join(f'    "{w}": {n},\n' for w, n in words.items()) + "}"
        parts.append(f"\n{line}")
    return "".join(parts) + "\n"


def main() -> int:
    stale = 0
    for file, wanted in ((PYTHON, page()), (HEADER, header())):
        if "--write" in sys.argv:
            file.write_text(wanted)
        elif not file.exists() or file.read_text() != wanted:
            print(f"{file.relative_to(ROOT)} differs from the dialects' enumerations: run ./dev bless")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
