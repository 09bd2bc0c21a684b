"""A pytest plugin: `--trisect-check` compares every compiled launch of every test with tier 0.

What: a test during which a comparison found something *different* fails with the report; the table of all
kernels stands at the end of the run.
Limits: the lower tier has run the launch, so the test itself sees right numbers. Under `pytest -n` each
worker compares; the table is shown without it.
"""

from __future__ import annotations

import pytest

_SESSION = pytest.StashKey()


class Different(AssertionError):
    """Compiled code was found different from tier 0 during a test."""


def pytest_addoption(parser):
    group = parser.getgroup("trisect")
    group.addoption(
        "--trisect-check", action="store_true", help="compare every compiled launch with the interpreter"
    )


def pytest_sessionstart(session):
    if session.config.getoption("--trisect-check"):
        from .session import Session

        session.config.stash[_SESSION] = Session().__enter__()


def pytest_sessionfinish(session):
    checked = session.config.stash.get(_SESSION, None)
    if checked is not None:
        checked.__exit__(None, None, None)


def pytest_report_header(config):
    return "trisect: every compiled launch is compared" if config.getoption("--trisect-check") else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    checked = item.config.stash.get(_SESSION, None)
    before = set(checked.different()) if checked is not None else set()
    outcome = yield
    if checked is None:
        return
    found = [text for text in checked.different() if text not in before]
    if found and outcome.excinfo is None:
        outcome.force_exception(Different("\n".join(dict.fromkeys(found))))


def pytest_terminal_summary(terminalreporter, config):
    checked = config.stash.get(_SESSION, None)
    rows = checked.rows() if checked is not None else []
    if rows:
        from .session import table

        terminalreporter.section("trisect: kernels compared with tier 0")
        terminalreporter.write_line(table(rows))
