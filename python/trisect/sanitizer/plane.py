"""Pictures of a finding: the plane of its tensor, the grid of its launch, as SVG.

What: each cell of a plane is an element: missed, read, written, offending; cells beyond the shape are drawn
where the access went. The grid shows the guilty program and those of the related sites.
Limits: planes and grids larger than 64 by 40 cells show the window around what matters.
"""

from __future__ import annotations

from html import escape

from .facts import Facts, show

WIDEST, HIGHEST = 64, 40
_READ, _WRITTEN = 1, 2


def tensor_picture(finding: Facts) -> str:
    """The plane of the last two dimensions that holds the access."""
    tensor, index = finding.tensor, finding.index
    shape = tensor.shape if len(tensor.shape) >= 2 else (1, *(tensor.shape or (1,)))
    index = index if len(index) >= 2 else (0, *(index or (0,)))
    if len(index) != len(shape) or 0 in shape:
        return ""
    rows, columns = shape[-2:]
    row, column = index[-2:]
    if len(tensor.shape) == 1:
        rows, columns, row, column = _fold(columns, column)
    outside = not (0 <= row < rows and 0 <= column < columns)
    top, high = _window(row, rows)
    left, wide = _window(column, columns)
    plane = _start_of_plane(finding, shape, index, rows * columns)
    cells = []
    for r in range(top, top + high):
        for c in range(left, left + wide):
            if (r, c) == (row, column):
                kind = "bad"
            elif 0 <= r < rows and 0 <= c < columns:
                kind = _kind_of(finding, plane + r * columns + c, len(tensor.shape) == 1 and shape[-1])
            else:
                continue
            if kind:
                cells.append((c - left, r - top, kind, f"[{r}, {c}]"))
    caption = f"{tensor.name} {show(tensor.shape)}"
    if len(tensor.shape) > 2:
        caption += f", plane {list(index[:-2])}"
    if len(tensor.shape) == 1 and rows > 1:
        caption += f", folded into rows of {columns}"
    if (high, wide) < (rows, columns) or top or left:
        caption += f"; rows {top} to {top + high - 1}, columns {left} to {left + wide - 1}"
    caption += "; the offending element lies outside the view" if outside else ""
    legend = [("bad", "offending"), ("missed", "missed")]
    if finding.touched:
        legend += [("read", "read"), ("written", "written")]
    else:
        legend[1] = ("missed", "element")
    return _figure("tensor", cells, wide, high, caption, legend)


def _fold(length: int, at: int) -> tuple[int, int, int, int]:
    """A long row as a plane."""
    if length <= WIDEST:
        return 1, length, 0, at
    columns = WIDEST // 2
    rows = -(-length // columns)
    return rows, columns, at // columns, at % columns


def _start_of_plane(finding: Facts, shape, index, elements: int) -> int:
    """The row-major number of the plane's first element."""
    start = 0
    for extent, at in zip(shape[:-2], index[:-2], strict=True):
        start = start * extent + min(max(at, 0), extent - 1)
    return start * elements if len(finding.tensor.shape) > 2 else 0


def _kind_of(finding: Facts, element: int, length) -> str | None:
    """The class of a cell; None behind the end of a folded row."""
    if length and element >= length:
        return None
    if finding.touched and element < len(finding.touched):
        touched = finding.touched[element]
        return "written" if touched & _WRITTEN else "read" if touched & _READ else "missed"
    return "missed"


def _window(at: int, extent: int, most: int = HIGHEST) -> tuple[int, int]:
    """(first, count) of the cells to show: all if they fit, else those around `at`."""
    first, last = min(0, at), max(extent - 1, at)
    if last - first < most:
        return first, last - first + 1
    first = max(first, min(at - most // 2, last - most + 1))
    return first, most


def grid_picture(finding: Facts) -> str:
    """The programs near the guilty one; the launch is at least as large as what was seen."""
    guilty = [finding.program_id, *finding.programs]
    others = [tuple(site.program_id) for site in finding.related if site.program_id]
    extents = finding.grid or tuple(
        1 + max(program[axis] for program in [*guilty, *others]) for axis in range(3)
    )
    x, y, z = finding.program_id
    left, wide = _window(x, extents[0], WIDEST)
    top, high = _window(y, extents[1])
    cells = []
    for row in range(top, top + high):
        for column in range(left, left + wide):
            program = (column, row, z)
            kind = "bad" if program in guilty else "related" if program in others else "program"
            cells.append((column - left, row - top, kind, f"program {show(program)}"))
    caption = f"programs of the grid {show(extents)}" if finding.grid else "programs seen up to the finding"
    if extents[2] > 1:
        caption += f", z = {z}"
    legend = [("bad", "guilty"), ("program", "other")]
    if others:
        legend.insert(1, ("related", "related"))
    return _figure("grid", cells, wide, high, caption, legend)


def _figure(name, cells, wide, high, caption, legend) -> str:
    size = max(6, min(18, 520 // max(wide, 1)))
    shapes = "".join(
        f'<rect class="{kind}" x="{x * size}" y="{y * size}" width="{size}" height="{size}">'
        f"<title>{escape(title)}</title></rect>"
        for x, y, kind, title in cells
    )
    keys = "".join(
        f'<span style="background: var(--{_COLOURS[kind]})"></span>{text}' for kind, text in legend
    )
    return (
        f'<figure class="{name}"><svg width="{wide * size}" height="{high * size}">{shapes}</svg>'
        f'<figcaption>{escape(caption)}<br><span class="legend">{keys}</span></figcaption></figure>'
    )


_COLOURS = {
    "bad": "bad", "missed": "line", "program": "line", "read": "touched", "written": "written",
    "related": "related",
}  # fmt: skip
