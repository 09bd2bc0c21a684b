"""The report of a finding as text, in five parts.

What: the headline with the facts; the source line with a caret; the related sites; whose bug it is; which
switch tells more. Colour only where the caller asks for it.
Limits: a source that cannot be read leaves its excerpt out.
"""

from __future__ import annotations

import linecache
import os
import sys
import textwrap
import tokenize

from .facts import Facts, Site, show
from .wording import WORDING

#: Columns of the parts that are wrapped; the headline, places and source lines are left whole.
WIDTH = 100
_STYLES = {"bold": "\033[1m", "red": "\033[1;31m", "green": "\033[1;32m", "cyan": "\033[36m"}
_RESET = "\033[0m"
_OPENING = "([{"
_CLOSING = ")]}"


def wants_colour(stream=None) -> bool:
    """Whether a stream is a terminal whose user did not decline colour."""
    stream = sys.stderr if stream is None else stream
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def render(finding: Facts, colour: bool = False) -> str:
    """The whole report; no newline at its end."""

    def paint(text, style):
        return f"{_STYLES[style]}{text}{_RESET}" if colour else text

    words = WORDING[finding.kind]
    lines = [f"{paint(finding.kind + ':', 'red')} {paint(finding.headline, 'bold')}"]
    lines.append("  " + paint(_where(finding), "cyan"))
    lines += excerpt(finding.site, paint)
    lines += [f"  called from {_place(caller)}" for caller in finding.site.callers]
    lines += _facts(finding)
    for site in finding.related:
        lines += _related(site, finding, paint)
    lines += _wrapped("whose bug:", f"{words.owner}; {words.advice}", paint)
    lines += _wrapped("to see more:", words.more, paint)
    return "\n".join(lines)


def _wrapped(head: str, text: str, paint) -> list[str]:
    """A part that may take several lines, its head set off."""
    lines = textwrap.wrap(f"{head} {text}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    lines[0] = lines[0].replace(head, paint(head, "bold"), 1)
    return lines


def _where(finding: Facts) -> str:
    where = f"in kernel {finding.kernel}, program {show(finding.program_id)}"
    if finding.site.line:
        where += f", {_place((finding.site.file, finding.site.line, finding.site.column))}"
    if finding.count > 1:
        where += f"; {finding.count} times, in {_programs(finding)}"
    return where


def _programs(finding: Facts) -> str:
    count = len(finding.programs)
    if count <= 1:
        return "this program"
    return f"at least {count} programs"


def _facts(finding: Facts) -> list[str]:
    lines = []
    if finding.tensor is not None:
        lines.append(f"  {finding.tensor}")
    if finding.block and finding.lane:
        rest = finding.lanes - 1
        more = f", and {rest} more lane{'s' * (rest > 1)}" if rest else ""
        lines.append(f"  lane {show(finding.lane)} of the block {show(finding.block)}{more}")
    if finding.variable:
        lines.append(f"  variable: {finding.variable}")
    for name, value in finding.details.items():
        if name != "message":
            lines.append(f"  {name}: {value}")
    return lines


def _related(site: Site, finding: Facts, paint) -> list[str]:
    head = f"  {paint(site.role + ':', 'bold')} " if site.role else "  "
    head += site.text or ""
    if site.program_id is not None and tuple(site.program_id) != finding.program_id:
        head += f" (program {show(site.program_id)})"
    if site.line:
        head += f" at {_place((site.file, site.line, site.column))}"
    return [head.rstrip(), *excerpt(site, paint)]


def _place(position) -> str:
    return ":".join(str(part) for part in position if part)


def excerpt(site: Site, paint=lambda text, style: text) -> list[str]:
    """The source line and the caret under what is meant."""
    if not site.line or not site.file:
        return []
    source = linecache.getline(site.file, site.line).rstrip("\r\n")
    if not source.strip():
        return []
    body = source.lstrip()
    cut = len(source) - len(body)
    lines = ["    " + "".join(c if c.isprintable() else " " for c in body)]
    if site.column:
        start = len(source.encode()[: site.column - 1].decode(errors="replace"))
        if start >= cut:
            marker = "^" + "~" * (extent_of(source, start) - 1)
            lines.append("    " + " " * (start - cut) + paint(marker, "green"))
    return lines


def extent_of(source: str, start: int) -> int:
    """How many characters belong to the expression at `start`: a name with its call, a number, one sign."""
    end = start
    while end < len(source) and (source[end].isalnum() or source[end] in "_."):
        end += 1
    if end < len(source) and source[end] == "(" and end > start:
        depth = 0
        for at in range(end, len(source)):
            depth += (source[at] in _OPENING) - (source[at] in _CLOSING)
            if depth == 0:
                return at + 1 - start
        return len(source.rstrip()) - start
    return max(end - start, 1)


def source_lines(file: str, first: int, last: int) -> list[tuple[int, str]]:
    """Numbered lines of a file, as far as it has them."""
    try:
        lines = linecache.getlines(file)
    except (OSError, tokenize.TokenError):
        return []
    return [
        (number, lines[number - 1].rstrip("\r\n"))
        for number in range(max(first, 1), min(last, len(lines)) + 1)
    ]
