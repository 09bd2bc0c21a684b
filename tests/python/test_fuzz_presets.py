"""The fuzz programs under a sanitizer: which of them can, and what their processes get."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))

import sanitized  # noqa: E402


@pytest.mark.parametrize(
    "asked",
    [["tiers", "--preset", "tsan"], ["kernels", "5", "--preset=debug"], ["messages", "--preset", "kit"]],
)
def test_what_cannot_run_under_a_preset_is_refused(asked):
    told = subprocess.run([ROOT / "dev", "fuzz", *asked], capture_output=True, text=True, timeout=300)
    assert told.returncode == 1
    assert "launches, modules and messages: debug, tsan" in told.stderr


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A build of the preset debug that has its extension alone."""
    place = tmp_path / "package" / "trisect"
    (place / "lib").mkdir(parents=True)
    (place / "_C.so").write_text("")
    monkeypatch.setattr(sanitized, "folder", lambda: tmp_path)
    monkeypatch.setattr(sanitized, "preset", "debug")
    return place


def test_the_package_of_a_preset_has_its_own_extension_and_the_python_files_of_this_tree(built):
    sanitized.link_package()
    sanitized.link_package()
    assert (built / "runtime" / "jit.py").samefile(ROOT / "python" / "trisect" / "runtime" / "jit.py")
    assert not (built / "lib").is_symlink()
    assert [each.name for each in built.glob("*.so")] == ["_C.so"]


def test_python_gets_the_run_time_library_and_other_programs_do_not(built):
    assert "asan" in sanitized.environment(python=True)["LD_PRELOAD"]
    assert "LD_PRELOAD" not in sanitized.environment()
    assert "abort_on_error=1" in sanitized.environment()["ASAN_OPTIONS"]
