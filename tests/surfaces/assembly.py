"""A small knowledge base in memory: the real service, as the surfaces' tests and the servers they start use it."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.core.access import OPEN_POLICY
from citewell.core.model import Chunk, Document, DocumentInfo, LedgerEntry, Window, chunk_id
from citewell.core.ports import Replace, SourceState
from citewell.ingest.sync import embed_pending
from citewell.registry import open_embedder
from citewell.retrieval.search import Ranking
from citewell.service import KnowledgeService
from citewell.testing.memory_audit import MemoryAudit
from citewell.testing.memory_store import MemoryStore
from citewell.text.lines import LineIndex
from citewell.text.redaction import Redactor

ADDRESS = "http://127.0.0.1:8765/documents/"
EVERYONE = frozenset({"group:everyone"})


def written(path: str, pieces: Sequence[str], *, collection: str = "docs", acl: frozenset[str] = EVERYONE) -> Replace:
    """A document made of ``pieces``, each of which becomes one chunk."""
    text = "".join(pieces)
    info = DocumentInfo(
        source="handbook" if collection == "docs" else "library",
        collection=collection,
        id=path,
        path=path,
        title=pieces[0].splitlines()[0].lstrip("# ")[:60],
        language="en",
        kind="markdown" if collection == "docs" else "python",
        permalink=f"{ADDRESS}{path}?start_line={{start}}&end_line={{end}}",
    )
    index, offset, chunks = LineIndex(text), 0, []
    for ordinal, piece in enumerate(pieces):
        end = offset + len(piece)
        chunks.append(
            Chunk(
                id=chunk_id(info.source, path, str(ordinal)),
                ordinal=ordinal,
                start=offset,
                end=end,
                text=piece,
                lines=index.lines(offset, end),
                breadcrumb=(info.title,),
                windows=(Window(0, min(len(piece), 600)),),
            )
        )
        offset = end
    entry = LedgerEntry(path=path, outcome="indexed", document_id=path)
    return Replace(document=Document(info=info, text=text, acl=acl), chunks=tuple(chunks), entry=entry)


def lines(line: str, count: int) -> list[str]:
    """``count`` lines, ten to a piece."""
    return [f"{line}\n" * 10] * (count // 10)


def corpus() -> list[Replace]:
    return [
        written(
            "docs/timeouts.md",
            [
                "# Timeouts\n\nThe default timeout of a request is five seconds.\n",
                '\n## Fine tuning\n\nSet `read_timeout` to wait longer for a "slow" upstream.\n',
            ],
        ),
        written("docs/merhaba.md", ["# Merhaba\n\nBağlantı havuzu kapatılınca bekleyen istekler iptal edilir.\n"]),
        written("src/pool.py", ["def close(pool):\n    '''Cancel what waits for the pool.'''\n"], collection="code"),
        written("private/board.md", ["# Board\n\nThe merger is planned for spring.\n"], acl=frozenset({"group:board"})),
        written("docs/long.md", ["# Long\n", *lines("Line of a long tale.", 900)]),
        written("docs/quoted.md", ["# Quoted\n", *lines('"\t"' * 40, 350)]),
        written("docs/wide.md", ["# Wide\n", *["wide " * 240] * 50, "\nThe end.\n"]),
        written("docs/catalogue.md", [f"catalogue entry {n} " + "§ " * 690 + "\n" for n in range(60)]),
    ]


async def build_knowledge(
    documents: Sequence[Replace] | None = None, *, audit: MemoryAudit | None = None
) -> KnowledgeService:
    """The service over ``documents``, or over the whole corpus, with every vector in place."""
    store = MemoryStore()
    await store.apply(corpus() if documents is None else documents)
    for name, collection in (("handbook", "docs"), ("library", "code")):
        await store.set_state(
            SourceState(name=name, collection=collection, synced_at="2026-11-30T12:00:00Z", access=OPEN_POLICY.stamp)
        )
    embedder = open_embedder("hash:", {})
    await embed_pending(store, embedder, lambda _: None)
    return KnowledgeService(
        store=store,
        embedder=embedder,
        sources=(),
        rankings={name: Ranking() for name in ("docs", "code")},
        ranking=Ranking(),
        reader="http://127.0.0.1:8080/documents/",
        policy=lambda: OPEN_POLICY,
        audit=audit or MemoryAudit(),
        redactor=Redactor(b"a key of thirty-two bytes at least"),
    )
