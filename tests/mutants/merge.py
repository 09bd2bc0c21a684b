"""Joins records of trisect-mutants --shard, says how many mistakes were found: merge.py OUT SHARD..."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def join(one, other):
    """Numbers added, lists and objects joined."""
    if isinstance(one, dict):
        return {
            key: join(one[key], other[key]) if key in one and key in other else {**other, **one}[key]
            for key in {**one, **other}
        }
    return one + other


def main(out: str, shards: list[str]) -> int:
    records = [json.loads(Path(name).read_text()) for name in shards]
    whole = records[0]
    for record in records[1:]:
        whole = join(whole, record)
    Path(out).write_text(json.dumps(whole, indent=2) + "\n")
    found = whole["all"]
    for name in ("full", "always", "promote", "named", "replayed"):
        of = (
            found["shown"]
            if name in ("full", "always", "promote")
            else found["promote" if name == "named" else "bundled"]
        )
        print(f"{name:10} {found[name]} of {of}: {100 * found[name] / max(1, of):.2f} %")
    print(f"{whole['false alarms']} false alarms, {whole['parts']} parts, {whole['mistakes']} mistakes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
