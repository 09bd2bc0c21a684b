"""A heat map of a block: how far two tiers are apart, element by element, as SVG."""

from __future__ import annotations

import math
from html import escape

HIGHEST, WIDEST = 64, 128


def heat_map(apart, shape, index, name: str) -> str:
    """The plane of the last two dimensions that holds `index`; a row is folded."""
    columns = shape[-1]
    rows = shape[-2] if len(shape) > 1 else 1
    at = index[-1] + (index[-2] * columns if len(shape) > 1 else 0)
    start = 0
    for extent, place in zip(shape[:-2], index[:-2], strict=True):
        start = start * extent + place
    start *= rows * columns
    if rows == 1 and columns > 32:
        rows, columns = -(-columns // 32), 32
    plane = apart[start : start + rows * columns]
    if not plane:
        return ""
    row, column = at // columns, at % columns
    top, high = _window(row, rows, HIGHEST)
    left, wide = _window(column, columns, WIDEST)
    size = max(4, min(16, 640 // wide))
    largest = max(plane)
    cells = []
    for r in range(top, top + high):
        for c in range(left, left + wide):
            place = r * columns + c
            if place >= len(plane):
                continue
            value = plane[place]
            mark = ' stroke="currentColor" stroke-width="2"' if (r, c) == (row, column) else ""
            cells.append(
                f'<rect x="{(c - left) * size}" y="{(r - top) * size}" width="{size}" height="{size}" '
                f'fill="{_colour(value, largest)}"{mark}><title>[{r}, {c}]: {value:g} apart</title></rect>'
            )
    differing = sum(value != 0 for value in plane)
    caption = (
        f"{name}: {differing} of {len(plane)} elements differ, by up to {largest:g}; the first is framed"
    )
    if (high, wide) < (rows, columns):
        caption += (
            f"; rows {top} to {top + high - 1}, columns {left} to {left + wide - 1} of {rows} by {columns}"
        )
    return (
        f'<h3>The block</h3><figure class="heat"><svg width="{wide * size}" height="{high * size}">'
        f"{''.join(cells)}</svg><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _window(at: int, extent: int, most: int) -> tuple[int, int]:
    if extent <= most:
        return 0, extent
    first = min(max(0, at - most // 2), extent - most)
    return first, most


def _colour(value: float, largest: float) -> str:
    """Grey where both agree; then from yellow to red by order of magnitude."""
    if value == 0 or largest == 0:
        return "var(--line)"
    share = math.log1p(value) / math.log1p(largest)
    return f"hsl({50 - 50 * share:.0f} 85% {62 - 12 * share:.0f}%)"
