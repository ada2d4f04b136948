"""Running judged questions through the same search that users get, one ranking at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from citewell.core.access import Principal, group_tokens
from citewell.core.model import Document, DocumentInfo, LedgerEntry
from citewell.core.ports import Embedder, Replace, Role, Store
from citewell.core.requests import Mode, SearchRequest
from citewell.evaluation.dataset import CorpusText, Dataset
from citewell.ingest.cutting import CHUNK_LIMIT, cut
from citewell.ingest.indexing import language_of
from citewell.ingest.kinds import chunker_for, kind_of
from citewell.ingest.sync import embed_pending
from citewell.retrieval.fusion import HybridRanker
from citewell.retrieval.search import Ranking, search_passages

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

System = Literal["bm25", "dense", "rrf", "auto"]

DOCUMENTS_JUDGED = 50


@dataclass(frozen=True, slots=True)
class Run:
    """What one system answered: for each question the documents, best first, and how long all of it took in seconds."""

    rankings: dict[str, list[str]]
    seconds: float


def asker(dataset: str) -> Principal:
    """Return the principal who sees ``dataset`` alone: others may lie in the same store and change nothing."""
    tokens = group_tokens(frozenset({dataset}))
    return Principal(id="benchmark", tokens=tokens, kind="service", via="benchmark")


class RememberingEmbedder:
    """Embeds each query once, however many systems ask it: quality does not depend on how often a model runs."""

    def __init__(self, embedder: Embedder) -> None:
        """Put a memory before ``embedder``."""
        self._embedder = embedder
        self._queries: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """The name of the embedder behind the memory."""
        return self._embedder.name

    @property
    def degraded(self) -> tuple[str, ...]:
        """What the embedder behind the memory says."""
        return self._embedder.degraded

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return what the embedder behind the memory returned the first time."""
        if role == "passage" or len(texts) != 1:
            return await self._embedder.embed(texts, role)
        if texts[0] not in self._queries:
            self._queries[texts[0]] = await self._embedder.embed(texts, role)
        return self._queries[texts[0]]


async def index_dataset(dataset: Dataset, store: Store, embedder: Embedder) -> None:
    """Store and embed the corpus of ``dataset``, unless it is there already."""
    known = await store.ledger(dataset.name)
    changes = [_replace(dataset.name, text) for text in dataset.corpus if text.path not in known]
    await store.apply(changes)
    await embed_pending(store, embedder, lambda progress: None)


async def run_system(system: System, dataset: Dataset, store: Store, embedder: Embedder) -> Run:
    """Ask every judged question of ``dataset``; a document counts where its best chunk stands. A blank one finds nothing.

    ``auto`` is what a user gets who says nothing: the intent of the question decides the mode.
    """
    mode: Mode = "hybrid" if system == "rrf" else system
    ranker: HybridRanker = "rrf" if system == "rrf" else "auto"
    ranking = Ranking(ranker=ranker)
    rankings: dict[str, list[str]] = {}
    began = time.perf_counter()
    for query in dataset.queries:
        if query.id not in dataset.judgements:
            continue
        if not query.text.strip():
            rankings[query.id] = []
            continue
        request = SearchRequest(query=query.text, k=DOCUMENTS_JUDGED, mode=mode)
        result = await search_passages(store, embedder, request, asker(dataset.name).tokens, ranking)
        rankings[query.id] = list(dict.fromkeys(hit.stored.info.id for hit in result.hits))
    return Run(rankings, time.perf_counter() - began)


def _replace(source: str, text: CorpusText) -> Replace:
    kind = kind_of(text.path, text.text[:200])
    outline = chunker_for(kind, "auto")(text.text, text.path, CHUNK_LIMIT)
    own_title = text.title if text.title not in (text.id, text.path) else ""
    info = DocumentInfo(
        source=source,
        collection=source,
        id=text.id,
        path=text.path,
        title=own_title or outline.title or "",
        language=language_of(text.text, kind, outline),
        kind=kind,
        permalink=f"https://example.org/{source}",
    )
    return Replace(
        document=Document(info=info, text=text.text, acl=asker(source).tokens),
        chunks=cut(source, text.id, text.text, outline),
        entry=LedgerEntry(path=text.path, outcome="indexed", document_id=text.id),
    )
