"""What a case is: an operator of a library, its inputs, and the same in plain torch.

What: `Table` collects the cases of one library; `table.add` makes one for each element type and shape.
Limits: `run` and `reference` take the same inputs; floats arrive at the reference as float64.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import torch

FLOATS = (torch.float32, torch.bfloat16)


class Maker:
    """Makes reproducible inputs of one element type."""

    def __init__(self, name: str, dtype: torch.dtype):
        self.dtype = dtype
        self.generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))

    def _finish(self, values, grad, dtype):
        return values.to(dtype or self.dtype).requires_grad_(grad)

    def normal(self, *shape, grad=True, scale=1.0, dtype=None):
        values = torch.randn(shape, generator=self.generator, dtype=torch.float64) * scale
        return self._finish(values, grad, dtype)

    def uniform(self, *shape, low=0.0, high=1.0, grad=True, dtype=None):
        values = torch.rand(shape, generator=self.generator, dtype=torch.float64) * (high - low) + low
        return self._finish(values, grad, dtype)

    def integers(self, *shape, low=0, high=10, dtype=torch.int64):
        return torch.randint(low, high, shape, generator=self.generator).to(dtype)

    def booleans(self, *shape):
        return torch.rand(shape, generator=self.generator) < 0.5

    def permutation(self, size):
        return torch.randperm(size, generator=self.generator)


@dataclass
class Case:
    """One operator on inputs of one element type and shape."""

    library: str
    name: str
    run: Callable
    reference: Callable
    inputs: Callable[[], tuple]
    dtype: torch.dtype
    #: Terms of the longest sum behind an output.
    length: int
    #: Roundings to the element type that lie between input and output.
    roundings: float
    #: What the outputs are rounding errors of, where that is larger than the outputs.
    scale: float
    backward: bool


class Table:
    """The cases of one library."""

    def __init__(self, library: str):
        self.library = library
        self.cases: list[Case] = []

    def add(
        self,
        operator,
        run,
        reference,
        inputs,
        shapes,
        dtypes=FLOATS,
        *,
        length=None,
        roundings=2.0,
        scale=0.0,
        backward=True,
    ):
        """`inputs(make, *shape)` gives the tuple that `run` and `reference` take; `length` defaults to the
        last extent of the shape."""
        for shape in shapes:
            for dtype in dtypes:
                label = "x".join(map(str, shape))
                name = f"{operator} {str(dtype).removeprefix('torch.')} {label}"

                def make(name=name, dtype=dtype, shape=shape):
                    return inputs(Maker(name, dtype), *shape)

                terms = length(*shape) if callable(length) else length or shape[-1]
                case = Case(
                    self.library, name, run, reference, make, dtype, terms, roundings, scale, backward
                )
                self.cases.append(case)
