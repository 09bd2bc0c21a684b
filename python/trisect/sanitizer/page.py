"""One self-contained HTML page about findings.

What: for each finding its headline, the source around the line with the values of variables, the plane of the
tensor with touched, missed and offending elements, the grid with the guilty program, the related sites.
Why: where an access lies in its tensor is seen at a glance.
Limits: a tensor of more than two dimensions shows the plane of its last two that holds the access; large
planes and grids show the part around it. Works offline, needs no script.
"""

from __future__ import annotations

from html import escape

from .facts import Facts, Site, show
from .plane import grid_picture, tensor_picture
from .text import extent_of, source_lines
from .wording import WORDING

#: Source lines shown before and behind the guilty one.
CONTEXT = 6

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --dim: #6a7078; --paper: #ffffff; --panel: #f4f5f7;
  --line: #d6d9de; --bad: #d32f2f; --touched: #8fb8de; --written: #7cc18e; --related: #e0a030;
  --lane: #f8e0e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --dim: #9aa0a8; --paper: #17191c;
  --panel: #212428; --line: #3a3f46; --bad: #ff6b61; --touched: #3f6f9c; --written: #3f8a55;
  --related: #c98d2b; --lane: #4a2526; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 1100px; padding: 24px; }
h1 { font-size: 22px; } h2 { font-size: 18px; margin: 0 0 4px; } h3 { font-size: 14px; margin: 18px 0 6px;
  color: var(--dim); text-transform: uppercase; letter-spacing: .04em; }
article { border: 1px solid var(--line); border-left: 5px solid var(--bad); border-radius: 6px;
  padding: 18px 20px; margin: 20px 0; }
.kind { color: var(--bad); font-weight: 600; } .where, .note { color: var(--dim); }
pre { background: var(--panel); border-radius: 6px; padding: 10px 0; overflow-x: auto; margin: 0;
  font: 13px/1.5 ui-monospace, monospace; }
pre .row { display: block; padding: 0 14px; } pre .number { color: var(--dim); display: inline-block;
  width: 4ch; margin-right: 2ch; text-align: right; user-select: none; }
pre .guilty { background: var(--lane); } pre mark { background: none; color: var(--bad); font-weight: 700; }
table { border-collapse: collapse; font: 13px ui-monospace, monospace; } td, th { padding: 3px 14px 3px 0;
  text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
.pictures { display: flex; flex-wrap: wrap; gap: 28px; } figure { margin: 0; }
figcaption { color: var(--dim); font-size: 13px; max-width: 480px; }
svg { background: var(--panel); border-radius: 6px; } svg rect { stroke: var(--paper); stroke-width: 1; }
.missed { fill: var(--line); } .read { fill: var(--touched); } .written { fill: var(--written); }
.bad { fill: var(--bad); } .related { fill: var(--related); } .program { fill: var(--line); }
.legend span { display: inline-block; width: 11px; height: 11px; margin: 0 5px 0 14px; border-radius: 2px; }
svg text { fill: var(--dim); font: 11px ui-monospace, monospace; }
"""


def page(findings) -> str:
    """The page as text."""
    findings = list(findings)
    kernels = sorted({finding.kernel for finding in findings})
    body = "\n".join(_article(finding, number) for number, finding in enumerate(findings, 1))
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)}"
    title = f"{count}: {', '.join(kernels)}" if findings else "No findings"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _article(finding: Facts, number: int) -> str:
    words = WORDING[finding.kind]
    times = f", {finding.count} times" if finding.count > 1 else ""
    where = f"kernel {finding.kernel}, program {show(finding.program_id)}{times}"
    parts = [
        f'<article id="finding-{number}" data-kind="{finding.kind}">',
        f'<div class="kind">{escape(words.title)}</div><h2>{escape(finding.headline)}</h2>',
        f'<div class="where">{escape(where)}</div>',
        "<h3>Source</h3>",
        source_listing(finding.site),
        *(
            f'<div class="note">called from {escape(str(file))}:{line}</div>'
            for file, line, *_ in finding.site.callers
        ),
        _variables(finding),
        _pictures(finding),
        _facts(finding),
        *(_related(site) for site in finding.related),
        f"<h3>Whose bug</h3><p>{escape(_sentence(words.owner))} {escape(_sentence(words.advice))}</p>",
        f"<h3>To see more</h3><p>{escape(words.more)}</p></article>",
    ]
    return "\n".join(part for part in parts if part)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def style() -> str:
    """The style sheet, for pages of other reports."""
    return _STYLE


def source_listing(site: Site, context: int = CONTEXT) -> str:
    """The lines around a site, its own marked."""
    if not site.file or not site.line:
        return '<p class="note">The source position is not known.</p>'
    rows = []
    for number, text in source_lines(site.file, site.line - context, site.line + context):
        guilty = number == site.line
        shown = _with_caret(text, site.column) if guilty else escape(text)
        rows.append(
            f'<span class="row{" guilty" * guilty}"><span class="number">{number}</span>{shown or " "}</span>'
        )
    listing = f"<pre>{''.join(rows)}</pre>" if rows else ""
    return f'<div class="note">{escape(site.file)}:{site.line}</div>{listing}'


def _with_caret(text: str, column: int | None) -> str:
    if not column or column > len(text):
        return escape(text)
    start = len(text.encode()[: column - 1].decode(errors="replace"))
    end = start + extent_of(text, start)
    return f"{escape(text[:start])}<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"


def _variables(finding: Facts) -> str:
    if not finding.variables:
        return ""
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in (name, *summary.split(" ", 1))) + "</tr>"
        for name, summary in finding.variables
    )
    head = "<tr><th>name</th><th>type</th><th>value</th></tr>"
    return f'<h3>Variables</h3><table class="variables">{head}{rows}</table>'


def _pictures(finding: Facts) -> str:
    pictures = [grid_picture(finding)]
    if finding.tensor is not None:
        pictures.insert(0, tensor_picture(finding))
    shown = "\n".join(picture for picture in pictures if picture)
    return f'<h3>Pictures</h3><div class="pictures">{shown}</div>' if shown else ""


def _facts(finding: Facts) -> str:
    rows = []
    if finding.tensor is not None:
        tensor = finding.tensor
        rows.append(("tensor", tensor.name))
        rows.append(("type", tensor.dtype))
        rows.append(("shape, strides", f"{show(tensor.shape)}, {show(tensor.strides)}"))
    if finding.index:
        rows.append(("index", show(finding.index)))
    if finding.distance:
        side = "behind the end" if finding.distance > 0 else "before the start"
        rows.append(("distance", f"{abs(finding.distance)} bytes {side}"))
    if finding.lands_in is not None:
        rows.append(("lands in", f"{finding.lands_in.name}{list(finding.lands_index)}"))
    if finding.block:
        rows.append(("lane", f"{show(finding.lane)} of {show(finding.block)}, {finding.lanes} lanes in all"))
    if finding.value:
        rows.append(("value", finding.value))
    rows += [(name, value) for name, value in finding.details.items()]
    if not rows:
        return ""
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(text))}</td></tr>" for name, text in rows)
    return f'<h3>Facts</h3><table class="facts">{cells}</table>'


def _related(site: Site) -> str:
    program = f" (program {show(site.program_id)})" if site.program_id else ""
    head = f"<h3>{escape(site.role or 'Related')}</h3>"
    return f"{head}<p>{escape(site.text)}{escape(program)}</p>{source_listing(site, 1) if site.line else ''}"
