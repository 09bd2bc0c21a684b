"""Numbers of 8 bits widened in compiled code are as in tier 0: all of them, at every level of x86-64."""

import numpy as np
import pytest

import kernels
import trisect
import trisect.language as tl
from kernels import ARCHS

FORMATS = ["float8e5", "float8e4nv", "float8e5b16", "float8e4b8"]
WIDE = ["float16", "float32", "float64"]


@trisect.jit
def widen(x_ptr, out_ptr, FROM: tl.constexpr, TO: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets).to(FROM, bitcast=True).to(TO))


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("to", WIDE)
@pytest.mark.parametrize("source", FORMATS)
def test_widening(source, to, arch):
    x = np.arange(256, dtype=np.uint8)

    def run(block, **options):
        out = np.empty(256, to)
        types = getattr(tl, source), getattr(tl, to)
        widen[(256 // block,)](x, out, *types, BLOCK=block, **options)
        return out

    want = run(256, tier="interp")
    for block in (256, 1):
        kernels.assert_same(run(block, tier="cpu", arch=arch), want, x)
