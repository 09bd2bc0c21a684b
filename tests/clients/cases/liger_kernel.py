"""Liger Kernel: norms, activations, rotary embeddings, losses and attention pieces, forward and backward.

Settings: none; without a GPU the library takes the CPU by itself.
"""

import torch
import torch.nn.functional as F
from liger_kernel.ops import (
    LigerFusedCETVDFunction,
    LigerFusedMoEFunction,
    LigerLlama4RopeFunction,
)
from liger_kernel.transformers import functional as liger

from case import Table

TABLE = Table("liger-kernel")
add = TABLE.add

ROWS = [(4, 33), (3, 7, 128), (2, 1000)]
VOCABULARY = [(7, 33), (5, 1000), (3, 4099)]


def rms(x, eps):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)


# Norms.
def with_weight(make, *shape):
    return make.normal(*shape), make.normal(shape[-1])


for mode, offset in (("llama", 0.0), ("gemma", 1.0), ("none", 0.0)):
    add(
        f"rms_norm {mode}",
        lambda x, w, mode=mode, offset=offset: liger.liger_rms_norm(x, w, 1e-6, offset, mode, False),
        lambda x, w, offset=offset: rms(x, 1e-6) * (w + offset),
        with_weight, ROWS,
    )  # fmt: skip
add(
    "fused_add_rms_norm",
    lambda x, r, w: liger.liger_fused_add_rms_norm(x, r, w, 1e-6, in_place=False),
    lambda x, r, w: (rms(x + r, 1e-6) * w, x + r),
    lambda make, *s: (make.normal(*s), make.normal(*s), make.normal(s[-1])), ROWS, roundings=4,
)  # fmt: skip
add(
    "modulated_rms_norm",
    lambda x, w, scale, shift: liger.liger_modulated_rms_norm(x, w, scale, shift, in_place=False),
    lambda x, w, scale, shift: rms(x, 1e-6) * w * (1 + scale) + shift,
    lambda make, *s: (make.normal(*s), make.normal(s[-1]), make.normal(*s), make.normal(*s)), ROWS,
    roundings=4,
)  # fmt: skip
add(
    "layer_norm",
    lambda x, w, b: liger.liger_layer_norm(x, w, b, 1e-6),
    lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b, 1e-6),
    lambda make, *s: (make.normal(*s), make.normal(s[-1]), make.normal(s[-1])), ROWS,
)  # fmt: skip
add(
    "group_norm",
    lambda x, w, b: liger.liger_group_norm(x, w, b, x.shape[1], 3, 1e-6),
    lambda x, w, b: F.group_norm(x, 3, w, b, 1e-6),
    lambda make, *s: (make.normal(*s), make.normal(s[1]), make.normal(s[1])), [(2, 6, 33), (3, 12, 5, 7)],
    length=400,
)  # fmt: skip
add(
    "poly_norm",
    lambda x, w, b: liger.liger_poly_norm(x, w, b, 1e-6, False),
    lambda x, w, b: sum(w[i] * rms(x ** (3 - i), 1e-6) for i in range(3)) + b,
    lambda make, *s: (make.normal(*s), make.normal(3), make.normal()), ROWS, roundings=6,
)  # fmt: skip
# Its backward is written for cuda, xpu and npu only.
add(
    "dyt",
    liger.liger_dyt,
    lambda x, alpha, gamma, beta: gamma * torch.tanh(alpha * x) + beta,
    lambda make, *s: (make.normal(*s), make.normal(1), make.normal(s[-1]), make.normal(s[-1])), ROWS,
    backward=False,
)  # fmt: skip

# Activations.
for name, run, reference in (
    ("swiglu", liger.liger_swiglu, lambda a, b: F.silu(a) * b),
    ("geglu", liger.liger_geglu, lambda a, b: F.gelu(a, approximate="tanh") * b),
):
    add(name, run, reference, lambda make, *s: (make.normal(*s), make.normal(*s)), ROWS, length=1)
add(
    "relu_squared", liger.liger_relu_squared, lambda x: F.relu(x).square(),
    lambda make, *s: (make.normal(*s),), ROWS, length=1,
)  # fmt: skip
add("softmax", liger.liger_softmax, lambda x: x.softmax(-1), lambda make, *s: (make.normal(*s),), ROWS)


def sparsemax(x):
    ordered = x.sort(-1, descending=True).values
    sums = ordered.cumsum(-1) - 1
    rank = torch.arange(1, x.shape[-1] + 1)
    size = (ordered * rank > sums).sum(-1, keepdim=True)
    return F.relu(x - sums.gather(-1, size - 1) / size)


add("sparsemax", liger.liger_sparsemax, sparsemax, lambda make, *s: (make.normal(*s),), ROWS)


# Rotary embeddings.
def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin


def angles(make, *shape):
    half = make.uniform(*shape[:-1], shape[-1] // 2, low=-3, high=3, grad=False, dtype=torch.float64)
    both = torch.cat((half, half), -1)
    return both.cos().to(make.dtype), both.sin().to(make.dtype)


HEADS = [(1, 4, 2, 9, 16), (2, 3, 1, 7, 40)]
add(
    "rope",
    liger.liger_rope,
    lambda q, k, cos, sin: (rotate(q, cos[:, None], sin[:, None]), rotate(k, cos[:, None], sin[:, None])),
    lambda make, b, q, k, t, d: (make.normal(b, q, t, d), make.normal(b, k, t, d), *angles(make, 1, t, d)),
    HEADS, length=1,
)  # fmt: skip


def mrope(q, k, cos, sin, sections):
    parts = [torch.cat([m[i % 3] for i, m in enumerate(x.split(sections * 2, -1))], -1) for x in (cos, sin)]
    return rotate(q, *(p[:, None] for p in parts)), rotate(k, *(p[:, None] for p in parts))


add(
    "qwen2vl_mrope",
    liger.liger_qwen2vl_mrope,
    mrope,
    lambda make, b, q, k, t, d: (
        make.normal(b, q, t, d), make.normal(b, k, t, d), *angles(make, 3, b, t, d),
        [d // 8, d // 4, d // 2 - d // 8 - d // 4],
    ),
    HEADS, length=1,
)  # fmt: skip


def complex_rotation(x, freqs):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.view_as_complex(freqs)[None, :, None]).flatten(3)


def unit_circle(make, *shape):
    angle = make.uniform(*shape, high=3, grad=False, dtype=torch.float64)
    return torch.stack((angle.cos(), angle.sin()), -1).float()


add(
    "llama4_rope",
    lambda q, k, f: LigerLlama4RopeFunction.apply(q, k, torch.view_as_complex(f)),
    lambda q, k, f: (complex_rotation(q, f), complex_rotation(k, f)),
    lambda make, b, q, k, t, d: (
        make.normal(b, t, q, d), make.normal(b, t, k, d),
        unit_circle(make, t, d // 2),
    ),
    HEADS, length=1,
)  # fmt: skip


# Losses.
def labels(make, rows, classes):
    chosen = make.integers(rows, high=classes)
    chosen[1] = -100
    return chosen


def logits_and_labels(make, rows, classes):
    return make.normal(rows, classes, scale=2), labels(make, rows, classes)


for reduction in ("mean", "sum", "none"):
    add(
        f"cross_entropy {reduction}",
        lambda x, y, r=reduction: liger.liger_cross_entropy(x, y, reduction=r, label_smoothing=0.1),
        lambda x, y, r=reduction: F.cross_entropy(x, y, reduction=r, label_smoothing=0.1),
        logits_and_labels, VOCABULARY,
    )  # fmt: skip


def z_and_cap(x, y):
    x = 15 * torch.tanh(x / 15)
    z = 1e-2 * x.logsumexp(-1).square()
    z = z[y != -100].mean()
    return F.cross_entropy(x, y) + z, z


def liger_z_and_cap(x, y):
    out = liger.liger_cross_entropy(x, y, lse_square_scale=1e-2, softcap=15.0, return_z_loss=True)
    return out.loss, out.z_loss.detach()


add(
    "cross_entropy z-loss softcap", liger_z_and_cap,
    lambda x, y: (lambda loss, z: (loss, z.detach()))(*z_and_cap(x, y)), logits_and_labels, VOCABULARY,
)  # fmt: skip
add(
    "cross_entropy weighted",
    lambda x, y, w: liger.liger_cross_entropy(x, y, w),
    lambda x, y, w: F.cross_entropy(x, y, w),
    lambda make, *s: (*logits_and_labels(make, *s), make.uniform(s[-1], low=0.5, grad=False).float()),
    VOCABULARY,
)  # fmt: skip
PROJECTED = [(9, 16, 33), (13, 40, 257)]
add(
    "fused_linear_cross_entropy",
    liger.liger_fused_linear_cross_entropy,
    lambda x, w, y, b: F.cross_entropy(x @ w.T + b, y),
    lambda make, n, h, v: (make.normal(n, h), make.normal(v, h), labels(make, n, v), make.normal(v)),
    PROJECTED, roundings=6,
)  # fmt: skip


def log_probabilities(make, rows, classes, grad=True):
    values = make.normal(rows, classes, scale=2, grad=False, dtype=torch.float64).log_softmax(-1)
    return values.to(make.dtype).requires_grad_(grad)


def kl_inputs(make, *s):
    return log_probabilities(make, *s), log_probabilities(make, *s, grad=False).exp()


for reduction in ("batchmean", "mean", "sum", "none"):
    add(
        f"kl_div {reduction}",
        lambda x, y, r=reduction: liger.liger_kl_div(x, y, reduction=r),
        lambda x, y, r=reduction: F.kl_div(x, y, reduction=r),
        kl_inputs, VOCABULARY,
    )  # fmt: skip


def jsd(x, y, beta, kept=None):
    q, p = x.exp(), y.exp()
    if beta in (0.0, 1.0):
        terms = p * (y - x) if beta == 0.0 else q * (x - y)
    else:
        log_m = (beta * p + (1 - beta) * q).log()
        terms = beta * p * (y - log_m) + (1 - beta) * q * (x - log_m)
    kept = torch.ones(len(x), dtype=torch.bool) if kept is None else kept
    return terms[kept].sum() / kept.sum()


for beta in (0.0, 0.3, 1.0):
    add(
        f"jsd {beta}",
        lambda x, y, t, beta=beta: liger.liger_jsd(x, y, t, beta),
        lambda x, y, t, beta=beta: jsd(x, y, beta, t != -100),
        lambda make, n, v: (
            log_probabilities(make, n, v), log_probabilities(make, n, v, grad=False), labels(make, n, v)
        ),
        VOCABULARY,
    )  # fmt: skip
for reduction in ("batchmean", "sum", "none"):
    divide = {"batchmean": len, "sum": lambda x: 1}.get(reduction)
    add(
        f"tvd {reduction}",
        lambda x, y, r=reduction: liger.liger_tvd(x, y, reduction=r),
        lambda x, y, d=divide: (x - y).abs().sum() / 2 / d(x) if d else (x - y).abs() / 2,
        lambda make, *s: (
            log_probabilities(make, *s, grad=False).exp().requires_grad_(),
            log_probabilities(make, *s, grad=False).exp(),
        ),
        VOCABULARY,
    )  # fmt: skip
add(
    "fused_ce_tvd",
    LigerFusedCETVDFunction.apply,
    lambda x, y, t: (
        F.cross_entropy(x, t, reduction="none"),
        (x.softmax(-1) - y.softmax(-1)).abs().sum(-1) / 2 * (t != -100),
    ),
    lambda make, n, v: (make.normal(n, v), make.normal(n, v, grad=False), labels(make, n, v)), VOCABULARY,
)  # fmt: skip
add(
    "fused_linear_jsd",
    lambda x, w, tx, tw, t: liger.liger_fused_linear_jsd(x, w, tx, tw, t, 0.5, -100, 2.0),
    lambda x, w, tx, tw, t: jsd(
        (x @ w.T / 2).log_softmax(-1), (tx @ tw.T / 2).log_softmax(-1), 0.5, t != -100
    ),
    lambda make, n, h, v: (
        make.normal(n, h), make.normal(v, h), make.normal(n, h, grad=False),
        make.normal(v, h, grad=False), labels(make, n, v),
    ),
    PROJECTED, roundings=6,
)  # fmt: skip
add(
    "fused_linear_kl_div",
    liger.liger_fused_linear_kl_div,
    lambda x, w, y: F.kl_div((x @ w.T).log_softmax(-1), y, reduction="batchmean"),
    lambda make, n, h, v: (
        make.normal(n, h), make.normal(v, h), log_probabilities(make, n, v, grad=False).exp()
    ),
    PROJECTED, roundings=6,
)  # fmt: skip


# Attention and routing.
def attention_residual(v, query, weight):
    alpha = torch.einsum("d,nbtd->nbt", query, rms(v, 1e-6) * weight).softmax(0)
    return torch.einsum("nbt,nbtd->btd", alpha, v)


add(
    "attn_res", liger.liger_attn_res, attention_residual,
    lambda make, n, b, t, d: (make.normal(n, b, t, d), make.normal(d, scale=0.2), make.normal(d)),
    [(3, 2, 5, 33), (8, 1, 3, 64)], roundings=4,
)  # fmt: skip


def multi_token(scores, weight, bias):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    probabilities = scores.masked_fill(future, float("-inf")).softmax(-1)
    return F.conv2d(probabilities, weight, bias, padding=1).masked_fill(future, 0)


add(
    "multi_token_attention",
    lambda s, w, b: liger.liger_multi_token_attention(s, w, b, padding=1),
    multi_token,
    lambda make, b, c, t: (make.normal(b, c, t, t), make.normal(c, c, 3, 3), make.normal(c)),
    [(1, 2, 17), (2, 3, 32)], roundings=4,
)  # fmt: skip


def neighborhood(q, k, v, size):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    rows = torch.arange(q.shape[-2])
    far = (rows[:, None] - rows).abs() > size // 2
    return scores.masked_fill(far, float("-inf")).softmax(-1) @ v


add(
    "fused_neighborhood_attention",
    lambda q, k, v: liger.liger_fused_neighborhood_attention(q, k, v, 5),
    lambda q, k, v: neighborhood(q, k, v, 5),
    lambda make, *s: (make.normal(*s), make.normal(*s), make.normal(*s)),
    [(1, 2, 33, 16), (2, 1, 70, 40)], roundings=6,
)  # fmt: skip


def experts(x, gate_up, down, index, weights):
    rows = []
    for token, chosen, scores in zip(x, index, weights, strict=True):
        gates, ups = zip(*((gate_up[e] @ token).chunk(2) for e in chosen.tolist()), strict=True)
        made = [down[e] @ (F.silu(g) * u) for e, g, u in zip(chosen.tolist(), gates, ups, strict=True)]
        rows.append(sum(score * value for score, value in zip(scores, made, strict=True)))
    return torch.stack(rows)


add(
    "fused_moe",
    LigerFusedMoEFunction.apply,
    experts,
    lambda make, t, h, i, e, k: (
        make.normal(t, h), make.normal(e, 2 * i, h, scale=h**-0.5), make.normal(e, h, i, scale=i**-0.5),
        torch.stack([make.permutation(e)[:k] for _ in range(t)]).int(), make.uniform(t, k),
    ),
    [(21, 32, 48, 4, 2)], roundings=8, length=64,
)  # fmt: skip
