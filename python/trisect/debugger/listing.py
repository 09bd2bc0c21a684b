"""Source lines and places as text."""

from __future__ import annotations

import linecache
import os

_BOLD, _DIM, _RED, _GREEN, _CYAN, _PLAIN = "\33[1m", "\33[2m", "\33[31m", "\33[32m", "\33[36m", "\33[0m"


def short(file: str) -> str:
    """A path as short as it can be read from here."""
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return relative if not relative.startswith("..") else file


def paint(text: str, colour: bool, *codes: str) -> str:
    return "".join(codes) + text + _PLAIN if colour else text


def program_text(program_id, grid) -> str:
    """`program 3 of 16`, or with as many numbers as the grid has dimensions."""
    rank = max((axis for axis in range(3) if grid[axis] > 1), default=0) + 1
    if rank == 1:
        return f"program {program_id[0]} of {grid[0]}"
    return f"program {tuple(program_id[:rank])} of {tuple(grid[:rank])}"


def place_text(frame, session) -> str:
    return (
        f"{short(frame.file)}:{frame.line} in {frame.function}, "
        f"{program_text(session.program_id, session.grid)}"
    )


def source_line(file: str, line: int) -> str:
    return linecache.getline(file, line).strip()


def heading(session, colour: bool) -> str:
    """What is said at a stop: why, where, and the line."""
    stop, lines = session.stop, []
    for each in stop.breakpoints:
        kind = "watchpoint" if each.watch else "breakpoint"
        times = "1 time" if each.hits == 1 else f"{each.hits} times"
        lines.append(paint(f"{kind} {each.id}, hit {times}", colour, _CYAN))
    if stop.text:
        lines.append(paint(stop.text, colour, _RED if stop.reason == "fault" else _CYAN))
    frames = session.frames()
    if not frames:
        return "\n".join(lines)
    frame = frames[0]
    lines.append(f"> {place_text(frame, session)}")
    marker = "--end of " + frame.function + "--" if frame.statement.kind == "end" else None
    lines.append(paint(f"-> {marker or source_line(frame.file, frame.line)}", colour, _GREEN))
    return "\n".join(lines)


def listing(file: str, first: int, last: int, current: int, breaks, colour: bool) -> str:
    """Lines of a file; `->` marks the current one, `B` those with a breakpoint."""
    text = linecache.getlines(file)
    rows = []
    for number in range(max(1, first), min(last, len(text)) + 1):
        mark = ("B" if number in breaks else " ") + ("->" if number == current else "  ")
        row = f"{number:4}{mark}  {text[number - 1].rstrip()}".rstrip()
        rows.append(paint(row, colour, _BOLD) if number == current else row)
    return "\n".join(rows)
