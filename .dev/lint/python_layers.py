"""Holds the imports of python/trisect against the table of its rooms in docs/architecture.md.

What: a module may import its own room and the rooms that the row names, which stand above it in the table; no
modules import each other in a circle. Imports inside functions count, and so do modules that are loaded by a
literal name (`import_module("trisect.x")`, `load`, `provide`).
Why: an import inside a function hides a circle from Python, not from who reads or changes the code.
Limits: names that are put together at run time are not seen; `trisect._C` belongs to no room.
"""

import ast
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "python/trisect/"
HEADING = "### Rooms of python/trisect"
#: Functions that load a module by its name.
LOADERS = ("import_module", "load", "provide", "__import__")


@dataclass
class Room:
    """One row of the table."""

    name: str
    files: list[str]
    may_import: list[str]


@dataclass
class Module:
    """A file, and the modules that it imports with the lines where it does."""

    path: str
    imports: dict[str, int] = field(default_factory=dict)


def read_rooms(text: str) -> list[Room]:
    """The rows of the table under the heading, in order."""
    section = text.partition(HEADING)[2].partition("\n#")[0]
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]

    def names(cell):
        return [name.strip() for name in cell.split(",") if name.strip()]

    return [Room(row[0], names(row[1]), names(row[3])) for row in rows[2:] if len(row) == 4]


def room_of(path: str, rooms: list[Room]) -> Room | None:
    inner = path.removeprefix(PACKAGE)
    return next(
        (room for room in rooms for name in room.files if inner == name or inner.startswith(name + "/")), None
    )


def module_name(path: str) -> str:
    """`python/trisect/a/__init__.py` is `trisect.a`."""
    return path.removeprefix("python/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _base_of(node: ast.ImportFrom, path: str) -> str:
    """The module that a `from` statement names."""
    if not node.level:
        return node.module or ""
    folder = path.removeprefix("python/").split("/")[: -node.level]
    return ".".join([*folder, *([node.module] if node.module else [])])


def imports_of(path: str, text: str, known: set[str]) -> dict[str, int]:
    """Module → line of its first import, for the modules of the package that a file imports or loads."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _base_of(node, path)
            inner = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in known else base for name in inner]
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            if called in LOADERS:
                names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        for name in names:
            if name in known and name != module_name(path):
                found.setdefault(name, node.lineno)
    return found


def circles(modules: dict[str, Module]) -> list[list[str]]:
    """One circle for each set of modules that import each other."""
    state: dict[str, int] = {}
    way: list[str] = []
    found: list[list[str]] = []

    def visit(name):
        state[name] = 1
        way.append(name)
        for target in sorted(modules[name].imports):
            if state.get(target) == 1:
                found.append(way[way.index(target) :] + [target])
            elif target not in state:
                visit(target)
        way.pop()
        state[name] = 2

    for name in sorted(modules):
        if name not in state:
            visit(name)
    return found


def check_table(rooms: list[Room]) -> list[str]:
    """Rows that name no room above them: a table without such rows has no circle."""
    problems = []
    for at, room in enumerate(rooms):
        above = {other.name for other in rooms[:at]}
        problems += [
            f"docs/architecture.md: the room {room.name} may import {name}, which is no room above it"
            for name in room.may_import
            if name not in above
        ]
    return problems


def check(files: dict[str, str], rooms: list[Room]) -> list[str]:
    """All violations, as sentences. `files` maps paths to texts."""
    known = {module_name(path) for path in files}
    modules = {module_name(path): Module(path, imports_of(path, text, known)) for path, text in files.items()}
    problems = check_table(rooms)
    for _, module in sorted(modules.items()):
        room = room_of(module.path, rooms)
        if room is None:
            problems.append(f"{module.path}: lies in no room of docs/architecture.md")
            continue
        for target, line in sorted(module.imports.items()):
            other = room_of(modules[target].path, rooms)
            if other and other is not room and other.name not in room.may_import:
                allowed = ", ".join(room.may_import) or "nothing"
                problems.append(
                    f"{module.path}:{line}: imports {target} of the room {other.name}, but {room.name} may "
                    f"import {allowed}; ask for it by name (service in python/trisect/_imports.py)"
                )
    # Importing any module runs the package's own __init__, which names modules to load later.
    inner = {
        name: Module(m.path, {t: n for t, n in m.imports.items() if t != "trisect"})
        for name, m in modules.items()
        if name != "trisect"
    }
    return problems + ["imports in a circle: " + " -> ".join(circle) for circle in circles(inner)]


def main() -> int:
    rooms = read_rooms((ROOT / "docs/architecture.md").read_text())
    if not rooms:
        print(f"docs/architecture.md: no table under '{HEADING}'")
        return 1
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", f"{PACKAGE}*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    files = {path: (ROOT / path).read_text() for path in listing if (ROOT / path).exists()}
    problems = check(files, rooms)
    print("\n".join(problems) if problems else f"python layers: {len(files)} modules in {len(rooms)} rooms")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
