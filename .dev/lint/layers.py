"""Holds the include graph of the C++ files against the table of rooms in docs/architecture.md.

What: a file may include its own room and what the room's row names; no two rooms include each other, not even
through others; rooms marked `no` must not reach a header of MLIR or LLVM even through other files; rooms
marked `IR` must not include headers of code generators.
Why: separate static libraries alone do not keep layers apart.
Limits: reads `#include` lines as text, whatever the preprocessor would make of them.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
MLIR = re.compile(r"^(mlir|llvm)(-c)?/")
GENERATOR = re.compile(
    r"^(llvm/(CodeGen|ExecutionEngine|MC|Passes|Target)|mlir/(Conversion|ExecutionEngine|Target))/"
)


@dataclass
class Room:
    """One row of the table."""

    folder: str
    may_include: list[str]
    mlir: str


def read_rooms(text: str) -> list[Room]:
    """The rows of the table whose last column is `no`, `IR` or `all`, longest folder first."""
    rooms = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[3] in ("no", "IR", "all"):
            allowed = [name.strip() for name in cells[2].split(",") if name.strip()]
            rooms.append(Room(cells[0], allowed, cells[3]))
    return sorted(rooms, key=lambda room: -len(room.folder))


def inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def room_of(path: str, rooms: list[Room]) -> Room | None:
    return next((room for room in rooms if inside(path, room.folder)), None)


def chain_to_mlir(path: str, includes: dict[str, list[str]], seen: set[str]) -> list[str] | None:
    """The files through which `path` reaches a header of MLIR or LLVM."""
    for name in includes.get(path, []):
        if MLIR.match(name):
            return [name]
        if name in includes and name not in seen:
            seen.add(name)
            rest = chain_to_mlir(name, includes, seen)
            if rest:
                return [name, *rest]
    return None


def links(includes: dict[str, list[str]], rooms: list[Room]) -> dict[str, dict[str, str]]:
    """Room → the rooms it includes, each with a file that does."""
    found: dict[str, dict[str, str]] = {}
    for path, names in sorted(includes.items()):
        room = room_of(path, rooms)
        for name in names:
            target = room_of(name, rooms)
            if room and target and target is not room:
                found.setdefault(room.folder, {}).setdefault(target.folder, f"{path} includes {name}")
    return found


def circle(links: dict[str, dict[str, str]]) -> list[str]:
    """The rooms of a circle in order, or nothing."""
    done: set[str] = set()

    def walk(room: str, way: list[str]) -> list[str]:
        if room in way:
            return way[way.index(room) :]
        if room in done:
            return []
        found = next((c for to in links.get(room, {}) if (c := walk(to, [*way, room]))), [])
        done.add(room)
        return found

    return next((c for room in links if (c := walk(room, []))), [])


def check(includes: dict[str, list[str]], rooms: list[Room]) -> list[str]:
    """All violations, as sentences. `includes` maps each file of the repository to the names it includes."""
    problems = []
    for path, names in sorted(includes.items()):
        room = room_of(path, rooms)
        if room is None:
            problems.append(f"{path}: lies in no room of docs/architecture.md")
            continue
        for name in names:
            target = room_of(name, rooms)
            if target and target is not room and not any(inside(name, ok) for ok in room.may_include):
                allowed = ", ".join(room.may_include) or "nothing"
                problems.append(f"{path}: includes {name}, but {room.folder} may include {allowed}")
            if room.mlir == "IR" and GENERATOR.match(name):
                problems.append(f"{path}: includes {name}, but {room.folder} must know no code generator")
        if room.mlir == "no":
            chain = chain_to_mlir(path, includes, {path})
            if chain:
                way = " -> ".join(chain)
                problems.append(f"{path}: reaches MLIR through {way}, but {room.folder} must not")
    joined = links(includes, rooms)
    rooms_in_circle = circle(joined)
    if rooms_in_circle:
        steps = zip(rooms_in_circle, [*rooms_in_circle[1:], rooms_in_circle[0]], strict=True)
        problems.append("rooms in a circle: " + "; ".join(joined[a][b] for a, b in steps))
    return problems


def main() -> int:
    rooms = read_rooms((ROOT / "docs/architecture.md").read_text())
    if not rooms:
        print("docs/architecture.md: no table of rooms")
        return 1
    listing = subprocess.run(
        ["git", "ls-files", "--", "*.h", "*.cpp", "*.def", "*.inc", ":!.dev"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    files = [path for path in listing if (ROOT / path).exists()]
    includes = {path: INCLUDE.findall((ROOT / path).read_text()) for path in files}
    problems = check(includes, rooms)
    print("\n".join(problems) if problems else f"layers: {len(includes)} files in {len(rooms)} rooms")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
