"""Long steps of ./dev say how far they are, fail as their commands do, and end with them."""

import contextlib
import os
import pty
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def shell(text, tmp_path):
    """Standard error and exit status of a script that has the functions of .dev/progress.sh."""
    script = f"set -euo pipefail\n. {ROOT}/.dev/progress.sh\nprogress_interval=1\nlog={tmp_path}/log\n{text}"
    finished = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=300)
    return finished.stderr, finished.returncode


@pytest.mark.parametrize(
    ("counter", "lines", "shown"),
    [
        ("ninja_counter", ["[3/17] Building a.o", "[4/17] Building b.o"], "object 4 of 17"),
        ("apt_counter", ["0 upgraded, 5 newly installed", "Setting up a", "Setting up b"], "package 2 of 5"),
        ("apt_counter", ["Reading package lists"], "looking them up"),
        ("pip_counter", ["Collecting numpy==2.4", "Collecting torch"], "fetching torch"),
        ("pip_counter", ["Collecting numpy", "Installing collected packages: numpy"], "installing"),
    ],
)
def test_lines_elsewhere_than_on_a_terminal(counter, lines, shown, tmp_path):
    said = "\\n".join(lines)
    step = f"step() {{ printf '{said}\\n'; sleep 2.5; }}"
    text, status = shell(f"{step}\nwatched work $log {counter} step", tmp_path)
    assert status == 0
    assert f"dev: work: {shown}, 1 s\n" in text
    assert (tmp_path / "log").read_text().splitlines() == lines


def test_a_failure_goes_through(tmp_path):
    text, status = shell("watched work $log ninja_counter false || echo failed $? >&2", tmp_path)
    assert status == 0
    assert text == "failed 1\n"


def all_of(reader):
    """What a terminal that nobody writes to any more has shown; it comes in pieces."""
    pieces = []
    with contextlib.suppress(OSError), open(reader, "rb", buffering=0) as shown:
        while piece := shown.read(4096):
            pieces.append(piece)
    return b"".join(pieces).decode()


def test_one_line_moves_on_a_terminal(tmp_path):
    script = f". {ROOT}/.dev/progress.sh; watched work {tmp_path}/log ninja_counter sleep 2.5"
    reader, terminal = pty.openpty()
    subprocess.run(["bash", "-c", script], stderr=terminal, check=True, timeout=300)
    os.close(terminal)
    text = all_of(reader)
    assert "\r\x1b[Kdev: work: starting, 1 s" in text
    assert "\n" not in text
    assert text.endswith("\r\x1b[K")
