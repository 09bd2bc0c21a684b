"""The pytest plugin, over suites that run in processes of their own."""

import os
import subprocess
import sys

import pytest

SUITE = """
import pytest, torch
import triton
import triton.language as tl


@triton.jit
def checked(x, BLOCK: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    tl.device_assert(value > 0, "not positive")
    tl.store(x + tl.arange(0, BLOCK), value + 1)


def test_good():
    checked[(1,)](torch.ones(16), BLOCK=16, debug=True)


def test_bad():
    checked[(1,)](torch.zeros(16), BLOCK=16, debug=True)


def test_own_failure():
    assert 1 == 2
"""


def run_suite(tmp_path, *options, suite=SUITE):
    (tmp_path / "test_suite.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "trisect.as_triton", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "test_suite.py", *options],
        cwd=tmp_path,
        env=os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("option", ["--trisect-sanitize", "--trisect-sanitize=all"])
def test_faults_are_shown_as_reports(tmp_path, option):
    out = run_suite(tmp_path, option)
    assert "2 failed, 1 passed" in out
    assert "assert: assertion failed: not positive" in out and "whose bug: " in out
    assert "tl.device_assert(value > 0" in out and "assert 1 == 2" in out


def test_kinds_are_checked(tmp_path):
    assert "no sanitizer is called 'rase'" in run_suite(tmp_path, "--trisect-sanitize=rase")


def test_nothing_changes_without_the_option(tmp_path):
    out = run_suite(tmp_path, "-k", "good")
    assert "1 passed" in out and "sanitizers" not in out
