"""Rows of behaviour: shapes, reductions, scans, sorting, and what blocks know of themselves."""

import numpy as np
from behaviour import INPUTS, I, row

f, g, d, h, b, n, m, u, w, k = INPUTS.values()
i32, f32 = np.int32, np.float32

SHAPES = [
    row("r = tl.arange(4, 12)", np.arange(4, 12, dtype=i32)),
    row("r = i[:, None] * 2 + i[None, :]", I[:, None] * 2 + I),
    row("r = tl.reshape(w, (8, 4))", w.reshape(8, 4)),
    row("r = tl.reshape(w, 2, 16)", w.reshape(2, 16)),
    row("r = tl.view(w, (8, 4))", w.reshape(8, 4)),
    row("r = tl.ravel(w)", w.ravel()),
    row("r = tl.trans(w)", w.T),
    row("r = w.T", w.T),
    row("r = tl.permute(tl.reshape(w, (4, 4, 2)), 2, 0, 1)", w.reshape(4, 4, 2).transpose(2, 0, 1)),
    row("r = tl.expand_dims(f, 1) + tl.expand_dims(f, 0)", f[:, None] + f),
    row("r = tl.broadcast_to(f[None, :], (4, 16))", np.broadcast_to(f, (4, 16))),
    row("p, q = tl.broadcast(f[:, None], g[None, :])\nr = p - q", f[:, None] - g),
    row("r = tl.join(f, g)", np.stack([f, g], -1)),
    row("p, q = tl.split(tl.reshape(w, (16, 2)))\nr = p - q", w.ravel()[::2] - w.ravel()[1::2]),
    row("r = tl.interleave(f, g)", np.stack([f, g], -1).ravel()),
    row("r = tl.cat(f, g, dim=0)", np.concatenate([f, g])),
    row("r = tl.sort(tl.cat(f, g, can_reorder=True))", np.sort(np.concatenate([f, g]))),
    row("r = tl.squeeze(tl.unsqueeze(f, 0), 0)", f),
    row("r = tl.unsqueeze(f, 1)", f[:, None]),
    row("r = tl.flip(w, 0)", w[::-1]),
    row("r = tl.flip(f)", f[::-1]),
    row("r = tl.gather(w, k, 1)", np.take_along_axis(w, k, 1)),
    row("r = tl.item(tl.sum(f, 0, keep_dims=True))", f.sum(), tolerance=1e-5),
    row(
        "p, q = tl.swizzle2d(i // 4, i % 4, 4, 4, 2)\nr = p * 4 + q",
        np.array([(t // 8) * 8 + (t % 8 % 2) * 4 + t % 8 // 2 for t in range(16)], i32),
    ),
]

REDUCTIONS = [
    row("r = tl.sum(w, 1)", w.sum(1), tolerance=1e-5),
    row("r = tl.sum(m, 0)", m.sum().astype(i32)),
    row("r = tl.sum(w, 0, keep_dims=True)", w.sum(0, keepdims=True), tolerance=1e-5),
    row("r = tl.max(w, 1)", w.max(1)),
    row("r = tl.min(w, 0)", w.min(0)),
    row("r = tl.max(b, 0)", b.astype(f32).max()),
    row("p, r = tl.max(k, 1, return_indices=True)", k.argmax(1).astype(i32)),
    row("p, r = tl.min(k, 1, return_indices=True)", k.argmin(1).astype(i32)),
    row("r = tl.argmax(k, 1)", k.argmax(1).astype(i32)),
    row("r = tl.argmin(k, 0)", k.argmin(0).astype(i32)),
    row("r = tl.xor_sum(n, 0)", np.bitwise_xor.reduce(n)),
    row("r = tl.reduce_or(m, 0)", np.bitwise_or.reduce(m)),
    row("r = tl.reduce(w, 1, add)", w.sum(1), tolerance=1e-5),
    row(
        "p, r = tl.reduce((w, tl.broadcast_to(tl.arange(0, 8)[None, :], (4, 8))), 1, larger_with_index)",
        w.argmax(1).astype(i32),
    ),
    row("r = tl.histogram(k.ravel(), 8)", np.bincount(k.ravel(), minlength=8).astype(i32)),
    row("r = tl.histogram(m, 16, mask=n > 0)", np.bincount(m[n > 0], minlength=16).astype(i32)),
    row("r = tl.cumsum(w, 1)", w.cumsum(1), tolerance=1e-5),
    row("r = tl.cumsum(f, 0, reverse=True)", f[::-1].cumsum()[::-1], tolerance=1e-5),
    row("r = tl.cumprod(g, 0)", g.cumprod(), tolerance=1e-5),
    row("r = tl.associative_scan(f, 0, add)", f.cumsum(), tolerance=1e-5),
    row("r = tl.associative_scan(f, 0, add, reverse=True)", f[::-1].cumsum()[::-1], tolerance=1e-5),
    row("r = tl.sort(w)", np.sort(w, 1)),
    row("r = tl.sort(f, descending=True)", np.sort(f)[::-1]),
    row("r = tl.standard.sort_impl(f, 4)", np.sort(f)[:4]),
    row("r = tl.topk(w, 4)", np.sort(w, 1)[:, ::-1][:, :4]),
    row("r = tl.bitonic_merge(tl.where(i < 8, i * 2, 31 - i * 2))", np.arange(16, dtype=i32)),
    row(
        "r = tl.map_elementwise(collatz_steps, m)",
        np.array([[0, 1, 7, 2, 5, 8, 16, 3, 19][v - 1] for v in m], i32),
    ),
]

FACTS = [
    row("r = w.shape[0] * 100 + w.shape[1]", i32(408)),
    row("r = w.numel", i32(32)),
    row("r = w.ndim", i32(2)),
    row("r = tl.zeros((4,), f.dtype)", np.zeros(4, f32)),
    row("r = tl.zeros(f.shape, f.type.scalar)", np.zeros(16, f32)),
    row("r = tl.multiple_of(i * 16, 16)", I * 16),
    row("r = tl.max_contiguous(i, 16)", I),
    row("r = tl.max_constancy(i // 4, 4)", I // 4),
    row("r = tl.TRITON_MAX_TENSOR_NUMEL", i32(1048576)),
    row("r = tl.zeros((4,), tl.float32) + tl.CONSTEXPR_0", np.zeros(4, f32)),
]

ROWS = [*SHAPES, *REDUCTIONS, *FACTS]
