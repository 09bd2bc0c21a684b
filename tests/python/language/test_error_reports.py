"""The whole report of each mistake, stored: position, source, caret, sentence, file."""

import os
import re
from pathlib import Path

import mistakes_of_language  # noqa: F401  adds its kernels to MISTAKES
import pytest
from frontend import compile_kernel
from mistakes import ARGUMENTS, MISTAKES

from trisect.compiler.errors import CompilationError

REPORTS = Path(__file__).parent / "reports"


def normalized(text: str) -> str:
    """The report without this machine's folders and without line numbers in files."""
    text = re.sub(r'File "[^"]*/([^/"]+)"', r'File "\1"', text)
    return re.sub(r'(File "\w+.py", line )\d+', r"\1N", text) + "\n"


@pytest.mark.parametrize("name", sorted(MISTAKES))
def test_report(name):
    kernel = MISTAKES[name]
    with pytest.raises(CompilationError) as caught:
        compile_kernel(kernel, **{arg: ARGUMENTS[arg] for arg in kernel.arg_names})
    report, stored = normalized(str(caught.value)), REPORTS / f"{name}.txt"
    if os.environ.get("TRISECT_BLESS"):
        stored.write_text(report)
    assert report == stored.read_text()


def test_every_report_belongs_to_a_mistake():
    assert {path.stem for path in REPORTS.glob("*.txt")} == set(MISTAKES)
