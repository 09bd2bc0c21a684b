"""Rows of behaviour: memory, atomics, programs, loops, checks, assembly, library symbols, aggregates."""

import numpy as np
from behaviour import INPUTS, I, row

f, g, d, h, b, n, m, u, w, k = INPUTS.values()
i32, f32 = np.int32, np.float32
Z = np.zeros

MEMORY = [
    row("r = tl.load(N + i, mask=i < 5, other=7)", np.where(I < 5, n, 7)),
    row("r = tl.load(F + i, cache_modifier='.ca', eviction_policy='evict_last', volatile=True)", f),
    row("tl.store(O + i, n, mask=i < 5)", np.where(I < 5, n, 0)),
    row(
        "p = tl.make_block_ptr(W, (4, 8), (8, 1), (0, 0), (2, 4), (1, 0))\n"
        "r = tl.load(tl.advance(p, (3, 2)), boundary_check=(0, 1), padding_option='zero')",
        np.stack([w[3, 2:6], Z(4, f32)]),
    ),
    row(
        "p = tl.make_tensor_descriptor(W, (4, 8), (8, 1), (2, 4))\nr = p.load([1, 6])",
        np.stack([[*w[1, 6:], 0, 0], [*w[2, 6:], 0, 0]]).astype(f32),
    ),
    row(
        "p = tl.make_tensor_descriptor(W, (4, 8), (8, 1), (2, 4))\nr = tl.load_tensor_descriptor(p, [0, 4])",
        w[:2, 4:],
    ),
    row(
        "p = tl.make_tensor_descriptor(O, (4, 8), (8, 1), (2, 4))\n"
        "tl.store_tensor_descriptor(p, [2, 0], tl.reshape(tl.arange(0, 8), (2, 4)).to(tl.float32))",
        np.vstack([Z((2, 8)), np.hstack([np.arange(8).reshape(2, 4), Z((2, 4))])]).astype(f32),
    ),
]


ATOMICS = [
    row("tl.atomic_add(O + i % 4, n)", n.reshape(4, 4).sum(0).astype(i32)),
    row("tl.atomic_add(O + i, f, mask=f > 0, sem='relaxed', scope='cta')", np.where(f > 0, f, 0)),
    row("tl.atomic_max(O + i % 4, n)", n.reshape(4, 4).max(0), start=-5000),
    row("tl.atomic_min(O + i % 4, n)", n.reshape(4, 4).min(0), start=5000),
    row("tl.atomic_and(O + i % 4, n)", np.bitwise_and.reduce(n.reshape(4, 4)), start=-1),
    row("tl.atomic_or(O + i % 4, n)", np.bitwise_or.reduce(n.reshape(4, 4))),
    row("tl.atomic_xor(O + i % 4, n)", np.bitwise_xor.reduce(n.reshape(4, 4))),
    row("old = tl.atomic_xchg(O + i, n)\ntl.store(O + i, old + n)", n + 9, start=9),
    row(
        "old = tl.atomic_cas(O + i, tl.where(i < 5, 9, 8), n)\ntl.static_assert(old.dtype == tl.int32)",
        np.where(I < 5, n, 9),
        start=9,
    ),
    row("r = tl.atomic_load(N + i)", n),
    row("tl.atomic_store(O + i, n)", n),
    row("r = tl.atomic_poll(M + i, m)", np.ones(16, bool)),
    row("r = tl.atomic_poll(M + i, m + (i % 2), timeout_ns=1000)", I % 2 == 0),
]

PROGRAMS = [
    row(
        "x = tl.program_id(0) + 2 * tl.program_id(1) + 6 * tl.program_id(2)\n"
        "tl.store(O + x, tl.num_programs(0) * 100 + tl.num_programs(1) * 10 + tl.num_programs(2))",
        np.full(12, 232, i32),
        grid=(2, 3, 2),
    ),
    row("s = 0\nfor t in tl.range(1, 10, 2, num_stages=2):\n    s += t * t\nr = s", i32(165)),
    row("s = 0\nfor t in tl.static_range(4):\n    s += t\nr = s", i32(6)),
    row(
        "x = tl.program_id(0) + 1\nwhile tl.condition(x < 50, disable_licm=True):\n    x *= 3\nr = x", i32(81)
    ),
    row("tl.debug_barrier()\nr = f", f),
    row("tl.assume(tl.num_programs(0) == 1)\nr = f", f),
    row("tl.static_assert(f.dtype == tl.float32, 'a float')\nr = f", f),
]

CALLS = [
    row("r = copysign(f, g - 1)", np.copysign(f, g - 1)),
    row("r = rounded(f)", np.rint(f)),
    row("r = promoted(n, f)", n.astype(f32)),
    row("r = twice(f, tl.constexpr(3))", f * 3),
    row(
        "asm: tl.constexpr = 'fma.rn.f32 $0, $1, $2, $3;'\n"
        "r = tl.inline_asm_elementwise(asm, '=f,f,f,f', [f, g, f], tl.float32, True, 1)",
        f * g + f,
    ),
    row("p = Pair(f, g)\nr = p.total()", f + g),
    row("r = tl.aggregate_replace(Pair(f, g), second=f).total()", f + f),
    row("p = tl.tuple([f, g])\nr = p[0] - p[1]", f - g),
]

ROWS = [*MEMORY, *ATOMICS, *PROGRAMS, *CALLS]
