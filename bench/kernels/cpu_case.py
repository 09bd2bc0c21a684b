"""What a case of the benchmark of tier 1 is, and what its sides are made with (bench/cpu.py).

A case is a function that gives a `Case`; files beside this one hold them. Sides write to memory made
beforehand: compiled torch functions into a tensor that they are given. What can only give new tensors takes
pages that the allocator keeps. What a peer cannot do has no side.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch


@dataclass
class Case:
    """`sides` by name, ours is `trisect`; `check` gives the error of our last result, at most `limit`."""

    sides: dict[str, Callable]
    check: Callable[[], float]
    limit: float
    #: What one call does, and the peak that it is held against: a name of bench/cpu.py's peaks; empty: none.
    work: float
    peak: str = ""
    #: Further facts for the record, as the seconds that each side took to compile.
    notes: dict = field(default_factory=dict)


CASES: dict[str, Callable[[], Case]] = {}

#: Bytes that a case must move for it to be held against what memory gives: no cache holds them.
PAST_CACHES = 1 << 27


def case(name, maker, *arguments, **options):
    CASES[name] = lambda: maker(*arguments, **options)


def memory_peak(moved):
    return "stream" if moved >= PAST_CACHES else ""


def normal(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def compiled(function):
    return torch.compile(function, dynamic=False)


def error(got, want):
    got, want = got.double(), want.double()
    return float(((got - want).abs() / (1 + want.abs())).max())
