"""Flash Linear Attention: norms, activations, convolution, losses, sums along time, and attention."""

import torch
import torch.nn.functional as F

from case import Table
from fla import ops
from fla.modules import activations
from fla.modules.causal_conv1d import causal_conv1d
from fla.modules.fused_kl_div import fused_kl_div_loss
from fla.modules.fused_linear_cross_entropy import fused_linear_cross_entropy_loss
from fla.modules.norm.fused_norm_gate import layer_norm_gated, rms_norm_gated
from fla.modules.norm.l2norm import l2norm
from fla.modules.norm.layernorm import group_norm, layer_norm, rms_norm
from fla.modules.rotary import rotary_embedding
from fla.modules.token_shift import token_shift
from fla.ops.utils.cumsum import chunk_global_cumsum, chunk_local_cumsum
from fla.ops.utils.logsumexp import logsumexp_fwd
from fla.ops.utils.matmul import addmm, matmul
from fla.ops.utils.pooling import mean_pooling
from fla.ops.utils.softmax import softmax_bwd, softmax_fwd

TABLE = Table("fla-core")
add = TABLE.add
ROWS = [(4, 33), (3, 7, 128), (2, 1000)]


def affine(make, *shape):
    return make.normal(*shape), make.normal(shape[-1]), make.normal(shape[-1])


def rms(x, w, b, eps=1e-5):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * w + b


# Norms.
add("layer_norm", layer_norm, lambda x, w, b: F.layer_norm(x, w.shape, w, b), affine, ROWS, roundings=4)
add("rms_norm", rms_norm, rms, affine, ROWS, roundings=4)
add(
    "layer_norm residual",
    lambda x, w, b, r: layer_norm(x, w, b, residual=r, prenorm=True),
    lambda x, w, b, r: (F.layer_norm(x + r, w.shape, w, b), x + r),
    lambda make, *s: (*affine(make, *s), make.normal(*s)), ROWS, roundings=8,
)  # fmt: skip
add(
    "group_norm", lambda x, w, b: group_norm(x, w, b, num_groups=4),
    lambda x, w, b: F.group_norm(x.flatten(0, -2), 4, w, b).reshape(x.shape),
    affine, [(4, 36), (3, 7, 128)], roundings=4,
)  # fmt: skip
add("l2norm", l2norm, lambda x: x * torch.rsqrt(x.square().sum(-1, keepdim=True) + 1e-6),
    lambda make, *s: (make.normal(*s),), ROWS, roundings=4)  # fmt: skip


def gated(make, *shape):
    x, w, b = affine(make, *shape)
    return x, make.normal(*shape), w, b


add(
    "layer_norm_gated", layer_norm_gated,
    lambda x, g, w, b: F.layer_norm(x, w.shape, w, b, 1e-6) * F.silu(g), gated, ROWS, roundings=6,
)  # fmt: skip
add(
    "rms_norm_gated", rms_norm_gated, lambda x, g, w, b: rms(x, w, b, 1e-6) * F.silu(g), gated, ROWS,
    roundings=6,
)  # fmt: skip

# Activations.
for name, reference in (
    ("sigmoid", torch.sigmoid), ("logsigmoid", F.logsigmoid), ("swish", F.silu),
):  # fmt: skip
    add(name, getattr(activations, name), reference, lambda make, *s: (make.normal(*s),), ROWS, length=1)
for name, reference in (
    ("swiglu", lambda x, y: F.silu(x) * y), ("sigmoidglu", lambda x, y: torch.sigmoid(x) * y),
):  # fmt: skip
    add(name, getattr(activations, name), reference, lambda make, *s: (make.normal(*s), make.normal(*s)),
        ROWS, length=1, roundings=4)  # fmt: skip
add(
    "swiglu_linear", activations.swiglu_linear, lambda x, y, w, b: F.linear(F.silu(x) * y, w, b),
    lambda make, *s: (make.normal(*s), make.normal(*s), make.normal(24, s[-1]), make.normal(24)), ROWS,
    roundings=6,
)  # fmt: skip

# Along time.
TIME = [(1, 50, 32), (2, 33, 40)]


def convolution(x, w, b):
    return F.silu(F.conv1d(F.pad(x.mT, (w.shape[1] - 1, 0)), w[:, None], b, groups=len(w)).mT)


add(
    "causal_conv1d", lambda x, w, b: causal_conv1d(x, w, b, activation="silu")[0], convolution,
    lambda make, n, t, d: (make.normal(n, t, d), make.normal(d, 4), make.normal(d)), TIME,
    length=lambda n, t, d: n * t, roundings=4,
)  # fmt: skip
add(
    "token_shift", token_shift, lambda x: F.pad(x, (0, 0, 1, -1)) - x,
    lambda make, *s: (make.normal(*s),), TIME, length=1,
)  # fmt: skip
add(
    "rotary_embedding", lambda x, c, s: rotary_embedding(x, c, s),
    lambda x, c, s: torch.cat(
        [
            x[..., :16] * c[:, None] - x[..., 16:] * s[:, None],
            x[..., :16] * s[:, None] + x[..., 16:] * c[:, None],
        ],
        -1,
    ),
    lambda make, n, t, h: (
        make.normal(n, t, h, 32), make.uniform(t, 16, grad=False), make.uniform(t, 16, grad=False)
    ),
    [(1, 20, 2), (2, 33, 3)], length=1,
)  # fmt: skip
SERIES = [(1, 70, 2), (2, 33, 3), (1, 70, 2, 24)]
FULL = (torch.float32,)


def series(make, *shape):
    return (make.normal(*shape, grad=False),)


add("chunk_global_cumsum", chunk_global_cumsum, lambda x: x.cumsum(1), series, SERIES, FULL,
    length=lambda n, t, *_: t)  # fmt: skip
add(
    "chunk_local_cumsum", lambda x: chunk_local_cumsum(x, 16),
    lambda x: torch.cat([part.cumsum(1) for part in x.split(16, 1)], 1), series, SERIES, FULL,
    length=16,
)  # fmt: skip
add(
    "mean_pooling", lambda x: mean_pooling(x, 16),
    lambda x: torch.stack([part.mean(1) for part in x.split(16, 1)], 1),
    lambda make, *s: (make.normal(*s, 32),), SERIES[:2], length=16,
)  # fmt: skip

# Small operators that the others are made of.
add("logsumexp_fwd", logsumexp_fwd, lambda x: x.logsumexp(-1), series, ROWS, FULL)
add("softmax_fwd", softmax_fwd, lambda x: x.softmax(-1), series, ROWS)
add(
    "softmax_bwd", softmax_bwd, lambda p, g: p * (g - (p * g).sum(-1, keepdim=True)),
    lambda make, *s: (make.uniform(*s, grad=False), make.normal(*s, grad=False)), ROWS, FULL,
)  # fmt: skip
PRODUCT = [(17, 33, 65), (64, 48, 100)]
add("matmul", matmul, torch.matmul,
    lambda make, m, n, k: (make.normal(m, k, grad=False), make.normal(k, n, grad=False)), PRODUCT,
)  # fmt: skip
add("addmm", addmm, torch.addmm,
    lambda make, m, n, k: (
        make.normal(m, n, grad=False), make.normal(m, k, grad=False), make.normal(k, n, grad=False)
    ), PRODUCT)  # fmt: skip

# Losses.
PROJECTED = [(9, 16, 33), (13, 40, 257)]


def labels(make, rows, classes):
    chosen = make.integers(rows, high=classes)
    chosen[1] = -100
    return chosen


add(
    "fused_linear_cross_entropy_loss",
    lambda x, w, b, y: fused_linear_cross_entropy_loss(x, y, w, b),
    lambda x, w, b, y: F.cross_entropy(x @ w.T + b, y),
    lambda make, n, h, v: (make.normal(n, h), make.normal(v, h), make.normal(v), labels(make, n, v)),
    PROJECTED, roundings=8,
)  # fmt: skip
add(
    "fused_kl_div_loss",
    fused_kl_div_loss,
    lambda x, t, w, u: F.kl_div((x @ w.T).log_softmax(-1), (t @ u.T).softmax(-1), reduction="batchmean"),
    lambda make, n, h, v: (
        make.normal(n, h), make.normal(n, h, grad=False), make.normal(v, h), make.normal(v, h, grad=False)
    ),
    PROJECTED, roundings=8,
)  # fmt: skip


# Attention.
def attend(q, k, v, weigh, g=None):
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    past = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if g is not None:
        total = g.cumsum(1).mT
        scores = scores + total[..., None] - total[..., None, :]
    return torch.einsum("bhqk,bkhd->bqhd", weigh(scores, past), v)


def softmax(scores, past):
    return scores.masked_fill(~past, float("-inf")).softmax(-1)


def second_order(scores, past):
    weights = (1 + scores + scores.square() / 2) * past
    return weights / (weights.sum(-1, keepdim=True) + 1e-6)


def stick(scores, past):
    before = past.tril(-1)
    passed = F.logsigmoid(-scores).masked_fill(~before, 0)
    logs = F.logsigmoid(scores) + passed.flip(-1).cumsum(-1).flip(-1) - passed
    return logs.masked_fill(~before, float("-inf")).exp()


def qkv(make, b, t, h, k, v):
    return make.normal(b, t, h, k), make.normal(b, t, h, k), make.normal(b, t, h, v)


def heads(name, run, reference, inputs=qkv, shapes=((1, 70, 2, 32, 32), (2, 33, 1, 16, 64))):
    add(name, run, reference, inputs, shapes, length=lambda b, t, *_: t, roundings=6)


heads("parallel_attn", ops.parallel_attn, lambda q, k, v: attend(q, k, v, softmax))
heads(
    "parallel_forgetting_attn", ops.parallel_forgetting_attn,
    lambda q, k, v, g: attend(q, k, v, softmax, g),
    lambda make, b, t, h, k, v: (
        *qkv(make, b, t, h, k, v),
        F.logsigmoid(make.normal(b, t, h, grad=False) + 2).detach().requires_grad_(),
    ),
)  # fmt: skip
heads(
    "parallel_based", ops.parallel_based, lambda q, k, v: attend(q, k, v, second_order),
    shapes=[(1, 70, 2, 16, 32)],
)  # fmt: skip
heads(
    "parallel_stickbreaking_attn", lambda q, k, v: ops.parallel_stickbreaking_attn(q, k, v)[0],
    lambda q, k, v: attend(q, k, v, stick), shapes=[(1, 70, 2, 32, 32)],
)  # fmt: skip
