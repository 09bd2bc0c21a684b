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


@triton.jit
def shown(x, out, n, factor, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    mask = i < n
    values = tl.load(x + i, mask=mask, other=0.0) * factor
    plane = tl.reshape(values, (B // 16, 16)) + 1.5
    tiny = tl.load(x + tl.arange(0, 4)) * 0.5
    tl.store(out + i + (1 << 28), values, mask=mask)
    tl.store(out + i, tl.reshape(plane * tl.sum(tiny), (B,)), mask=mask)


def as_numpy(array):
    """In one line; of more than eight elements the edges alone."""
    edge = 3 if array.ndim == 1 else 1
    return np.array2string(array, threshold=8, edgeitems=edge, max_line_width=10**9).replace("\n", "")


def test_reports_show_values_as_numpy_does():
    x = np.arange(1024, dtype=np.float32)
    with sanitize("out-of-bounds", policy=20) as session:
        shown[(8,)](x, np.zeros(1024, np.float32), 900, 2.0, B=128)
    finding = next(each for each in session.findings)
    found = dict(finding.variables)
    program = finding.program_id[0]
    i = np.arange(128) + 128 * program
    values = np.where(i < 900, x[i], 0).astype(np.float32) * 2
    plane = values.reshape(8, 16) + np.float32(1.5)
    expected = {
        "pid": f"i32 {program}",
        "i": f"i32[128] {as_numpy(i)} from {i.min()} to {i.max()}",
        "mask": f"i1[128] {as_numpy(i < 900)}",
        "values": f"f32[128] {as_numpy(values)} from {values.min()} to {values.max()}",
        "plane": f"f32[8,16] {as_numpy(plane)} from {plane.min()} to {plane.max()}",
        "tiny": f"f32[4] {as_numpy(x[:4] * np.float32(0.5))}",
    }
    assert {name: found.get(name) for name in expected} == expected
    assert "<td>f32[8,16]</td><td>[[  1.5 ...  31.5] ... [225.5 ... 255.5]] from" in finding.html()


@triton.jit
def misfit(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i).to(tl.int32))


@pytest.mark.parametrize("value, text", [(3e38, "3e+38"), (float("nan"), "nan"), (2.5e9, "2500000000.0")])
def test_a_number_in_a_report_is_as_numpy_has_it(value, text):
    with sanitize("undefined-value", policy=20) as session:
        misfit[(1,)](np.full(8, value, np.float32), np.zeros(8, np.int32), B=8)
    assert f"{text} does not fit i32" in str(session.findings[0])


@triton.jit
def with_dead_ends(x, out, counter, B: tl.constexpr):
    i = tl.arange(0, B)
    beyond = i > 5  # noqa: F841
    third = i.to(tl.float32) / 3  # noqa: F841
    ticket = tl.atomic_add(counter, 1) * 2  # noqa: F841
    kept = tl.load(x + i) + 1
    tl.store(out + i + 1000, kept)


def test_what_nothing_reads_is_not_shown_as_a_part_of_it():
    x = np.arange(16, dtype=np.float32)
    with sanitize("out-of-bounds", policy=20) as session:
        with_dead_ends[(1,)](x, np.zeros(16, np.float32), np.full(1, 7, np.int32), B=16)
    shown = dict(session.findings[0].variables)
    assert not {"beyond", "third", "ticket"} & shown.keys(), shown
    assert shown["kept"] == f"f32[16] {as_numpy(x + 1)} from 1.0 to 16.0"
