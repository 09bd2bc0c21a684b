"""`trisect-run --corpus`: finds a fair call of each kernel; what stays has a reason, and reasons stay true.

`trisect-check --corpus` compares compiled code with tier 0 on those calls.

The corpora are tests/corpus/sample, made for this, and the kernels of tests/ops, whose calls are left out.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release")) / "bin" / "trisect-run"
SAMPLE = ROOT / "tests" / "corpus" / "sample"
REASONS = ROOT / "tests" / "corpus" / "reasons.txt"


def run(folder: Path, *words: object, tool: Path = TOOL) -> tuple[int, list[str]]:
    """The exit status and the lines of the output."""
    command = [tool, "--corpus", folder, *words]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout.splitlines()


def test_sample():
    status, lines = run(SAMPLE, "--reasons", REASONS)
    assert lines[-1] == (
        "ran 9/11, 1 faults, 1 unsupported, 0 engine errors, 1 with findings, 2 of all these explained, "
        "0 disagreements"
    )
    assert status == 0
    assert "          nowhere.ttir" in lines
    at = lines.index("not repeatable: 1")
    assert lines[at + 2] == "          clock.ttir"


@pytest.mark.parametrize(
    "name, arguments",
    {
        "rows": "rows, small numbers",
        "block-rows": "rows of blocks, small numbers",
        "demands": "one size, small numbers",
        "table": "one size, small numbers",
        "divides": "one size, positive numbers",
        "indices": "one size, indices",
        "one-program": "one size, small numbers, one program",
    }.items(),
)
def test_arguments_that_are_found(name, arguments):
    file = SAMPLE / f"{name}.ttir"
    status, lines = run(file, "--list")
    assert lines[0] == f"{file}: {arguments}"
    assert status == 0


def test_a_finding_without_a_reason_fails():
    status, lines = run(SAMPLE / "conflict.ttir", "--list")
    assert status == 1
    assert any("store-conflict: lanes (0,) and (1,) of one store" in line for line in lines)
    at = lines.index("faults and findings without a reason: 1")
    assert lines[at + 1 : at + 3] == ["     1  store-conflict", "          conflict.ttir"]


def test_a_reason_that_nothing_needs_fails(tmp_path):
    reasons = tmp_path / "reasons.txt"
    reasons.write_text("table.* | race | there was one\nother.* | race | not in this run\n")
    status, lines = run(SAMPLE / "table.ttir", "--reasons", reasons)
    assert status == 1
    assert [line for line in lines if "any more" in line] == [
        "nothing needs this reason any more: table.* | race"
    ]


def test_kernels_of_run_tests_are_silent(tmp_path):
    made = 0
    for file in sorted((ROOT / "tests" / "ops").rglob("*.ttir")):
        if file.parent.name == "points":
            continue
        for number, part in enumerate(file.read_text().split("// -----")):
            if not any(mark in part for mark in ("// fault:", "// unsupported:", "sanitize=off")):
                (tmp_path / f"{file.parent.name}-{file.stem}-{number}.ttir").write_text(part)
                made += 1
    status, lines = run(tmp_path, "--reasons", REASONS)
    assert made > 400
    assert lines[-1].startswith(f"ran {made - 2}/{made}, 2 faults, 0 unsupported")
    assert status == 0, "\n".join(lines)


def test_compiled_code_beside_tier_0(tmp_path):
    written = tmp_path / "record.json"
    status, lines = run(SAMPLE, "--json", written, tool=TOOL.with_name("trisect-check"))
    assert lines[-1] == (
        "11 modules, 9 compared in 12 forms: 11 equal, 1 inconclusive, 0 with elements in doubt; "
        "at most 0 of a bound"
    )
    assert status == 0
    record = json.loads(written.read_text())
    assert record["verdicts"] == {"equal": 11, "inconclusive": 1}
    assert record["reasons"]["inconclusive"] == {
        "the kernel asks for the time or the processor it runs on": ["clock.ttir, disjoint"]
    }
    assert set(record["reasons"]["not run by tier 0"]) == {
        "deadlock",
        "unsupported by the interpreter: inline assembly: frobnicate.u32",
    }
