"""Whoever reads the end of a run sees which engines were not there, and how much was not tested for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from left_out import left_out


def test_tests_are_counted_for_each_engine_with_the_reason() -> None:
    reasons = [
        "Skipped: opensearch is not there: not built: run `make engines`",
        "Skipped: needs models",
        "Skipped: elasticsearch is not there: no Java",
        "Skipped: opensearch is not there: not built: run `make engines`",
    ]
    assert left_out(reasons) == [
        "engines: 1 test left out for want of elasticsearch: no Java",
        "engines: 2 tests left out for want of opensearch: not built: run `make engines`",
    ]


def test_a_run_ends_with_what_was_left_out(tmp_path: Path) -> None:
    test = f"{Path(__file__).with_name('test_engines_start.py')}::test_an_engine_serves_for_as_long_as_it_is_wanted"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", f"{test}[milvus-2.5]"],
        env={**os.environ, "TEST_ENGINES": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "engines: 1 test left out for want of milvus-2.5: not built" in ran.stdout
