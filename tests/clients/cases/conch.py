"""Conch: activations, norms, paged and ragged attention, cache writes, quantisation and vision operators.

Settings: none; the library knows a CPU platform. What it writes in place is made before and handed back.
"""

import torch
import torch.nn.functional as F
from conch.ops.activation.gelu_tanh_and_mul import gelu_tanh_and_mul
from conch.ops.activation.silu_and_mul import silu_and_mul
from conch.ops.attention.paged_attention import paged_attention
from conch.ops.attention.varlen_attention import varlen_attention
from conch.ops.embedding.rotary_embedding import rotary_embedding
from conch.ops.normalization.gemma_rms_norm import gemma_rms_norm
from conch.ops.normalization.rms_norm import fused_add_rms_norm, rms_norm
from conch.ops.quantization.bitsandbytes.functional import dequantize_4bit, quantize_4bit
from conch.ops.quantization.fp8 import scaled_fp8_quant
from conch.ops.quantization.gemm import mixed_precision_gemm, scaled_gemm
from conch.ops.quantization.int8 import scaled_int8_quant
from conch.ops.vision.bev_pool import bev_pool, bev_pool_backward
from conch.ops.vision.nms import nms
from conch.ops.vllm.copy_blocks import copy_blocks
from conch.ops.vllm.reshape_and_cache import reshape_and_cache

from case import Table

TABLE = Table("conch-triton-kernels")
add = TABLE.add
ROWS = [(4, 34), (7, 128), (2, 1000)]
HALVES = (torch.float16, torch.bfloat16)


def rms(x, w, eps=1e-6):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * w


def normal(make, *shapes):
    return tuple(make.normal(*shape, grad=False) for shape in shapes)


for name, run, act in (
    ("silu_and_mul", silu_and_mul, F.silu),
    ("gelu_tanh_and_mul", gelu_tanh_and_mul, lambda x: F.gelu(x, approximate="tanh")),
):
    add(
        name, run, lambda x, act=act: act(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1],
        lambda make, *s: normal(make, s), ROWS, length=1, roundings=4,
    )  # fmt: skip
add("rms_norm", lambda x, w: rms_norm(x, w, 1e-6), rms, lambda make, *s: normal(make, s, s[-1:]), ROWS)
add(
    "fused_add_rms_norm", lambda x, r, w: fused_add_rms_norm(x, r, w, 1e-6),
    lambda x, r, w: (rms(x + r, w), x + r), lambda make, *s: normal(make, s, s, s[-1:]), ROWS, roundings=4,
)  # fmt: skip
add(
    "gemma_rms_norm", lambda x, w: gemma_rms_norm(x, w, 1e-6), lambda x, w: rms(x, 1 + w),
    lambda make, *s: normal(make, s, s[-1:]), ROWS, roundings=4,
)  # fmt: skip


# Rotary embedding.
def angles(make, positions, size):
    angle = make.uniform(positions, size // 2, low=-3, high=3, grad=False, dtype=torch.float64)
    return torch.cat((angle.cos(), angle.sin()), -1).to(make.dtype)


def rotated(positions, q, k, table):
    cos, sin = table[positions][:, None].chunk(2, -1)
    outputs = []
    for x in (q, k):
        a, b = x.unflatten(-1, (-1, cos.shape[-1] * 2)).chunk(2, -1)
        outputs.append(torch.cat((a * cos - b * sin, b * cos + a * sin), -1).flatten(1))
    return outputs


add(
    "rotary_embedding", lambda p, q, k, c: rotary_embedding(p, q, k, c.shape[-1], c), rotated,
    lambda make, t, h, d: (
        make.integers(t, high=50), *normal(make, (t, h * d), (t, d)), angles(make, 50, d)
    ),
    [(9, 4, 32), (21, 3, 64)], length=1,
)  # fmt: skip


# Attention over a cache of pages.
def cache(make, sequences, heads, size, page, longest):
    pages = -(-longest // page)
    table = make.permutation(sequences * pages).reshape(sequences, pages).to(torch.int32)
    lengths = make.integers(sequences, low=1, high=longest + 1, dtype=torch.int32)
    return (*normal(make, *[(sequences * pages, page, heads, size)] * 2), table, lengths)


def looked_up(pages, table, length, heads):
    values = pages[table.long()].flatten(0, 1)[:length]
    return values.repeat_interleave(heads // values.shape[1], 1)


def attend(q, k, v, past=None):
    scores = torch.einsum("qhd,khd->hqk", q, k) * q.shape[-1] ** -0.5
    if past is not None:
        scores = scores.masked_fill(~past, float("-inf"))
    return torch.einsum("hqk,khd->qhd", scores.softmax(-1), v)


def paged(q, keys, values, table, lengths):
    rows = [
        attend(q[i : i + 1], *(looked_up(c, table[i], n, q.shape[1]) for c in (keys, values)))
        for i, n in enumerate(lengths.tolist())
    ]
    return torch.cat(rows)


add(
    "paged_attention", paged_attention, paged,
    lambda make, b, h, d, longest: (*normal(make, (b, h, d)), *cache(make, b, h // 2, d, 16, longest)),
    [(3, 4, 32, 70), (2, 2, 64, 33)], length=70, roundings=6,
)  # fmt: skip


def ragged(q, keys, values, starts, longest_query, lengths, longest, table, causal):
    """Query i sees the keys up to i; the only query of a sequence sees all of them."""
    rows = []
    for i, n in enumerate(lengths.tolist()):
        own = q[starts[i] : starts[i + 1]]
        past = torch.ones(len(own), n, dtype=torch.bool).tril() if causal and len(own) > 1 else None
        rows.append(attend(own, *(looked_up(c, table[i], n, q.shape[1]) for c in (keys, values)), past))
    return torch.cat(rows)


def ragged_inputs(make, b, h, d, longest):
    keys, values, table, _ = cache(make, b, h // 2, d, 16, longest)
    lengths = make.integers(b, low=longest // 2, high=longest + 1, dtype=torch.int32)
    queries = torch.minimum(make.integers(b, low=1, high=20, dtype=torch.int32), lengths)
    starts = F.pad(queries.cumsum(0), (1, 0)).to(torch.int32)
    q = make.normal(int(starts[-1]), h, d, grad=False)
    return q, keys, values, starts, int(queries.max()), lengths, int(lengths.max()), table


for causal in (False, True):
    add(
        f"varlen_attention causal={causal}",
        lambda *a, c=causal: varlen_attention(*a, causal=c), lambda *a, c=causal: ragged(*a, causal=c),
        ragged_inputs, [(3, 4, 32, 70), (2, 2, 64, 33)], length=70, roundings=6,
    )  # fmt: skip


# Writing the cache.
def copied(function):
    def run(keys, values, mapping):
        function([keys], [values], mapping)
        return keys, values

    return run


def copy_pages(keys, values, mapping):
    for source, target in mapping.tolist():
        for pages in (keys[0], values[0]):
            pages[target] = pages[source]


add(
    "copy_blocks", copied(copy_blocks), copied(copy_pages),
    lambda make, *s: (*normal(make, s, s), torch.tensor([[0, 3], [1, 2]])), [(4, 1024), (5, 960)], length=1,
)  # fmt: skip


def stored(key, value, keys, values, slots):
    for new, pages in ((key, keys), (value, values)):
        pages.flatten(0, 1)[slots] = new
    return keys, values


add(
    "reshape_and_cache", lambda *a: (reshape_and_cache(*a), a[2], a[3])[1:], stored,
    lambda make, t, h, d: (
        *normal(make, *[(t, h, d)] * 2, *[(4, 16, h, d)] * 2), make.permutation(64)[:t]
    ),
    [(9, 2, 32), (21, 3, 40)], length=1,
)  # fmt: skip


# Quantisation.
def quantised(low, high, kind):
    def reference(x, scale):
        values = (x.float() / scale.float()).clamp(low, high)
        return (values.trunc() if kind is torch.int8 else values).to(kind).double()

    return reference


SCALE = torch.tensor([0.125], dtype=torch.float32)
for name, run, reference in (
    ("scaled_int8_quant", scaled_int8_quant, quantised(-128, 127, torch.int8)),
    ("scaled_fp8_quant", scaled_fp8_quant, quantised(-448, 448, torch.float8_e4m3fn)),
):
    add(
        name, lambda x, s, f=run: f(x, s)[0].double(), reference,
        lambda make, *s: (make.normal(*s, grad=False, scale=4), SCALE), ROWS, length=1,
    )  # fmt: skip
add(
    "scaled_gemm int8",
    lambda a, b, sa, sb: scaled_gemm(a, b, sa, sb, torch.float32),
    lambda a, b, sa, sb: (a.double() @ b.double()) * sa * sb,
    lambda make, m, n, k: (
        make.integers(m, k, low=-100, high=100, dtype=torch.int8),
        make.integers(k, n, low=-100, high=100, dtype=torch.int8),
        make.uniform(m, 1, grad=False).float(), make.uniform(1, n, grad=False).float(),
    ),
    [(17, 64, 128), (33, 128, 256)], (torch.float32,),
)  # fmt: skip


def packed(make, m, n, k, bits):
    per_word = 32 // bits
    weights = make.integers(k, n, high=2**bits)
    shifts = torch.arange(per_word)[:, None] * bits
    words = (weights.unflatten(0, (-1, per_word)) << shifts).sum(1)
    words = torch.where(words >= 2**31, words - 2**32, words).to(torch.int32)
    return make.normal(m, k, grad=False), words, make.uniform(k // 128, n, grad=False), weights


for bits in (4, 8):
    bias = 2 ** (bits - 1)
    add(
        f"mixed_precision_gemm {bits} bits",
        lambda x, w, s, plain, b=bits, o=bias: mixed_precision_gemm(x, w, s, None, b, o, 128),
        lambda x, w, s, plain, o=bias: x @ ((plain - o) * s.repeat_interleave(128, 0)),
        lambda make, m, n, k, b=bits: packed(make, m, n, k, b),
        [(17, 128, 256), (5, 64, 128)], HALVES, roundings=6,
    )  # fmt: skip
CODES = {
    "nf4": [
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
        -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
        0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
        0.7229568362236023, 1.0,
    ],
    "fp4": [0.0, 0.0052083333, 0.6666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25],
}  # fmt: skip


def nearest(x, kind):
    """Each element by the code that is nearest to its part of the largest of 64."""
    code = torch.tensor(CODES[kind], dtype=torch.float64)
    code = torch.cat((code, -code)) if kind == "fp4" else code
    blocks = x.reshape(-1, 64)
    largest = blocks.abs().amax(1, keepdim=True)
    index = ((blocks / largest)[..., None] - code).abs().argmin(-1)
    return (code[index] * largest).reshape(x.shape)


for kind in CODES:
    add(
        f"quantize_4bit dequantize {kind}",
        lambda x, kind=kind: dequantize_4bit(*quantize_4bit(x, quant_type=kind), quant_type=kind),
        lambda x, kind=kind: nearest(x, kind), lambda make, n: normal(make, (n,)), [(256,), (4096,)],
        (torch.float32, torch.float16), length=1, roundings=4,
    )  # fmt: skip


# Vision.
def boxes(make, n):
    corner = make.uniform(n, 2, high=20, grad=False)
    size = make.uniform(n, 2, low=2, high=9, grad=False)
    return torch.cat((corner, corner + size), 1), make.uniform(n, grad=False)


def suppressed(boxes, scores):
    order, kept = scores.argsort(descending=True).tolist(), []
    area = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    for i in order:
        low, high = torch.maximum(boxes[i, :2], boxes[kept, :2]), torch.minimum(boxes[i, 2:], boxes[kept, 2:])
        overlap = (high - low).clamp(min=0).prod(1)
        if (overlap / (area[i] + area[kept] - overlap) <= 0.4).all():
            kept.append(i)
    return torch.tensor(kept)


add("nms", lambda b, s: nms(b, s, 0.4), suppressed, boxes, [(33,), (100,)], (torch.float32,))


def points(make, n, channels):
    """Points in cells of a grid 1 x 2 x 4 x 5, the points of a cell side by side."""
    cells = make.integers(n, high=40).sort().values
    x, y, z = cells // 10, cells // 2 % 5, cells % 2
    where = torch.stack((x, y, z, torch.zeros_like(x)), 1).to(torch.int32)
    lengths = torch.unique_consecutive(cells, return_counts=True)[1].to(torch.int32)
    starts = (lengths.cumsum(0) - lengths).to(torch.int32)
    return make.normal(n, channels, grad=False), where, starts, lengths


def pooled(features, where, starts, lengths):
    grid = features.new_zeros(1, 2, 4, 5, features.shape[1])
    x, y, z, b = where.long().unbind(1)
    return grid.index_put((b, z, x, y), features, accumulate=True)


add("bev_pool", lambda *a: bev_pool(*a, 1, 2, 4, 5), pooled, points, [(70, 33), (150, 64)], length=10)
add(
    "bev_pool_backward",
    lambda g, f, where, starts, lengths: bev_pool_backward(g, where, starts, lengths),
    lambda g, f, where, starts, lengths: g[tuple(where.long()[:, i] for i in (3, 2, 0, 1))],
    lambda make, n, c: (*normal(make, (1, 2, 4, 5, c)), *points(make, n, c)), [(70, 33)], length=1,
)  # fmt: skip
