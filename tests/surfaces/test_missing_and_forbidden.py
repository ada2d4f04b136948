"""What is missing and what is hidden: one answer, by one way."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from assembly import build_knowledge, corpus
from guests import HOST, Badges, application, bearer, call, send

from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.errors import DocumentNotFound
from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

PAIRS = [
    ("private/board.md", "private/nobody.md"),
    ("private/board.md:0", "private/nobody.md:0"),
    ("private/board.md:7", "private/nobody.md:7"),
]
LINES = ["", "?start_line=1", "?start_line=9999", "?start_line=2&end_line=1", "?start_line=x", "?end_line=3"]


@pytest.mark.parametrize(("hidden", "missing"), PAIRS)
@pytest.mark.parametrize("lines", LINES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
async def test_the_reader_answers_both_alike(
    knowledge: KnowledgeService, hidden: str, missing: str, lines: str, method: str
) -> None:
    async with application(knowledge, Badges().callers()) as app:
        first, second = [
            await send(app, f"/documents/{name}{lines}", [HOST, bearer("ada")], method=method) for name in (hidden, missing)
        ]
    assert first == second


@pytest.mark.parametrize(("hidden", "missing"), PAIRS)
@pytest.mark.parametrize("arguments", [{}, {"start_line": 1}, {"start_line": 9999}, {"start_line": 1, "end_line": 2}])
async def test_fetch_answers_both_alike(
    knowledge: KnowledgeService, hidden: str, missing: str, arguments: dict[str, Any]
) -> None:
    async with application(knowledge, Badges().callers()) as app:
        first, second = [
            await call(app, [bearer("ada")], "tools/call", {"name": "fetch", "arguments": {"id": name, **arguments}})
            for name in (hidden, missing)
        ]
    assert first == second


WORDS = [("merger", "qwertzy"), ("board", "qwertz")]


@pytest.mark.parametrize(("tool", "argument"), [("search", "query"), ("ask", "question")])
@pytest.mark.parametrize(("hidden", "missing"), WORDS)
async def test_searching_for_what_only_a_hidden_document_says_answers_like_for_a_word_that_nobody_uses(
    tool: str, argument: str, hidden: str, missing: str
) -> None:
    readable = await build_knowledge([entry for entry in corpus() if "group:everyone" in entry.document.acl])
    whole = await build_knowledge()
    answers = []
    for knowledge in (whole, readable):
        async with application(knowledge, Badges().callers()) as app:
            answers += [
                await call(app, [bearer("ada")], "tools/call", {"name": tool, "arguments": {argument: word}})
                for word in (hidden, missing)
            ]
    assert answers[:2] == answers[2:]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    opened = EmbeddedStore(tmp_path)
    await opened.apply(corpus())
    yield opened
    await opened.close()


async def statements(store: EmbeddedStore, name: str, *, outline: bool, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL that looking for a document takes, word for word but for the name."""
    seen: list[str] = []
    borrow = store._database._borrow

    def watched() -> sqlite3.Connection:
        connection = borrow()
        connection.set_trace_callback(seen.append)
        return connection

    monkeypatch.setattr(store._database, "_borrow", watched)
    look = store.outline if outline else store.document
    with pytest.raises(DocumentNotFound):
        await look(name, visible=frozenset({"public", "group:everyone"}))
    monkeypatch.undo()
    return [statement.replace(name.encode().hex(), "NAME") for statement in seen]


@pytest.mark.parametrize("outline", [False, True])
async def test_the_store_takes_the_same_steps_for_both(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch, outline: bool
) -> None:
    hidden = await statements(store, "private/board.md", outline=outline, monkeypatch=monkeypatch)
    missing = await statements(store, "private/nobody.md", outline=outline, monkeypatch=monkeypatch)
    assert hidden == missing
    assert len(hidden) > 1
