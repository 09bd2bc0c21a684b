"""What the CPU tier once refused: prints, libdevice, inline PTX and helpers that return early, compiled."""

import shutil

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice


@pytest.fixture(autouse=True)
def as_compiled(monkeypatch):
    """A comparison must not stand in for a wrong result."""
    monkeypatch.setenv("TRISECT_CHECK", "off")


@triton.jit
def printing(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.device_print("value", tl.load(x + i))


@pytest.mark.parametrize("where", ["process", "launch"])
def test_a_print_is_a_line_for_each_element(capfd, monkeypatch, where):
    monkeypatch.setenv("TRISECT_TIER", "cpu" if where == "process" else "auto")
    named = {"tier": "cpu"} if where == "launch" else {}
    printing[(2,)](np.array([1.5, -2, 3, 4], np.float32), 4, **named)
    lines = capfd.readouterr().out.splitlines()
    for pid in (0, 1):
        assert f"pid ({pid}, 0, 0) idx (1) value: -2" in lines


@triton.jit
def special(o, x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=1.0)
    tl.store(o + i, libdevice.erfinv(v) + libdevice.hypot(v, 2.0), mask=i < n)


@pytest.mark.parametrize("n", [64, 50])
def test_functions_of_the_runtime(n):
    x = np.linspace(-0.9, 0.9, 64).astype(np.float32)
    results = {}
    for tier in ("interp", "cpu"):
        results[tier] = np.zeros(64, np.float32)
        special[(1,)](results[tier], x, n, 64, tier=tier)
    np.testing.assert_array_max_ulp(results["cpu"], results["interp"], 2)
    assert not results["cpu"][n:].any() and results["cpu"][:n].all()


@triton.jit
def clipped(v):
    if v < 0:
        return v * 0
    if v > 10:
        return v * 0 + 10
    return v


@triton.jit
def looping(o, x, n):
    for k in range(n):
        tl.store(o + k, clipped(tl.load(x + k)))


def test_a_helper_that_returns_early_in_a_loop():
    x, out = np.arange(-8, 24, dtype=np.int32), np.zeros(32, np.int32)
    looping[(1,)](out, x, 32, tier="cpu")
    np.testing.assert_array_equal(out, np.clip(x, 0, 10))


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_a_library_does_not_call_this_process():
    source = triton.compiler.ASTSource(
        special, {"o": "*fp32", "x": "*fp32", "n": "i32", "B": "constexpr"}, {"B": 64}
    )
    with pytest.raises(triton.Unsupported, match="leaves this process"):
        triton.compile(source).asm["so"]


@triton.jit
def either(x, y, turned):
    if turned > 0:
        return x + 1
    return x - y


@triton.jit
def sorted_then_either(numbers, narrow, out, N: tl.constexpr):
    pid = tl.program_id(0)
    at = pid * N + tl.arange(0, N)
    x = tl.load(numbers + at)
    tl.store(narrow + at, tl.sort(tl.load(narrow + at).to(tl.int16)))
    tl.store(out + at, either(tl.sort(x), x, pid))


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.int8])
@pytest.mark.parametrize("size", [64, 1024])
def test_a_sort_of_the_same_steps_twice_before_a_branch(size, dtype):
    """Steps that come again are a function of their own; a branch lets what stores write over be kept."""
    numbers = np.random.default_rng(0).integers(-100, 100, (3, size)).astype(dtype)
    narrow, out = numbers.astype(np.int32), np.zeros_like(numbers)
    sorted_then_either[(3,)](numbers, narrow, out, size, tier="cpu")
    wanted = np.sort(numbers, axis=1)
    assert (narrow == wanted).all()
    assert (out == np.stack([wanted[0] - numbers[0], wanted[1] + 1, wanted[2] + 1]).astype(dtype)).all()
