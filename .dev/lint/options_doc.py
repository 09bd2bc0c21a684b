"""Keeps docs/options.md equal to the option table core/support/Options.def.

What: reads the rows of the table and writes them as Markdown; without --write it only says whether the file
is up to date.
Why: a list of options that people read must be the one that the program checks.
Limits: reads the table as text: a row is TRISECT_OPTION(id, variable, kind, values, default, help).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "core" / "support" / "Options.def"
PAGE = ROOT / "docs" / "options.md"
TEXT = r'((?:"[^"]*"\s*)+)'
ROW = re.compile(rf"^TRISECT_OPTION\((\w+), {TEXT}, (\w+),\s*{TEXT},\s*{TEXT},\s*{TEXT}\)", re.MULTILINE)
HEADING = re.compile(r"^// ([A-Z][^\n]*)\.$", re.MULTILINE)

INTRODUCTION = """\
# Options

Every option is an environment variable; an unset or empty one means the default. A value that makes no sense
is an error that lists the good ones. This page is made from core/support/Options.def; `./dev bless`
rewrites it when the table has changed.
"""


def joined(literals: str) -> str:
    return "".join(re.findall(r'"([^"]*)"', literals))


def allowed(kind: str, values: str) -> str:
    if kind == "Flag":
        return "1 or 0"
    if kind == "Integer":
        return values.replace("..", " to ")
    if kind == "Choice":
        return ", ".join(f"`{value}`" for value in values.split("|"))
    if kind == "List":
        alone, members = values.split("||")
        some = "any of " + ", ".join(f"`{value}`" for value in members.split("|")) + ", joined by commas"
        return ", ".join(f"`{value}`" for value in alone.split("|")) + f"; or {some}" if alone else some
    return {"Text": "text", "Path": "a path"}[kind]


def page() -> str:
    text = TABLE.read_text().split("#endif", 1)[1]
    parts = [INTRODUCTION]
    found = sorted([*HEADING.finditer(text), *ROW.finditer(text)], key=lambda match: match.start())
    for match in found:
        if match.re is HEADING:
            parts.append(
                f"\n## {match[1]}\n\n| variable | values | default | meaning |\n| --- | --- | --- | --- |\n"
            )
            continue
        default = joined(match[5])
        values = allowed(match[3], joined(match[4]))
        shown = f"`{default}`" if default else ""
        parts.append(f"| `{joined(match[2])}` | {values} | {shown} | {joined(match[6])} |\n")
    rows, written = text.count("\nTRISECT_OPTION("), sum(match.re is ROW for match in found)
    if rows != written:
        raise SystemExit(f"Options.def has {rows} rows, {written} of them are understood")
    return "".join(parts)


def main() -> int:
    wanted = page()
    if "--write" in sys.argv:
        PAGE.write_text(wanted)
        return 0
    if not PAGE.exists() or PAGE.read_text() != wanted:
        print("docs/options.md differs from core/support/Options.def: run ./dev bless")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
