"""A sync that dies at any moment leaves a whole index, and the next one carries on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest

from citewell.adapters.embedders.hashed import HashEmbedder
from citewell.adapters.stores.embedded import open_store
from citewell.core.model import Document, StoredChunk, passage_hash
from citewell.core.ports import LexicalQuery, Store
from citewell.core.requests import NO_FILTERS
from citewell.text.terms import query_terms

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"), pytest.mark.timeout(3_600)]

Cli = Callable[..., Any]

ROUNDS = int(os.environ.get("CITEWELL_TORTURE_ROUNDS", "20"))
FILES = 200
EVERYBODY = frozenset({"group:everyone"})
MODEL = HashEmbedder().name
WORDS = ("valve", "river", "stone", "lamp", "winter", "harbour", "signal", "window", "copper", "ladder", "engine")
CONFIGURATION = """\
store: embedded:./.citewell
embedder: "hash:"
collections: {docs: {chunker: markdown}}
sources: [{name: handbook, from: "folder:./docs", collection: docs}]
"""


@dataclass
class Folder:
    """A folder that changes, and every text that each of its files ever had, oldest first."""

    root: Path
    chance: random.Random
    history: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    written: int = 0

    @property
    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.root.iterdir()}

    def write(self, name: str) -> None:
        self.written += 1
        parts = (" ".join(self.chance.choices(WORDS, k=15)) + "." for _ in range(2))
        sections = (f"## Part {number}\n\npump {part}\n" for number, part in enumerate(parts))
        text = f"# Page {name} as written {self.written}\n\n" + "\n".join(sections)
        (self.root / name).write_text(text)
        self.history[name].append(text)

    def change(self) -> None:
        """Edit a half of the files, delete and rename some, and make the folder as large as it was."""
        names = sorted(path.name for path in self.root.iterdir())
        self.chance.shuffle(names)
        for name in names[: FILES // 2]:
            self.write(name)
        for name in names[-10:]:
            (self.root / name).unlink()
        for name in names[-20:-10]:
            self.rename(name)
        while len(list(self.root.iterdir())) < FILES:
            self.write(f"new{self.written}.md")

    def rename(self, name: str) -> None:
        target = f"moved{self.written}-{name[-12:]}"
        self.history[target].append((self.root / name).read_text())
        (self.root / name).rename(self.root / target)


@dataclass
class Seen:
    """What a look into the index found: the age of each document's text, and the passages that have their vectors."""

    ages: dict[str, int] = field(default_factory=dict)
    embedded: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()


def test_an_index_is_whole_whenever_a_sync_was_killed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    config = tmp_path / "citewell.yaml"
    config.write_text(CONFIGURATION)
    folder = Folder(tmp_path / "docs", random.Random(20))
    for number in range(FILES):
        folder.write(f"{number}.md")
    first, last = measure_sync(config)
    seen, killed = Seen(), 0
    for _ in range(ROUNDS):
        # Half of the files change between two syncs, so a later one takes hardly more than half of the time.
        killed += kill_sync(config, folder.chance.uniform(first, first + 0.7 * (last - first)))
        now = anyio.run(look, config, folder)
        check_nothing_lost(seen, now, folder)
        seen = now
        folder.change()

    report = cli("sync", "-c", config, "--json")

    assert killed > ROUNDS // 4
    assert (report.status, report.json["pending"]) == (0, 0)
    assert report.json["sources"][0]["tree"] == FILES
    ended = anyio.run(look, config, folder)
    assert ended.ages == {name: len(folder.history[name]) - 1 for name in folder.files}
    assert ended.embedded == ended.used


def measure_sync(config: Path) -> tuple[float, float]:
    """Return the seconds after which a sync of everything in another store takes its lock, and is through."""
    other = config.parent / "measured"
    began = time.monotonic()
    with start_sync(config, f"store=embedded:{other}") as process:
        while not (other / "writer.lock").exists() and process.poll() is None:
            time.sleep(0.005)
        first = time.monotonic() - began
        process.wait()
    return first, time.monotonic() - began


def start_sync(config: Path, setting: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "citewell", "sync", "-c", str(config), "--set", setting]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def kill_sync(config: Path, delay: float) -> bool:
    """Start a sync and kill it after ``delay`` seconds; say whether it was still running."""
    with start_sync(config, "retrieval.k=8") as process:
        try:
            status = process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
    assert status in {0, -signal.SIGKILL}
    return status != 0


async def look(config: Path, folder: Folder) -> Seen:
    """Open the index and check that every document in it is whole; return what was found."""
    store = open_store(str(config.parent / ".citewell"))
    ledger = await store.ledger("handbook")
    seen, used = Seen(), set[str]()
    every: set[str] = set()
    for name in ledger:
        document, outline = await store.document(name, visible=EVERYBODY), await store.outline(name, visible=EVERYBODY)
        seen.ages[name] = folder.history[name].index(document.text)
        check_tiling(document, outline)
        every.update(stored.chunk.id for stored in outline)
        used.update(
            passage_hash(stored.chunk.passage(window, document.info.title))
            for stored in outline
            for window in stored.chunk.windows
        )
    assert await found(store) == every
    waiting = {passage.hash for passage in await store.pending(MODEL, 100_000)}
    await store.close()
    assert waiting <= used
    return Seen(seen.ages, frozenset(used - waiting), frozenset(used))


def check_tiling(document: Document, outline: tuple[StoredChunk, ...]) -> None:
    """Check that the chunks are the exact text, one after another, with nothing but blanks between."""
    place = 0
    for ordinal, stored in enumerate(outline):
        chunk = stored.chunk
        assert chunk.ordinal == ordinal
        assert document.text[place : chunk.start].strip() == ""
        assert document.text[chunk.start : chunk.end] == chunk.text
        place = chunk.end
    assert document.text[place:].strip() == ""


async def found(store: Store) -> set[str]:
    """Return the chunks that a search for what is in every one of them finds."""
    query = query_terms("pump page")
    lexical = LexicalQuery("pump page", query.weights, query.words)
    candidates = await store.lexical(lexical, visible=EVERYBODY, filters=NO_FILTERS, limit=100_000)
    return {hit.chunk for hit in candidates.hits}


def check_nothing_lost(before: Seen, now: Seen, folder: Folder) -> None:
    """Check that whatever was committed before is there still, as it was or newer, unless its file is gone."""
    for name in before.ages.keys() & folder.files.keys():
        assert now.ages[name] >= before.ages[name]
    assert (before.embedded & now.used) <= now.embedded
