"""Fixtures that every test may use, and figures that tests want to be read."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded as ``figures``, wherever they ran."""
    ended = (report for report in terminalreporter.getreports("") if report.when == "teardown")
    for name, value in (figures for report in ended for figures in report.user_properties):
        if name == "figures":
            terminalreporter.write_line(str(value))
