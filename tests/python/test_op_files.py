"""Holds tests/ops against the op table: an operation without a run test, or without one of its forms, fails.

An elementwise operation has a test on blocks and one on scalars; every other one at least one test. Whether
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
    rows = re.findall(r'^TRISECT_OP\(\w+, "([^"]+)", (\w+)', (ROOT / "core" / "ops.def").read_text(), re.M)
    assert len(rows) > 100
    return dict(rows)


@functools.cache
def forms() -> dict[str, set[str]]:
    """Mnemonic → the forms in which run tests use it."""
    found: dict[str, set[str]] = {}
    word = re.compile(r'(?:^|[\s=(])"?((?:tt|arith|math|scf|cf|ub|llvm|gpu|ttg)\.[a-z_0-9.]+)')
    for file in OPS.rglob("*.ttir"):
        for line in file.read_text().splitlines():
            code = line.split("//")[0]
            for mnemonic in word.findall(code):
                found.setdefault(mnemonic, set()).add("block" if "tensor<" in code else "scalar")
    return found


@pytest.mark.parametrize("mnemonic, kind", table().items(), ids=lambda value: str(value))
def test_every_operation_has_run_tests(mnemonic, kind):
    wanted = {"block", "scalar"} if kind == "Elementwise" else set()
    have = forms().get(mnemonic, set())
    assert have, f"no file of tests/ops uses {mnemonic}"
    assert wanted <= have, f"tests/ops uses {mnemonic} on {' and '.join(have)} alone"


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
