"""Checks the form of tracked files that no formatter knows.

What: a file that a person writes has at most 500 lines: sources, documents, tests as TTIR. A source has an
opening comment and no marker of unfinished work, a C++ header the guard that its path gives; nothing ends in
white space.
Why: readers find what a file is for in its first lines, and nothing unfinished is left behind unseen.
Limits: judges that an opening comment is there, not what it says. What a tool writes may be as long as it is.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 500
#: CMake and shell files shorter than this, and headers of twice this, speak for themselves.
PLAIN_LINES = 12
CPP_TITLE = re.compile(r"^//===- (\S+) - .+ -+===//$")
MARKER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
#: Files whose text is made by a tool.
MADE = re.compile(r"^(tests/(ops/points|faults/reports|fuzz/corpus|fuzz/found|fuzz/seeds)/|bench/results/)")
#: Files that hold no prose of ours: only their length counts.
PLAIN = re.compile(r"\.(ttir|mlir|json|txt|md|toml|yml|yaml|html|js|css)$")
SOURCE = re.compile(r"(\.(h|cpp|td|def|py|sh|cmake)|CMakeLists\.txt)$|^dev$|^\.ci/run$")


def opening_problem(path: str, lines: list[str]) -> str | None:
    """What is wrong with the first lines of a source."""
    first = lines[0] if lines else ""
    if path.endswith((".h", ".cpp", ".td", ".def")):
        title = CPP_TITLE.match(first)
        if not title:
            return "must open with `//===- Name - what it is ---===//`"
        if title[1] != Path(path).name:
            return f"opens with the name {title[1]}"
        wordy = path.endswith(".h") and len(lines) > PLAIN_LINES * 2
        if wordy and not any(line.startswith("// What:") for line in lines[:12]):
            return "needs a `// What:` paragraph in its opening comment"
    elif path.endswith(".py"):
        if lines and not first.startswith(('"""', 'r"""', "#!", "# ruff: noqa")):
            return "must open with a docstring"
    else:
        body = lines[1:] if first.startswith("#!") else lines
        if len(body) >= PLAIN_LINES and not body[0].startswith("#"):
            return "must open with a comment"
    return None


def guard_problem(path: str, text: str) -> str | None:
    guard = "TRISECT_" + re.sub(r"[^A-Z0-9]", "_", path.upper())
    if f"#ifndef {guard}\n#define {guard}\n" not in text:
        return f"needs the header guard {guard}"
    return None


def length_problem(path: str, text: str) -> list[str]:
    lines = text.count("\n")
    return (
        [f"{path}: has {lines} lines, at most {MOST_LINES} are allowed: split it"]
        if lines > MOST_LINES
        else []
    )


def problems_of(path: str, text: str) -> list[str]:
    lines = text.splitlines()
    found = []
    for problem in (opening_problem(path, lines), guard_problem(path, text) if path.endswith(".h") else None):
        if problem:
            found.append(f"{path}:1: {problem}")
    for number, line in enumerate(lines, 1):
        if MARKER.search(line) and path != ".dev/lint/form.py":
            found.append(f"{path}:{number}: marker of unfinished work")
        if line != line.rstrip():
            found.append(f"{path}:{number}: white space at the end of the line")
    return found


def main() -> int:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = [path for path in listing.splitlines() if not MADE.match(path) and (ROOT / path).exists()]
    paths = [path for path in kept if SOURCE.search(path) or PLAIN.search(path)]
    problems = []
    for path in paths:
        text = (ROOT / path).read_text()
        problems += length_problem(path, text)
        if SOURCE.search(path):
            problems += problems_of(path, text)
    print("\n".join(problems) if problems else f"form: {len(paths)} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
