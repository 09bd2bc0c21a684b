"""Arguments whose memory is not what it seems: read-only arrays, lazily negated tensors."""

import numpy as np
import pytest
import torch

import trisect as triton
import trisect.language as tl


@triton.jit
def move(at, value):
    tl.store(at, value)


@triton.jit
def copy(x, o, n, MANY: tl.constexpr):
    at = tl.arange(0, 4)
    if MANY:
        for _ in range(n):
            x += 0
            o += 0
            move(o + at, tl.load(x + at))
    else:
        move(o + at, tl.load(x + at))


def read_only():
    array = np.ones(4, np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("protected", [read_only, lambda: np.frombuffer(bytes(16), np.float32)])
def test_read_only_memory_is_read_and_not_written(protected, many):
    x, o = np.ones(4, np.float32), np.zeros(4, np.float32)
    for _ in range(4):
        copy[(1,)](x, o, 1, MANY=many)  # warm
    for _ in range(2):
        held = protected()
        before = held.tobytes()
        with pytest.raises(
            ValueError, match="kernel 'copy' writes to argument 'o', which is read-only memory"
        ):
            copy[(1,)](x, held, 1, MANY=many)
        assert held.tobytes() == before
    for _ in range(4):
        copy[(1,)](read_only(), o, 1, MANY=many)
    np.testing.assert_array_equal(o, 1)


@triton.jit
def add_all(o, pair):
    tl.atomic_add(pair[0], tl.load(o))


def test_read_only_memory_in_a_tuple():
    with pytest.raises(ValueError, match="writes to argument 'pair'"):
        add_all[(1,)](np.ones(1, np.float32), (read_only(), 3))


def test_a_lazily_negated_tensor_is_refused():
    x = torch.ones(4, dtype=torch.complex64).mul(1j).conj().imag
    assert x.is_neg()
    o = torch.zeros(4)
    x = x if x.is_contiguous() else torch._neg_view(torch.ones(4))
    for _ in range(4):
        copy[(1,)](torch.ones(4), o, 1, MANY=False)  # warm
    with pytest.raises(ValueError, match=r"argument 'x'.*resolve_neg\(\)"):
        copy[(1,)](x, o, 1, MANY=False)
    copy[(1,)](x.resolve_neg(), o, 1, MANY=False)
    assert (o == -1).all()
