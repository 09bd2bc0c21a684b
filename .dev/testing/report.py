"""Test results as data: read from JUnit XML, printed as a table.

What: GoogleTest, lit, pytest and trisect-run all write JUnit XML, so one reader serves them.
Why: counts that a suite reports about itself in prose are not to be trusted, and a suite that ran nothing
must not look like one that passed.
Limits: expected failures (XFAIL) count as passed, as their tools count them.
"""

import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class SuiteResult:
    """What one suite did: tests by outcome, names of the failed, reasons of the skipped."""

    name: str
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def total(self) -> int:
        return self.passed + len(self.failed) + self.skipped.total()

    def add_xml(self, path: Path) -> int:
        """Adds the test cases of a JUnit file; returns how many it held."""
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
        for case in cases:
            name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.append(name)
            elif skip is not None or case.get("status") == "notrun":
                reason = (skip.get("message") or skip.text or "") if skip is not None else "disabled"
                self.skipped[reason.strip().splitlines()[-1] if reason.strip() else "no reason given"] += 1
            else:
                self.passed += 1
        return len(cases)


def print_report(results: list[SuiteResult]) -> int:
    """Prints the table and the one line of counts; returns the exit status."""
    print(f"{'suite':<12} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}")
    for suite in results:
        counts = f"{suite.passed:>7} {len(suite.failed):>7} {suite.skipped.total():>8}"
        print(f"{suite.name:<12} {counts} {suite.seconds:>8.1f}")
    for suite in results:
        for reason, count in sorted(suite.skipped.items()):
            print(f"skipped: {suite.name}: {count} x {reason}")
    for suite in results:
        for name in suite.failed:
            print(f"failed: {suite.name}: {name}")
    passed = sum(suite.passed for suite in results)
    failed = sum(len(suite.failed) for suite in results)
    skipped = sum(suite.skipped.total() for suite in results)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0
