"""A pytest plugin: `--trisect-sanitize[=kinds]` runs every test under sanitizers.

What: each finding of a test becomes its failure, with the report in place of a traceback;
`--trisect-sanitize-report=DIR` keeps JSON and pages. A test marked `trisect_sanitize("off")` or with kinds
chooses for itself. Any KernelFault that ends a test is shown as its report.
Why: a suite of kernels that passes may still read out of bounds.
Limits: launches go on after a finding (the faulty access is dropped), so a test may fail by its own assertion
too; the reports are then added to it. `--trisect-sanitize` without kinds takes a file name behind it for
kinds: put it last.
"""

from __future__ import annotations

import collections
import hashlib
import re
import tempfile
from pathlib import Path

import pytest

from trisect.errors import KernelFault

#: Distinct findings that one test shows.
LIMIT = 20
_FINDINGS = pytest.StashKey()
_OWN_FAILURE = pytest.StashKey()
#: Names of reports that more than one test would have.
_SHARED = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("trisect")
    group.addoption(
        "--trisect-sanitize",
        nargs="?",
        const="on",
        default=None,
        metavar="KINDS",
        help="run kernels under sanitizers: on (default), all, or kinds joined by commas",
    )
    group.addoption(
        "--trisect-sanitize-report",
        default=None,
        metavar="DIR",
        help="keep a page and JSON of each test's findings in this folder",
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "trisect_sanitize(kinds): the kinds of defects that this test is run against, or 'off'"
    )
    kinds = config.getoption("--trisect-sanitize")
    if kinds is not None:
        from .session import kinds_text

        try:
            kinds_text(kinds)
        except ValueError as error:
            raise pytest.UsageError(f"--trisect-sanitize: {error}") from None
    folder = config.getoption("--trisect-sanitize-report")
    if folder is not None:
        # A report that cannot be written is better known before the tests have run.
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise pytest.UsageError(f"--trisect-sanitize-report={folder}: {error.strerror}") from None


def pytest_report_header(config):
    kinds = config.getoption("--trisect-sanitize")
    return f"trisect: sanitizers {kinds}" if kinds else None


def _report_name(item) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", item.nodeid)


def pytest_collection_modifyitems(config, items):
    if config.getoption("--trisect-sanitize-report"):
        times = collections.Counter(map(_report_name, items))
        config.stash[_SHARED] = {name for name, count in times.items() if count > 1}


def _kinds_of(item):
    marker = item.get_closest_marker("trisect_sanitize")
    if marker is None:
        return item.config.getoption("--trisect-sanitize")
    from .session import kinds_text

    try:
        return kinds_text(marker.args[0] if marker.args else "on")
    except ValueError as error:
        problem = str(error)
    pytest.fail(f"the mark trisect_sanitize of this test: {problem}", pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    kinds = _kinds_of(item)
    if not kinds or kinds == "off":
        yield
        return
    from .session import sanitize

    with sanitize(kinds, policy=LIMIT) as session:
        outcome = yield
    fault = outcome.excinfo[1] if outcome.excinfo is not None else None
    if isinstance(fault, KernelFault):
        session.add(fault.finding)  # an assertion ends a launch whatever the policy
    if len(session):
        item.stash[_FINDINGS] = session
        item.stash[_OWN_FAILURE] = outcome.excinfo is not None
        if outcome.excinfo is None:
            outcome.force_exception(_fault_of(session))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.when != "call" or call.excinfo is None:
        return
    session = item.stash.get(_FINDINGS, None)
    if session is not None:
        try:
            _keep(item, session)
        except OSError as error:
            report.sections.append(("kernel defects", f"the report cannot be written: {error}"))
        if item.stash[_OWN_FAILURE] and not isinstance(call.excinfo.value, KernelFault):
            report.sections.append(("kernel defects", session.text()))
            return
        report.longrepr = session.text()
    elif isinstance(call.excinfo.value, KernelFault) and report.failed:
        report.longrepr = str(call.excinfo.value)


def _fault_of(session):
    first = session.findings[0]
    return KernelFault(
        first.headline,
        kind=first.kind,
        kernel=first.kernel,
        file=first.file,
        line=first.line,
        program_id=first.program_id,
        finding=first,
    )


def _keep(item, session):
    folder = item.config.getoption("--trisect-sanitize-report")
    if folder:
        name = _report_name(item)
        if len(name) > 200 or name in item.config.stash[_SHARED]:
            name = f"{name[:180]}-{hashlib.sha256(item.nodeid.encode()).hexdigest()[:16]}"
        session.save_html(Path(folder) / f"{name}.html")
        session.save_json(Path(folder) / f"{name}.json")
