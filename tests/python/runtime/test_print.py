"""What kernels print: program id, NumPy's layout, f-strings, bits, order, budget."""

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl

RANDOM = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "interp")


@triton.jit
def show(x, N: tl.constexpr):
    tl.device_print("x", tl.load(x + tl.arange(0, N)))


@triton.jit
def show_plane(x, M: tl.constexpr, N: tl.constexpr):
    tl.device_print("x", tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]))


@triton.jit
def show_cube(x, K: tl.constexpr):
    tl.device_print("x", tl.reshape(tl.load(x + tl.arange(0, K * K * K)), (K, K, K)))


@triton.jit
def show_scalar(x):
    tl.device_print("x", tl.load(x))


def printed(capsys, call):
    call()
    return capsys.readouterr().out


def samples(dtype):
    """Arrays that take NumPy through all of its layouts."""
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        yield RANDOM.integers(0, 10, 16).astype(dtype)
        yield RANDOM.integers(info.min, info.max, 64, dtype=dtype)
        return
    yield np.arange(16).astype(dtype)
    yield np.linspace(-1, 1, 32).astype(dtype)
    yield RANDOM.standard_normal(64).astype(dtype)
    yield (RANDOM.standard_normal(32) * np.exp2(RANDOM.uniform(-12, 14, 32))).astype(dtype)
    yield np.array([0, -0.0, np.nan, np.inf, -np.inf, 1.5, 2, -3], dtype)
    yield np.array([np.nan, np.inf] * 4, dtype)
    yield np.array([1e-5, 1, 2, 3] if dtype != np.float16 else [6e-5, 1, 2, 3], dtype)
    yield np.zeros(8, dtype)
    yield np.array([1e-4, 0.05, 0.1, 0.0999], dtype)
    if dtype != np.float16:
        yield np.array([1e8, 1.0, -1e30, 1e-30], dtype)


DTYPES = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32]


@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_look_as_in_numpy(capsys, dtype):
    for x in samples(dtype):
        text = printed(capsys, lambda x=x: show[(1,)](x, x.size))
        shown = str(x)
        between = "\n" if "\n" in shown else ""
        assert text == f"pid (0, 0, 0) x: {between}{shown}\n", repr(x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_planes_cubes_and_shortened_blocks(capsys, dtype):
    values = RANDOM.integers(0, 100, 2048).astype(dtype)
    plane, cube = values[:128].reshape(8, 16), values[:64].reshape(4, 4, 4)
    assert printed(capsys, lambda: show_plane[(1,)](plane, 8, 16)) == f"pid (0, 0, 0) x: \n{plane}\n"
    assert printed(capsys, lambda: show_cube[(1,)](cube, 4)) == f"pid (0, 0, 0) x: \n{cube}\n"
    assert printed(capsys, lambda: show[(1,)](values, 2048)) == f"pid (0, 0, 0) x: {values}\n"
    large = values.reshape(32, 64)
    assert printed(capsys, lambda: show_plane[(1,)](large, 32, 64)) == f"pid (0, 0, 0) x: \n{large}\n"


@pytest.mark.parametrize("value", [0, 1, -2.5, 0.1, 1e-5, 1e16, 123456.789, np.inf, np.nan, 1e-4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scalars_look_as_in_python(capsys, dtype, value):
    x = np.array([value], dtype)
    assert printed(capsys, lambda: show_scalar[(1,)](x)) == f"pid (0, 0, 0) x: {x[0]!s}\n"


def test_f_strings_values_and_bits(capsys):
    @triton.jit
    def kernel(x, N: tl.constexpr):
        i = tl.arange(0, N)
        pid = tl.program_id(0)
        print(i)
        print(f"block {N}: {i} of {{pid}} {pid}", pid + 1)
        print("plain", i, pid)
        print(f"bits {pid:x}")
        tl.device_print("hex", i, hex=True)
        print(f"constant {N}")
        print(i < 2, i.to(tl.bfloat16))

    kernel[(1,)](np.zeros(4, np.int32), 4)
    assert capsys.readouterr().out.splitlines() == [
        "pid (0, 0, 0) [0 1 2 3]",
        "pid (0, 0, 0) block 4: [0 1 2 3] of {pid} 0 1",
        "pid (0, 0, 0) plain: [0 1 2 3] 0",
        "pid (0, 0, 0) bits 0x00000000",
        "pid (0, 0, 0) hex: [0x00000000 0x00000001 0x00000002 0x00000003]",
        "pid (0, 0, 0) constant 4",
        "pid (0, 0, 0) [ True  True False False] [0. 1. 2. 3.]",
    ]


def test_a_seed_orders_output_by_program(capsys, monkeypatch):
    @triton.jit
    def kernel(turns):
        pid = tl.program_id(0)
        tl.device_print("first", pid)
        tl.atomic_add(turns, 1)
        tl.device_print("second", pid)

    for seed in range(5):
        monkeypatch.setenv("TRISECT_SEED", str(seed))
        text = printed(capsys, lambda: kernel[(20,)](np.zeros(1, np.int32)))
        assert text.splitlines() == [
            f"pid ({pid}, 0, 0) {word}: {pid}" for pid in range(20) for word in ("first", "second")
        ]


def test_a_launch_prints_at_most_one_mebibyte(capsys):
    @triton.jit
    def kernel(n):
        for i in range(n):
            tl.device_print("i", i)

    kernel[(2,)](60000)
    text = capsys.readouterr().out
    assert 1 << 19 < len(text) < (1 << 20) + 100
    assert text.splitlines()[-1] == "(the kernel prints more than 1 MiB; the rest is left out)"


def test_output_before_a_fault_is_shown(capsys, monkeypatch):
    @triton.jit
    def kernel(x):
        tl.device_print("before", tl.program_id(0))
        tl.store(x + (1 << 45), 1)

    for seed in ("", "1"):
        monkeypatch.setenv("TRISECT_SEED", seed)
        with pytest.raises(triton.KernelFault):
            kernel[(1,)](np.zeros(1, np.int32))
        assert capsys.readouterr().out == "pid (0, 0, 0) before: 0\n"
