"""Elementwise work: activations and their gradients, libdevice, inline assembly, mapped scalar code."""

import ml_dtypes
import numpy as np
import pytest
from running import RUNS, close, integers, launch, random, same, sigmoid, softmax, uniform, zeros

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice


@triton.jit
def tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit
def geglu_backward(dc_ptr, a_ptr, b_ptr, n, B: tl.constexpr):
    """Writes both gradients over the inputs."""
    row, at = tl.program_id(0).to(tl.int64), tl.arange(0, B)
    dc_ptr += row * n
    a_ptr += row * n
    b_ptr += row * n
    mask = at < n
    dc, a = tl.load(dc_ptr + at, mask, 0), tl.load(a_ptr + at, mask, 0).to(tl.float32)
    b = tl.load(b_ptr + at, mask, 0)
    k = 0.7978845608028654
    t = tanh(k * (a + 0.044715 * a * a * a))
    g = 0.5 * a * (1 + t)
    db = dc.cast(tl.float32) * g
    term = 0.5 * (1 + t) + 0.5 * a * (1 - t * t) * (k * (1 + 3 * 0.044715 * a * a))
    tl.store(a_ptr + at, dc * b * term, mask)
    tl.store(b_ptr + at, db, mask)


@RUNS
def test_gradients_written_over_the_inputs(run):
    a, b, dc = random(3, 13), random(3, 13, seed=1), random(3, 13, seed=2)
    wide, da, db = a.astype(np.float64), a.copy(), b.copy()
    launch(run, geglu_backward, (3,), dc, da, db, 13, B=16)

    def gelu(x):
        return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)))

    close(db, dc * gelu(wide), 1e-3)
    close(da, dc * b * (gelu(wide + 1e-5) - gelu(wide - 1e-5)) / 2e-5, 1e-3)


@triton.jit
def capped_and_clipped(gate_ptr, o_ptr, n, alpha, limit, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    both = tl.load(gate_ptr + row * 2 * n + at, mask=at < 2 * n, other=0.0)
    gate, up = both.reshape(B // 2, 2).split()
    gate = tl.minimum(gate, limit)
    up = tl.clamp(up, -limit, limit)
    where = tl.arange(0, B // 2)
    tl.store(o_ptr + row * n + where, (up + 1) * gate * tl.sigmoid(gate * alpha), mask=where < n)


@RUNS
def test_gates_and_values_in_turn(run):
    x, o = random(3, 26) * 4, zeros(3, 13)
    launch(run, capped_and_clipped, (3,), x, o, 13, 1.702, 7.0, B=32)
    gate, up = np.minimum(x[:, ::2], 7), np.clip(x[:, 1::2], -7, 7)
    close(o, (up + 1) * gate * sigmoid(gate * 1.702))


@triton.jit
def softmax_backward(y_ptr, dy_ptr, mask_ptr, dx_ptr, scale, n, LOG: tl.constexpr, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    live = at < n
    y = tl.load(y_ptr + row * n + at, mask=live, other=0.0)
    dy = tl.load(dy_ptr + row * n + at, mask=live, other=0.0)
    if LOG:
        dx = dy - tl.where(live, tl.exp(y), 0.0) * tl.sum(dy, 0)
    else:
        dx = y * (dy - tl.sum(y * dy, 0))
    if mask_ptr is not None:
        dx = tl.where(tl.load(mask_ptr + row * n + at, mask=live, other=1) != 0, 0.0, dx)
    tl.store(dx_ptr + row * n + at, dx * scale, mask=live)


@RUNS
def test_gradients_of_softmax_and_its_log(run):
    x, dy, hidden = random(4, 13), random(4, 13, seed=1), integers(2, 4, 13).astype(bool)
    p = softmax(x)
    for log in (False, True):
        for mask in (None, hidden):
            dx = zeros(4, 13)
            launch(run, softmax_backward, (4,), np.log(p) if log else p, dy, mask, dx, 0.5, 13, LOG=log, B=16)
            whole = dy - p * dy.sum(1, keepdims=True) if log else p * (dy - (p * dy).sum(1, keepdims=True))
            close(dx, 0.5 * (whole if mask is None else np.where(mask, 0, whole)))


@triton.jit
def sparsemax(x_ptr, o_ptr, n, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=-float("inf"))
    ordered = tl.sort(x, descending=True)
    known = ordered > -float("inf")
    total = tl.cumsum(tl.where(known, ordered, 0.0), 0)
    rank = at + 1
    support = known & (1 + rank * tl.where(known, ordered, 0.0) > total)
    k = tl.max(tl.where(support, rank, 0), 0)
    tau = (tl.sum(tl.where(at == k - 1, total, 0.0), 0) - 1) / k
    tl.store(o_ptr + row * n + at, tl.maximum(x - tau, 0.0), mask=at < n)


@RUNS
def test_a_sparse_softmax(run):
    x, o = random(5, 13), zeros(5, 13)
    launch(run, sparsemax, (5,), x, o, 13, B=16)
    for row in range(5):
        ordered = -np.sort(-x[row].astype(np.float64))
        total = ordered.cumsum()
        k = np.flatnonzero(1 + np.arange(1, 14) * ordered > total).max() + 1
        close(o[row], np.maximum(x[row] - (total[k - 1] - 1) / k, 0))
    close(o.sum(1), np.ones(5))


@triton.jit
def library(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x, y = tl.load(x_ptr + at, mask=at < n, other=0.5), tl.load(y_ptr + at, mask=at < n, other=0.5)
    tl.store(o_ptr + at, libdevice.atan2(x, y), mask=at < n)
    tl.store(o_ptr + n + at, libdevice.pow(tl.abs(x), y), mask=at < n)
    tl.store(o_ptr + 2 * n + at, libdevice.hypot(x, y), mask=at < n)
    tl.store(o_ptr + 3 * n + at, libdevice.expm1(x) + libdevice.log1p(tl.abs(y)), mask=at < n)
    tl.store(o_ptr + 4 * n + at, libdevice.fmod(x, y) + libdevice.copysign(x, y), mask=at < n)
    tl.store(o_ptr + 5 * n + at, libdevice.erf(x) + libdevice.asin(libdevice.tanh(y)), mask=at < n)
    tl.store(o_ptr + 6 * n + at, libdevice.rint(x * 4) + libdevice.trunc(y * 4), mask=at < n)
    tl.store(
        o_ptr + 7 * n + at, libdevice.isnan(x / (x - x)).to(tl.float32) + libdevice.signbit(y), mask=at < n
    )


@RUNS
def test_functions_of_the_device_library(run):
    x, y, o = random(13), random(13, seed=1), zeros(8, 13)
    launch(run, library, (1,), x, y, o, 13, B=16)
    a, b = x.astype(np.float64), y.astype(np.float64)
    erf = np.vectorize(__import__("math").erf)
    expected = [
        np.arctan2(a, b), np.abs(a) ** b, np.hypot(a, b), np.expm1(a) + np.log1p(np.abs(b)),
        np.fmod(a, b) + np.copysign(a, b), erf(a) + np.arcsin(np.tanh(b)), np.rint(a * 4) + np.trunc(b * 4),
        np.signbit(b),
    ]  # fmt: skip
    close(o, expected, 1e-4)


@triton.jit
def assembly(x_ptr, y_ptr, o_ptr, s_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x, y = tl.load(x_ptr + at, mask=at < n, other=0), tl.load(y_ptr + at, mask=at < n, other=0)
    both = tl.inline_asm_elementwise(
        "lop3.b32 $0, $1, $2, 0x0F0F0F0F, 0xCA;", "=r,r,r", [x, y], dtype=tl.int32, is_pure=True, pack=1
    )
    total, least = tl.inline_asm_elementwise(
        """
        {
            add.s32 $0, $2, $3;
            min.s32 $1, $2, $3;
        }
        """,
        constraints="=r,=r,r,r", args=[x, y], dtype=(tl.int32, tl.int32), is_pure=True, pack=1,
    )  # fmt: skip
    tl.store(o_ptr + at, both, mask=at < n)
    tl.store(s_ptr + at, total - least, mask=at < n)


@RUNS
def test_inline_assembly_with_two_results(run):
    x, y = integers(2**30, 13, low=-(2**30)), integers(2**30, 13, low=-(2**30), seed=1)
    o, s = zeros(13, dtype=np.int32), zeros(13, dtype=np.int32)
    launch(run, assembly, (1,), x, y, o, s, 13, B=16)
    same(o, (x & y) | (~x & 0x0F0F0F0F))
    same(s, np.maximum(x, y))


@triton.jit
def packed_assembly(x_ptr, o_ptr, n, B: tl.constexpr):
    """Four bytes a register, as kernels that unpack quantised weights do."""
    at = tl.arange(0, B)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    y = tl.inline_asm_elementwise(
        "{ .reg .b32 t; and.b32 t, $1, 0x0F0F0F0F; shl.b32 $0, t, 2; }", "=r,r", [x], dtype=tl.int8,
        is_pure=True, pack=4,
    )  # fmt: skip
    tl.store(o_ptr + at, y, mask=at < n)


@RUNS
def test_inline_assembly_over_packed_bytes(run):
    x, o = integers(128, 29, low=-128, dtype=np.int8), zeros(29, dtype=np.int8)
    launch(run, packed_assembly, (1,), x, o, 29, B=32)
    same(o, (x & 15) << 2)


@triton.jit
def order_two(a, b):
    if a > b:
        return b, a
    else:
        return a, b


@triton.jit
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@triton.jit
def mapped(x_ptr, y_ptr, o_ptr, steps_ptr, n, B: tl.constexpr):
    at = tl.arange(0, B)
    x, y = tl.load(x_ptr + at, mask=at < n, other=1), tl.load(y_ptr + at, mask=at < n, other=1)
    low, high = tl.map_elementwise(order_two, x, y)
    tl.store(o_ptr + at, high * 1000 + low, mask=at < n)
    tl.store(steps_ptr + at, tl.map_elementwise(collatz, x), mask=at < n)


@RUNS
def test_scalar_code_mapped_over_elements(run):
    x, y = integers(99, 13, low=1), integers(99, 13, low=1, seed=1)
    o, steps = zeros(13, dtype=np.int32), zeros(13, dtype=np.int32)
    launch(run, mapped, (1,), x, y, o, steps, 13, B=16)
    same(o, np.maximum(x, y) * 1000 + np.minimum(x, y))

    def count(v):
        n = 0
        while v != 1:
            v, n = (v // 2 if v % 2 == 0 else 3 * v + 1), n + 1
        return n

    same(steps, [count(int(v)) for v in x])


@triton.jit
def mixed(h_ptr, b_ptr, i_ptr, o_ptr, n, ROUNDING: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    h, b, i = tl.load(h_ptr + at, mask, 0.0), tl.load(b_ptr + at, mask, 0.0), tl.load(i_ptr + at, mask, 0)
    y = h * 2 + i
    z = (b.to(tl.float32) * y).to(tl.float64) + 0.1
    tl.store(o_ptr + at, tl.cast(z.to(tl.float32), tl.float16, fp_downcast_rounding=ROUNDING), mask)


@RUNS
@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
def test_types_mixed_and_rounded(run, rounding):
    h, b = random(29, dtype=np.float16), random(29, seed=1).astype(ml_dtypes.bfloat16)
    i, o = integers(9, 29, low=-9, dtype=np.int8), zeros(29, dtype=np.float16)
    launch(run, mixed, (2,), h, b, i, o, 29, ROUNDING=rounding, B=16)
    y = h * np.float16(2) + i.astype(np.float16)
    z = ((b.astype(np.float32) * y.astype(np.float32)).astype(np.float64) + 0.1).astype(np.float32)
    nearest = z.astype(np.float16)
    if rounding == "rtz":
        over = np.abs(nearest.astype(np.float32)) > np.abs(z)
        nearest = np.where(over, np.nextafter(nearest, np.float16(0)), nearest)
    same(o, nearest)


@triton.jit
def uneven(x_ptr, y_ptr, o_ptr, n, p, q, B: tl.constexpr):
    """Broadcast on two sides, as generated pointwise kernels index."""
    at = tl.program_id(0) * B + tl.arange(0, B)[:]
    mask = at < n
    i, j, k = at // (p * q), (at // q) % p, at % q
    x = tl.load(x_ptr + (k + q * i), mask, eviction_policy="evict_last")
    y = tl.load(y_ptr + j, mask, eviction_policy="evict_last", cache_modifier=".ca")
    total = tl.where(x != x, 0.0, x) + y
    tl.store(o_ptr + at, libdevice.rsqrt(tl.abs(total) + 1), mask, cache_modifier=".cs")


@RUNS
def test_indices_of_generated_kernels(run):
    x, y, o = uniform(3, 1, 5), uniform(4, 1, seed=1), zeros(3, 4, 5)
    x[1, 0, 2] = np.nan
    launch(run, uneven, (4,), x, y, o, 60, 4, 5, B=16)
    close(o, 1 / np.sqrt(np.abs(np.nan_to_num(x) + y) + 1))
