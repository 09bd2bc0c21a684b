"""Keeps docs/options.md equal to the option tables: core/support/Options.def, and the launch options of
backends/target/LaunchOptions.def and of each target.

What: reads the rows of the tables and writes them as Markdown; without --write it only says whether the file
is up to date.
Why: a list of options that people read must be the one that the program checks.
Limits: reads the tables as text: a row is TRISECT_OPTION(id, variable, kind, values, default, help), the same
as TRISECT_IDLE_OPTION, or TRISECT_LAUNCH_OPTION(name, type, default, values, effect, help).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "core" / "support" / "Options.def"
PAGE = ROOT / "docs" / "options.md"
TEXT = r'((?:"[^"]*"\s*)+)'
ROW = re.compile(
    rf"^TRISECT_(?:IDLE_)?OPTION\((\w+), {TEXT}, (\w+),\s*{TEXT},\s*{TEXT},\s*{TEXT}\)", re.MULTILINE
)
LAUNCH_ROW = re.compile(
    rf"^TRISECT_LAUNCH_OPTION\((\w+), (\w+),\s*{TEXT},\s*{TEXT},\s*(\w+),\s*{TEXT}\)", re.MULTILINE
)
HEADING = re.compile(r"^// ([A-Z][^\n]*)\.$", re.MULTILINE)

INTRODUCTION = """\
# Options

An environment variable that is unset or empty means the default. A value that makes no sense is an error that
lists the good ones, at the first launch or compilation, whatever the variable is for. This page is made from
core/support/Options.def and the launch options in backends/; `./dev bless` rewrites it when one has changed.
"""

#: What stands under a heading, where it needs a word.
NOTES = {
    "Taken without effect": """\
Programs written for other compilers set these. They cannot do here what they do there; a launch says so once,
and goes on.

"""
}

LAUNCH = """
## Launch options

`kernel[grid](..., name=value)`, or in a `Config`. *Front*: changes what the front end makes; *Code*: what the
target makes of it; *Launch*: how launches run; *Idle*: taken for launches that are written for GPUs, changes
nothing here.
"""
LAUNCH_TABLES = {"Every target": ROOT / "backends/target/LaunchOptions.def"} | {
    f"Target `{path.parent.name}`": path
    for path in sorted(ROOT.glob("backends/*/*Options.def"))
    if path.parent.name != "target"
}


def joined(literals: str) -> str:
    return "".join(re.findall(r'"([^"]*)"', literals))


def allowed(kind: str, values: str) -> str:
    if kind == "Flag":
        return "1 or 0"
    if kind == "Integer":
        return values.replace("..", " to ")
    if kind in ("Choice", "Machine"):
        gpu = "a GPU such as `sm90`, " if kind == "Machine" else ""
        return gpu + ", ".join(f"`{value}`" for value in values.split("|"))
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
            last = "reason" if match[1] in NOTES else "meaning"
            parts.append(f"\n## {match[1]}\n\n{NOTES.get(match[1], '')}")
            parts.append(f"| variable | values | default | {last} |\n| --- | --- | --- | --- |\n")
            continue
        default = joined(match[5])
        values = allowed(match[3], joined(match[4]))
        shown = f"`{default}`" if default else ""
        parts.append(f"| `{joined(match[2])}` | {values} | {shown} | {joined(match[6])} |\n")
    rows, written = (
        len(re.findall(r"^TRISECT_\w*OPTION\(", text, re.MULTILINE)),
        sum(match.re is ROW for match in found),
    )
    if rows != written:
        raise SystemExit(f"Options.def has {rows} rows, {written} of them are understood")
    return "".join(parts) + launch_options()


def launch_options() -> str:
    parts = [LAUNCH]
    for title, path in LAUNCH_TABLES.items():
        text = path.read_text().split("#endif", 1)[1]
        found = list(LAUNCH_ROW.finditer(text))
        if len(found) != text.count("\nTRISECT_LAUNCH_OPTION("):
            raise SystemExit(f"{path.name}: {len(found)} rows are understood, not all")
        parts.append(f"\n### {title}\n\n| option | values | default | changes | meaning |\n")
        parts.append("| --- | --- | --- | --- | --- |\n")
        for name, kind, default, values, effect, help in (match.groups() for match in found):
            shown = joined(default)
            if shown.startswith("$"):
                variable, _, fallback = shown[1:].partition(":")
                shown = f"{variable}, else {fallback}"
            shown = f"`{shown}`" if shown else ""
            parts.append(
                f"| `{name}` | {launch_values(kind, joined(values))} | {shown} | {effect} |"
                f" {joined(help)} |\n"
            )
    return "".join(parts)


def launch_values(kind: str, values: str) -> str:
    if kind == "Flag":
        return "True or False"
    named = {"PowerOfTwo": "a power of 2, ", "Integers": "a tuple of integers", "Texts": "a tuple of names",
             "Pairs": "a dict of texts", "Text": "text", "OptionalText": "text"}.get(kind, "")  # fmt: skip
    if "|" in values:
        return ", ".join(f"`{value}`" for value in values.split("|"))
    return named + (values.replace("..", " to ") or ("" if named else "an integer"))


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
