"""report.html of a bundle: one self-contained page about a difference between two tiers.

What: where the tiers part (operation, source line, values that go in and come out), a heat map of the block
there, the values that differ in memory, the kernel as TTIR with the operation marked, how to run it again.
Why: whether one element is wrong, a row, or a corner is seen at a glance.
Limits: drawn from report.json and kernel.ttir; heat maps show at most 64 by 128 elements, around the first
one that differs. Works offline, needs no script.
"""

from __future__ import annotations

import json
import os
from html import escape

from trisect.errors import InvalidInput
from trisect.sanitizer.facts import Site
from trisect.sanitizer.page import source_listing, style

from .heat import heat_map

_MORE_STYLE = """
table.values td { font-variant-numeric: tabular-nums; } .good { color: #2e7d32; }
pre.ttir { max-height: 460px; overflow: auto; } .big { font-size: 17px; }
.sides { display: flex; gap: 28px; flex-wrap: wrap; } .sides > div { min-width: 220px; }
.side { background: var(--panel); border-radius: 6px; padding: 12px 16px; }
.side b { display: block; font: 22px ui-monospace, monospace; }
"""


def _text_of(directory: str, name: str) -> str:
    try:
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise InvalidInput(f"{directory} is no bundle: {name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{os.path.join(directory, name)} is damaged: it is not UTF-8") from None


def write(directory: str) -> str:
    """Draws the page of a bundle; returns its path. Throws InvalidInput if there is no whole report."""
    report, ttir = _text_of(directory, "report.json"), _text_of(directory, "kernel.ttir")
    try:
        text = page(json.loads(report), ttir, directory)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        # It holds whatever somebody made of it.
        damage = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InvalidInput(f"{os.path.join(directory, 'report.json')} is damaged: {damage}") from None
    path = os.path.join(directory, "report.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def page(report: dict, ttir: str, directory: str) -> str:
    """The page as text."""
    failed = "verdict" not in report
    title = f"{report['kernel']} on {report['tier']}: {'compile failed' if failed else 'different'}"
    parts = [f"<h1>{escape(title)}</h1><article>", f'<p class="big">{escape(report["sentence"])}</p>']
    if not failed:
        parts += [_location(report), _values(report), _facts(report)]
    parts += [
        _ttir(ttir, report.get("location")),
        _commands(directory, failed),
        _versions(report),
        "</article>",
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{style()}{_MORE_STYLE}</style></head>\n'
        f"<body>{body}\n</body></html>\n"
    )


def _location(report: dict) -> str:
    location = report.get("location")
    if not location:
        return ""
    parts = ["<h3>Where the tiers part</h3>", f"<p>{escape(location['sentence'])}</p>"]
    if location.get("line"):
        parts.append(
            source_listing(Site(file=location["file"], line=location["line"], column=location["column"]))
        )
    if location.get("ttir"):
        parts.append(f'<pre><span class="row guilty">{escape(location["ttir"])}</span></pre>')
    if "expected" in location:
        ulp = f", {location['ulp']} ULP apart" if location["ulp"] is not None else ""
        parts.append(
            '<div class="sides">'
            f'<div class="side"><b class="good">{escape(location["expected"])}</b>tier 0</div>'
            f'<div class="side"><b class="kind">{escape(location["found"])}</b>'
            f"{escape(report['tier'])}{ulp}</div></div>"
        )
        parts.append(_operands(location))
        if location["apart"] and len(location["shape"]) > 0:
            parts.append(heat_map(location["apart"], location["shape"], location["index"], "the block there"))
    return "\n".join(parts)


def _operands(location: dict) -> str:
    rows = "".join(
        f"<tr><td>{escape(operand['ttir'])}</td><td>{escape(operand['value'] or 'a block')}</td></tr>"
        for operand in location["operands"]
    )
    head = "<tr><th>operand</th><th>value, the same in both tiers</th></tr>"
    return f"<h3>What goes in</h3><table>{head}{rows}</table>" if rows else ""


def _values(report: dict) -> str:
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(str(cell))}</td>"
            for cell in (
                f"{value['tensor'] or value['address']}{value['index'] or ''}",
                value["expected"],
                value["found"],
                "" if value["ulp"] is None else value["ulp"],
            )
        )
        + "</tr>"
        for value in report["values"]
    )
    if not rows:
        return ""
    head = f"<tr><th>element</th><th>tier 0</th><th>{escape(report['tier'])}</th><th>ULP</th></tr>"
    note = "bits that differ, also where they may; the first of them"
    return f'<h3>In memory</h3><p class="note">{note}</p><table class="values">{head}{rows}</table>'


def _facts(report: dict) -> str:
    counts = report["counts"]
    rows = [
        ("program", f"{tuple(report['program'])} of {tuple(report['grid'])}"),
        ("elements that differ", counts["differing"]),
        ("of those, not written by tier 0", counts["strays"]),
        ("bytes compared", counts["bytes"]),
        ("pages kept", counts["pages"]),
        *((f"tensor {t['name']}", f"{t['type']} {tuple(t['shape'])}") for t in report["tensors"]),
        *((f"option {name}", value) for name, value in sorted(report["options"].items()) if value),
    ]
    if report.get("reason"):
        rows.insert(0, ("reason", report["reason"]))
    cells = "".join(f"<tr><th>{escape(str(a))}</th><td>{escape(str(b))}</td></tr>" for a, b in rows)
    return f'<h3>Facts</h3><table class="facts">{cells}</table>'


def _ttir(ttir: str, location: dict | None) -> str:
    guilty = (location or {}).get("ttir", "").split(" loc(")[0].strip()
    rows = []
    for number, line in enumerate(ttir.splitlines(), 1):
        marked = guilty and guilty.split("=", 1)[-1].strip() in line
        number_cell = f'<span class="number">{number}</span>'
        rows.append(f'<span class="row{" guilty" * bool(marked)}">{number_cell}{escape(line) or " "}</span>')
    return f'<h3>Kernel</h3><pre class="ttir">{"".join(rows)}</pre>'


def _commands(directory: str, failed: bool) -> str:
    commands = [f"trisect replay {directory}"]
    if not failed:
        commands += [f"trisect shrink {directory}", f"trisect bisect {directory}"]
    rows = "".join(f'<span class="row">{escape(command)}</span>' for command in commands)
    return f"<h3>To see it again</h3><pre>{rows}</pre>"


def _versions(report: dict) -> str:
    text = ", ".join(f"{name} {version}" for name, version in sorted(report["versions"].items()))
    return f'<p class="note">{escape(text)}</p>'
