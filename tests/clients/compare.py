"""Holds outputs and gradients against float64.

What: integers and booleans must be equal; floats may be off by a few roundings of their type, growing with
the root of the number of terms that were added; NaN and infinity must stand where the reference has them.
Limits: the error is measured against the size of the element and of the whole tensor, so a small element
among large ones is judged by the large ones, as cancellation demands.
"""

from __future__ import annotations

import math

import torch

#: Roundings of float32 that any kernel is allowed, its exp and division among them.
BASE = 16 * torch.finfo(torch.float32).eps


def tolerance(case, got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    """The largest error that each element may have."""
    finite = want[torch.isfinite(want)]
    typical = finite.square().mean().sqrt().item() if finite.numel() else 0.0
    rounding = max(torch.finfo(got.dtype).eps, torch.finfo(case.dtype).eps)
    unit = case.roundings * rounding + BASE
    return unit * (want.abs() + max(typical, case.scale) * math.sqrt(max(case.length, 1)))


def difference(case, what: str, got, want) -> str | None:
    """Why `got` is wrong, None if it is right."""
    if got is None or want is None:
        return None if got is want else f"{what} is {got}, the reference is {want}"
    if not isinstance(got, torch.Tensor):
        got = torch.as_tensor(got)
    if not isinstance(want, torch.Tensor):
        want = torch.as_tensor(want)
    if got.shape != want.shape:
        return f"{what} has shape {tuple(got.shape)}, the reference {tuple(want.shape)}"
    got, want = got.detach(), want.detach()
    if not got.is_floating_point():
        wrong = got.to(torch.int64) != want.to(torch.int64)
    else:
        value, want = got.double(), want.double()
        close = (value - want).abs() <= tolerance(case, got, want)
        same = (value == want) | (value.isnan() & want.isnan())
        wrong = ~(same | (close & value.isfinite() & want.isfinite()))
    count = int(wrong.sum())
    if not count:
        return None
    index = tuple(int(i) for i in wrong.nonzero()[0]) if wrong.dim() else ()
    return (
        f"{what}{list(index) if index else ''} is {got[index].item():.9g}, the reference "
        f"{want[index].item():.9g}; {count} of {wrong.numel()} elements are wrong"
    )
