"""Keeps the variables of the environment that the program reads equal to the rows of Options.def.

What: refuses a variable that code reads and that has no row, one of ours that C++ reads past the table, and a
row that nothing reads.
Why: docs/options.md is made from the table, and launches check what is in it: a variable beside it is unknown
to people and takes any value, and a row that nothing reads is a promise that nobody keeps.
Limits: sees names that stand where they are read; rows without effect (TRISECT_IDLE_OPTION) need no reader.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = "core/support/Options.def"
ROW = re.compile(r'^TRISECT_(IDLE_)?OPTION\((\w+), "(\w+)"', re.MULTILINE)
CPP = ("core/", "backends/", "interp/", "jit/", "python/bindings/")
PYTHON = "python/trisect/"
#: Where C++ reads the environment for all.
READER = "core/support/Options.cpp"
GETENV = re.compile(r"getenv\((?:\"(\w+)\")?")
#: A name that is read; one that is written is followed by `=`.
READ = re.compile(
    r"(?:getenv|environ\.get|env_\w+|parse_bool)\(\s*\"([A-Z][A-Z0-9_]+)\"|environ\[\"(\w+)\"\](?!\s*=[^=])"
)
TOOL = re.compile(r"env_nvidia_tool\(\"([\w-]+)\"\)")
OURS = re.compile(r"TRI|MLIR_|LLVM_|NVPTX_|USE_|AMDGCN_|DISABLE_PTXAS|PTXAS")
#: Python's own, which other processes are given more of; what a helper for other projects' tests asks for.
FOREIGN = {"PYTHONPATH", "PYTEST_PARENT"}


def _read_by_python(text: str) -> set[str]:
    names = {first or second for first, second in READ.findall(text)}
    return names | {f"TRITON_{tool.upper().replace('-', '_')}_PATH" for tool in TOOL.findall(text)}


def check(files: dict[str, str]) -> list[str]:
    """What is wrong with these files, by path."""
    rows = {variable: (id, bool(idle)) for idle, id, variable in ROW.findall(files[TABLE])}
    problems, read, used = [], set(), set()
    for path, text in files.items():
        if path.startswith(CPP) and path.endswith((".cpp", ".h")):
            used.update(re.findall(r"OptionId::(\w+)", text) if not path.endswith("Options.h") else ())
            for match in GETENV.finditer(text) if path != READER else ():
                name = match[1] or "what no literal names"
                if name not in rows or OURS.match(name):
                    problems.append(f"{path}: reads {name} with getenv, not as an option of {TABLE}")
        elif path.startswith(CPP) and path.endswith(".def"):
            read.update(re.findall(r"\"\$(\w+):", text))
        elif path.startswith(PYTHON) and path.endswith(".py"):
            names = _read_by_python(text) - FOREIGN
            read |= names
            problems += [
                f"{path}: reads {name}, which has no row in {TABLE}" for name in sorted(names - set(rows))
            ]
    used |= {rows[name][0] for name in read if name in rows}
    used |= {rows[name][0] for path, text in files.items() if path.startswith(CPP) and path != READER
             for name in re.findall(r"getenv\(\"(\w+)\"", text) if name in rows}  # fmt: skip
    for variable, (id, idle) in rows.items():
        if not idle and id not in used:
            problems.append(f"{TABLE}: nothing reads {variable}")
    return problems


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *CPP, PYTHON],
        cwd=ROOT, check=True, capture_output=True, encoding="utf-8",
    ).stdout.split("\n")  # fmt: skip
    wanted = [
        path for path in listed if path.endswith((".cpp", ".h", ".def", ".py")) and (ROOT / path).is_file()
    ]
    problems = check({path: (ROOT / path).read_text(encoding="utf-8") for path in wanted})
    print("\n".join(problems), end="\n" if problems else "")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
