"""Holds functions of Python to a length that a reader takes in at once.

What: no function of a tracked Python file has more than 80 lines.
Limits: functions inside functions count with the one around them, and alone.
"""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 80


def long_functions(path: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES:
                found.append(f"{path}:{node.lineno}: {node.name} has {lines} lines, at most {MOST_LINES}")
    return found


def main() -> int:
    listing = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    paths = [path for path in listing.splitlines() if (ROOT / path).exists()]
    problems = [problem for path in paths for problem in long_functions(path)]
    print("\n".join(problems) if problems else f"functions: {len(paths)} Python files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
