"""What cannot be asked, configured or stored ends with its code and its status, and never with a traceback."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import EntryPoint
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from citewell import registry

Cli = Callable[..., Any]


def refusal(outcome: Any) -> tuple[int, str]:
    """Return the status and the code of a command that was refused, having said nothing else."""
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    assert outcome.err.count("\n") == 1
    return outcome.status, outcome.err.partition(":")[0]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("search", "x", "-k", "51"), "BAD_LIMIT"),
        (("search", "x", "-k", "-1"), "BAD_LIMIT"),
        (("search", "x", "-k", "abc"), "USAGE"),
        (("search", "x" * 2_001), "INVALID_REQUEST"),
        (("ask", " "), "EMPTY_QUERY"),
    ],
)
def test_a_request_that_cannot_be_ends_with_status_64(cli: Cli, library: Path, arguments: tuple[str, ...], code: str) -> None:
    assert refusal(cli(*arguments, "-c", library)) == (64, code)


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("embedder=hsah:", "UNKNOWN_ADAPTER"),
        ("embedder=onnx:./nowhere", "BAD_CONFIGURATION"),
        ("embedder=openai:http://127.0.0.1:1/v1", "BAD_CONFIGURATION"),
        ("retrieval.k=51", "BAD_CONFIGURATION"),
        ("sources=3", "BAD_CONFIGURATION"),
    ],
)
def test_a_setting_that_cannot_be_ends_with_status_78(cli: Cli, library: Path, setting: str, code: str) -> None:
    assert refusal(cli("search", "x", "-c", library, "--set", setting)) == (78, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"retreival: {k: 5}\n", "UNKNOWN_KEY"),
        (b"sources: [\n", "BAD_CONFIGURATION"),
        (b"just words\n", "BAD_CONFIGURATION"),
        (b"\x00\x01\x02", "BAD_CONFIGURATION"),
        (b"store: \xff\n", "BAD_CONFIGURATION"),
    ],
)
@pytest.mark.parametrize("command", [("sync",), ("search", "x")])
def test_a_file_that_is_no_configuration_ends_with_status_78(
    cli: Cli, tmp_path: Path, command: tuple[str, ...], text: bytes, code: str
) -> None:
    (tmp_path / "citewell.yaml").write_bytes(text)

    assert refusal(cli(*command, "-c", tmp_path / "citewell.yaml")) == (78, code)


@pytest.mark.parametrize("name", ["", "missing.yaml", "citewell.yaml/below"])
def test_a_configuration_that_is_no_file_ends_with_status_78(cli: Cli, project: Path, name: str) -> None:
    assert refusal(cli("sync", "-c", project.parent / name)) == (78, "BAD_CONFIGURATION")


def test_an_emptied_configuration_is_refused_by_sync_and_costs_nothing(cli: Cli, project: Path) -> None:
    cli("sync", "-c", project)
    project.write_text("")

    assert refusal(cli("sync", "-c", project)) == (78, "BAD_CONFIGURATION")
    assert cli("search", "timeout", "--mode", "bm25", "-c", project, "--json").json["results"]


def test_an_empty_list_of_sources_empties_the_index(cli: Cli, project: Path) -> None:
    cli("sync", "-c", project)
    project.write_text('embedder: "hash:"\nsources: []\n')

    assert cli("sync", "-c", project).status == 0
    assert cli("sources", "-c", project, "--json").json["sources"] == []


def test_an_adapter_whose_package_is_missing_ends_with_status_78(
    cli: Cli, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "incomplete_adapter.py").write_text("import a_package_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("embedder.acme", "incomplete_adapter:open_embedder", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [point] if group == point.group else [])

    outcome = cli("search", "x", "-c", library, "--set", "embedder=acme:")

    assert refusal(outcome) == (78, "MISSING_EXTRA")
    assert "pip install a_package_nobody_has" in outcome.err


def run_with(prologue: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, after ``prologue``."""
    code = f"{prologue}\nfrom citewell.cli.app import main\nmain()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env={**os.environ, **variables})


FULL_DISK = """
import resource
from citewell.text.language import detect_language
detect_language("albatross flies")  # its model unpacks itself into a file of its own
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
"""


@pytest.mark.models
@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_model_whose_engine_is_missing_leaves_the_words_searchable(cli: Cli, project: Path, package: str) -> None:
    blocked = f"import sys; sys.modules[{package!r}] = None"
    outcome = run_with(blocked, "sync", "--json", "-c", project, "--set", "embedder=bundled:")

    report = json.loads(outcome.stdout)
    assert (outcome.returncode, outcome.stderr) == (2, "")
    assert report["error"]["code"] == "EMBEDDING_FAILED"
    assert f"pip install {package}" in report["error"]["message"]
    assert cli("search", "timeout", "--mode", "bm25", "-c", project, "--json").json["results"]


class Growing(BaseHTTPRequestHandler):
    """An endpoint whose model can be exchanged for one with more dimensions."""

    dimension = 8

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        rows = [[float(len(text) % (place + 2) + 1) for place in range(self.dimension)] for text in texts]
        body = json.dumps({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[tuple[type[Growing], str]]:
    handler = type("Bound", (Growing,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield handler, f"embedder=openai:http://127.0.0.1:{server.server_port}/v1#model"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_model_that_changed_its_dimension_degrades_a_search_and_fails_where_it_is_needed(
    cli: Cli, project: Path, endpoint: tuple[type[Growing], str]
) -> None:
    model, setting = endpoint
    assert cli("sync", "-c", project, "--set", setting).status == 0
    model.dimension = 12
    question = ("search", "timeout", "-c", project, "--set", setting)

    hybrid = cli(*question, "--json")

    assert hybrid.status == 0
    assert hybrid.json["degraded"] == ["dense_unavailable"]
    assert hybrid.json["results"][0]["path"] == "timeouts.md"
    assert refusal(cli(*question, "--mode", "dense")) == (70, "WRONG_DIMENSION")
    assert refusal(cli(*question, "--set", "retrieval.on_failure=error")) == (70, "WRONG_DIMENSION")


def test_a_sync_with_a_model_that_changed_its_dimension_indexes_the_words(
    cli: Cli, project: Path, endpoint: tuple[type[Growing], str]
) -> None:
    model, setting = endpoint
    cli("sync", "-c", project, "--set", setting)
    model.dimension = 12
    (project.parent / "docs" / "new.md").write_text("# New\n\nAn albatross.\n")

    outcome = cli("sync", "-c", project, "--set", setting, "--json")

    assert (outcome.status, outcome.json["error"]["code"], outcome.json["pending"]) == (2, "WRONG_DIMENSION", 1)
    assert cli("search", "albatross", "--mode", "bm25", "-c", project, "--json").json["results"][0]["path"] == "new.md"


def test_a_second_sync_at_the_same_time_ends_with_status_75_and_the_first_goes_on(cli: Cli, project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        setting = f"embedder=openai:http://127.0.0.1:{silent.getsockname()[1]}/v1#model"
        command = [sys.executable, "-m", "citewell", "sync", "-c", str(project), "--set", setting]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
            connection, _ = silent.accept()
            with connection:
                (project.parent / "docs" / "new.md").write_text("# New\n\nAn albatross.\n")
                second = cli("sync", "-c", project)
                assert first.poll() is None
                first.kill()

    assert refusal(second) == (75, "STORE_BUSY")
    assert cli("search", "timeout", "--mode", "bm25", "-c", project, "--json").json["results"]
    assert cli("sync", "-c", project, "--json").json["pending"] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_ends_a_sync_with_status_74_and_what_was_committed_is_found(cli: Cli, project: Path) -> None:
    docs = project.parent / "docs"
    for number in range(400):
        (docs / f"{number:03}.md").write_text(f"# Page {number}\n\n" + f"The albatross number {number} flies. " * 90)

    outcome = run_with(FULL_DISK, "sync", "-c", project)

    assert (outcome.returncode, outcome.stdout) == (74, "")
    assert outcome.stderr.startswith("STORE_FULL: ")
    assert outcome.stderr.count("\n") == 1
    assert cli("search", "albatross", "-c", project, "--json").json["results"]
    after = cli("sync", "-c", project, "--json")
    assert (after.status, after.json["pending"]) == (0, 0)
    assert 0 < after.json["sources"][0]["unchanged"] < 403
