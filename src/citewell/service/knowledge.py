"""Search, ask, read, list and synchronise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from citewell.answering.answer import answer_question
from citewell.core.access import Principal, Tokens
from citewell.core.citations import Verification, VerifyRequest
from citewell.core.errors import (
    BadLimit,
    EmbeddingFailed,
    Forbidden,
    KnowledgeBaseNotFound,
    NoRelevantResult,
    Unauthenticated,
)
from citewell.core.model import READER
from citewell.core.ports import AuditLog, CurrentPolicy, EditableSource, Embedder, Source, SourceCount, Store
from citewell.core.requests import (
    Answer,
    AskRequest,
    DocumentView,
    Filters,
    Hit,
    Progress,
    ReadRequest,
    SearchRequest,
    SearchResult,
    SourceInfo,
    SourceReport,
    SyncReport,
    SyncRequest,
)
from citewell.ingest.indexing import Recipe
from citewell.ingest.sync import embed_pending, sync_source
from citewell.retrieval.reading import view_lines
from citewell.retrieval.search import Ranking, search_passages
from citewell.service.asking import RedactedQueries
from citewell.service.auditing import Auditor
from citewell.service.collections import Collections
from citewell.service.documents import DocumentService
from citewell.service.finding import find_document
from citewell.service.following import AccessFollower
from citewell.service.scopes import require
from citewell.service.verifying import MAX_CITATIONS, verify_citations
from citewell.service.writing import Scribe, Shelf
from citewell.text.redaction import Redactor


@dataclass(frozen=True, slots=True)
class ConfiguredSource:
    """A source and the way its files become documents; with an ``editor`` where they may be written."""

    source: Source
    recipe: Recipe
    editor: EditableSource | None = None


class KnowledgeService:
    """Search, ask, read, list and synchronise, for a principal. Nothing is done without one."""

    def __init__(
        self,
        *,
        store: Store,
        embedder: Embedder,
        sources: Sequence[ConfiguredSource],
        rankings: Mapping[str, Ranking],
        ranking: Ranking,
        reader: str,
        policy: CurrentPolicy,
        audit: AuditLog,
        redactor: Redactor,
        threshold: float | None = None,
    ) -> None:
        """Put the parts together. ``reader`` is where our own reader answers, up to the document id.

        With a ``threshold``, a search whose best score is below it fails, and so does one where there is nothing to search.
        """
        self._store = store
        self._embedder = embedder
        self._asked = RedactedQueries(embedder, redactor)
        self._sources = {configured.source.name: configured for configured in sources}
        self._rankings = rankings
        self._ranking = ranking
        self._reader = reader
        self._redactor = redactor
        self._auditor = Auditor(audit, redactor)
        self._access = AccessFollower(store, policy)
        self._threshold = threshold
        self._collections = Collections(rankings)
        self.documents = DocumentService(
            store=store,
            access=self._access,
            auditor=self._auditor,
            scribe=Scribe(store, embedder),
            shelves=[Shelf(each.editor, each.recipe) for each in sources if each.editor is not None],
            collections=self._collections,
            address=self._address,
        )

    async def search(self, principal: Principal, request: SearchRequest) -> SearchResult:
        """Return the passages that answer ``request`` best among those ``principal`` may read.

        Raises EmptyQuery, BadLimit, BadCursor, UnknownCollection, InvalidRequest; EmbeddingFailed in mode ``dense``;
        KnowledgeBaseNotFound and NoRelevantResult where a threshold is set.
        """
        async with self._auditor.call(principal, "search", query=request.query) as took:
            visible = await self._enter(principal)
            self._collections.check(request.filters.collections)
            ranking = self._ranking_for(request.filters)
            result = await search_passages(self._store, self._asked, request, visible, ranking)
            if self._threshold is not None and request.cursor is None:
                await self._require_relevance(result, self._threshold, request.filters, visible)
            took.searched(result)
            return replace(result, hits=tuple(self._address_hit(hit) for hit in result.hits))

    async def ask(self, principal: Principal, request: AskRequest) -> Answer:
        """Answer in words quoted from passages ``principal`` may read, or decline with a reason.

        Raises what `search` raises.
        """
        async with self._auditor.call(principal, "ask", query=request.question) as took:
            visible = await self._enter(principal)
            self._collections.check(request.filters.collections)
            ranking = self._ranking_for(request.filters)
            answer = await answer_question(self._store, self._asked, request, visible, ranking)
            took.answered(answer, [citation.passage for citation in answer.citations])
            return self._sent(answer)

    async def read(self, principal: Principal, request: ReadRequest) -> DocumentView:
        """Return lines of a document, or of a chunk's own lines where the id names a chunk and no lines are asked for.

        Raises DocumentNotFound where there is none that ``principal`` may read, BadLimit for lines that cannot be.
        """
        async with self._auditor.call(principal, "read", target=request.id) as took:
            visible = await self._enter(principal)
            if request.start_line < 1 or (request.end_line is not None and request.end_line < request.start_line):
                raise BadLimit("Lines count from 1, and the last may not come before the first.")
            document, chunk_lines = await find_document(self._store, request.id, visible)
            view = view_lines(document, request, chunk_lines)
            took.opened(replace(view, id=document.info.id))
            return replace(view, url=self._address(view.url))

    async def sources(self, principal: Principal) -> tuple[SourceInfo, ...]:
        """Return the sources that hold something ``principal`` may read, by name; the counts are of that only."""
        async with self._auditor.call(principal, "sources"):
            visible = await self._enter(principal)
            return tuple(_source_info(count) for count in await self._store.sources(visible=visible))

    async def verify(self, principal: Principal, request: VerifyRequest) -> Verification:
        """Say of every citation whether its passage is there for ``principal`` and holds the quote. Raises BadLimit."""
        async with self._auditor.call(principal, "verify") as took:
            visible = await self._enter(principal)
            if len(request.citations) > MAX_CITATIONS:
                raise BadLimit(f"At most {MAX_CITATIONS} citations are checked at a time.")
            verification = await verify_citations(self._store, request, visible)
            took.shown = tuple(checked.passage for checked in verification.citations if checked.passage)
            return verification

    async def sync(self, principal: Principal, request: SyncRequest, progress: Callable[[Progress], None]) -> SyncReport:
        """Bring the index up to date with the sources, then embed what is new.

        What fails, fails alone and stands in the report. Raises Forbidden, StoreBusy, StoreFull, BadLimit for an unknown
        source name.
        """
        async with self._auditor.call(principal, "sync", target=", ".join(request.sources)) as took:
            require(principal, "write")
            async with self._store.writing():
                report = await self._sync(request, progress)
            took.outcome = "ok" if report.complete else "failed"
            return report

    async def _sync(self, request: SyncRequest, progress: Callable[[Progress], None]) -> SyncReport:
        chosen = self._chosen(request.sources)
        reports = [await self._sync_one(name, progress) for name in chosen]
        if not request.sources:
            await self._forget_unconfigured()
        if not request.embed:
            return await self._sync_report(reports, 0)
        try:
            embedded = await embed_pending(self._store, self._embedder, progress, self._access.follow)
        except EmbeddingFailed as error:
            return await self._sync_report(reports, 0, error)
        return await self._sync_report(reports, embedded)

    async def refused(self, principal: Principal, error: Unauthenticated | Forbidden) -> None:
        """Write down that the surface turned ``principal`` away; `stranger` is whom it does not know. Raises AuditFailed."""
        await self._auditor.refused(principal, error)

    async def ready(self, principal: Principal) -> None:
        """Return once the store answers, whoever ``principal`` is: he learns nothing else. Raises StoreError."""
        del principal
        await self._store.states()

    async def close(self) -> None:
        """Release the store and the audit."""
        await self._store.close()
        await self._auditor.close()

    async def _enter(self, principal: Principal) -> Tokens:
        """Return what ``principal`` may read, once the store follows the rules as they are now."""
        require(principal, "read")
        await self._access.follow()
        return principal.tokens

    def _sent(self, answer: Answer) -> Answer:
        """Return ``answer`` as it goes out: with addresses, and without secrets where a source kept them."""
        citations = tuple(
            replace(citation, url=self._address(citation.url), quote=self._redactor.redact(citation.quote).text)
            for citation in answer.citations
        )
        return replace(answer, text=self._redactor.redact(answer.text).text, citations=citations)

    def _address(self, url: str) -> str:
        return self._reader + url.removeprefix(READER) if url.startswith(READER) else url

    def _address_hit(self, hit: Hit) -> Hit:
        info = hit.stored.info
        addressed = replace(info, permalink=self._address(info.permalink))
        return replace(hit, stored=replace(hit.stored, info=addressed))

    async def _require_relevance(self, result: SearchResult, threshold: float, filters: Filters, visible: Tokens) -> None:
        """Raise NoRelevantResult where nothing reaches ``threshold``, KnowledgeBaseNotFound where there is nothing at all."""
        if any(hit.score >= threshold for hit in result.hits):
            return
        searched = Filters(collections=filters.collections)
        if not (await self._store.documents(visible=visible, filters=searched, offset=0, limit=1)).total:
            raise KnowledgeBaseNotFound
        raise NoRelevantResult

    def _ranking_for(self, filters: Filters) -> Ranking:
        return self._rankings[filters.collections[0]] if len(filters.collections) == 1 else self._ranking

    def _chosen(self, names: Collection[str]) -> list[str]:
        unknown = [name for name in names if name not in self._sources]
        if unknown:
            raise BadLimit(f"There is no source {unknown[0]!r}. There are: {', '.join(self._sources) or 'none'}.")
        return [name for name in self._sources if not names or name in names]

    async def _sync_one(self, name: str, progress: Callable[[Progress], None]) -> SourceReport:
        configured = self._sources[name]
        return await sync_source(configured.source, configured.recipe, self._store, progress)

    async def _forget_unconfigured(self) -> None:
        for state in await self._store.states():
            if state.name not in self._sources:
                await self._store.drop_source(state.name)

    async def _sync_report(
        self, reports: Sequence[SourceReport], embedded: int, error: EmbeddingFailed | None = None
    ) -> SyncReport:
        done, total = await self._store.progress(self._embedder.name)
        return SyncReport(
            sources=tuple(reports),
            embedded=embedded,
            pending=total - done,
            embedding_error=error.code if error else "",
            message=error.message if error else "",
        )


def _source_info(count: SourceCount) -> SourceInfo:
    return SourceInfo(
        name=count.state.name,
        collection=count.state.collection,
        repository=count.state.repository,
        commit=count.state.commit,
        last_sync=count.state.synced_at,
        stale=not count.state.complete or count.outdated > 0,
        documents=count.documents,
        chunks=count.chunks,
    )
