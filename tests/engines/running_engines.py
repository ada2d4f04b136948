"""Search engines for tests: a real one where an environment variable names it, else one that is started here.

Every process of a parallel run starts its own, once, when its first test asks; it ends with that process, even by a kill.

    with running("milvus") as address: ...     # or "milvus-2.5", "noida", "elasticsearch", "opensearch", "qdrant"
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

STARTER = Path(__file__).resolve().parents[2] / "scripts" / "engines" / "start.py"
REAL = {
    "milvus": "TEST_MILVUS",
    "milvus-2.5": "TEST_MILVUS",
    "noida": "TEST_ELASTIC",
    "elasticsearch": "TEST_ELASTIC",
    "opensearch": "TEST_OPENSEARCH",
    "qdrant": "TEST_QDRANT",
}


@contextmanager
def running(name: str) -> Iterator[str]:
    """Yield the address of a real engine or of one started here; skip the test where neither can be had."""
    if real := os.environ.get(REAL[name]):
        yield real
        return
    with serving_core() if name == "qdrant" else started(name) as address:
        yield address


@contextmanager
def serving_core() -> Iterator[str]:
    """Yield the address of Qdrant's own core, behind a server of this process."""
    for package in ("qdrant_client", "qdrant_edge"):
        pytest.importorskip(package)
    from qdrant_stand_in import serving_qdrant

    with serving_qdrant() as address:
        yield address


@contextmanager
def started(name: str) -> Iterator[str]:
    """Yield the address of an engine that a process of its own serves."""
    process, address = launched(name)
    try:
        yield address
    finally:
        process.communicate()


def launched(name: str) -> tuple[subprocess.Popen[str], str]:
    """Return the process that keeps the engine ``name``, until its standard input ends, and the engine's address."""
    process = subprocess.Popen(
        [sys.executable, STARTER, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    address = process.stdout.readline().strip()
    if not address:
        refuse(name, process)
    return process, address


def refuse(name: str, process: subprocess.Popen[str]) -> None:
    """Skip when the engine is not installed, fail when it is and does not start."""
    _, reason = process.communicate()
    if "is not there" in reason:
        pytest.skip(reason.strip())
    pytest.fail(f"{name}: {reason}")
