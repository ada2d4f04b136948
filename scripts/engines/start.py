"""Start a search engine for tests: print its address when it is ready, and end it when standard input ends.

    python scripts/engines/start.py milvus

The engine ends with this process however it ends. Its data lie in a temporary folder that goes with it, except on a kill.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catalogue import LOCK, Engine, milvus, milvus_core, noida
from java_engines import ELASTICSEARCH, OPENSEARCH

ENGINES = {
    "elasticsearch": ELASTICSEARCH.engine,
    "milvus": milvus,
    "milvus-2.5": milvus_core,
    "noida": noida,
    "opensearch": OPENSEARCH.engine,
}
SET_PARENT_DEATH_SIGNAL = 1
PATIENCE_S = 120.0
ATTEMPTS = 3


def die_with_parent() -> None:
    """Ask the kernel to end this process when its parent ends, even by a kill."""
    ctypes.CDLL(None, use_errno=True).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(engine: Engine, process: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the engine serves; return False when it ended or took too long."""
    deadline = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < deadline:
        if engine.answers(port):
            return True
        time.sleep(0.1)
    return False


@contextmanager
def engine_process(engine: Engine, folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the engine with data in ``folder`` for as long as the block lasts."""
    data = folder / f"data-{port}"
    data.mkdir()
    with open(data / LOCK, "a") as lock, open(folder / "log", "ab") as log:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(
            engine.command(data, port),
            cwd=data,
            env={**os.environ, **engine.environment()},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=die_with_parent,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@contextmanager
def started(engine: Engine) -> Iterator[str]:
    """Start ``engine`` at a free port, again if another process took that port, and yield its address."""
    with tempfile.TemporaryDirectory(prefix=f"engine-{engine.name}-") as name:
        folder = Path(name)
        for _ in range(ATTEMPTS):
            port = free_port()
            with engine_process(engine, folder, port) as process:
                if wait_until_ready(engine, process, port):
                    yield f"http://127.0.0.1:{port}"
                    return
        sys.exit(f"{engine.name} did not start:\n{(folder / 'log').read_text(errors='replace')[-4000:]}")


def main() -> None:
    """Start the engine that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=sorted(ENGINES))
    engine = ENGINES[parser.parse_args().engine]()
    if reason := engine.missing():
        sys.exit(f"{engine.name} is not there: {reason}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with started(engine) as address:
        print(address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
