"""Where CI=true a skipped test is a failed one: what was not run has shown nothing. The reason stays in the report."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

STRICT = os.environ.get("CI") == "true"


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip, but not an expected failure, into a failure that gives the skip's reason."""
    if STRICT and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI=true allows no skips: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """One test."""
    report = yield
    _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A file that skips itself whole."""
    report = yield
    _fail(report)
    return report
