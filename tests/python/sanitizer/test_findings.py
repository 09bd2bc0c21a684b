"""Real findings through every switch: blocks, launch options, the environment, policies."""

import os
import subprocess
import sys

import pytest

import trisect as triton
import trisect.language as tl
from trisect import KernelFault, sanitize

torch = pytest.importorskip("torch")


@triton.jit
def racing(total, x, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + offsets), axis=0)
    tl.store(total, tl.load(total) + part)


def launch(programs=3, **options):
    total = torch.zeros(1)
    racing[(programs,)](total, torch.ones(programs * 8), BLOCK=8, **options)
    return total


#: What three programs that race leave behind: of each at least its own part.
RACED = (8, 16, 24)


@triton.jit
def two_mistakes(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offsets + 1)
    tl.store(out + offsets + 1, value)


def test_a_block_stops_at_the_first():
    with pytest.raises(KernelFault) as caught:
        with sanitize() as session:
            launch()
    fault = caught.value
    assert (fault.kind, fault.kernel, fault.details["tensor"]) == ("race", "racing", "total")
    assert fault.finding.grid == (3, 1, 1)
    held = dict(fault.finding.variables)
    assert held["part"] == "f32 8.0" and held["offsets"].startswith("i32[8] [")
    assert fault.file == __file__ and session.findings == [fault.finding]


@triton.jit
def two_to_one(out):
    lanes = tl.arange(0, 2)
    tl.store(out + lanes * 0, lanes + 200)


@pytest.mark.parametrize(
    "dtype, shown", [(torch.uint8, "200 and 201"), (torch.int8, "-56 and -55"), (torch.int16, "200 and 201")]
)
def test_values_have_the_sign_of_their_tensor(dtype, shown):
    with pytest.raises(KernelFault, match=f"write {shown} to one address"):
        with sanitize("store-conflict"):
            two_to_one[(1,)](torch.zeros(4, dtype=dtype))


def test_outside_of_blocks_nothing_is_looked_for():
    with sanitize("race", policy=3):
        pass
    assert launch().item() in RACED


def test_a_launch_chooses_for_itself():
    with pytest.raises(KernelFault):
        launch(sanitize="race")
    with sanitize("race"):
        assert launch(sanitize="off").item() in RACED
        assert launch(sanitize=["misaligned", "out-of-bounds"]).item() == 24


def test_findings_are_collected_with_counts():
    x, out = torch.zeros(32), torch.zeros(32)
    with sanitize(policy=5) as session:
        two_mistakes[(4,)](x, out, BLOCK=8)
        two_mistakes[(4,)](x, out, BLOCK=8)
    kinds = [(finding.kind, finding.tensor.name, finding.count) for finding in session]
    assert kinds == [("out-of-bounds", "x", 2), ("out-of-bounds", "out", 2)]
    assert [finding.program_id for finding in session] == [(3, 0, 0)] * 2


def test_a_finding_knows_what_was_touched():
    x, out = torch.zeros(4, 8), torch.zeros(32)
    with sanitize(policy=5) as session:
        two_mistakes[(4,)](x, out, BLOCK=8)
    # Element 0 is skipped by every program, the last one goes one past the end.
    read, written = (list(finding.touched) for finding in session)
    assert read == [0] + [1] * 31 and written == [0] + [2] * 31
    with sanitize(policy=5) as session:
        two_mistakes[(1,)](torch.zeros(65537), torch.zeros(8), BLOCK=8)
        two_mistakes[(1,)](torch.zeros(8), torch.zeros(65537), BLOCK=8)
    assert [len(finding.touched) for finding in session] == [8, 8]


@triton.jit
def far_row(rows, x, out, width, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    lanes = tl.arange(0, BLOCK)
    for step in range(0, 2):
        row = tl.load(rows + step)
        values = tl.load(x + row * width + lanes, mask=lanes < width, other=0.0)
        total += values
    tl.store(out + lanes, total)


def test_a_finding_knows_the_variables():
    rows, x = torch.tensor([1, 9]), torch.ones(4, 8)
    with pytest.raises(KernelFault) as caught:
        with sanitize():
            far_row[(1,)](rows, x, torch.zeros(8), 8, BLOCK=8)
    held = dict(caught.value.finding.variables)
    # Of the second pass; `values` gets its next value by this very statement.
    assert (held["row"], held["step"], held["width"]) == ("i64 9", "i32 1", "i32 8")
    assert held["lanes"] == "i32[8] [0 1 2 3 4 5 6 7]" and held["total"].startswith("f32[8] [1. ")
    assert "values" not in held


def test_no_more_than_the_limit_is_collected():
    with sanitize(policy=1) as session:
        two_mistakes[(4,)](torch.zeros(32), torch.zeros(32), BLOCK=8)
    assert len(session) == 1


def test_a_dropped_store_leaves_memory_alone():
    memory = torch.zeros(40)
    with sanitize(policy=5):
        two_mistakes[(4,)](torch.ones(33), memory[:32], BLOCK=8)
    assert memory[1:32].eq(1).all() and memory[32:].eq(0).all()


def test_an_inner_block_keeps_its_findings():
    with sanitize("race", policy=5) as outer:
        launch()
        with sanitize("race", policy=5) as inner:
            launch()
        assert len(outer) == 1 and len(inner) == 1
    assert outer.findings[0].count == inner.findings[0].count


def test_redundant_stores_are_in_all_only():
    flags = torch.zeros(1)

    @triton.jit
    def flag(out):
        tl.store(out, 1.0)

    with sanitize("on"):
        flag[(3,)](flags)
    with pytest.raises(KernelFault, match="redundant-store"):
        with sanitize("all"):
            flag[(3,)](flags)


SCRIPT = """
import trisect as triton, trisect.language as tl, torch

@triton.jit
def racing(total):
    tl.store(total, tl.load(total) + tl.program_id(0))

racing[(3,)](torch.zeros(1))
print("ended")
"""


@pytest.mark.parametrize(
    "setting, ends", [("race", False), ("on", False), ("misaligned", True), ("off", True)]
)
def test_the_environment_counts(tmp_path, setting, ends):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = os.environ | {"TRISECT_SANITIZE": setting, "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert ("ended" in done.stdout) == ends, done.stderr
    assert ends or ("KernelFault: race: " in done.stderr and "whose bug: " in done.stderr)
