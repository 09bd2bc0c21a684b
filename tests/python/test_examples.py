"""Every example runs unchanged in tier 0, as a script that says `import triton`, and ends in a check."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "python" / "examples").glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 25


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    pytest.importorskip("torch", reason="examples use torch")
    assert "import triton\n" in path.read_text()
    result = subprocess.run(
        [sys.executable, "-m", "trisect", path],
        env=os.environ | {"TRISECT_TIER": "interp"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip(), "an example says what it has checked"
