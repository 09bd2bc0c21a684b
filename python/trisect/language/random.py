"""Counter-based random numbers: Philox 4x32 and 4x64.

What: the same seed and offset give the same number on every tier, whatever the grid. Ten rounds by default.
"""

from ..runtime.jit import jit
from . import core as tl
from . import math

N_ROUNDS_DEFAULT = tl.constexpr(10)


@jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Philox rounds on explicit counter and key words."""
    if c0.dtype == tl.uint32:
        key_a: tl.constexpr = 0x9E3779B9
        key_b: tl.constexpr = 0xBB67AE85
        round_a: tl.constexpr = 0xD2511F53
        round_b: tl.constexpr = 0xCD9E8D57
    else:
        tl.static_assert(c0.dtype == tl.uint64, "dtype not supported in philox_impl")
        key_a: tl.constexpr = 0x9E3779B97F4A7C15
        key_b: tl.constexpr = 0xBB67AE8584CAA73B
        round_a: tl.constexpr = 0xD2E7470EE14C6C93
        round_b: tl.constexpr = 0xCA5A826395121157
    for _ in tl.static_range(n_rounds):
        a, b = c0, c2
        c0 = math.umulhi(round_b, b) ^ c1 ^ k0
        c2 = math.umulhi(round_a, a) ^ c3 ^ k1
        c1 = tl.mul(b, round_b, sanitize_overflow=False)
        c3 = tl.mul(a, round_a, sanitize_overflow=False)
        k0 = tl.add(k0, key_a, sanitize_overflow=False)
        k1 = tl.add(k1, key_b, sanitize_overflow=False)
    return c0, c1, c2, c3


@jit
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Philox 4x32/4x64 counter-based generator from a 64-bit seed and counter."""
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int())
    seed = seed.to(tl.uint64)
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)
    if c0.dtype.primitive_bitwidth == 32:
        word: tl.constexpr = tl.uint32
        low = (seed & 0xFFFFFFFF).to(tl.uint32)
        high = ((seed >> 32) & 0xFFFFFFFF).to(tl.uint32)
    else:
        tl.static_assert(c0.dtype.primitive_bitwidth == 64, "bitwidth not supported in philox")
        word: tl.constexpr = tl.uint64
        low = seed
        high = tl.full((1,), 0, tl.uint64)
    return philox_impl(
        c0.to(word, bitcast=True),
        c1.to(word, bitcast=True),
        c2.to(word, bitcast=True),
        c3.to(word, bitcast=True),
        low,
        high,
        n_rounds,
    )


@jit
def randint(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Random 32-bit integers from seed and offsets."""
    first, _, _, _ = randint4x(seed, offset, n_rounds)
    return first


@jit
def randint4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four random integer blocks per call; the cheapest entry point."""
    offset_lo = offset.to(tl.uint32)
    zero = offset_lo * 0
    if offset.dtype.primitive_bitwidth > 32:
        offset_hi = (offset >> 32).to(tl.uint32)
    else:
        offset_hi = zero
    return philox(seed, offset_lo, offset_hi, zero, zero, n_rounds)


@jit
def uint_to_uniform_float(x):
    """Maps random integers to uniform floats in [0,1)."""
    if x.dtype == tl.uint32 or x.dtype == tl.int32:
        x = x.to(tl.int32, bitcast=True)
        scale: tl.constexpr = 4.6566127342e-10
    else:
        tl.static_assert(x.dtype == tl.uint64 or x.dtype == tl.int64)
        x = x.to(tl.int64, bitcast=True)
        scale: tl.constexpr = 1.0842020432385337e-19
    x = tl.where(x < 0, -x - 1, x)
    return x * scale


@jit
def rand(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Uniform floats in [0,1) from seed and offsets."""
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@jit
def rand4x(seed, offsets, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four uniform float blocks per call."""
    a, b, c, d = randint4x(seed, offsets, n_rounds)
    return (
        uint_to_uniform_float(a),
        uint_to_uniform_float(b),
        uint_to_uniform_float(c),
        uint_to_uniform_float(d),
    )


@jit
def pair_uniform_to_normal(u1, u2):
    """Turns two uniforms into two standard normals (Box-Muller)."""
    u1 = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = math.sqrt(-2.0 * math.log(u1))
    return radius * math.cos(angle), radius * math.sin(angle)


@jit
def randn(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Standard normal floats from seed and offsets."""
    first, second, _, _ = randint4x(seed, offset, n_rounds)
    normal, _ = pair_uniform_to_normal(uint_to_uniform_float(first), uint_to_uniform_float(second))
    return normal


@jit
def randn4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four standard normal blocks per call."""
    a, b, c, d = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(a, b)
    n3, n4 = pair_uniform_to_normal(c, d)
    return n1, n2, n3, n4
