"""Launches and programs that write nothing: a kernel that is trusted, or that will be, stays as it is.

Why: an empty batch is nothing rare. A comparison of it shows nothing; after sixteen of them a kernel was left
to tier 0 for good, however often it had been found equal. Nor is a grid larger than its data: a single
program, compared now and then, that had nothing to write sent the whole launch to tier 0.
"""

import numpy as np

import trisect
import trisect.language as tl


@trisect.jit
def scaled(x_ptr, out_ptr, n, SCALE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * SCALE, mask=i < n)


def launch(scale, n, times):
    x = np.arange(64, dtype=np.float32) + 1
    for _ in range(times):
        out = np.zeros_like(x)
        made = scaled[(4,)](x, out, n, SCALE=scale, BLOCK=16)
        assert (out[:n] == x[:n] * scale).all() and not out[n:].any()
        trisect._C.runtime.wait_for_compiles()
    return made.function


def test_after_it_is_trusted():
    assert launch(2, 48, 8).tier == "cpu"
    launch(2, 0, 60)
    function = launch(2, 48, 1)
    assert function.tier == "cpu", function.events
    assert len(function.events) < 40, "not each of them is compared"


def test_before():
    launch(3, 0, 60)
    function = launch(3, 48, 40)
    assert function.tier == "cpu", function.events


@trisect.jit
def halves(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n:
        return
    i = start + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    for _ in range(400):
        x = x * 0.5 + 1.0
    tl.store(out_ptr + i, x, mask=i < n)


def test_programs_beyond_the_data():
    x = np.ones(1 << 15, np.float32)
    out, tiers = np.empty_like(x), []
    for _ in range(400):
        made = halves[(4096,)](x, out, x.size, BLOCK=1024).function
        trisect._C.runtime.wait_for_compiles()
        tiers.append(made.tier)
    others = [launch for launch, tier in enumerate(tiers) if launch >= 4 and tier != "cpu"]
    assert not others, [event.text for event in made.events]
    assert len(made.events) < 40, "spot comparisons without a result are no news"


@trisect.jit
def middle(x_ptr, out_ptr, first, last):
    pid = tl.program_id(0)
    if pid < first or pid >= last:
        return
    i = (pid - first) * 16 + tl.arange(0, 16)
    tl.store(out_ptr + i, tl.load(x_ptr + i) + 1)


def test_few_programs_that_are_no_corners():
    x = np.arange(160, dtype=np.float32)
    for _ in range(40):
        out = np.zeros_like(x)
        made = middle[(1000,)](x, out, 495, 505).function
        assert (out == x + 1).all()
        trisect._C.runtime.wait_for_compiles()
    assert made.tier == "cpu", made.events
