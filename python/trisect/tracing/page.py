"""The page of a trace: one file that works offline.

What: `page(launches)` puts the facts of each launch as JSON into page.html, whose script draws
them.
Limits: the first `most` launches get pictures; how many were left out is said on the page.
"""

from __future__ import annotations

import json
import linecache
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from trisect.tracing.planes import cells, plane_shape
from trisect.tracing.recording import Access, Launch, Operation, Tensor


def _pattern(operation: Operation, tensor: Tensor | None) -> str:
    """How the lanes of an access lie in memory, in elements where the tensor is known."""
    if not operation.strides:
        return "one element" if operation.elements == operation.executions else "block"
    if not operation.regular:
        return "gather"
    size = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "ptr": 8}
    unit = size.get(tensor.type, 1) if tensor else 1
    steps = [f"{stride // unit}" if stride % unit == 0 else f"{stride} bytes" for stride in operation.strides]
    return "stride " + " x ".join(steps)


def _access(launch: Launch, access: Access) -> dict:
    operation = access.operation
    entry = {
        "line": f"{Path(operation.position[0]).name}:{operation.position[1]}",
        "op": operation.mnemonic,
        "result": operation.result,
        "tensor": launch.tensors.index(access.tensor) if access.tensor else -1,
        "reads": access.reads,
        "writes": access.writes,
        "bytes": access.bytes,
        "pattern": _pattern(operation, access.tensor),
        "sectors": round(access.sectors_per_128_bytes, 2),
        "wasteful": access.wasteful,
        "shared": round(access.shared, 4),
        "active": round(min(1.0, operation.active_lanes / max(1, operation.elements)), 4),
    }
    if access.tensor:
        touches, _ = cells(access.tensor, access.touches)
        programs, _ = cells(access.tensor, access.programs, np.maximum)
        entry |= {"touches": touches.ravel().tolist(), "programs": programs.ravel().tolist()}
    return entry


def _tensor(tensor: Tensor) -> dict:
    picture, (tall, wide) = cells(tensor, np.zeros(0, np.uint32))
    rows, columns = plane_shape(tensor)
    return {
        "name": tensor.name or f"argument {tensor.argument}",
        "type": tensor.type,
        "shape": tensor.shape,
        "strides": tensor.strides,
        "granule": tensor.granule,
        "plane": [rows, columns],
        "cell": [tall, wide],
        "cells": list(picture.shape),
    }


def _lines(launch: Launch) -> list[dict]:
    """Source lines of the kernel, the costliest first."""
    moved: dict[int, int] = {}
    for access in launch.accesses:
        moved[id(access.operation)] = moved.get(id(access.operation), 0) + access.bytes
    entries = []
    for (file, line, _), operations in launch.lines.items():
        entries.append(
            {
                "line": f"{Path(file).name}:{line}",
                "source": linecache.getline(file, line).strip(),
                "executions": sum(operation.executions for operation in operations),
                "elements": sum(operation.elements for operation in operations),
                "bytes": sum(moved.get(id(operation), 0) for operation in operations),
                "nanoseconds": sum(operation.nanoseconds for operation in operations),
            }
        )
    return sorted(entries, key=lambda entry: -entry["nanoseconds"])


def _facts(launch: Launch) -> dict:
    return {
        "kernel": launch.kernel,
        "grid": launch.grid,
        "nanoseconds": launch.nanoseconds,
        "tensors": [_tensor(tensor) for tensor in launch.tensors],
        "accesses": [_access(launch, access) for access in launch.accesses],
        "lines": _lines(launch),
        "operations": [
            [f"{operation.mnemonic} {operation.result}".rstrip(), operation.position[1]]
            for operation in launch.operations
        ],
        "timeline": launch.timeline,
        "left_out": launch.events_left_out,
    }


def write_page(path: str | Path, launches: Sequence[Launch], title: str = "", most: int = 20) -> None:
    Path(path).write_text(page(launches, title, most), encoding="utf-8")


def page(launches: Sequence[Launch], title: str = "", most: int = 20) -> str:
    """The page as text."""
    data = {
        "title": title,
        "launches": [_facts(launch) for launch in launches[:most]],
        "left_out": max(0, len(launches) - most),
    }
    # "</script" would end the element that holds the data, "<!--<script" keep it from ending.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    template = files("trisect.tracing").joinpath("page.html").read_text(encoding="utf-8")
    return template.replace("@DATA@", text)
