"""Cases of the benchmark of tier 1 that go over rows: softmax, norms and their gradients, rope, dropout.

f32 and bf16, sums in f32. Sizes named DRAM are past every cache: there the result should stream to memory.
"""

import torch
import triton
import triton.language as tl
from cpu_case import Case, case, compiled, error, memory_peak, normal


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    powers = tl.exp(x - tl.max(x, axis=0))
    out = powers / tl.sum(powers, axis=0)
    tl.store(out_ptr + row + offsets, out.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def layer_norm_kernel(x_ptr, out_ptr, w_ptr, b_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(w_ptr + offsets, mask=mask).to(tl.float32)
    b = tl.load(b_ptr + offsets, mask=mask).to(tl.float32)
    out = centred * scale * w + b
    tl.store(out_ptr + row + offsets, out.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def layer_norm_gradient_kernel(
    g_ptr, x_ptr, w_ptr, mean_ptr, scale_ptr, dx_ptr, dw_ptr, db_ptr, rows, columns,
    EACH: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    group = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    w = tl.load(w_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    dw = tl.zeros((BLOCK,), dtype=tl.float32)
    db = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(group * EACH, min((group + 1) * EACH, rows)):
        x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
        g = tl.load(g_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
        scale = tl.load(scale_ptr + row)
        normed = tl.where(mask, (x - tl.load(mean_ptr + row)) * scale, 0.0)
        wg = w * g
        along = tl.sum(normed * wg, axis=0) / columns
        dx = (wg - (normed * along + tl.sum(wg, axis=0) / columns)) * scale
        tl.store(dx_ptr + row * columns + offsets, dx.to(dx_ptr.dtype.element_ty), mask=mask)
        dw += g * normed
        db += g
    tl.store(dw_ptr + group * columns + offsets, dw, mask=mask)
    tl.store(db_ptr + group * columns + offsets, db, mask=mask)


@triton.jit
def add_groups_kernel(
    dw_ptr, db_ptr, dw_out_ptr, db_out_ptr, columns, GROUPS: tl.constexpr, BLOCK: tl.constexpr
):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    places = tl.arange(0, GROUPS)[:, None] * columns + c[None, :]
    mask = c < columns
    dw = tl.sum(tl.load(dw_ptr + places, mask=mask[None, :], other=0.0), axis=0)
    db = tl.sum(tl.load(db_ptr + places, mask=mask[None, :], other=0.0), axis=0)
    tl.store(dw_out_ptr + c, dw.to(dw_out_ptr.dtype.element_ty), mask=mask)
    tl.store(db_out_ptr + c, db.to(db_out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, out_ptr, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    d = tl.arange(0, HALF)
    cos = tl.load(cos_ptr + token * HALF + d)[None, :]
    sin = tl.load(sin_ptr + token * HALF + d)[None, :]
    first = token * HEADS * HALF * 2 + tl.arange(0, HEADS)[:, None] * (HALF * 2) + d[None, :]
    low = tl.load(x_ptr + first).to(tl.float32)
    high = tl.load(x_ptr + first + HALF).to(tl.float32)
    tl.store(out_ptr + first, (low * cos - high * sin).to(out_ptr.dtype.element_ty))
    tl.store(out_ptr + first + HALF, (high * cos + low * sin).to(out_ptr.dtype.element_ty))


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    kept = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(kept, x / (1 - p), 0.0), mask=mask)


def limit_of(dtype, exact):
    return exact if dtype is torch.float32 else 1e-2


def softmax(columns, dtype, elements):
    rows = elements // columns
    x = normal(rows, columns, dtype=dtype)
    out, eager, third = (torch.zeros_like(x) for _ in range(3))
    into = compiled(lambda x, y: y.copy_(torch.softmax(x, dim=1)))
    block = triton.next_power_of_2(columns)
    sides = {
        "trisect": lambda: softmax_kernel[(rows,)](x, out, columns, BLOCK=block),
        "torch": lambda: torch.softmax(x, dim=1, out=eager),
        "torch.compile": lambda: into(x, third),
    }
    moved = 2 * x.numel() * x.element_size()
    check = lambda: error(out, torch.softmax(x.double(), 1))  # noqa: E731
    return Case(sides, check, limit_of(dtype, 1e-5), moved, memory_peak(moved))


def layer_norm(columns, dtype, elements):
    rows = elements // columns
    x = normal(rows, columns, dtype=dtype)
    w, b = (normal(columns, seed=s, dtype=dtype) for s in (1, 2))
    out, eager, third = (torch.zeros_like(x) for _ in range(3))
    norm, native = torch.nn.functional.layer_norm, torch.ops.aten.native_layer_norm.out
    into = compiled(lambda x, w, b, y: y.copy_(norm(x, (columns,), w, b)))
    mean, deviation = (torch.zeros(rows, 1, dtype=dtype) for _ in range(2))
    block = triton.next_power_of_2(columns)
    sides = {
        "trisect": lambda: layer_norm_kernel[(rows,)](x, out, w, b, columns, 1e-5, BLOCK=block),
        "torch": lambda: native(x, (columns,), w, b, 1e-5, out0=eager, out1=mean, out2=deviation),
        "torch.compile": lambda: into(x, w, b, third),
    }
    moved = 2 * x.numel() * x.element_size()
    check = lambda: error(out, norm(x.double(), (columns,), w.double(), b.double()))  # noqa: E731
    return Case(sides, check, limit_of(dtype, 1e-4), moved, memory_peak(moved))


def layer_norm_gradient(columns, dtype, elements=1 << 20):
    rows, groups, block = elements // columns, 16, triton.next_power_of_2(columns)
    x, g = normal(rows, columns, dtype=dtype), normal(rows, columns, seed=3, dtype=dtype)
    w, b = (normal(columns, seed=s, dtype=dtype) for s in (1, 2))
    mean = x.float().mean(1, keepdim=True)
    scale = (x.float().var(1, unbiased=False, keepdim=True) + 1e-5).rsqrt()
    dx, dw, db = torch.zeros_like(x), torch.zeros_like(w), torch.zeros_like(b)
    dws, dbs = torch.zeros(groups, columns), torch.zeros(groups, columns)
    others = [[torch.zeros_like(t) for t in (x, w, b)] for _ in range(2)]
    native, into_native = torch.ops.aten.native_layer_norm_backward, [True, True, True]

    def ours():
        each = triton.cdiv(rows, groups)
        layer_norm_gradient_kernel[(groups,)](
            g, x, w, mean, scale, dx, dws, dbs, rows, columns, EACH=each, BLOCK=block
        )
        add_groups_kernel[(triton.cdiv(columns, 128),)](dws, dbs, dw, db, columns, GROUPS=groups, BLOCK=128)

    own_mean, own_scale = mean.to(dtype), scale.to(dtype)

    def eager(a, b2, c):
        native.out(g, x, (columns,), own_mean, own_scale, w, b, into_native, out0=a, out1=b2, out2=c)

    def into(*targets):
        found = native(g, x, (columns,), mean, scale, w, b, into_native)
        for target, each in zip(targets, found, strict=True):
            target.copy_(each)

    def check():
        wide = [t.double().requires_grad_() for t in (x, w, b)]
        torch.nn.functional.layer_norm(wide[0], (columns,), *wide[1:]).backward(g.double())
        return max(error(got, t.grad) for got, t in zip((dx, dw, db), wide, strict=True))

    made = compiled(into)
    sides = {
        "trisect": ours,
        "torch": lambda: eager(*others[0]),
        "torch.compile": lambda: made(*others[1]),
    }
    return Case(sides, check, limit_of(dtype, 1e-4), 3 * x.numel() * x.element_size())


def rope(dtype, tokens=512):
    heads, half = 16, 64
    x = normal(tokens, heads, 2 * half, dtype=dtype)
    angles = torch.arange(tokens)[:, None] * 10000 ** -(torch.arange(half) / half)
    cos, sin = angles.cos(), angles.sin()
    out, third = torch.zeros_like(x), torch.zeros_like(x)

    def turned(x, cos, sin):
        low, high, cos, sin = x[..., :half], x[..., half:], cos[:, None], sin[:, None]
        return torch.cat((low * cos - high * sin, high * cos + low * sin), -1)

    into = compiled(lambda x, cos, sin, y: y.copy_(turned(x, cos, sin)))
    sides = {
        "trisect": lambda: rope_kernel[(tokens,)](x, cos, sin, out, HEADS=heads, HALF=half),
        "torch": lambda: third.copy_(turned(x, cos, sin)),
        "torch.compile": lambda: into(x, cos, sin, third),
    }
    check = lambda: error(out, turned(x.double(), cos.double(), sin.double()))  # noqa: E731
    return Case(sides, check, limit_of(dtype, 1e-5), 2 * x.numel() * x.element_size())


def dropout(n, dtype):
    x, p = normal(n, dtype=dtype), 0.25
    out, third = torch.zeros_like(x), torch.zeros_like(x)
    drop = torch.nn.functional.dropout
    into = compiled(lambda x, y: y.copy_(drop(x, p, training=True)))

    def check():
        kept = out != 0
        share = abs(float(kept.double().mean()) - (1 - p))
        return max(error(out[kept], x[kept].double() / (1 - p)), share if share > 0.01 else 0.0)

    sides = {
        "trisect": lambda: dropout_kernel[(triton.cdiv(n, 1024),)](x, out, n, p, 7, BLOCK=1024),
        "torch": lambda: drop(x, p, training=True),
        "torch.compile": lambda: into(x, third),
    }
    moved = 2 * n * x.element_size()
    return Case(sides, check, limit_of(dtype, 1e-5), moved, memory_peak(moved))


DTYPES = (("f32", torch.float32), ("bf16", torch.bfloat16))
for _name, _dtype in DTYPES:
    for _columns in (1024, 4096, 12288):
        case(f"softmax {_name} {_columns}", softmax, _columns, _dtype, 1 << 20)
    for _columns in (1024, 8192):
        case(f"layer norm {_name} {_columns}", layer_norm, _columns, _dtype, 1 << 20)
    case(f"layer norm gradient {_name} 1024", layer_norm_gradient, 1024, _dtype)
    case(f"rope {_name}", rope, _dtype)
    case(f"rope {_name} DRAM", rope, _dtype, 1 << 13)
    case(f"softmax {_name} 4096 DRAM", softmax, 4096, _dtype, 1 << 25)
    case(f"layer norm {_name} 4096 DRAM", layer_norm, 4096, _dtype, 1 << 25)
    case(f"layer norm gradient {_name} 4096 DRAM", layer_norm_gradient, 4096, _dtype, 1 << 25)
    for _place, _elements in (("L2", 1 << 16), ("DRAM", 1 << 25)):
        case(f"dropout {_name} {_place}", dropout, _elements, _dtype)
