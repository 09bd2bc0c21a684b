"""Lists the branches of core/ir that refuse a module and that no stored invalid module takes.

What: finds every call of emitError and its kin, every `return failure()` and every condition `failed(...)` in
core/ir, and looks up, in what llvm-cov exported, how often it ran, or was true, while the modules of
tests/ir/invalid were read.
Why: a refusal that nothing takes may refuse the wrong thing, in the wrong words, at the wrong place.
Limits: a call below a comment `// Unreachable: reason` is not asked for; it is listed with its reason. Checks
that TableGen generates are MLIR's.
"""

import json
import re
import sys
from bisect import bisect_right
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALL = re.compile(r"\bemit(?:Op|Optional)?Error\(|\breturn failure\(\)")
#: Patterns that do not apply refuse nothing; Parse.cpp asks the verifiers of the other files.
OTHERS = ("MemoryRewrites.cpp", "Parse.cpp", "ShapeFolds.cpp")
EXCUSE = re.compile(r"^\s*// Unreachable: (.*)$")


def excuse(lines: list[str], index: int) -> str | None:
    """The reason in the comment right above a line, if there is one."""
    comment = []
    while index > 0 and lines[index - 1].lstrip().startswith("//"):
        index -= 1
        comment.insert(0, lines[index].strip())
    if comment and (found := EXCUSE.match(comment[0])):
        return " ".join([found[1], *(line.removeprefix("//").strip() for line in comment[1:])])
    return None


def refusals(file: dict, lines: list[str]) -> dict[tuple[int, int], int]:
    """How often each place of a file that refuses something ran: counts by line and column."""
    segments = file["segments"]
    starts = [(line, column) for line, column, *_ in segments]
    found = {}
    for number, text in enumerate(lines, 1):
        for call in CALL.finditer(text):
            at = bisect_right(starts, (number, call.start() + 1)) - 1
            if at >= 0 and segments[at][3]:
                found[number, call.start() + 1] = segments[at][2]
    for line, column, _, _, whenTrue, _, *_ in file["branches"]:
        if lines[line - 1][column - 1 :].startswith("failed("):
            found[line, column] = found.get((line, column), 0) + whenTrue  # once an instantiation
    return found


def main(export: Path) -> int:
    count, missing, excused = 0, [], []
    for file in json.loads(export.read_text())["data"][0]["files"]:
        path = Path(file["filename"]).resolve()
        if path.name in OTHERS:
            continue
        lines = path.read_text().splitlines()
        for (line, column), times in sorted(refusals(file, lines).items()):
            count += 1
            place = f"{path.relative_to(ROOT)}:{line}:{column}: {lines[line - 1].strip()}"
            reason = excuse(lines, line - 1)
            if bool(times) == bool(reason):
                missing.append(place + (" (is called unreachable, but is not)" if reason else ""))
            elif reason:
                excused.append(f"{place}\n    {reason}")
    for heading, places in (("unreachable", excused), ("NOT TAKEN", missing)):
        for place in places:
            print(f"{heading}: {place}")
    print(f"{count} refusals in core/ir, {len(missing)} not taken, {len(excused)} unreachable")
    return 1 if missing or not count else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
