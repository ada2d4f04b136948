"""Fixtures that every test may use, and figures that tests want to be read."""

from __future__ import annotations

import pytest
from left_out import left_out

try:
    import sniffio
except ImportError:
    sniffio = None


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """A loop that keeps a fixture for many tests stands still between them: a synchronous test may run one of its own."""
    if sniffio is not None:
        sniffio.current_async_library_cvar.set(None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded as ``figures``, wherever they ran, and which engines were not there."""
    ended = (report for report in terminalreporter.getreports("") if report.when == "teardown")
    for name, value in (figures for report in ended for figures in report.user_properties):
        if name == "figures":
            terminalreporter.write_line(str(value))
    skipped = (report.longrepr for report in terminalreporter.stats.get("skipped", ()))
    for line in left_out(reason[-1] for reason in skipped if isinstance(reason, tuple)):
        terminalreporter.write_line(line)
