"""Slices of different lengths behind one descriptor."""

import pytest

import trisect as triton
import trisect.language as tl
from trisect.tools.ragged_tma import atomic_add_ragged, create_ragged_descriptor, load_ragged, store_ragged

torch = pytest.importorskip("torch")


@triton.jit
def shift(source, target, sums, start, rows, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    data = load_ragged(source, start, rows, (0, 0))
    store_ragged(target, start, rows, (0, 0), data + 1)
    atomic_add_ragged(sums, start, rows, (0, 0), data)


def test_what_lies_past_a_slice_is_left_alone():
    source = torch.arange(16 * 8, dtype=torch.float32).reshape(16, 8)
    target, sums = torch.full((16, 8), -1.0), torch.ones(16, 8)
    described = [create_ragged_descriptor(tensor, [8, 8]) for tensor in (source, target, sums)]
    shift[(1,)](*described, 3, 5, BLOCK=8, WIDTH=8)
    expected, added = torch.full((16, 8), -1.0), torch.ones(16, 8)
    expected[3:8] = source[3:8] + 1
    added[3:8] += source[3:8]
    assert torch.equal(target, expected) and torch.equal(sums, added)


def test_ranks_are_checked():
    with pytest.raises(ValueError, match="one to three dimensions, not 4"):
        create_ragged_descriptor(torch.zeros(2, 2, 2, 8), [1, 1, 1, 8])
    with pytest.raises(ValueError, match="rank mismatch: 2 sizes and a block of 1"):
        create_ragged_descriptor(torch.zeros(2, 8), [8])
