"""`python -m trisect cache`: what it tells, and what it removes."""

import json
import os
import subprocess
import sys

import pytest
from own_process import run
from test_forms import ADD, forms


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A cache that holds one form."""
    folder = tmp_path_factory.mktemp("made")
    assert run(folder, ADD).facts["tier"] == "cpu"
    return folder / "cache"


@pytest.fixture
def cache(made, tmp_path):
    import shutil

    shutil.copytree(made, tmp_path / "cache", copy_function=shutil.copy)
    return tmp_path / "cache"


def command(cache, *arguments):
    ended = subprocess.run(
        [sys.executable, "-m", "trisect", "cache", *arguments],
        env=os.environ | {"TRITON_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ended.stderr, ended.stderr
    return ended.returncode, ended.stdout


def test_forms_are_listed_and_shown(cache):
    status, text = command(cache, "ls")
    assert status == 0 and text.splitlines()[-1].startswith("1 forms, ")
    row = text.splitlines()[1].split()
    assert row[:3] == ["add", "cpu", "disjoint"] and "trusted" in row
    status, text = command(cache, "show", row[-1])
    assert status == 0 and "kernel add for cpu, trusted" in text and "parameter x: !tt.ptr<f32>" in text
    assert "verdict equal, " in text
    assert command(cache, "show", "nothing")[0] == 1


def test_forms_are_removed_by_name(cache, tmp_path):
    assert command(cache, "rm", "other") == (1, "removed 0 forms\n")
    assert command(cache, "rm", "add") == (0, "removed 1 forms\n")
    assert not forms(tmp_path)
    assert command(cache, "ls")[1].startswith("0 forms")


def test_what_nobody_can_use_is_removed(cache, tmp_path):
    (form,) = forms(tmp_path)
    (group,) = cache.glob("*/__grp__*")
    damaged = form.with_name("other.cpu-0.form")
    damaged.write_bytes(form.read_bytes()[:-500])
    partial = form.with_name(".add.cpu-0.form.1-1.tmp")
    partial.write_text("half")
    assert command(cache, "verify", "--keep", "--age", "0")[0] == 1
    assert damaged.exists() and partial.exists()
    status, text = command(cache, "verify", "--age", "0")
    assert status == 0 and "1 forms are whole, 2 files are of no use" in text
    assert form.exists() and group.exists() and not damaged.exists() and not partial.exists()
    facts = json.loads(group.read_text())
    next(group.parent.glob("*.ttir")).unlink()
    assert facts and command(cache, "verify")[1].endswith("1 forms are whole, 1 files are of no use\n")
    assert not group.exists()
    assert command(cache, "verify", "--keep", "--age", "0")[0] == 0


def test_a_cache_that_is_not_there_is_empty(tmp_path):
    assert command(tmp_path / "none", "ls")[0] == 0
    assert command(tmp_path / "none", "verify") == (0, "0 forms are whole, 0 files are of no use\n")
