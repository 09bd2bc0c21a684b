"""The commands of docs/debugging.md print what the page shows; `./dev bless` rewrites the page."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "debugging.md"
BLOCK = re.compile(r"```console\n\$ (python -m trisect sanitize [^\n]*)\n(.*?)```", re.DOTALL)
#: What memory held that nobody had written.
VARYING = re.compile(r"(?<=gives )\S+(?= of 64.0)")
COMMANDS = BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def output_of(command, cache):
    """What a terminal shows: both streams, line by line."""
    words = shlex.split(command)
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=ROOT,
        env=os.environ
        | {"TRITON_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT / "python"), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 1, done.stdout
    return done.stdout.strip().replace(str(ROOT) + os.sep, "") + "\n"


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[c.split("/")[-1] for c, _ in COMMANDS])
def test_page_shows_what_the_command_prints(command, shown, tmp_path):
    printed = output_of(command, tmp_path)
    if VARYING.sub("", printed) == VARYING.sub("", shown):
        return
    if os.environ.get("TRISECT_BLESS"):
        text = PAGE.read_text(encoding="utf-8")
        block = f"```console\n$ {command}\n"
        PAGE.write_text(text.replace(f"{block}{shown}```", f"{block}{printed}```"), encoding="utf-8")
    else:
        assert printed == shown


def test_every_bug_is_on_the_page():
    scripts = {path.name for path in (ROOT / "python" / "examples" / "bugs").glob("*.py")}
    assert {command.split("/")[-1] for command, _ in COMMANDS} == scripts
