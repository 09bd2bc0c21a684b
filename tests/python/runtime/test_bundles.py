"""Bundles from the command line: replay, bisect, shrink, report, and the page.

The bundles are of mistakes that trisect-mutants makes; what this process compiles is right.
"""

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOL = Path(os.environ.get("TRISECT_BUILD", ROOT / "build" / "release")) / "bin" / "trisect-mutants"

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="trisect-mutants is not built")


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundles")
    file = ROOT / "tests" / "ops" / "arith" / "subi.ttir"
    subprocess.run([TOOL, "--keep", folder, file], check=True, capture_output=True, timeout=300)
    found = {}
    for directory in sorted(folder.iterdir()):
        report = json.loads((directory / "report.json").read_text())
        found.setdefault(report["location"]["op"], directory)
    return found


def trisect(*words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, "-m", "trisect", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)


def test_replay_gives_what_is_stored(bundles):
    done = trisect("replay", bundles["arith.subi"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("as stored, byte for byte") == 2
    assert "what cpu compiles now is equal" in done.stdout


def test_replay_refuses_what_somebody_changed(bundles, tmp_path):
    for file in bundles["arith.subi"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    pages = bytearray((tmp_path / "pages.bin").read_bytes())
    pages[100] ^= 1
    (tmp_path / "pages.bin").write_bytes(pages)
    done = trisect("replay", tmp_path)
    assert done.returncode != 0
    assert done.stderr.startswith("python -m trisect replay: ")
    assert "are not what was written" in done.stderr


@pytest.fixture
def copied(bundles, tmp_path):
    for file in bundles["arith.subi"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


@pytest.mark.parametrize("command", ["replay", "shrink", "bisect"])
def test_code_that_is_missing_is_named(copied, command):
    (copied / "code.bin").unlink()
    done = trisect(command, copied)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "no tier 'mutant'" in done.stderr and "has no code.bin" in done.stderr


def test_replay_without_code_says_what_it_cannot(copied):
    (copied / "code.bin").unlink()
    launch = json.loads((copied / "launch.json").read_text())
    (copied / "launch.json").write_text(json.dumps(launch | {"tier": "cpu"}))
    done = trisect("replay", copied)
    assert done.returncode == 1 and not done.stderr
    first, second = done.stdout.splitlines()
    assert first == "the bundle has no code.bin: what the stored code left cannot be made again"
    assert second.startswith("what cpu compiles now is equal")


NO_LAUNCHES = [
    (("grid", 0), 0, "the grid is empty"),
    (("programs", 0), -1, "the grid has no such programs"),
    (("programs", 1), 1 << 40, "the grid has no such programs"),
    (("arguments",), [], "is of no argument"),
    (("tensors", 0, "argument"), 99, "a tensor is of no argument"),
    (("tensors", 0, "shape"), [1, 2, 3], "or of no shape"),
    (("tensors", 0, "shape"), [-1], "or of no shape"),
    (("pages", 0, "address"), "0x7f0000000008", "are not whole"),
    (("pages", 0, "address"), "0x0", "are not whole"),
]


@pytest.mark.parametrize(("place", "value", "message"), NO_LAUNCHES)
def test_a_launch_that_is_none_is_not_run(copied, place, value, message):
    launch = json.loads((copied / "launch.json").read_text())
    node = launch["launch"]
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    (copied / "launch.json").write_text(json.dumps(launch))
    for command in ("replay", "shrink", "bisect"):
        done = trisect(command, copied)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert message in done.stderr


def test_arguments_are_counted(copied):
    launch = json.loads((copied / "launch.json").read_text())
    launch["launch"]["arguments"].append("0x0")
    (copied / "launch.json").write_text(json.dumps(launch))
    for command in ("replay", "shrink", "bisect"):
        assert "launch.json has 4 arguments, the kernel takes 3" in trisect(command, copied).stderr


@pytest.mark.parametrize("name", ["launch.json", "pages.bin", "code.bin", "kernel.ttir"])
def test_a_file_that_ends_early_is_named(copied, name):
    content = (copied / name).read_bytes()
    (copied / name).write_bytes(content[: len(content) // 2])
    done = trisect("replay", copied)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert name in done.stderr


def test_bisect_says_that_no_pass_is_to_blame(bundles):
    done = trisect("bisect", bundles["arith.subi"])
    assert done.returncode == 1, done.stderr
    assert "tier 0 gives the same" in done.stdout
    assert "no pass over TTIR" in done.stdout


def test_shrink_says_that_right_code_does_not_differ(bundles):
    done = trisect("shrink", bundles["arith.subi"])
    assert done.returncode != 0
    assert "nothing to shrink" in done.stderr


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.cells, self.text = [], 0, ""

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "rect"):
            self.open.append(tag)
        self.cells += tag == "rect"

    def handle_endtag(self, tag):
        if tag != "rect":
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_shows_operation_values_and_the_block(bundles):
    done = trisect("report", bundles["arith.subi"])
    assert done.returncode == 0, done.stderr
    page = _Page()
    page.feed(Path(done.stdout.strip()).read_text())
    assert page.open == []
    report = json.loads((bundles["arith.subi"] / "report.json").read_text())
    location = report["location"]
    assert page.cells == len(location["apart"])
    for shown in (location["expected"], location["found"], "arith.subi", "trisect replay"):
        assert shown in page.text
    for operand in location["operands"]:
        assert operand["value"] in page.text


def test_a_store_that_is_missing_has_a_page_too(bundles):
    done = trisect("report", bundles["tt.store"])
    assert done.returncode == 0, done.stderr
    assert "whose operands are the same" in Path(done.stdout.strip()).read_text()
