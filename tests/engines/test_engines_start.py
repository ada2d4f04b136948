"""Engines start, serve, and end with whoever started them."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from running_engines import REAL, launched, running

ENGINES = ["noida", "milvus", "milvus-2.5", "elasticsearch", "opensearch"]


@pytest.fixture(autouse=True)
def no_real_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in REAL.values():
        monkeypatch.delenv(variable, raising=False)


def serving(address: str) -> bool:
    where = urlsplit(address)
    try:
        socket.create_connection((where.hostname, where.port), timeout=1).close()
    except OSError:
        return False
    return True


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_serves_for_as_long_as_it_is_wanted(name: str) -> None:
    with running(name) as address:
        assert serving(address)
    assert eventually(lambda: not serving(address))


@pytest.mark.parametrize("name", ["noida", "milvus", "milvus-2.5"])
def test_an_engine_ends_when_the_process_that_started_it_is_killed(name: str) -> None:
    process, address = launched(name)
    assert serving(address)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert eventually(lambda: not serving(address))
