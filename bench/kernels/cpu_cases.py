"""What the benchmark of tier 1 measures: each case beside its peers, all writing to memory made beforehand.

A case is a function that gives a `Case`. Compiled torch functions write into a tensor that they are given;
what a peer cannot do has no side.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
import triton
import triton.language as tl
from tier0 import layer_norm_kernel, softmax_kernel

import cpu as kernels


@dataclass
class Case:
    """`sides` by name, ours is `trisect`; `check` gives the error of our last result, at most `limit`."""

    sides: dict[str, Callable]
    check: Callable[[], float]
    limit: float
    #: What one call does, and the peak that it is held against: a name of bench/cpu.py's peaks.
    work: float
    peak: str = ""
    notes: dict = field(default_factory=dict)


CASES: dict[str, Callable[[], Case]] = {}


def case(name, maker, *arguments):
    CASES[name] = lambda: maker(*arguments)


def normal(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def compiled(function):
    return torch.compile(function, dynamic=False)


def error(got, want):
    got, want = got.double(), want.double()
    return float(((got - want).abs() / (1 + want.abs())).max())


PEAKS = {torch.float32: "fma", torch.float64: "fma64", torch.bfloat16: "bf16", torch.float16: "fma"}
SUMS = {torch.float64: tl.float64, torch.int8: tl.int32}


def product(n, dtype, transposed=False, tile=(128, 128, 32)):
    integer = dtype is torch.int8
    if integer:
        a, b = (torch.randint(-128, 128, (n, n), dtype=torch.int8) for _ in range(2))
    else:
        a, b = normal(n, n, dtype=dtype), normal(n, n, seed=1, dtype=dtype)
    if transposed:
        b = b.t()
    c, other, third = (torch.zeros((n, n), dtype=torch.int32 if integer else dtype) for _ in range(3))
    rows, columns, steps = tile
    grid = (triton.cdiv(n, rows) * triton.cdiv(n, columns),)
    strides = (*a.stride(), *b.stride(), *c.stride())
    sums = SUMS.get(dtype, tl.float32)

    def ours():
        kernels.matmul[grid](a, b, c, n, n, n, *strides, rows, columns, steps, 8, sums)

    sides = {"trisect": ours}
    if integer:
        sides["torch"] = lambda: torch._int_mm(a, b, out=other)
    else:
        sides["torch"] = lambda: torch.mm(a, b, out=other)
    if dtype in (torch.float32, torch.float64):
        x, y, z = a.numpy(), b.numpy(), third.numpy()
        sides["numpy"] = lambda: np.matmul(x, y, out=z)
    limits = {torch.float64: 1e-11, torch.int8: 0, torch.float32: 1e-3}
    peak = "int8" if integer else PEAKS[dtype]
    check = lambda: error(c, a.double() @ b.double())  # noqa: E731
    return Case(sides, check, limits.get(dtype, 2e-2), 2 * n**3, peak)


for size in (512, 1000, 1024, 2048):
    case(f"product f32 {size}", product, size, torch.float32)
case("product f32 1024 by transposed", product, 1024, torch.float32, True)
case("product f32 1024, 64x64 tiles", product, 1024, torch.float32, False, (64, 64, 32))
case("product f64 1024", product, 1024, torch.float64)
case("product bf16 512", product, 512, torch.bfloat16, False, (128, 128, 64))
case("product bf16 2048", product, 2048, torch.bfloat16, False, (128, 128, 64))
case("product f16 512", product, 512, torch.float16)
case("product int8 1024", product, 1024, torch.int8, False, (128, 128, 64))


def attention(causal):
    heads, length, d = 8, 1024, 64
    q, k, v = (normal(1, heads, length, d, seed=s) for s in range(3))
    out = torch.empty_like(q)
    sdpa = torch.nn.functional.scaled_dot_product_attention

    def ours():
        kernels.attention[(length // 64, heads)](q, k, v, out, d**-0.5, length, 64, 64, d, causal)

    sides = {"trisect": ours, "torch": lambda: sdpa(q, k, v, is_causal=causal)}
    check = lambda: error(out, sdpa(q.double(), k.double(), v.double(), is_causal=causal))  # noqa: E731
    work = 4 * heads * length**2 * d / (2 if causal else 1)
    return Case(sides, check, 1e-4, work, "fma")


case("attention f32", attention, False)
case("attention f32 causal", attention, True)


def pointwise(kernel, function, n, dtype=torch.float32, inputs=2, block=1024):
    tensors = [normal(n, seed=s, dtype=dtype) for s in range(inputs)]
    out, eager, third = (torch.zeros(n, dtype=dtype) for _ in range(3))
    into = compiled(lambda *t: t[-1].copy_(function(*t[:-1])))
    sides = {
        "trisect": lambda: kernel[(triton.cdiv(n, block),)](*tensors, out, n, BLOCK=block),
        "torch.compile": lambda: into(*tensors, third),
    }
    if function is torch.add:
        sides["torch"] = lambda: torch.add(*tensors, out=eager)
        if dtype is torch.float32:
            x, y, z = (t.numpy() for t in (*tensors, eager))
            sides["numpy"] = lambda: np.add(x, y, out=z)
    check = lambda: error(out, function(*(t.double() for t in tensors)))  # noqa: E731
    limit = 1e-5 if dtype is torch.float32 else 1e-2
    return Case(sides, check, limit, n * out.element_size() * (inputs + 1), "stream")


def swiglu(x, y):
    return torch.nn.functional.silu(x) * y


for name, n in (("L2", 1 << 16), ("DRAM", 1 << 24)):
    case(f"add f32 {name}", pointwise, kernels.add, torch.add, n)
case("add bf16 L2", pointwise, kernels.add, torch.add, 1 << 16, torch.bfloat16)
case("swiglu f32 L2", pointwise, kernels.swiglu, swiglu, 1 << 16)
case("gelu f32 L2", pointwise, kernels.gelu, torch.nn.functional.gelu, 1 << 16, torch.float32, 1)


def softmax(columns):
    rows = (1 << 20) // columns
    x = normal(rows, columns)
    out, eager, third = (torch.zeros_like(x) for _ in range(3))
    into = compiled(lambda x, y: y.copy_(torch.softmax(x, dim=1)))
    block = triton.next_power_of_2(columns)
    sides = {
        "trisect": lambda: softmax_kernel[(rows,)](out, x, columns, columns, columns, BLOCK=block),
        "torch": lambda: torch.softmax(x, dim=1, out=eager),
        "torch.compile": lambda: into(x, third),
    }
    return Case(sides, lambda: error(out, torch.softmax(x.double(), 1)), 1e-5, x.numel() * 8, "stream")


for columns in (1024, 4096, 12288):
    case(f"softmax {columns}", softmax, columns)


def layer_norm(columns):
    rows = (1 << 20) // columns
    x, w, b = normal(rows, columns), normal(columns, seed=1), normal(columns, seed=2)
    out, third = torch.zeros_like(x), torch.zeros_like(x)
    norm = torch.nn.functional.layer_norm
    into = compiled(lambda x, w, b, y: y.copy_(norm(x, (columns,), w, b)))
    mean, deviation = torch.zeros(rows, 1), torch.zeros(rows, 1)
    eager = torch.zeros_like(x)
    native = torch.ops.aten.native_layer_norm.out
    block = triton.next_power_of_2(columns)
    sides = {
        "trisect": lambda: layer_norm_kernel[(rows,)](x, out, w, b, columns, columns, 1e-5, BLOCK=block),
        "torch": lambda: native(x, (columns,), w, b, 1e-5, out0=eager, out1=mean, out2=deviation),
        "torch.compile": lambda: into(x, w, b, third),
    }
    check = lambda: error(out, norm(x.double(), (columns,), w.double(), b.double()))  # noqa: E731
    return Case(sides, check, 1e-4, x.numel() * 8, "stream")


case("layer norm 1024", layer_norm, 1024)
case("layer norm 8192", layer_norm, 8192)


def cross_entropy():
    rows, columns = 256, 4096
    x = normal(rows, columns)
    labels = torch.randint(0, columns, (rows,), generator=torch.Generator().manual_seed(0))
    out, third = torch.zeros(rows), torch.zeros(rows)
    loss = torch.nn.functional.cross_entropy
    into = compiled(lambda x, t, y: y.copy_(loss(x, t, reduction="none")))
    sides = {
        "trisect": lambda: kernels.cross_entropy[(rows,)](x, labels, out, columns, columns, BLOCK=columns),
        "torch.compile": lambda: into(x, labels, third),
    }
    check = lambda: error(out, loss(x.double(), labels, reduction="none"))  # noqa: E731
    return Case(sides, check, 1e-4, x.numel() * 4, "stream")


case("cross-entropy 4096", cross_entropy)


def row_reduce(argmax):
    rows, columns = 256, 4096
    x = normal(rows, columns)
    out, eager = (torch.zeros(rows, dtype=torch.int64 if argmax else torch.float32) for _ in range(2))
    peer = torch.argmax if argmax else torch.sum
    sides = {
        "trisect": lambda: kernels.row_reduce[(rows,)](x, out, columns, columns, argmax, BLOCK=columns),
        "torch": lambda: peer(x, 1, out=eager),
    }
    return Case(sides, lambda: error(out, peer(x.double(), 1)), 1e-3, x.numel() * 4, "stream")


case("row sum 4096", row_reduce, False)
case("row argmax 4096", row_reduce, True)


def column_sum():
    rows, columns = 1024, 1024
    x = normal(rows, columns)
    out, eager = torch.zeros(columns), torch.zeros(columns)
    sides = {
        "trisect": lambda: kernels.column_sum[(columns // 128,)](x, out, rows, columns, 64, 128),
        "torch": lambda: torch.sum(x, 0, out=eager),
    }
    return Case(sides, lambda: error(out, x.double().sum(0)), 1e-3, x.numel() * 4, "stream")


case("column sum 1024", column_sum)


def cumsum():
    rows, columns = 256, 1024
    x = normal(rows, columns)
    out, eager = torch.zeros_like(x), torch.zeros_like(x)
    sides = {
        "trisect": lambda: kernels.cumsum[(rows,)](x, out, columns, BLOCK=columns),
        "torch": lambda: torch.cumsum(x, 1, out=eager),
    }
    return Case(sides, lambda: error(out, x.double().cumsum(1)), 1e-3, x.numel() * 8, "stream")


case("cumsum 1024", cumsum)


def histogram():
    n, bins = 1 << 18, 256
    x = torch.randint(0, bins, (n,), dtype=torch.int32, generator=torch.Generator().manual_seed(0))
    out = torch.zeros(bins, dtype=torch.int32)
    long = x.long()

    def ours():
        out.zero_()
        kernels.histogram[(n // 4096,)](x, out, BLOCK=4096, BINS=bins)

    sides = {"trisect": ours, "torch": lambda: torch.bincount(long, minlength=bins)}
    return Case(sides, lambda: error(out, torch.bincount(long, minlength=bins)), 0, n * 4, "stream")


case("histogram 256", histogram)


def embedding():
    rows, width, count = 8192, 256, 4096
    table = normal(rows, width)
    ids = torch.randint(0, rows, (count,), generator=torch.Generator().manual_seed(0))
    out, eager = torch.zeros(count, width), torch.zeros(count, width)
    sides = {
        "trisect": lambda: kernels.embedding[(count,)](table, ids, out, width, BLOCK=width),
        "torch": lambda: torch.index_select(table, 0, ids, out=eager),
    }
    return Case(sides, lambda: error(out, table[ids]), 0, count * width * 8, "stream")


case("embedding 256", embedding)


def sort():
    x = normal(64, 1024)
    out, eager = torch.zeros_like(x), (torch.zeros_like(x), torch.zeros(64, 1024, dtype=torch.int64))
    sides = {
        "trisect": lambda: kernels.sort[(64,)](x, out, COLUMNS=1024),
        "torch": lambda: torch.sort(x, dim=1, out=eager),
    }
    return Case(sides, lambda: error(out, torch.sort(x, dim=1).values), 0, x.numel() * 8, "stream")


case("sort 1024", sort)

FUNCTIONS = {
    "exp": lambda x, y: torch.exp(x),
    "log": lambda x, y: torch.log(x.abs()),
    "tanh": lambda x, y: torch.tanh(x),
    "erf": lambda x, y: torch.erf(x),
    "sin": lambda x, y: torch.sin(x),
    "cos": lambda x, y: torch.cos(x),
    "pow": lambda x, y: torch.pow(x.abs(), y),
}


def function(name):
    n = 1 << 16
    x, y = normal(n), normal(n, seed=1)
    out, third, low = torch.zeros(n), torch.zeros(n), torch.zeros(n)
    grid, peer = (n // 1024,), FUNCTIONS[name]
    into = compiled(lambda x, y, z: z.copy_(peer(x, y)))
    sides = {
        "trisect": lambda: kernels.function[grid](x, y, out, n, name, BLOCK=1024),
        "tier 0": lambda: kernels.function[grid](x, y, low, n, name, BLOCK=1024, tier="interp"),
        "torch.compile": lambda: into(x, y, third),
    }
    return Case(sides, lambda: error(out, peer(x.double(), y.double())), 1e-6, n * 8, "stream")


for name in FUNCTIONS:
    case(f"function {name}", function, name)
