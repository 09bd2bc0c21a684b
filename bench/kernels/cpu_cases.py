"""Cases of the benchmark of tier 1: products, attention, elementwise, functions; others in files beside.

`CASES` has all of them by name (bench/cpu.py).
"""

import cpu_models  # noqa: F401
import cpu_reductions  # noqa: F401
import cpu_rows  # noqa: F401
import numba_sides as numba
import numpy as np
import torch
import triton
import triton.language as tl
from cpu_case import CASES, Case, case, compiled, error, memory_peak, normal

import cpu as kernels

__all__ = ["CASES"]

PEAKS = {torch.float32: "fma", torch.float64: "fma64", torch.bfloat16: "bf16", torch.float16: "fma"}
SUMS = {torch.float64: tl.float64, torch.int8: tl.int32}


def factors(n, dtype):
    if dtype is torch.int8:
        return [torch.randint(-128, 128, (n, n), dtype=torch.int8) for _ in range(2)]
    return [normal(n, n, seed=seed).to(dtype) for seed in range(2)]


def product_side(a, b, c, tile, **options):
    n = a.shape[0]
    rows, columns, steps = tile
    grid = (triton.cdiv(n, rows) * triton.cdiv(n, columns),)
    strides = (*a.stride(), *b.stride(), *c.stride())
    sums = SUMS.get(a.dtype, tl.float32)
    return lambda: kernels.matmul[grid](a, b, c, n, n, n, *strides, rows, columns, steps, 8, sums, **options)


def product(n, dtype, transposed=False, tile=(128, 128, 32), **options):
    integer = dtype is torch.int8
    a, b = factors(n, dtype)
    if transposed:
        b = b.t()
    c, other, third = (torch.zeros((n, n), dtype=torch.int32 if integer else dtype) for _ in range(3))
    sides = {"trisect": product_side(a, b, c, tile, **options)}
    if integer:
        sides["torch"] = lambda: torch._int_mm(a, b, out=other)
    else:
        sides["torch"] = lambda: torch.mm(a, b, out=other)
    if dtype in (torch.float32, torch.float64):
        x, y, z = a.numpy(), b.numpy(), third.numpy()
        sides["numpy"] = lambda: np.matmul(x, y, out=z)
    limits = {torch.float64: 1e-11, torch.int8: 0, torch.float32: 1e-3}
    peak = "tiles" if "bf16_sums" in options else "int8" if integer else PEAKS[dtype]
    check = lambda: error(c, a.double() @ b.double())  # noqa: E731
    return Case(sides, check, limits.get(dtype, 2e-2), 2 * n**3, peak)


def product_beside_own(n, dtype, tile):
    """A format that is multiplied as f32, beside our product of f32."""
    a, b = factors(n, dtype)
    wide = [x.float() for x in (a, b)]
    c, other = torch.zeros(n, n), torch.zeros(n, n)
    sides = {"trisect": product_side(a, b, c, tile), "own f32": product_side(*wide, other, tile)}
    check = lambda: error(c, wide[0].double() @ wide[1].double())  # noqa: E731
    return Case(sides, check, 1e-3, 2 * n**3, "fma")


def product_avx2(n, tile):
    a, b = factors(n, torch.float32)
    c = torch.zeros(n, n)
    sides = {"trisect": product_side(a, b, c, tile, arch="x86-64-v3")}
    return Case(sides, lambda: error(c, a.double() @ b.double()), 1e-3, 2 * n**3, "avx2")


for size in (512, 1000, 1024, 2048):
    case(f"product f32 {size}", product, size, torch.float32)
for size in (512, 1024):
    case(f"product f32 {size} by transposed", product, size, torch.float32, True)
case("product f32 1024, 64x64 tiles", product, 1024, torch.float32, False, (64, 64, 32))
case("product f32 1024, AVX2", product_avx2, 1024, (128, 128, 32))
case("product f64 1024", product, 1024, torch.float64)
for size in (512, 2048):
    case(f"product bf16 {size}", product, size, torch.bfloat16, False, (128, 128, 64))
    options = {"bf16_sums": "blocks"}
    case(f"product bf16 {size}, blocks", product, size, torch.bfloat16, False, (128, 128, 64), **options)
case("product f16 512", product, 512, torch.float16)
for name, dtype in (("f16", torch.float16), ("f8e5", torch.float8_e5m2), ("f8e4nv", torch.float8_e4m3fn)):
    case(f"product {name} 1024 beside own f32", product_beside_own, 1024, dtype, (128, 128, 32))
case("product int8 1024", product, 1024, torch.int8, False, (128, 128, 64))


def attention(causal, dtype, **options):
    heads, length, d = 8, 1024, 64
    q, k, v = (normal(1, heads, length, d, seed=s, dtype=dtype) for s in range(3))
    out = torch.empty_like(q)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    scale, grid, blocks = d**-0.5, (length // 128, heads), (128, 64)  # most kernels of attention have these

    def ours():
        kernels.attention[grid](q, k, v, out, scale, length, *blocks, d, causal, **options)

    sides = {"trisect": ours, "torch": lambda: sdpa(q, k, v, is_causal=causal)}
    check = lambda: error(out, sdpa(q.double(), k.double(), v.double(), is_causal=causal))  # noqa: E731
    work = 4 * heads * length**2 * d / (2 if causal else 1)
    return Case(sides, check, 1e-4 if dtype is torch.float32 else 2e-2, work, PEAKS[dtype])


for name, dtype in (("f32", torch.float32), ("bf16", torch.bfloat16)):
    case(f"attention {name}", attention, False, dtype)
    case(f"attention {name} causal", attention, True, dtype)
case("attention bf16, blocks", attention, False, torch.bfloat16, bf16_sums="blocks")
case("attention bf16 causal, blocks", attention, True, torch.bfloat16, bf16_sums="blocks")


def pointwise(kernel, function, n, dtype=torch.float32, inputs=2, block=1024):
    tensors = [normal(n, seed=s, dtype=dtype) for s in range(inputs)]
    out, eager, third = (torch.zeros(n, dtype=dtype) for _ in range(3))
    into = compiled(lambda *t: t[-1].copy_(function(*t[:-1])))
    x, y = tensors[0], tensors[-1]
    # Written out, as people launch: a call with * makes a tuple and a dictionary first.
    ours = {
        1: lambda: kernel[(triton.cdiv(n, block),)](x, out, n, BLOCK=block),
        2: lambda: kernel[(triton.cdiv(n, block),)](x, y, out, n, BLOCK=block),
    }[inputs]
    sides = {"trisect": ours, "torch.compile": lambda: into(*tensors, third)}
    if function is torch.add:
        sides["torch"] = lambda: torch.add(*tensors, out=eager)
        if dtype is torch.float32:
            a, b, c = (t.numpy() for t in (*tensors, eager))
            sides["numpy"] = lambda: np.add(a, b, out=c)
            sides["numba"] = numba.side(numba.add, *tensors, torch.zeros(n))
    check = lambda: error(out, function(*(t.double() for t in tensors)))  # noqa: E731
    limit = 1e-5 if dtype is torch.float32 else 1e-2
    moved = n * out.element_size() * (inputs + 1)
    return Case(sides, check, limit, moved, memory_peak(moved))


def swiglu(x, y):
    return torch.nn.functional.silu(x) * y


for name, n in (("L2", 1 << 16), ("DRAM", 1 << 24)):
    case(f"add f32 {name}", pointwise, kernels.add, torch.add, n)
    case(f"add bf16 {name}", pointwise, kernels.add, torch.add, 2 * n, torch.bfloat16)
    for kind, dtype, m in (("f32", torch.float32, n), ("bf16", torch.bfloat16, 2 * n)):
        case(f"swiglu {kind} {name}", pointwise, kernels.swiglu, swiglu, m, dtype)
        case(f"gelu {kind} {name}", pointwise, kernels.gelu, torch.nn.functional.gelu, m, dtype, 1)


def transposition(n, dtype, tile=(64, 64)):
    x = normal(n, n, dtype=dtype)
    out, eager, third, fourth = (torch.zeros(n, n, dtype=dtype) for _ in range(4))
    into = compiled(lambda x, out: out.copy_(x.t()))
    grid = (triton.cdiv(n, tile[0]), triton.cdiv(n, tile[1]))
    sides = {
        "trisect": lambda: kernels.transpose[grid](x, out, n, n, ROWS=tile[0], COLUMNS=tile[1]),
        "torch.compile": lambda: into(x, third),
        "torch": lambda: eager.copy_(x.t()),
    }
    if dtype is torch.float32:
        a, b = x.numpy().T, fourth.numpy()
        sides["numpy"] = lambda: np.copyto(b, a)
    moved = 2 * n * n * x.element_size()
    return Case(sides, lambda: error(out, x.t()), 0, moved, memory_peak(moved))


for kind, dtype in (("f32", torch.float32), ("bf16", torch.bfloat16)):
    for size in (256, 1000, 4096):
        case(f"transpose {kind} {size}", transposition, size, dtype)


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
    return Case(sides, lambda: error(out, peer(x.double(), y.double())), 1e-6, n * 8)


for name in FUNCTIONS:
    case(f"function {name}", function, name)
