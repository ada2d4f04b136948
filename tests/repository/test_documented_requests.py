"""The requests that the page on REST shows are sent as they stand, by curl, to a server as the page configures it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from socket import create_server

import pytest
from markdown_pages import ROOT, fences

PAGE = ROOT / "docs" / "how-to" / "rest.md"
FILES = {
    "docs/guide/timeouts.md": "# Timeouts\n\nThe default timeout is five seconds.\n",
    "docs/guide/pools.md": "# Pools\n\nA pool keeps ten connections.\n",
    "notes.md": "# Notes\n\nOf a meeting.\n",
}
SETUP, VARIABLES, *SHOWN = fences(PAGE, "console")
REQUESTS = [line for block in SHOWN for line in block.splitlines()]
ANSWERS = {
    "/search --json": "The default timeout is five seconds.",
    "/ask --json": "The default timeout is five seconds. [c1]",
    '"/search/stream?': "data: s\n\ndata: .\n\n",
    "/ask/stream": "event: done\ndata: [DONE]\n\n",
    '"/documents?page=1': '"total":2',
    '"/documents/guide/timeouts.md': "The default timeout is five seconds.",
    "/sources": '"name":"handbook"',
    "/documents --json": '"content":"A request is tried three times."',
    "/documents -F": '"title":"Notes"',
    "/documents/guide/pools.md -X PUT": "twenty connections",
    "/documents/guide/pools.md -X DELETE": "",
    "/citations/verify": '"verdict":"exact"',
}
"""What a request that begins so is answered with."""

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@dataclass(frozen=True)
class Server:
    """Where it is reached, what its owner shows, and the folder of the page's files."""

    address: str
    token: str
    folder: Path


def citewell(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "citewell", *words, "--config", str(folder / "citewell.yaml")]


def environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("CITEWELL_")}
    return {**own, "CITEWELL_EMBEDDER": "hash:"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """What the page says to type, typed; its last command goes on until the tests have ended."""
    folder = tmp_path_factory.mktemp("rest")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    [configuration] = fences(PAGE, "yaml")
    (folder / "citewell.yaml").write_text(configuration)
    *commands, serve = (shlex.split(line)[1:] for line in SETUP.splitlines())
    printed = [
        subprocess.run(citewell(folder, *words), check=True, capture_output=True, text=True, env=environment()).stdout
        for words in commands
    ]
    [token] = re.findall(r"cw_\S+", "".join(printed))
    with create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with subprocess.Popen(
        citewell(folder, *serve, "--port", str(port)), env=environment(), stderr=subprocess.DEVNULL
    ) as process:
        wait_for(process, f"http://127.0.0.1:{port}/readyz")
        yield Server(f"http://127.0.0.1:{port}", token, folder)
        process.send_signal(signal.SIGTERM)


def wait_for(process: subprocess.Popen[bytes], address: str) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(address).close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("the server ended at once")


def typed(server: Server, line: str) -> subprocess.CompletedProcess[str]:
    """Type ``line`` into a shell in which the page's variables have the values of ``server``."""
    given = VARIABLES.replace("http://127.0.0.1:8080", server.address).replace("cw_…", server.token)
    return subprocess.run(["bash", "-c", f"{given}\n{line}"], capture_output=True, text=True, cwd=server.folder, check=False)


def test_the_page_shows_a_request_of_every_path() -> None:
    paths = {re.split(r"[?\"\s]", line.split(maxsplit=1)[1].lstrip('"'))[0] for line in REQUESTS}
    assert paths >= {
        *("/search", "/search/stream", "/ask", "/ask/stream", "/documents", "/sources", "/citations/verify"),
        *("/documents/guide/timeouts.md", "/documents/guide/pools.md"),
    }


def test_the_requests_of_the_page_are_answered_one_after_the_other(server: Server) -> None:
    for line in REQUESTS:
        done = typed(server, line)
        assert (done.returncode, done.stderr) == (0, ""), f"{line}\n{done.stdout}"
        [expected] = [answer for start, answer in ANSWERS.items() if line.startswith(f"rest {start}")]
        assert expected in done.stdout, line
    assert not (server.folder / "docs/guide/pools.md").exists()


def test_the_problem_that_the_page_shows_is_the_one_that_is_answered(server: Server) -> None:
    [shown] = fences(PAGE, "json")
    done = typed(server, """rest /search --json '{"query": ""}'""")
    assert (done.returncode, json.loads(done.stdout)) == (22, json.loads(shown))
