"""What the command line tells the user ``local``, byte for byte; only the time of the last sync is taken out."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from comparison import Telling
from scenes import COLLECTIONS, Key, Question, Round, Scene, canary
from worlds import MEMORY

from citewell.cli.app import run
from citewell.cli.session import with_service
from citewell.config import load_config
from citewell.core.access import AccessPolicy
from citewell.core.requests import AskRequest, Filters, ReadRequest, SearchRequest, SyncRequest

PAGES = 3
TIME = re.compile(rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\+00:00)?)?")


@dataclass(frozen=True)
class Ending:
    """How a command ended."""

    status: int
    out: bytes
    err: bytes

    def __str__(self) -> str:
        return f"{self.status}\n{TIME.sub(b'', self.out)!r}\n{self.err!r}"


class Installation:
    """A configuration file with three folders beside it. The next one stands in the same place: paths tell nothing."""

    def __init__(self, scene: Scene) -> None:
        self.folder = Path(MEMORY or "/tmp") / f"citewell-two-worlds-{os.getpid()}"
        self.file = self.folder / "citewell.yaml"
        self._candidates = scene.candidates

    def play(self, scene: Scene, present: frozenset[Key]) -> None:
        """Let everything happen that happens to the files ``present``; to the others nothing ever did."""
        for name in COLLECTIONS:
            (self.folder / name).mkdir(parents=True)
        for turn in scene.rounds:
            self._configure(turn.policy)
            self._edit(turn, present)
            self._sync(embed=turn.embed)
        self._configure(scene.policy)

    def call(self, *arguments: str) -> Ending:
        """Run the command line in this process, with streams and a log of its own."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with _own_log(), redirect_stdout(out), redirect_stderr(err):
            status = run(arguments)
        out.flush()
        err.flush()
        return Ending(status, out.buffer.getvalue(), err.buffer.getvalue())  # type: ignore[attr-defined]

    def ask(self, question: Question, *, as_json: bool) -> list[Ending]:
        """Put ``question`` in plain words or as JSON; of the latter, follow the cursor for a few pages."""
        options = ["--config", str(self.file), *(["--json"] if as_json else [])]
        endings = [self.call(*command(question), *options)]
        while as_json and len(endings) < PAGES and (cursor := _cursor(endings[-1])):
            endings.append(self.call(*command(question), *options, "--cursor", cursor))
        return endings

    def audit(self) -> list[str]:
        """Return the lines of the audit."""
        return [file.read_text(encoding="utf-8") for file in sorted((self.folder / "audit").glob("*.jsonl"))]

    def _configure(self, policy: AccessPolicy) -> None:
        self.file.write_text(yaml.safe_dump(_configuration(policy, self._candidates)), encoding="utf-8")

    def _edit(self, turn: Round, present: frozenset[Key]) -> None:
        for edit in turn.edits:
            file = self.folder / edit.key[0] / edit.key[1]
            if edit.key not in present or edit.failing:
                continue
            file.unlink(missing_ok=True)
            if edit.page is not None:
                file.parent.mkdir(exist_ok=True)
                file.write_text(edit.page.text(edit.key[1], canary(edit.key)), encoding="utf-8")

    def _sync(self, *, embed: bool) -> None:
        with_service(load_config(self.file), lambda service, who: service.sync(who, SyncRequest(embed=embed), lambda _: None))


def through_cli(scene: Scene, present: frozenset[Key]) -> Telling:
    """Ask as somebody at this machine does, every other question for JSON; once with the whole log on stderr."""
    made = Installation(scene)
    try:
        made.play(scene, present)
        told = [made.ask(question, as_json=bool(n % 2)) for n, question in enumerate(scene.questions)]
        logged = made.call("--debug", *command(scene.questions[0]), "--config", str(made.file))
        answers = [str(ending) for endings in told for ending in endings]
        return Telling(answers, [str(logged), *made.audit()])
    finally:
        shutil.rmtree(made.folder, ignore_errors=True)


def command(question: Question) -> list[str]:
    """Return the command that puts ``question``."""
    match question:
        case SearchRequest():
            cursor = ["--cursor", question.cursor] if question.cursor else []
            narrowed = _options(question.filters)
            return ["search", question.query, "-k", str(question.k), "--mode", question.mode, *narrowed, *cursor]
        case AskRequest():
            return ["ask", question.question, *_options(question.filters)]
        case ReadRequest():
            end = [] if question.end_line is None else ["--end-line", str(question.end_line)]
            return ["read", question.id, "--start-line", str(question.start_line), *end]
        case _:
            return ["sources"]


def _options(filters: Filters) -> Iterator[str]:
    fields: Mapping[str, Sequence[str]] = {
        "--collection": filters.collections,
        "--source": filters.sources,
        "--path": filters.paths,
        "--language": filters.languages,
        "--kind": filters.kinds,
        "--version": filters.versions,
    }
    return (word for option, values in fields.items() for value in values for word in (option, value))


def _cursor(ending: Ending) -> str:
    with suppress(ValueError):
        return str(json.loads(ending.out).get("cursor") or "")
    return ""


def _configuration(policy: AccessPolicy, candidates: int) -> dict[str, Any]:
    return {
        "store": "embedded:./store",
        "embedder": "hash:",
        "collections": {name: {} for name in COLLECTIONS.values()},
        "sources": [
            {"name": name, "from": f"folder:./{name}", "collection": collection, "ids": "stem" if name == "wiki" else "path"}
            for name, collection in COLLECTIONS.items()
        ],
        "retrieval": {"candidates": candidates, "k": min(8, candidates)},
        "audit": {"path": "./audit"},
        "access": {
            "default": list(policy.default),
            "rules": [{"paths": rule.paths, "groups": list(rule.groups)} for rule in policy.rules],
            "users": {name: list(groups) for name, groups in policy.users.items()},
            "groups": {name: list(groups) for name, groups in policy.subgroups.items()},
        },
    }


@contextmanager
def _own_log() -> Iterator[None]:
    """Give the log back to whom it belonged: a command takes it for itself."""
    root, ours = logging.getLogger(), logging.getLogger("citewell")
    before = list(root.handlers), root.level, ours.level
    try:
        yield
    finally:
        root.handlers, root.level, ours.level = before
