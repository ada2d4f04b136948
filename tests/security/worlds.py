"""Worlds: a scene played to its end over the embedded store, with all files or with some of them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from scenes import COLLECTIONS, Key, Pin, Round, Scene, canary

from citewell.adapters.embedders.hashed import open_embedder
from citewell.adapters.stores.embedded import open_store
from citewell.core.access import AccessPolicy, user_principal
from citewell.core.ports import Embedder, PinAccess, SetAccess, Store
from citewell.core.requests import SyncRequest
from citewell.ingest.indexing import Recipe
from citewell.retrieval.search import Ranking
from citewell.service import ConfiguredSource, KnowledgeService
from citewell.testing.memory_audit import MemoryAudit
from citewell.testing.memory_source import MemorySource
from citewell.text.redaction import Redactor

OPERATOR = user_principal("operator", frozenset(), via="test", scopes=frozenset({"write"}))
REDACTOR = Redactor(b"a key of thirty-two bytes at least")
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is gone afterwards, in memory where that can be had."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


class World:
    """A service over three sources, whose rules may be changed at any time."""

    def __init__(self, store: Store, embedder: Embedder, candidates: int, threshold: float | None = None) -> None:
        self.audit = MemoryAudit()
        self.policy = AccessPolicy()
        self.store = store
        self.sources = {name: MemorySource(name, {}) for name in COLLECTIONS}
        ranking = Ranking(candidates=candidates)
        self.service = KnowledgeService(
            store=store,
            embedder=embedder,
            sources=[ConfiguredSource(source, self._recipe(name)) for name, source in self.sources.items()],
            rankings={name: ranking for name in sorted(set(COLLECTIONS.values()))},
            ranking=ranking,
            reader="http://127.0.0.1:8080/documents/",
            policy=lambda: self.policy,
            audit=self.audit,
            redactor=REDACTOR,
            threshold=threshold,
        )

    async def play(self, scene: Scene, present: frozenset[Key]) -> None:
        """Let everything happen that happens to the files ``present``; to the others nothing ever did."""
        for turn in scene.rounds:
            self.policy = turn.policy
            self._edit(turn, present)
            await self.service.sync(OPERATOR, SyncRequest(embed=turn.embed), lambda _: None)
            for pin in turn.pins:
                if pin.key in present:
                    await self._pin(pin)
        self.policy = scene.policy

    def _edit(self, turn: Round, present: frozenset[Key]) -> None:
        for edit in turn.edits:
            name, path = edit.key
            if edit.key not in present:
                continue
            source = self.sources[name]
            source.files.pop(path, None)
            source.failing.pop(path, None)
            if edit.page is not None:
                source.files[path] = edit.page.text(path, canary(edit.key)).encode()
            if edit.failing:
                source.failing[path] = "undecodable"

    async def _pin(self, pin: Pin) -> None:
        source, path = pin.key
        await self.store.apply([PinAccess(source=source, path=path, acl=pin.acl)])
        if pin.acl is None:
            await self.store.apply([SetAccess(source=source, path=path, acl=self.policy.acl(path))])

    def _recipe(self, name: str) -> Recipe:
        return Recipe(
            source=name,
            collection=COLLECTIONS[name],
            chunker="auto",
            ids="stem" if name == "wiki" else "path",
            policy=lambda: self.policy,
            redactor=REDACTOR,
        )


Wrap = Callable[[Store], Store]


@asynccontextmanager
async def world(
    scene: Scene,
    present: frozenset[Key],
    *,
    embedder: Embedder | None = None,
    wrap: Wrap = lambda store: store,
    threshold: float | None = None,
) -> AsyncIterator[World]:
    """The world of ``scene`` with the files ``present``; ``wrap`` puts something between the service and its store."""
    with passing_folder() as folder:
        store = wrap(open_store(str(folder / "store")))
        made = World(store, embedder or open_embedder("", {}), scene.candidates, threshold)
        try:
            await made.play(scene, present)
            yield made
        finally:
            await made.service.close()
