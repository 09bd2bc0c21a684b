"""The harness of ./dev clients: what it calls wrong, and which failures it excuses."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
CLIENTS = Path(__file__).resolve().parents[2] / "clients"
BENCH = CLIENTS.parents[1] / "bench"


@pytest.fixture(scope="module", autouse=True)
def on_path():
    sys.path[:0] = [str(CLIENTS), str(BENCH)]
    yield
    sys.path.remove(str(CLIENTS))
    sys.path.remove(str(BENCH))


def wrong(got, want, dtype=torch.float32, length=1, roundings=2.0):
    from compare import difference

    case = SimpleNamespace(dtype=dtype, length=length, roundings=roundings, scale=0.0)
    return difference(case, "output", got, want)


def test_a_few_roundings_pass_and_more_do_not():
    want = torch.tensor([1.0, 2.0, -3.0], dtype=torch.float64)
    assert wrong(want.float() + 1e-6, want) is None
    assert "output[2]" in wrong(torch.tensor([1.0, 2.0, -3.001]), want)
    assert wrong(want.bfloat16(), want, torch.bfloat16) is None
    assert "1 of 3 elements" in wrong(torch.tensor([1.0, 2.5, -3.0]).bfloat16(), want, torch.bfloat16)


def test_longer_sums_may_be_further_off():
    want = torch.ones(4, dtype=torch.float64)
    got = want.float() + 2e-5
    assert wrong(got, want) is not None and wrong(got, want, length=100) is None


def test_special_values_must_stand_where_they_belong():
    special = torch.tensor([float("nan"), float("inf"), 1.0], dtype=torch.float64)
    assert wrong(special.float(), special) is None
    assert wrong(torch.tensor([1.0, float("inf"), 1.0]), special) is not None
    assert wrong(torch.tensor([float("nan"), float("-inf"), 1.0]), special) is not None


def test_integers_shapes_and_missing_gradients_are_exact():
    assert wrong(torch.tensor([1, 2]), torch.tensor([1, 2])) is None
    assert wrong(torch.tensor([1, 3]), torch.tensor([1, 2])) is not None
    assert "has shape" in wrong(torch.zeros(2), torch.zeros(2, 1))
    assert "None" in wrong(None, torch.zeros(2))


def test_a_failure_is_excused_by_its_own_words_only():
    from known import load, reason_of

    entries = load()
    assert entries
    entry = {"library": "x", "case": "f *", "failure": "no such|never", "reason": "r", "evidence": "e"}
    record = {"library": "x", "case": "f float32", "why": "no such kernel"}
    assert reason_of(record, [entry]) is entry
    assert reason_of(record | {"why": "output[0] is 1"}, [entry]) is None
    assert reason_of(record | {"case": "g float32"}, [entry]) is None


def test_a_worker_that_dies_or_hangs_costs_one_case(tmp_path, monkeypatch):
    import suite

    worker = tmp_path / "worker.py"
    worker.write_text(
        "import json, os, sys, time\n"
        "say = lambda **facts: print(json.dumps(facts), flush=True)\n"
        "say(cases=['good', 'dies', 'hangs', 'last'], library='x')\n"
        "for index in range(int(sys.argv[2]), 4):\n"
        "    say(start=index)\n"
        "    if index == 1: os._exit(3)\n"
        "    if index == 2: time.sleep(60)\n"
        "    say(record={'case': index, 'outcome': 'passed'})\n"
    )
    monkeypatch.setattr(suite, "HERE", tmp_path)
    head, *records = suite.run_suite("any", [], 5.0, tmp_path / "log")
    assert head["cases"] == ["good", "dies", "hangs", "last"]
    assert [record["outcome"] for record in records] == ["passed", "failed", "failed", "passed"]
    assert "status 3" in records[1]["why"] and "longer than 5 s" in records[2]["why"]


def test_the_kernels_of_a_case_are_timed_once_and_leave_no_trace(monkeypatch):
    for name in ("TRISECT_TIER", "TRISECT_CHECK"):
        monkeypatch.setenv(name, "")
    import both_tiers
    import trisect
    import trisect.language as tl
    from pace import Pace

    @trisect.jit
    def grow(x, BY: tl.constexpr):
        at = tl.arange(0, 16)
        tl.store(x + at, tl.load(x + at) + BY)

    def run(x):
        for by in (1, 2, 1):
            grow[(1,)](x, BY=by)
        results.append(x)
        return x

    monkeypatch.setattr(both_tiers, "MOST", 5)
    results, pace = [], Pace()
    inputs = lambda: (torch.zeros(16),)  # noqa: E731
    case = SimpleNamespace(library="own", name="grow", run=run, inputs=inputs, backward=False)
    first, again = pace(case), pace(case)
    assert [row["name"] for row in first["kernels"]] == ["grow", "grow"] and "why" not in first
    assert all(set(row["samples"]) == {"interp", "cpu"} for row in first["kernels"])
    assert again["kernels"] == []
    assert all(bool((result == 4).all()) for result in results) and len(results) == 4

    case.run = lambda x: grow[(1,)](None, BY=1)
    failed = pace(case)
    assert failed["kernels"] == [] and failed["why"]
