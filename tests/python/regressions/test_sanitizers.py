"""What sanitizers missed, and how values are shown."""

import gc

import numpy as np
import pytest
import torch

import trisect as triton
import trisect.language as tl
from trisect import mark_uninitialized, sanitize


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + at, mask=at < n, other=0), axis=0))


def inference(x):
    with torch.inference_mode():
        return x[3]


def of_storage(x):
    return torch.tensor([], dtype=x.dtype).set_(x.untyped_storage(), 48, (16,), (1,))


ARRAYS = {
    "row": (lambda x: x[3], (3, 0)),
    "column": (lambda x: x[:, 5], (0, 5)),
    "transposed": (lambda x: x.T[2:3], (0, 2)),
    "reversed": (lambda x: x[::-1][0:1], (7, 0)),
    "other type": (lambda x: x.view(np.int32)[1], (1, 0)),
    "diagonal": (lambda x: np.lib.stride_tricks.as_strided(x, (8,), (68,)), (0, 0)),
    "subclass": (lambda x: x.view(np.recarray)[3], (3, 0)),
    "buffer": (lambda x: np.frombuffer(x.data, np.float32)[40:44], (2, 8)),
    "memoryview": (lambda x: np.asarray(memoryview(x))[3], (3, 0)),
    "torch": (lambda x: torch.from_numpy(x)[3], (3, 0)),
}
TENSORS = {
    "row": (lambda x: x[3], (3, 0)),
    "column": (lambda x: x[:, 5], (0, 5)),
    "strided": (lambda x: torch.as_strided(x, (3,), (16,), 5), (0, 5)),
    "chunk": (lambda x: x.chunk(4)[1], (2, 0)),
    "detached": (lambda x: x.detach()[3], (3, 0)),
    "data": (lambda x: x.data[3], (3, 0)),
    "numpy": (lambda x: x.numpy()[3], (3, 0)),
    "dlpack": (lambda x: torch.from_dlpack(x)[3], (3, 0)),
    "inference": (inference, (3, 0)),
    "storage": (of_storage, (3, 0)),
}


def index_of_unwritten(x, out):
    with sanitize("on", policy=20) as session:
        total[(1,)](x, out, 128, BLOCK=128)
    assert [finding.kind for finding in session.findings] in ([], ["uninitialized-read"])
    return session.findings[0].index if session.findings else None


@pytest.mark.parametrize("name", ARRAYS)
def test_a_mark_on_a_view_of_an_array_lasts(name):
    part, index = ARRAYS[name]
    x = np.ones((8, 16), np.float32)
    mark_uninitialized(part(x))
    gc.collect()
    assert index_of_unwritten(x, np.zeros(1, np.float32)) == index
    x[:] = 1
    assert index_of_unwritten(x, np.zeros(1, np.float32)) is None


@pytest.mark.parametrize("name", TENSORS)
def test_a_mark_on_a_view_of_a_tensor_lasts(name):
    part, index = TENSORS[name]
    x = torch.ones(8, 16)
    mark_uninitialized(part(x))
    gc.collect()
    assert index_of_unwritten(x, torch.zeros(1)) == index
    x.fill_(1)
    assert index_of_unwritten(x, torch.zeros(1)) is None


def test_a_mark_outlives_the_tensor_that_it_was_made_through():
    x = torch.ones(8, 16)
    mark_uninitialized(x)
    y = x.detach()
    del x
    gc.collect()
    assert index_of_unwritten(y, torch.zeros(1)) == (0, 0)
