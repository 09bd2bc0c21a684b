"""Promotion and the cross-check as a user meets them.

No launch is applied twice, no kernel blamed for what it leaves open, and what proves nothing gives the
result of tier 0.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

import trisect as triton
import trisect.language as tl
from trisect.language.extra import libdevice

torch = pytest.importorskip("torch")

N = 4096
GRID = (N // 256,)


@pytest.fixture(autouse=True)
def default_settings(monkeypatch):
    for name in ("TRISECT_TIER", "TRISECT_CHECK", "TRITON_INTERPRET"):
        monkeypatch.delenv(name, raising=False)


def promoted(launch, reset=lambda: None, launches=6):
    """Launches until the compiled form has had its turn; the kernel of the last launch."""
    from trisect._C import runtime

    for _ in range(launches):
        reset()
        kernel = launch()
        runtime.wait_for_compiles()
    return kernel.function


def verdicts(kernel):
    return [event.verdict for event in kernel.events if event.verdict]


@triton.jit
def to_integers(o, x, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, (tl.exp(tl.load(x + i)) * 1e6).to(tl.int32))


def test_in_place_through_another_view_is_applied_once():
    values = torch.linspace(-3, 7, N)
    expected = values.clone()
    to_integers[GRID](expected.view(torch.int32), expected, BLOCK=256, tier="interp")
    b = values.clone()
    for _ in range(6):
        b.copy_(values)
        to_integers[GRID](b.view(torch.int32), b, BLOCK=256)
        from trisect._C import runtime

        runtime.wait_for_compiles()
        distance = (b.view(torch.int32).long() - expected.view(torch.int32).long()).abs()
        # One unit in the last place of exp; applied twice, nearly all elements would be far away.
        assert (distance <= expected.view(torch.int32).long() * 2**-22 + 1).all()


@triton.jit
def scaled(o, x, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i) * 3 + tl.exp(tl.load(y + i)))


def test_an_output_that_is_an_input_is_applied_once():
    x, y = torch.linspace(-3, 3, N), torch.linspace(-2, 2, N)
    for _ in range(6):
        out = x.clone()
        scaled[GRID](out, out, y, BLOCK=256)
        torch.testing.assert_close(out, x * 3 + torch.exp(y), rtol=1e-6, atol=1e-6)


def test_float_to_integer_of_a_function_is_no_difference():
    x, out = torch.linspace(-3, 7, N), torch.zeros(N, dtype=torch.int32)
    kernel = promoted(lambda: to_integers[GRID](out, x, BLOCK=256))
    assert verdicts(kernel) and "different" not in verdicts(kernel)


@triton.jit
def race(o, BLOCK: tl.constexpr):
    tl.store(o + tl.arange(0, BLOCK), tl.program_id(0))


def test_programs_that_race_are_no_difference(capfd):
    out = torch.zeros(64, dtype=torch.int32)
    kernel = promoted(lambda: race[(1000,)](out, BLOCK=64))
    assert set(verdicts(kernel)) == {"equal"} and kernel.tier == "cpu"
    assert "different" not in capfd.readouterr().err


@triton.jit
def lanes_race(o, x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + i // 16, tl.load(x + (i * 7919) % BLOCK))


def test_lanes_that_race_are_no_difference():
    out, x = torch.zeros(64), torch.rand(1024)
    kernel = promoted(lambda: lanes_race[(1,)](out, x, BLOCK=1024))
    assert verdicts(kernel) and "different" not in verdicts(kernel)


@triton.jit
def copied(o, x, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i))


@pytest.mark.parametrize("shift", [1, 8, 300])
def test_overlapping_arguments_are_no_difference(shift):
    buffer = torch.arange(N + shift, dtype=torch.float32)
    kernel = promoted(lambda: copied[GRID](buffer, buffer[shift:], BLOCK=256))
    assert set(verdicts(kernel)) == {"equal"} and kernel.tier == "cpu"
    kernel = promoted(lambda: copied[GRID](buffer[shift:], buffer, BLOCK=256))
    assert set(verdicts(kernel)) == {"equal"} and kernel.tier == "cpu"


@triton.jit
def exponential(o, x, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.exp(tl.load(x + i)))


@triton.jit
def root(o, x, e, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.sqrt(tl.exp(tl.load(x + i)) - tl.load(e + i)))


def test_nan_at_the_edge_of_a_domain_is_no_difference():
    x = torch.linspace(-3, 7, N)
    edge, out = torch.empty(N), torch.empty(N)
    exponential[GRID](edge, x, BLOCK=256, tier="interp")
    kernel = promoted(lambda: root[GRID](out, x, edge, BLOCK=256))
    assert verdicts(kernel) and "different" not in verdicts(kernel)


@triton.jit
def largest_read_back(o, t, x, BITS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(t + i, tl.max(tl.sqrt(tl.load(x + i)), 0) + tl.zeros([BLOCK], tl.float32))
    tl.store(o + i, tl.load(t.to(tl.pointer_type(BITS), bitcast=True) + i))


@pytest.mark.parametrize(
    "kind, bits",
    [("float64", "int64"), ("float64", "int32"), ("float32", "int32"), ("float32", "int16")],
)  # fmt: skip
def test_the_bits_of_a_nan_in_memory_are_no_difference(kind, bits):
    x, between = -torch.ones(256, dtype=getattr(torch, kind)), torch.zeros(256, dtype=getattr(torch, kind))
    out = torch.zeros(256, dtype=getattr(torch, bits))
    kernel = promoted(lambda: largest_read_back[(1,)](out, between, x, getattr(tl, bits), BLOCK=256))
    assert verdicts(kernel) and "different" not in verdicts(kernel)


@triton.jit
def shifted(o, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i) << n)


def test_undefined_values_are_no_difference():
    x, out = torch.arange(64, dtype=torch.int32), torch.zeros(64, dtype=torch.int32)
    kernel = promoted(lambda: shifted[(1,)](out, x, 40, BLOCK=64))
    assert verdicts(kernel) and "different" not in verdicts(kernel)


@triton.jit
def decided(o, v):
    if libdevice.erfc(tl.load(v).to(tl.float64)) * 1e19 % 2 < 1:
        tl.store(o, 1.0)
    else:
        tl.store(o, 2.0)


def test_what_proves_nothing_gives_the_result_of_tier_0(monkeypatch):
    """The last bit of erfc, which each tier has in its own way, decides which way the program goes."""
    monkeypatch.setenv("TRISECT_CHECK", "always")
    v, expected, out = torch.empty(1), torch.empty(1), torch.empty(1)
    for value in torch.linspace(2.31, 2.81, 400):
        v.fill_(value)
        decided[(1,)](expected, v, tier="interp")
        kernel = decided[(1,)](out, v, tier="cpu").function
        if verdicts(kernel)[-1] == "inconclusive":
            assert out.item() == expected.item()
    assert "inconclusive" in verdicts(kernel), "the example has lost its point"
    assert "different" not in verdicts(kernel)
    text = next(event.text for event in kernel.events if event.verdict == "inconclusive")
    assert "in doubt" in text and "tier 0 has run the launch" in text


@triton.jit
def special(o, v, n, WHICH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(v + i)
    if WHICH == "j0":
        r = libdevice.j0(x)
    elif WHICH == "j1":
        r = libdevice.j1(x)
    elif WHICH == "y0":
        r = libdevice.y0(x)
    elif WHICH == "y1":
        r = libdevice.y1(x)
    elif WHICH == "jn":
        r = libdevice.jn(n, x)
    elif WHICH == "yn":
        r = libdevice.yn(n, x)
    else:
        r = libdevice.lgamma(x)
    tl.store(o + i, r)


@pytest.mark.parametrize("which", ["j0", "j1", "y0", "y1", "jn", "yn", "lgamma"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_functions_near_their_zeros(which, dtype, monkeypatch):
    """Where the last place of a term is all that is left of a result."""
    monkeypatch.setenv("TRISECT_CHECK", "always")
    v = torch.linspace(0.1, 30 if which != "lgamma" else 3, N, dtype=dtype)
    results = [torch.empty(N, dtype=dtype) for _ in range(2)]
    for tier, out in zip(("interp", "cpu"), results, strict=True):
        kernel = special[GRID](out, v, 2, which, BLOCK=256, tier=tier).function
    assert "different" not in verdicts(kernel)
    assert torch.equal(*results) or dtype is torch.float32


@triton.jit
def chosen(o, v, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.where(libdevice.erfc(tl.load(v + i).to(tl.float64)) * 1e19 % 2 < 1, 1.0, 0.0))


def test_a_choice_in_doubt_lies_within_its_bound():
    v, out = torch.linspace(2.31, 2.81, N), torch.empty(N)
    kernel = promoted(lambda: chosen[GRID](out, v, BLOCK=256))
    assert set(verdicts(kernel)) == {"within bound"} and kernel.tier == "cpu"


@triton.jit
def increment(counter, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(o + i) + 1)
    tl.atomic_add(counter, 1)


@pytest.mark.parametrize("check", ["promote", "sample:2", "always", "off"])
@pytest.mark.parametrize("tier", ["auto", "cpu"])
def test_in_place_and_atomic_kernels_are_compared_and_applied_once(monkeypatch, tier, check):
    monkeypatch.setenv("TRISECT_TIER", tier)
    monkeypatch.setenv("TRISECT_CHECK", check)
    counter, out = torch.zeros(1, dtype=torch.int32), np.zeros(64, np.float32)
    kernel = promoted(lambda: increment[(1,)](counter, out, BLOCK=64))
    assert counter.item() == 6 and (out == 6).all()
    assert kernel.tier == "cpu" and set(verdicts(kernel)) <= {"equal"}


@triton.jit
def faulty(o, n):
    tl.device_assert(tl.program_id(0) < n, "too far")
    tl.store(o + tl.program_id(0), 1)


def test_a_fault_is_the_kernels_and_withdraws_nothing(monkeypatch):
    monkeypatch.setenv("TRISECT_TIER", "cpu")
    out = torch.zeros(8, dtype=torch.int32)
    with pytest.raises(triton.KernelFault, match="too far"):
        faulty[(8,)](out, 4, debug=True)
    kernel = faulty[(4,)](out, 4, debug=True).function
    assert kernel.tier == "cpu" and verdicts(kernel)[-1] == "equal"


@triton.jit
def masked(o, x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


def test_launches_beyond_what_was_compared_are_compared():
    x, out = torch.rand(N + 1), torch.empty(N + 1)
    kernel = promoted(lambda: masked[(1,)](out, x, 255, BLOCK=256))
    before = len(verdicts(kernel))
    assert kernel.tier == "cpu"
    masked[(1,)](out, x, 253, BLOCK=256)
    assert len(verdicts(kernel)) == before
    masked[(17,)](out, x, N + 1, BLOCK=256)
    assert verdicts(kernel)[before:] == ["equal"] and torch.equal(out, x + 1)


def test_autotuning_times_compiled_code_alone(monkeypatch):
    tiers = []

    def bench(call, quantiles):
        call()
        tiers.append(tuned.fn.device_caches and [k.function.tier for k in kernels_of(tuned.fn)])
        return [1.0] * 3

    def kernels_of(fn):
        return [kernel for caches in fn.device_caches.values() for kernel in caches.kernels.values()]

    @triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in (64, 128)], key=["n"], do_bench=bench)
    @triton.jit
    def tuned(o, x, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(o + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)

    x, out = torch.rand(N), torch.empty(N)
    tuned[lambda meta: (triton.cdiv(N, meta["BLOCK"]),)](out, x, N)
    assert tiers == [["cpu"], ["cpu", "cpu"]] and torch.equal(out, x + 1)
    assert all(set(verdicts(kernel.function)) == {"equal"} for kernel in kernels_of(tuned.fn))


@triton.jit
def shows(o, x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_print("sum", tl.sum(tl.load(x + i, mask=i < n, other=0.0)))
    for step in range(tl.program_id(0)):
        tl.device_print("step", step)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def shows_and_waits(turn):
    while tl.atomic_add(turn, 0) != tl.program_id(0):
        pass
    tl.device_print("turn", tl.program_id(0))
    tl.atomic_add(turn, 1)


@pytest.mark.parametrize("tier", [None, "cpu"])
@pytest.mark.parametrize("check", ["off", "promote", "sample:1", "always"])
def test_a_launch_prints_once_however_it_is_compared(capsys, monkeypatch, check, tier):
    monkeypatch.setenv("TRISECT_CHECK", check)
    if tier:
        monkeypatch.setenv("TRISECT_TIER", tier)
    x, o = np.ones(64, np.float32), np.zeros(64, np.float32)
    for n in (64, 64, 63, 8, 0, 64):  # paths that were never compared among them
        shows[(4,)](o, x, n, BLOCK=16)
        lines = sorted(line.partition(")")[2] for line in capsys.readouterr().out.splitlines())
        expected = [f" sum: {min(max(n - 16 * p, 0), 16)}" for p in range(4)]
        steps = [f" step: {step}" for p in range(4) for step in range(p)]
        assert sorted(line.removesuffix(".0") for line in lines) == sorted(expected + steps)
    for _ in range(3):
        shows_and_waits[(3,)](np.zeros(1, np.int32))
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(")")[2] for line in lines] == [f" turn: {p}" for p in range(3)]


PRINTS = """
import numpy as np
import trisect as triton
import trisect.language as tl

@triton.jit
def shows(x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.device_print("x", values)
    tl.store(x + tl.arange(0, BLOCK), values)

for _ in range(3):
    shows[(1,)](np.arange(4, dtype=np.float32), BLOCK=4)
"""


def test_what_a_kernel_prints_keeps_its_form_after_a_process_that_demanded_a_tier(tmp_path):
    (tmp_path / "prints.py").write_text(PRINTS)
    environment = {k: v for k, v in os.environ.items() if k not in ("TRISECT_TIER", "TRISECT_CHECK")}
    environment["TRITON_CACHE_DIR"] = str(tmp_path / "cache")
    lines = [f"pid (0, 0, 0) idx ({n}) x: {n}" for n in range(4)]
    for tier, expected in (("cpu", lines), ("auto", ["pid (0, 0, 0) x: [0. 1. 2. 3.]"])):
        for _ in range(2):
            said = subprocess.run(
                [sys.executable, tmp_path / "prints.py"],
                env=environment | {"TRISECT_TIER": tier},
                capture_output=True,
                text=True,
                check=True,
            )
            assert said.stdout.splitlines() == 3 * expected
