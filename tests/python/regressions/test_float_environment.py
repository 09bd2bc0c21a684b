"""Programs flush subnormals, round elsewhere or trap: a kernel's result does not hang on it, and they keep
their settings."""

import ctypes
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

torch = pytest.importorskip("torch")
SUBNORMAL = 1e-39
#: Made now, while nothing is flushed.
SUBNORMAL_BITS = np.float32(SUBNORMAL).view(np.int32)
TWICE = np.full(512, 2 * SUBNORMAL, np.float32)
WANTED = (TWICE * np.float32(0.5)).view(np.int32)
assert SUBNORMAL_BITS and WANTED.all()
UPWARD, NEAREST = 0x800, 0


@triton.jit
def scaled(x, out, factor, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + at, tl.load(x + at) * factor)


@pytest.fixture
def flushing():
    """As programs do that ask for speed."""
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor does not flush subnormals")
    yield
    torch.set_flush_denormal(False)


def flushes():
    return (torch.full((1,), 2e-39) * 0.5).view(torch.int32).item() == 0


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("tier", ["interp", "cpu", "auto"])
def test_subnormals_stay(monkeypatch, flushing, tier, threads):
    monkeypatch.setenv("TRISECT_TIER", tier)
    monkeypatch.setenv("TRISECT_THREADS", threads)
    x, out = torch.from_numpy(TWICE), torch.zeros(512)
    for _ in range(4):
        out.zero_()
        scaled[(32,)](x, out, 0.5, N=16)
        assert (out.numpy().view(np.int32) == WANTED).all()
        assert flushes()


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_a_subnormal_argument_stays(monkeypatch, flushing, tier):
    monkeypatch.setenv("TRISECT_TIER", tier)
    for launches in range(3):  # cold and warm
        out = torch.zeros(16)
        scaled[(1,)](torch.ones(16), out, SUBNORMAL, N=16)
        assert (out.view(torch.int32).numpy() == SUBNORMAL_BITS).all(), launches


@pytest.mark.parametrize("tier", ["interp", "cpu"])
def test_rounding_is_to_nearest(monkeypatch, tier):
    monkeypatch.setenv("TRISECT_TIER", tier)
    libm = ctypes.CDLL("libm.so.6")
    x = np.linspace(1, 2, 512, dtype=np.float32)
    wanted, out = x * np.float32(0.1), np.zeros(512, np.float32)
    try:
        for launches in range(3):
            libm.fesetround(UPWARD)
            scaled[(32,)](x, out, 0.1, N=16)
            mode = libm.fegetround()
            libm.fesetround(NEAREST)
            assert mode == UPWARD
            assert (out == wanted).all(), launches
    finally:
        libm.fesetround(NEAREST)


def test_a_program_that_traps_lives_on():
    """Where invalid operations raise SIGFPE, a kernel's NaN does not."""
    script = """
        import ctypes, os
        import numpy as np
        import trisect as triton
        import trisect.language as tl

        @triton.jit
        def quotients(x, out, N: tl.constexpr):
            at = tl.program_id(0) * N + tl.arange(0, N)
            tl.store(out + at, tl.load(x + at) / tl.load(x + at))

        x, out = np.zeros(64, np.float32), np.ones(64, np.float32)
        for tier in ("interp", "cpu"):
            os.environ["TRISECT_TIER"] = tier
            for _ in range(2):
                ctypes.CDLL("libm.so.6").feenableexcept(1)
                quotients[(4,)](x, out, N=16)
                ctypes.CDLL("libm.so.6").fedisableexcept(1)
                print(tier, np.isnan(out).all())
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["interp", "True"] * 2 + ["cpu", "True"] * 2, done.stderr
