"""A service over memory: the real thing behind the one door, with doubles for the world outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from citewell.adapters.embedders.hashed import open_embedder
from citewell.core.access import AccessPolicy, AccessRule, Principal, user_principal
from citewell.core.errors import EmbeddingFailed, SourceUnreachable
from citewell.core.ports import Embedder, Role, Snapshot
from citewell.core.requests import SyncReport, SyncRequest
from citewell.ingest.indexing import Recipe, RedactionMode
from citewell.retrieval.search import Ranking
from citewell.service import ConfiguredSource, KnowledgeService
from citewell.testing.memory_audit import MemoryAudit
from citewell.testing.memory_source import MemorySource
from citewell.testing.memory_store import MemoryStore
from citewell.text.redaction import Redactor

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

REDACTOR = Redactor(b"a key of thirty-two bytes at least")
POLICY = AccessPolicy(rules=(AccessRule(paths="board/**", groups=("board",)),), default=("everyone",))
STAFF = user_principal("ada", frozenset({"everyone"}), via="test", scopes=frozenset({"read", "write"}))
BOARD = user_principal("bo", frozenset({"everyone", "board"}), via="test", scopes=frozenset({"read"}))

GUIDE = b"""# Guide

## Timeouts

The default timeout is five seconds. Set `timeout=None` to wait for ever, see [the reference](https://example.org/timeouts).

## Proxies

A proxy is named by the environment variable HTTP_PROXY.
"""
PAYROLL = b"# Payroll\n\nThe zephyr bonus is paid in March. The default timeout of a bonus is a year.\n"


class CountingEmbedder:
    """The hash embedder, counting the passages it is given, and failing where told to."""

    def __init__(self) -> None:
        self.inner = open_embedder("", {})
        self.passages: list[str] = []
        self.broken = False

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def degraded(self) -> tuple[str, ...]:
        return ()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if self.broken:
            raise EmbeddingFailed("The model is out of order.")
        if role == "passage":
            self.passages += texts
        return await self.inner.embed(texts, role)


class Unreachable(MemorySource):
    """A source whose place does not answer."""

    def __init__(self, name: str) -> None:
        super().__init__(name, {})

    def snapshot(self) -> Snapshot:
        raise SourceUnreachable("Nobody answers.")


@dataclass
class House:
    """A service with everything it stands on within reach."""

    source: MemorySource
    embedder: CountingEmbedder = field(default_factory=CountingEmbedder)
    store: MemoryStore = field(default_factory=MemoryStore)
    ranking: Ranking = field(default_factory=Ranking)
    policy: AccessPolicy = POLICY
    unreachable: bool = False
    audit: MemoryAudit = field(default_factory=MemoryAudit)
    redaction: RedactionMode = "redact"
    ids: Literal["path", "stem"] = "path"

    @property
    def service(self) -> KnowledgeService:
        recipe = Recipe(
            source=self.source.name,
            collection="docs",
            chunker="auto",
            ids=self.ids,
            policy=lambda: self.policy,
            redactor=REDACTOR,
            redaction=self.redaction,
        )
        embedder: Embedder = self.embedder
        return KnowledgeService(
            store=self.store,
            embedder=embedder,
            sources=[ConfiguredSource(Unreachable(self.source.name) if self.unreachable else self.source, recipe)],
            rankings={"docs": self.ranking},
            ranking=self.ranking,
            reader="http://127.0.0.1:8080/documents/",
            policy=lambda: self.policy,
            audit=self.audit,
            redactor=REDACTOR,
        )

    async def sync(self, who: Principal = STAFF, *, embed: bool = True) -> SyncReport:
        return await self.service.sync(who, SyncRequest(embed=embed), lambda progress: None)
