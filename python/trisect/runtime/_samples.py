"""Tensors of torch by which trisect._C learns where they keep what a launch must know of them.

What: `layout_samples` makes tensors that are alike but for size and place in memory, and pairs that differ in
one thing that a launch must tell apart. Limits: torch's own classes on the host; nothing where torch makes no
plain tensors now.
"""

from __future__ import annotations

import functools
import sys

import numpy


def layout_samples() -> dict | None:
    """alike: plain and contiguous tensors of one type; strange: such of memory that is not torch's.

    Pairs, in lists of which each is about one thing: kinds (element type, place), rights (whether memory must
    be asked for before it is touched), signs (plain, negated). The last are three: what is negated twice is
    plain again, and is made after the negated one. So it tells a sign from where objects happen to lie."""
    torch = sys.modules["torch"]
    try:
        samples = _samples(torch)
    except Exception:  # a mode in which torch makes no plain tensors, or one without such views
        return None
    own = (torch.Tensor, torch.nn.Parameter)
    rows = [row for about in (*samples["kinds"], *samples["rights"], samples["signs"]) for row in about]
    tensors = [*samples["alike"], *samples["strange"], *(tensor for row in rows for tensor in row)]
    known = all([each.is_neg() for each in row] == [False, True, False] for row in samples["signs"])
    return samples if known and all(type(tensor) in own for tensor in tensors) else None


def _samples(torch) -> dict:
    zeros = functools.partial(torch.zeros, dtype=torch.float32, device="cpu")
    base = zeros(40)
    held = zeros(11)
    shapes = [(5,), (3, 4), (2, 3, 5), (7, 2)]
    others = [
        zeros(1),
        zeros(3, 4, dtype=torch.int32)[:, 1:],
        zeros((), dtype=torch.float64, requires_grad=True),
        zeros(2, 2, dtype=torch.complex64).conj(),
        zeros(2, 3, 4, dtype=torch.bfloat16).transpose(0, 2),
        torch.nn.Parameter(zeros(5)),
        zeros(7, device="meta"),
    ]
    shared = [zeros(shape) for shape in shapes]
    rights = []
    if hasattr(torch, "_lazy_clone"):  # memory that is copied before the first write
        rights.append([(zeros(each.shape), torch._lazy_clone(each)) for each in shared])
    if hasattr(torch._C, "_set_throw_on_mutable_data_ptr"):
        rights.append([(zeros(shape), _guarded(torch, zeros(shape))) for shape in shapes])
    return {
        "alike": [
            base, base[3:], base[7:31], base[24:36].view(2, 6), held, zeros(()), zeros(3, 4), zeros(2, 3, 5),
            zeros(6, 5, 4)[2:], zeros(2, 3, 6, 5, 4), zeros(4, 7, requires_grad=True),
            zeros(9, requires_grad=True)[2:].detach(), torch.nn.Parameter(zeros(9)),
        ],
        "strange": [
            torch.from_numpy(numpy.zeros(13, numpy.float32)),
            torch.from_numpy(numpy.zeros(17, numpy.float32)[5:]),
        ],
        "kinds": [
            [(zeros(shape), zeros(shape, dtype=torch.int32)) for shape in shapes],
            [(zeros(shape), zeros(shape, device="meta")) for shape in shapes],
        ],
        "rights": rights,
        "signs": [(tensor, view := torch._neg_view(tensor), torch._neg_view(view)) for tensor in others],
        "kept": (shared, held.untyped_storage()),
    }  # fmt: skip


def _guarded(torch, tensor):
    torch._C._set_throw_on_mutable_data_ptr(tensor)
    return tensor
