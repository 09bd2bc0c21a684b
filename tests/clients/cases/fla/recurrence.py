"""Flash Linear Attention: recurrences over a state of keys times values, chunked, fused and step by step.

The reference is the recurrence itself, one step at a time: the state decays, is corrected, takes k v^T, and
is read by q. Sequences end inside a chunk.
"""

import torch
import torch.nn.functional as F

from case import FLOATS, Table
from fla import ops
from fla.ops.hgrn import chunk_hgrn

TABLE = Table("fla-core")
#: batch, steps, heads, key size, value size
SHAPES = [(1, 70, 2, 32, 32), (2, 33, 1, 16, 64)]


def recurrence(q, k, v, decay=None, scale=None, beta=None, left=None, right=None, bonus=None):
    """Outputs of S = exp(decay) S + correction + k v^T. The correction is the delta rule's with `beta`, right
    left^T S with both; with `bonus` the step's own k v^T is read with that weight and joins S afterwards."""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    state = q.new_zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3])
    outputs = []
    for t in range(q.shape[1]):
        key, value = k[:, t], v[:, t]
        before = state
        if decay is not None:
            now = decay[:, t] if decay.dim() > 1 else decay[None]
            state = state * now.exp().reshape(*now.shape, *[1] * (4 - now.dim()))
        if beta is not None:
            value = beta[:, t, :, None] * (value - torch.einsum("bhk,bhkv->bhv", key, state))
        if left is not None:
            read = torch.einsum("bhk,bhkv->bhv", left[:, t], before)
            state = state + torch.einsum("bhk,bhv->bhkv", right[:, t], read)
        added = torch.einsum("bhk,bhv->bhkv", key, value)
        seen = state + added if bonus is None else before + bonus[..., None] * added
        outputs.append(torch.einsum("bhk,bhkv->bhv", q[:, t] * scale, seen))
        state = state + added
    return torch.stack(outputs, 1)


def qkv(make, b, t, h, k, v):
    return make.normal(b, t, h, k), make.normal(b, t, h, k, scale=k**-0.5), make.normal(b, t, h, v)


def gate(make, *shape):
    """Logarithms of decays that keep most of the state."""
    values = F.logsigmoid(make.normal(*shape, grad=False, dtype=torch.float64) + 2)
    return values.to(make.dtype).requires_grad_()


def unit(make, *shape):
    values = F.normalize(make.normal(*shape, grad=False, dtype=torch.float64), dim=-1)
    return values.to(make.dtype).requires_grad_()


def first(function, **options):
    return lambda *inputs: function(*inputs, **options)[0]


def add(name, run, reference, inputs, shapes=SHAPES, **more):
    """Chunked forms keep tiles in the element type: several roundings lie on the way."""
    TABLE.add(name, run, reference, inputs, shapes, **{"length": lambda b, t, *_: t, "roundings": 4} | more)


for name in ("chunk_gla", "fused_recurrent_gla"):
    add(name, first(getattr(ops, name)), recurrence, lambda make, *s: (*qkv(make, *s), gate(make, *s[:4])))
for name in (
    "chunk_simple_gla",
    "fused_recurrent_simple_gla",
    "fused_chunk_simple_gla",
    "parallel_simple_gla",
):
    add(name, first(getattr(ops, name)), recurrence, lambda make, *s: (*qkv(make, *s), gate(make, *s[:3])))


def retention(q, k, v):
    return recurrence(q, k, v, torch.log(1 - 2.0 ** (-5 - torch.arange(q.shape[2]).double())))


for name in ("chunk_retention", "fused_recurrent_retention", "fused_chunk_retention", "parallel_retention"):
    add(name, first(getattr(ops, name)), retention, qkv)


def lightning(q, k, v):
    heads = q.shape[2]
    return recurrence(q, k, v, -(8 / heads * (1 - 1 / 4)) * torch.arange(heads).double())


for name in ("chunk_lightning_attn", "fused_recurrent_lightning_attn"):
    add(name, first(getattr(ops, name), layer_idx=1, num_layers=4), lightning, qkv)
for name in ("chunk_linear_attn", "fused_recurrent_linear_attn", "fused_chunk_linear_attn"):
    add(name, first(getattr(ops, name), normalize=False), recurrence, qkv)


def delta(make, b, t, h, k, v):
    return (
        make.normal(b, t, h, k), unit(make, b, t, h, k), make.normal(b, t, h, v), make.uniform(b, t, h)
    )  # fmt: skip


for name in ("chunk_delta_rule", "fused_recurrent_delta_rule"):
    # The chunked form refuses float32.
    dtypes = (torch.float16, torch.bfloat16) if name.startswith("chunk") else FLOATS
    add(
        name, first(getattr(ops, name)), lambda q, k, v, beta: recurrence(q, k, v, beta=beta), delta,
        dtypes=dtypes,
    )  # fmt: skip
# The fused recurrent forms of what follows have no backward; of iplr, the chunked one has none.
for name in ("chunk_gated_delta_rule", "fused_recurrent_gated_delta_rule"):
    add(
        name,
        lambda q, k, v, beta, g, f=name: getattr(ops, f)(q, k, v, g=g, beta=beta)[0],
        lambda q, k, v, beta, g: recurrence(q, k, v, g, beta=beta),
        lambda make, *s: (*delta(make, *s), gate(make, *s[:3])),
        backward=not name.startswith("fused"),
    )
for name in ("chunk_kda", "fused_recurrent_kda"):
    add(
        name,
        lambda q, k, v, beta, g, f=name: getattr(ops, f)(q, k, v, g, beta)[0],
        lambda q, k, v, beta, g: recurrence(q, k, v, g, beta=beta),
        lambda make, *s: (*delta(make, *s), gate(make, *s[:4])),
        shapes=[(1, 70, 2, 32, 32)], backward=not name.startswith("fused"),
    )  # fmt: skip


def corrected(make, b, t, h, k, v):
    """q, k, v, and two directions a = -u, b = u / 2 of a contraction."""
    direction = unit(make, b, t, h, k).detach()
    return (
        *qkv(make, b, t, h, k, v),
        (-direction).requires_grad_(), (direction / 2).requires_grad_(), gate(make, b, t, h, k),
    )  # fmt: skip


for name in ("chunk_dplr_delta_rule", "fused_recurrent_dplr_delta_rule"):
    add(
        name,
        lambda q, k, v, a, b, g, f=name: getattr(ops, f)(q, k, v, a, b, g)[0],
        lambda q, k, v, a, b, g: recurrence(q, k, v, g, left=a, right=b),
        corrected, shapes=[(1, 70, 2, 32, 32)], backward=not name.startswith("fused"),
    )  # fmt: skip
for name in ("chunk_rwkv7", "fused_recurrent_rwkv7"):
    add(
        name,
        lambda r, k, v, a, b, w, f=name: getattr(ops, f)(r, w, k, v, a, b, 1.0)[0],
        lambda r, k, v, a, b, w: recurrence(r, k, v, w, 1.0, left=a, right=b),
        corrected, shapes=[(1, 70, 2, 32, 32)], backward=not name.startswith("fused"),
    )  # fmt: skip
for name in ("chunk_iplr_delta_rule", "fused_recurrent_iplr_delta_rule"):
    add(
        name,
        lambda q, k, v, a, b, f=name: getattr(ops, f)(q, k, v, a, b)[0],
        lambda q, k, v, a, b: recurrence(q, k, v, left=a, right=b),
        lambda *a: corrected(*a)[:5], shapes=[(1, 70, 2, 32, 32)], backward=name.startswith("fused"),
    )  # fmt: skip
for name in ("chunk_rwkv6", "fused_recurrent_rwkv6"):
    add(
        name, first(getattr(ops, name)),
        lambda r, k, v, w, u: recurrence(r, k, v, w, bonus=u),
        lambda make, *s: (*qkv(make, *s), gate(make, *s[:4]), make.normal(s[2], s[3])),
    )  # fmt: skip


def hgrn(x, g):
    state, outputs = torch.zeros_like(x[:, 0]), []
    for t in range(x.shape[1]):
        state = g[:, t].exp() * state + x[:, t]
        outputs.append(state)
    return torch.stack(outputs, 1)


for name, function in (("chunk_hgrn", chunk_hgrn), ("fused_recurrent_hgrn", ops.fused_recurrent_hgrn)):
    add(
        name, first(function), hgrn, lambda make, *s: (make.normal(*s), gate(make, *s)),
        [(1, 70, 64), (2, 33, 40)],
    )  # fmt: skip


def slots(q, k, v, s, g):
    """Gated slot attention: one recurrence finds the slots, a second one reads them."""
    scale = q.shape[-1] ** -0.5
    keys = q.new_zeros(q.shape[0], q.shape[2], q.shape[3], s.shape[3])
    values = q.new_zeros(q.shape[0], q.shape[2], s.shape[3], v.shape[3])
    outputs = []
    for t in range(q.shape[1]):
        keep = g[:, t].exp()
        keys = keys * keep[:, :, None] + torch.einsum("bhk,bhm->bhkm", k[:, t], s[:, t])
        values = values * keep[..., None] + torch.einsum("bhm,bhv->bhmv", s[:, t], v[:, t])
        chosen = torch.einsum("bhk,bhkm->bhm", q[:, t] * scale, keys).softmax(-1)
        outputs.append(torch.einsum("bhm,bhmv->bhv", chosen, values))
    return torch.stack(outputs, 1)


for name in ("chunk_gsa", "fused_recurrent_gsa"):
    add(
        name, first(getattr(ops, name)), slots,
        lambda make, b, t, h, k, v: (
            *qkv(make, b, t, h, k, v), make.normal(b, t, h, 16), gate(make, b, t, h, 16)
        ),
        shapes=[(1, 70, 2, 32, 32)],
    )  # fmt: skip
