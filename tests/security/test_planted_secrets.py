"""What stands in the files is nowhere in what citewell writes, sends or shows."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from planted import Secret, plant, planted_secrets, remains

from citewell import wiring
from citewell.adapters.embedders.hashed import open_embedder
from citewell.cli.app import run
from citewell.core.ports import Embedder, Role

SECRETS = planted_secrets(seed=7, count=200)
ASKED = SECRETS[::5]
CONFIGURATION = """\
store: embedded:./data/store
embedder: "hash:"
collections: {docs: {}}
sources: [{name: files, from: "folder:./files", collection: docs, redaction: MODE}]
redaction: {key_file: ./keys/redaction}
audit: {path: ./data/audit, key_file: ./keys/audit}
"""


@dataclass
class Recording:
    """The hash embedder, which keeps everything that it is sent."""

    inner: Embedder = field(default_factory=lambda: open_embedder("", {}))
    sent: dict[Role, list[str]] = field(default_factory=lambda: {"passage": [], "query": []})

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def degraded(self) -> tuple[str, ...]:
        return ()

    async def embed(self, texts: Sequence[str], role: Role):
        self.sent[role] += texts
        return await self.inner.embed(texts, role)


@dataclass
class Traces:
    """Everything that a sync and questions left behind."""

    folder: Path
    embedder: Recording
    printed: dict[str, str] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """Return the name of every file and folder that was written, and what is in it."""
        written = sorted((self.folder / "data").rglob("*"))
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() if path.is_file() else b"" for path in written}


def places(found: dict[str, bytes]) -> dict[str, list[str]]:
    """Return where a secret is left, and what of it."""
    left = {name: remains(SECRETS, name.encode() + b"\n" + data) for name, data in found.items()}
    return {name: traces for name, traces in left.items() if traces}


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    status = run(["--debug", *arguments])
    shown = capsys.readouterr()
    return status, shown.out + shown.err


@pytest.fixture
def _logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), logging.getLogger("citewell").level
    yield
    root.handlers = handlers
    logging.getLogger("citewell").setLevel(level)


def leave_traces(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mode: str) -> Traces:
    """Plant the secrets, synchronise, and ask for a part of them in all ways; return what that left."""
    embedder = Recording()
    monkeypatch.setattr(wiring, "open_embedder", lambda address, secrets: embedder)
    monkeypatch.setenv("TMPDIR", str(folder / "data"))
    plant(folder / "files", SECRETS)
    (folder / "citewell.yaml").write_text(CONFIGURATION.replace("MODE", mode))
    config = ("--config", str(folder / "citewell.yaml"))
    traces = Traces(folder, embedder)
    _, traces.printed["sync"] = command(capsys, "sync", *config)
    _, traces.printed["again"] = command(capsys, "sync", *config, "--json")
    _, traces.printed["answers"] = command(capsys, "search", "zebra", "-k", "50", *config, "--json")
    for secret in ASKED:
        command(capsys, "search", f"who uses {secret.shown}", *config)
        command(capsys, "ask", f"what is {secret.shown} for?", *config)
        command(capsys, "read", secret.shown, *config)
    return traces


@pytest.mark.usefixtures("_logging_as_before")
@pytest.mark.parametrize("mode", ["redact", "refuse"])
def test_of_200_planted_secrets_none_is_found_in_anything_written_sent_or_shown(
    mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = leave_traces(tmp_path, capsys, monkeypatch, mode)

    files = traces.files()
    assert any(name.startswith("data/audit/") for name in files)
    assert places(files) == {}
    assert places({name: text.encode() for name, text in traces.printed.items()}) == {}
    assert places({role: "\n".join(texts).encode() for role, texts in traces.embedder.sent.items()}) == {}
    assert len(traces.embedder.sent["query"]) >= len(ASKED)


@pytest.mark.usefixtures("_logging_as_before")
def test_the_search_for_remains_finds_them_where_nothing_is_redacted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = leave_traces(tmp_path, capsys, monkeypatch, "report")

    stored = b"".join(traces.files().values())
    found = set(remains(SECRETS, stored))
    assert [secret for secret in SECRETS if found.isdisjoint(secret.traces)] == []
    assert remains(SECRETS, "\n".join(traces.embedder.sent["passage"]).encode())


@pytest.mark.usefixtures("_logging_as_before")
def test_every_planted_file_is_indexed_and_every_secret_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path / "files", SECRETS)
    (tmp_path / "citewell.yaml").write_text(CONFIGURATION.replace("MODE", "redact"))
    capsys.readouterr()
    assert run(["sync", "--config", str(tmp_path / "citewell.yaml"), "--json"]) == 0
    (source,) = json.loads(capsys.readouterr().out)["sources"]

    assert source["indexed"] == source["tree"] == len(SECRETS)
    assert {found["kind"] for found in source["found"]} >= {secret.kind for secret in SECRETS} - {"PASSWORD"}


def test_the_secrets_are_of_many_kinds_and_all_different() -> None:
    assert len({secret.value for secret in SECRETS}) == len(SECRETS) == 200
    assert len({secret.kind for secret in SECRETS}) >= 15
    assert all(isinstance(secret, Secret) for secret in SECRETS)
