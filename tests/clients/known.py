"""Failures that are the library's own, each with what shows it.

What: known.toml lists them; `reason_of` finds the entry for a failed record.
Why: an entry names the words of the failure too, so that another failure of the same case is not excused.
"""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

import tomllib

_FILE = Path(__file__).resolve().parent / "known.toml"


def load() -> list[dict]:
    """The entries: library, case (a pattern), failure (an expression), reason, evidence."""
    entries = tomllib.loads(_FILE.read_text(encoding="utf-8")).get("failure", [])
    for entry in entries:
        missing = {"library", "case", "failure", "reason", "evidence"} - entry.keys()
        if missing:
            raise ValueError(f"{_FILE.name}: an entry lacks {', '.join(sorted(missing))}: {entry}")
    return entries


def reason_of(record: dict, entries: list[dict]) -> dict | None:
    """The entry that explains a failed record."""
    for entry in entries:
        if (
            entry["library"] == record["library"]
            and fnmatch.fnmatchcase(record["case"], entry["case"])
            and re.search(entry["failure"], record.get("why", ""), re.S)
        ):
            return entry
    return None
