"""The report of a finding as JSON.

What: every fact but addresses, with the wording of its kind. Two runs give the same text.
"""

from __future__ import annotations

import json

from .facts import Facts, Site, TensorFacts
from .wording import WORDING

#: Raised when a field changes its meaning.
VERSION = 1


def record(finding: Facts) -> dict:
    """The facts; what a kind does not have is left out."""
    words = WORDING[finding.kind]
    facts = {
        "version": VERSION,
        "kind": finding.kind,
        "headline": finding.headline,
        "kernel": finding.kernel,
        "program_id": list(finding.program_id),
        "site": _site(finding.site),
        "tensor": _tensor(finding.tensor),
        "index": list(finding.index),
        "access": _access(finding),
        "lands_in": _tensor(finding.lands_in),
        "lands_index": list(finding.lands_index),
        "value": finding.value,
        "variable": finding.variable,
        "lane": list(finding.lane),
        "block": list(finding.block),
        "lanes": finding.lanes,
        "related": [_site(site) for site in finding.related],
        "count": finding.count,
        "programs": [list(program) for program in finding.programs],
        "details": finding.details,
        "whose_bug": words.owner,
        "advice": words.advice,
        "to_see_more": words.more,
    }
    return {name: value for name, value in facts.items() if value not in (None, "", [], {})}


def _access(finding: Facts) -> dict | None:
    if not finding.bytes:
        return None
    kind = "write" if finding.writes else "read"
    return {"kind": kind, "bytes": finding.bytes, "distance": finding.distance}


def _tensor(tensor: TensorFacts | None) -> dict | None:
    if tensor is None:
        return None
    return {
        "name": tensor.name,
        "dtype": tensor.dtype,
        "shape": list(tensor.shape),
        "strides": list(tensor.strides),
    }


def _site(site: Site) -> dict:
    facts = {
        "role": site.role,
        "text": site.text,
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "operation": site.operation,
        "program_id": list(site.program_id) if site.program_id else None,
        "callers": [list(caller) for caller in site.callers],
    }
    return {name: value for name, value in facts.items() if value not in (None, "", [])}


def dumps(findings) -> str:
    """A list of findings as text."""
    return json.dumps([record(finding) for finding in findings], indent=1) + "\n"
