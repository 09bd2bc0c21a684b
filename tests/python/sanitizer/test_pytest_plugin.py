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


@pytest.mark.parametrize("kinds", ["'rase'", "7", "['race', 'rase']"])
def test_a_mark_that_makes_no_sense_fails_its_test_alone(tmp_path, kinds):
    suite = f"import pytest\n@pytest.mark.trisect_sanitize({kinds})\ndef test_a(): pass\ndef test_b(): pass\n"
    out = run_suite(tmp_path, suite=suite)
    assert "1 failed, 1 passed" in out and "the mark trisect_sanitize of this test: " in out
    assert "pytest_plugin.py" not in out and "During handling" not in out


def test_a_folder_for_reports_that_cannot_be_is_found_before(tmp_path):
    (tmp_path / "file").write_text("kept")
    for folder in ("file", "file/below", "/proc/reports"):
        out = run_suite(tmp_path, f"--trisect-sanitize-report={folder}", "--trisect-sanitize=on")
        assert out.startswith(f"ERROR: --trisect-sanitize-report={folder}: ") and out.count("\n") <= 2, out


def test_a_test_of_a_long_name_has_its_report(tmp_path):
    suite = SUITE.replace("def test_bad", f"@pytest.mark.parametrize('of', ['{'x' * 300}'])\ndef test_bad")
    suite = suite.replace("test_bad()", "test_bad(of)")
    out = run_suite(tmp_path, "--trisect-sanitize-report=reports", "--trisect-sanitize=on", suite=suite)
    assert "2 failed, 1 passed" in out and "INTERNALERROR" not in out
    assert len(list((tmp_path / "reports").iterdir())) == 2


def test_tests_whose_names_are_alike_have_a_report_each(tmp_path):
    suite = SUITE.replace("def test_bad", "@pytest.mark.parametrize('of', ['a b', 'a+b', 'c'])\ndef test_bad")
    suite = suite.replace("test_bad()", "test_bad(of)")
    run_suite(tmp_path, "--trisect-sanitize-report=reports", "--trisect-sanitize=on", suite=suite)
    pages = sorted(page.name for page in (tmp_path / "reports").glob("*.html"))
    assert len(pages) == 3 and pages[-1] == "test_suite.py_test_bad_c_.html", pages


def test_nothing_changes_without_the_option(tmp_path):
    out = run_suite(tmp_path, "-k", "good")
    assert "1 passed" in out and "sanitizers" not in out
