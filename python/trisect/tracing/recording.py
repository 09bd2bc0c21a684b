"""Recorded launches as Python objects.

What: a `Launch` holds what tier 0 wrote down of one launch: operations, tensors, accesses, a timeline.
Why: the page, the Perfetto file and a user's own script read the same facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Place = tuple[str, int, int]


@dataclass
class Operation:
    """One operation of the kernel, over all programs."""

    position: Place
    callers: list[Place]
    mnemonic: str
    result: str
    executions: int
    elements: int
    nanoseconds: int
    sectors: int
    active_lanes: int
    strides: list[int]
    regular: bool


@dataclass
class Tensor:
    """A tensor that the launch got; one count stands for `granule` elements in row-major order."""

    argument: int
    name: str
    type: str
    shape: list[int]
    strides: list[int]
    granule: int

    @property
    def elements(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass
class Access:
    """What one operation did to one tensor; `tensor` is None for memory of no argument."""

    operation: Operation
    tensor: Tensor | None
    reads: bool
    writes: bool
    bytes: int
    touches: np.ndarray
    programs: np.ndarray

    @property
    def sectors_per_128_bytes(self) -> float:
        """Sectors of 32 bytes that the operation needs for each 128 bytes it moves; 4 is the best."""
        return self.operation.sectors * 128 / self.bytes if self.bytes else 0.0

    @property
    def wasteful(self) -> bool:
        """Whether it needs clearly more sectors than its bytes side by side would.

        One more an execution is for a start that is not aligned.
        """
        runs = self.operation.executions
        return self.operation.sectors > runs * (-(-self.bytes // (runs * 32)) + 1)

    @property
    def shared(self) -> float:
        """Among touched elements, the share that more than one program touches."""
        touched = int(np.count_nonzero(self.programs))
        return int(np.count_nonzero(self.programs > 1)) / touched if touched else 0.0


@dataclass
class Launch:
    """One launch of a kernel. Timeline: (operation, program, start, duration), in nanoseconds."""

    kernel: str
    grid: tuple[int, int, int]
    nanoseconds: int
    operations: list[Operation]
    tensors: list[Tensor]
    accesses: list[Access]
    timeline: list[tuple[int, int, int, int]]
    events_left_out: int
    lines: dict[Place, list[Operation]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.lines = {}
        for operation in self.operations:
            file, line, _ = operation.callers[-1] if operation.callers else operation.position
            self.lines.setdefault((file, line, 0), []).append(operation)

    @property
    def programs(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]


def launch_of(plain: dict) -> Launch:
    operations = [Operation(**operation) for operation in plain["operations"]]
    tensors = [Tensor(**tensor) for tensor in plain["tensors"]]
    accesses = [
        Access(
            operations[access["operation"]],
            tensors[access["tensor"]] if access["tensor"] >= 0 else None,
            access["reads"],
            access["writes"],
            access["bytes"],
            np.frombuffer(access["touches"], np.uint32),
            np.frombuffer(access["programs"], np.uint32),
        )
        for access in plain["accesses"]
    ]
    return Launch(**(plain | {"operations": operations, "tensors": tensors, "accesses": accesses}))
