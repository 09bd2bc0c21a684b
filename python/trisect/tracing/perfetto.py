"""The timeline as a trace for Perfetto (and chrome://tracing).

What: a process a launch, a thread a program, a slice an operation with its source line.
Limits: the recorder keeps the first events of a launch; how many it left out stands in the launch's name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from trisect.tracing.recording import Launch


def _events(number: int, launch: Launch):
    left_out = f", {launch.events_left_out} events left out" if launch.events_left_out else ""
    label = f"{launch.kernel}{launch.grid}{left_out}"
    yield {"ph": "M", "name": "process_name", "pid": number, "args": {"name": label}}
    for operation, program, start, duration in launch.timeline:
        entry = launch.operations[operation]
        yield {
            "ph": "X",
            "pid": number,
            "tid": program,
            "name": f"{entry.mnemonic} {entry.result}".rstrip(),
            "ts": start / 1000,
            "dur": duration / 1000,
            "args": {"at": f"{entry.position[0]}:{entry.position[1]}"},
        }


def write_perfetto(path: str | Path, launches: Sequence[Launch]) -> None:
    events = [event for number, launch in enumerate(launches) for event in _events(number, launch)]
    Path(path).write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}), encoding="utf-8")
