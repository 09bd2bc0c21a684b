"""Holds tests/ops against the op table: an operation without a run test, or without one of its forms, fails.

An elementwise operation has a test on blocks and one on scalars; every other one at least one test, which all
tiers run or refuse as its row says: the runner fails a file that declares otherwise than a tier does. Whether
blocks run in strips, op by op, in a seeded order or through an overlay is up to the runner, which runs each
file in all those ways.
"""

import functools
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPS = ROOT / "tests" / "ops"


@functools.cache
def table() -> dict[str, str]:
    """Mnemonic → class."""
    return {mnemonic: words[0] for mnemonic, words in rows().items()}


@functools.cache
def rows() -> dict[str, list[str]]:
    """Mnemonic → the words of its columns."""
    text = (ROOT / "core" / "ops.def").read_text()
    found = re.findall(r'^TRISECT_OP\(\w+, "([^"]+)", (.*)\)$', text, re.M)
    assert len(found) > 100
    return {mnemonic: words.split(", ") for mnemonic, words in found}


WORD = re.compile(r'(?:^|[\s=(])"?((?:tt|arith|math|scf|cf|ub|llvm|gpu|ttg)\.[a-z_0-9.]+)')
TIERS = ("interp", "cpu", "cuda")


@functools.cache
def answers() -> dict[str, set[tuple[str, str]]]:
    """Mnemonic → (tier, "runs" or "refuses") by what the parts of the files declare."""
    found: dict[str, set[tuple[str, str]]] = {}
    for file in OPS.rglob("*.ttir"):
        usual = ""
        for part in re.split(r"^// -----$", file.read_text(), flags=re.M):
            declared = re.search(r"^// tiers: (.*)$", part, re.M)
            usual = usual or (declared[1] if declared else "")
            code = "\n".join(line.split("//")[0] for line in part.splitlines())
            refusing = set(re.findall(r"^// unsupported\((\w+)\):", part, re.M))
            for tier in (declared[1] if declared else usual).split(", "):
                refuses = tier in refusing or re.search(r"^// unsupported:", part, re.M)
                for mnemonic in WORD.findall(code):
                    found.setdefault(mnemonic, set()).add((tier, "refuses" if refuses else "runs"))
    return found


@functools.cache
def forms() -> dict[str, set[str]]:
    """Mnemonic → the forms in which run tests use it."""
    found: dict[str, set[str]] = {}
    for file in OPS.rglob("*.ttir"):
        for line in file.read_text().splitlines():
            code = line.split("//")[0]
            for mnemonic in WORD.findall(code):
                found.setdefault(mnemonic, set()).add("block" if "tensor<" in code else "scalar")
    return found


@pytest.mark.parametrize("mnemonic, kind", table().items(), ids=lambda value: str(value))
def test_every_operation_has_run_tests(mnemonic, kind):
    wanted = {"block", "scalar"} if kind == "Elementwise" else set()
    have = forms().get(mnemonic, set())
    assert have, f"no file of tests/ops uses {mnemonic}"
    assert wanted <= have, f"tests/ops uses {mnemonic} on {' and '.join(have)} alone"


@pytest.mark.parametrize("mnemonic", rows())
def test_every_tier_is_asked_for_what_its_row_says(mnemonic):
    word = rows()[mnemonic][-1]
    runs = {(tier, "runs") for tier in TIERS}
    refuses = {(tier, "refuses") for tier in TIERS}
    wanted = {"Every": runs, "Inlined": runs | refuses, "Foreign": refuses}[word]
    have = answers().get(mnemonic, set())
    assert wanted <= have, f"no file of tests/ops shows {mnemonic}: {sorted(wanted - have)}"
    if word == "Foreign":
        assert not runs & have, f"a tier runs {mnemonic}: its row says that none does"


def test_generated_files_are_what_the_generator_writes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(OPS / "points"))
    import generate

    made = generate.generate(tmp_path)
    stored = {file.name for file in (OPS / "points").glob("*.ttir")}
    assert stored == {file.name for file in made}
    for file in made:
        assert file.read_text() == (OPS / "points" / file.name).read_text(), (
            f"{file.name} differs: run tests/ops/points/generate.py"
        )
    for name in ("assembly", "casts", "floats", "generate", "integers", "scaled", "template"):
        sys.modules.pop(name, None)
