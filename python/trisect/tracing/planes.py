"""Footprints as small pictures.

What: a tensor is laid out as a plane, its last dimension to the right and all others downwards; counts by
granule become counts by cell of at most 96 x 96 cells.
Why: a page must hold many footprints and open at once.
Limits: one-dimensional tensors are folded into rows of a power of two.
"""

from __future__ import annotations

import math

import numpy as np

from trisect.tracing.recording import Tensor

MOST_CELLS = 96


def plane_shape(tensor: Tensor) -> tuple[int, int]:
    """Rows and columns, in elements."""
    elements = max(1, tensor.elements)
    columns = tensor.shape[-1] if tensor.shape else 1
    if elements == columns:  # one row: fold it
        columns = 1 << max(0, math.ceil(math.log2(math.sqrt(elements))))
    columns = max(1, columns)
    return -(-elements // columns), columns


def cells(tensor: Tensor, counts: np.ndarray, combine=np.add) -> tuple[np.ndarray, tuple[int, int]]:
    """`counts` by granule as a picture, and how many rows and columns one cell stands for."""
    rows, columns = plane_shape(tensor)
    tall, wide = -(-rows // MOST_CELLS), -(-columns // MOST_CELLS)
    picture = np.zeros((-(-rows // tall), -(-columns // wide)), np.int64)
    # A granule is drawn in every cell that it reaches into: it may be longer than a cell is wide.
    first = np.arange(len(counts), dtype=np.int64) * tensor.granule
    for step in range(0, tensor.granule, wide if tensor.granule > wide else tensor.granule):
        at = np.minimum(first + step, max(0, tensor.elements - 1))
        combine.at(picture, (at // columns // tall, at % columns // wide), counts)
    return picture, (tall, wide)
