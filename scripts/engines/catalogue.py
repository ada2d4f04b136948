"""The search engines that tests can start on this machine: what each needs, how it is started, when it is ready."""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("TEST_ENGINES", ROOT / ".engines"))
"""Where engines that are not Python packages of this environment are built: outside version control, safe to delete."""

MILVUS_CORE = BUILT / "milvus-lite-2.5.1"
LOCK = ".engine.lock"


@dataclass(frozen=True, slots=True)
class Engine:
    """``missing`` says why the engine cannot start here, or nothing.

    ``command`` is given a folder for data and a port of 127.0.0.1. ``answers`` tells whether that port serves.
    """

    name: str
    missing: Callable[[], str]
    command: Callable[[Path, int], list[str]]
    answers: Callable[[int], bool]
    environment: Callable[[], dict[str, str]] = dict


def module_file(module: str, file: str) -> Path | None:
    """Return a file that lies beside an installed module."""
    found = importlib.util.find_spec(module)
    path = Path(found.origin).parent / file if found and found.origin else None
    return path if path and path.exists() else None


def listens(port: int) -> bool:
    """Tell whether something accepts connections at ``port``."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def serves_http(port: int) -> bool:
    """Tell whether a search engine at ``port`` has a cluster that can be written to."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_cluster/health", timeout=5) as answer:
            return b'"red"' not in answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code in {400, 404, 405}
    except OSError:
        return False


def noida() -> Engine:
    """An emulator of Elasticsearch's interface, from a Python package."""
    binary = module_file("noida_db", "noida-db")
    return Engine(
        "noida",
        lambda: "" if binary else "the package noida-db is not installed (it is in the group test)",
        lambda data, port: [
            *(str(binary), "start", "--data-dir", str(data), "--host", "127.0.0.1"),
            *("--only", "elasticsearch", "--elasticsearch-port", str(port)),
        ],
        serves_http,
    )


def milvus() -> Engine:
    """Milvus Lite 3: the whole interface in pure Python, served over gRPC."""
    script = Path(sys.executable).parent / "milvus-lite"
    return Engine(
        "milvus",
        lambda: "" if script.exists() else "the package milvus-lite is not installed (it is in the group test)",
        lambda data, port: [
            *(sys.executable, str(script), "server"),
            *("--data-dir", str(data), "--host", "127.0.0.1", "--port", str(port)),
        ],
        listens,
    )


def milvus_core() -> Engine:
    """Milvus Lite 2.5.1, the last with Milvus' own C++ core. It ends when the lock beside its data is let go."""
    library = MILVUS_CORE / "milvus_lite" / "lib"
    return Engine(
        "milvus-2.5",
        lambda: "" if (library / "milvus").exists() else "not built: run `make engines`",
        lambda data, port: [str(library / "milvus"), str(data / "data.db"), f"127.0.0.1:{port}", "ERROR", str(data / LOCK)],
        listens,
        lambda: {"LD_LIBRARY_PATH": str(library)},
    )
