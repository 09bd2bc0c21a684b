"""Rows of behaviour: arithmetic, comparison, elementary functions, conversions, products, random numbers."""

import math

import ml_dtypes
import numpy as np
from behaviour import INPUTS, I, row

f, g, d, h, b, n, m, u, w, k = INPUTS.values()
i32, i64, u32, f32, f64 = np.int32, np.int64, np.uint32, np.float32, np.float64
bf16 = ml_dtypes.bfloat16

OPERATORS = [
    row("r = f + g", f + g),
    row("r = 2 + f", 2 + f),
    row("r = f - g", f - g),
    row("r = 2 - f", 2 - f),
    row("r = f * g", f * g),
    row("r = 2 * f", 2 * f),
    row("r = f / g", f / g),
    row("r = 2 / g", 2 / g),
    row("r = n // m", np.trunc(n / m).astype(i32)),
    row("r = 100 // m", 100 // m),
    row("r = n % m", np.fmod(n, m)),
    row("r = 100 % m", 100 % m),
    row("r = n & m", n & m),
    row("r = 6 & n", 6 & n),
    row("r = n | m", n | m),
    row("r = 6 | n", 6 | n),
    row("r = n ^ m", n ^ m),
    row("r = 6 ^ n", 6 ^ n),
    row("r = n << m", n << m),
    row("r = 1 << m", 1 << m),
    row("r = n >> m", n >> m),
    row("r = 4096 >> m", 4096 >> m),
    row("r = f < g", f < g),
    row("r = 0 < f", f > 0),
    row("r = f <= g", f <= g),
    row("r = 0 <= f", f >= 0),
    row("r = f > g", f > g),
    row("r = 0 > f", f < 0),
    row("r = f >= g", f >= g),
    row("r = 0 >= f", f <= 0),
    row("r = m == 3", m == 3),
    row("r = 3 == m", m == 3),
    row("r = m != 3", m != 3),
    row("r = 3 != m", m != 3),
    row("r = -f", -f),
    row("r = ~n", ~n),
    row("r = not (n > 0)", n <= 0),
    row("r = (n > 0) and (m > 4)", (n > 0) & (m > 4)),
    row("r = (n > 0) or (m > 4)", (n > 0) | (m > 4)),
    row("r = tl.add(f, g)", f + g),
    row("r = tl.sub(f, g)", f - g),
    row("r = tl.mul(f, g)", f * g),
    row("r = tl.add(u, u, sanitize_overflow=False)", u + u),
]

_erf = np.vectorize(math.erf)
ELEMENTARY = [
    row("r = tl.exp(f)", np.exp(f)),
    row("r = tl.exp2(d)", np.exp2(d)),
    row("r = tl.log(g)", np.log(g)),
    row("r = tl.log2(g)", np.log2(g)),
    row("r = tl.sin(f)", np.sin(f)),
    row("r = tl.cos(d)", np.cos(d)),
    row("r = tl.sqrt(g)", np.sqrt(g)),
    row("r = tl.sqrt_rn(g)", np.sqrt(g), tolerance=0),
    row("r = tl.rsqrt(g)", (1 / np.sqrt(g)).astype(f32)),
    row("r = tl.abs(n)", abs(n)),
    row("r = tl.abs(h)", abs(h)),
    row("r = tl.ceil(f)", np.ceil(f)),
    row("r = tl.floor(f)", np.floor(f)),
    row("r = tl.erf(f)", _erf(f).astype(f32)),
    row("r = tl.fma(f, g, f)", f * g + f),
    row("r = tl.div_rn(f, g)", f / g, tolerance=0),
    row("r = tl.fdiv(f, g)", f / g),
    row("r = tl.fdiv(f, g, ieee_rounding=True)", f / g, tolerance=0),
    row("r = tl.umulhi(u, u)", ((u.astype(np.uint64) * u) >> np.uint64(32)).astype(u32)),
    row("r = tl.cdiv(n + 2000, m)", -(-(n + 2000) // m)),
    row("r = tl.sigmoid(f)", (1 / (1 + np.exp(-f.astype(f64)))).astype(f32)),
    row("r = tl.softmax(f)", np.exp(f) / np.exp(f).sum()),
    row("r = tl.softmax(w, 1)", np.exp(w) / np.exp(w).sum(1, keepdims=True)),
]

CHOICES = [
    row("r = tl.where(f > 0, f, g)", np.where(f > 0, f, g)),
    row("r = tl.maximum(f, g)", np.maximum(f, g)),
    row("r = tl.minimum(n, m)", np.minimum(n, m)),
    row("r = tl.maximum(b, 0.5)", np.maximum(b.astype(f32), f32(0.5))),
    row(
        "r = tl.minimum(f / 0, 1.0, propagate_nan=tl.PropagateNan.ALL)",
        np.where(f > 0, 1, -np.inf).astype(f32),
    ),
    row(
        "r = tl.maximum(tl.log(f), 0.0, propagate_nan=tl.PropagateNan.ALL)",
        np.where(f < 0, np.nan, np.maximum(np.log(abs(f)), 0)).astype(f32),
    ),
    row("r = tl.clamp(f, -0.5, 0.5)", np.clip(f, -0.5, 0.5)),
    row("r = max(tl.program_id(0) + 2, 1) + min(tl.program_id(0), 7)", i32(2)),
    row("r = tl.builtin_max(tl.program_id(0), 4) - tl.builtin_min(tl.program_id(0), 4)", i32(4)),
    row("r = tl.expect_zero(f, f > 100)", f),
]


def narrowed(dtype):
    return f.astype(dtype).astype(f32)


CONVERSIONS = [
    row("r = f.to(tl.int32)", f.astype(i32)),
    row("r = tl.cast(n, tl.float32)", n.astype(f32)),
    row("r = tl.cast(f, tl.int32, bitcast=True)", f.view(i32)),
    row(
        "r = f.to(tl.float16, fp_downcast_rounding='rtz').to(tl.float32)",
        (f.view(u32) & u32(0xFFFFE000)).view(f32),
    ),
    row("r = n.to(tl.int1)", n != 0),
    row("r = n.to(tl.int8)", n.astype(np.int8)),
    row("r = n.to(tl.int16)", n.astype(np.int16)),
    row("r = n.to(tl.int64)", n.astype(i64)),
    row("r = m.to(tl.uint8)", m.astype(np.uint8)),
    row("r = m.to(tl.uint16)", m.astype(np.uint16)),
    row("r = m.to(tl.uint32)", m.astype(u32)),
    row("r = m.to(tl.uint64)", m.astype(np.uint64)),
    row("r = f.to(tl.float64)", f.astype(f64)),
    row("r = f.to(tl.float32)", f),
    row("r = f.to(tl.bfloat16).to(tl.float32)", narrowed(bf16)),
    row("r = f.to(tl.float8e5).to(tl.float32)", narrowed(ml_dtypes.float8_e5m2)),
    row("r = f.to(tl.float8e4nv).to(tl.float32)", narrowed(ml_dtypes.float8_e4m3fn)),
    row("r = f.to(tl.float8e4b8).to(tl.float32)", narrowed(ml_dtypes.float8_e4m3fnuz)),
    row("r = f.to(tl.float8e5b16).to(tl.float32)", narrowed(ml_dtypes.float8_e5m2fnuz)),
    row(
        "r = (i - 8).to(tl.float32).to(tl.float8e4b15).to(tl.float32)",
        np.clip(I - 8, -1.875, 1.875).astype(f32),
    ),
    row("r = tl.to_tensor(2.5)", f32(2.5)),
    row("r = tl.full((2, 4), 7, tl.uint16)", np.full((2, 4), 7, np.uint16)),
    row("r = tl.zeros((8,), tl.float64)", np.zeros(8)),
    row("r = tl.zeros_like(n)", np.zeros(16, i32)),
    row("r = tl.full((4,), 2, tl.pi32_t.element_ty)", np.full(4, 2, i32)),
    row("r = tl.full((4,), 1, tl.get_int_dtype(16, False))", np.full(4, 1, np.uint16)),
]

_scale = (2.0 ** (np.arange(16) % 4)).astype(f32)
_scaled = (np.where(I[:, None] == np.arange(32)[None, :] % 16, 1, 0) * 1.0).astype(f32)
PRODUCTS = [
    row("r = tl.dot(w, tl.trans(w), input_precision='ieee')", w @ w.T),
    row(
        "r = tl.dot(w.to(tl.float16), tl.trans(w).to(tl.float16), tl.full((4, 4), 1.0, tl.float32))",
        w.astype(np.float16).astype(f32) @ w.T.astype(np.float16).astype(f32) + 1,
    ),
    row("r = tl.dot(k.to(tl.int8), tl.trans(k).to(tl.int8))", k @ k.T),
    # e4m3 ones along a diagonal, scaled by powers of two: 56 is 1.0, the scale 127 is 2 ** 0.
    row(
        "ones = tl.where(i[:, None] == tl.arange(0, 32)[None, :] % 16, 56, 0).to(tl.uint8)\n"
        "scale = (127 + i % 4)[:, None].to(tl.uint8)\n"
        "r = tl.dot_scaled(ones, scale, 'e4m3', tl.trans(ones), None, 'e4m3')",
        (_scaled * _scale[:, None]) @ _scaled.T,
    ),
]


def philox_reference(offsets, seed, rounds=10):
    """Philox 4x32 in Python integers: four words for each offset."""
    mask = 2**32 - 1
    words = []
    for offset in offsets:
        c0, c1, c2, c3, k0, k1 = int(offset), 0, 0, 0, seed & mask, seed >> 32
        for _ in range(rounds):
            a, c = 0xD2511F53 * c0, 0xCD9E8D57 * c2
            c0, c1, c2, c3 = (c >> 32) ^ c1 ^ k0, c & mask, (a >> 32) ^ c3 ^ k1, a & mask
            k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
        words.append((c0, c1, c2, c3))
    return np.array(words, np.uint32).T


def uniform(words):
    signed = words.view(i32).astype(i64)
    return (np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10).astype(f32)


def normal(one, other):
    radius = np.sqrt(-2 * np.log(np.maximum(1e-7, one.astype(f64))))
    angle = 2 * np.pi * other.astype(f64)
    return (radius * np.cos(angle)).astype(f32), (radius * np.sin(angle)).astype(f32)


P = philox_reference(I, 42)
F = uniform(P)
_all = "r = tl.join(tl.join(p, q), tl.join(s, t))"
_joined = lambda p, q, s, t: np.stack([np.stack([p, q], -1), np.stack([s, t], -1)], -1)  # noqa: E731
RANDOM = [
    row(
        f"z = tl.full((16,), 0, tl.uint32)\np, q, s, t = tl.philox(42, i.to(tl.uint32), z, z, z)\n{_all}",
        _joined(*P),
    ),
    row(
        "z = tl.full((16,), 0, tl.uint32)\n"
        f"p, q, s, t = tl.philox_impl(i.to(tl.uint32), z, z, z, z + 42, z, 7)\n{_all}",
        _joined(*philox_reference(I, 42, 7)),
    ),
    row(f"p, q, s, t = tl.randint4x(42, i)\n{_all}", _joined(*P)),
    row("r = tl.randint(42, i)", P[0]),
    row(f"p, q, s, t = tl.rand4x(42, i)\n{_all}", _joined(*F)),
    row("r = tl.rand(42, i)", F[0]),
    row("r = tl.randint(42, i, tl.random.N_ROUNDS_DEFAULT)", P[0]),
    row("r = tl.uint_to_uniform_float(u)", uniform(u)),
    row("r, s = tl.pair_uniform_to_normal(g / 4, g / 3)", normal(g / 4, g / 3)[0], tolerance=1e-5),
    row("r = tl.randn(42, i)", normal(F[0], F[1])[0], tolerance=1e-5),
    row(
        f"p, q, s, t = tl.randn4x(42, i)\n{_all}",
        _joined(*normal(F[0], F[1]), *normal(F[2], F[3])),
        tolerance=1e-5,
    ),
]

ROWS = [*OPERATORS, *ELEMENTARY, *CHOICES, *CONVERSIONS, *PRODUCTS, *RANDOM]
