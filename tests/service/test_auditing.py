"""Every call of the service is one event in the audit, whatever becomes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import anyio
import pytest
from house import BOARD, GUIDE, PAYROLL, STAFF, CountingEmbedder, House

from citewell.core.access import Principal, stranger, user_principal
from citewell.core.errors import AuditFailed, CitewellError, DocumentNotFound, EmptyQuery, Unauthenticated
from citewell.core.ports import AuditEvent, Role
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest
from citewell.testing.memory_audit import MemoryAudit
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

NOBODY = user_principal("eve", frozenset(), via="test", scopes=frozenset())


@pytest.fixture
async def house() -> House:
    house = House(MemorySource("handbook", {"guide.md": GUIDE, "board/payroll.md": PAYROLL}))
    await house.sync()
    house.audit.events.clear()
    return house


def only(house: House) -> AuditEvent:
    (event,) = house.audit.events
    return event


async def test_a_search_says_who_asked_what_how_it_was_searched_for_and_what_was_shown(house: House) -> None:
    result = await house.service.search(BOARD, SearchRequest(query="default timeout"))
    event = only(house)
    assert (event.action, event.who, event.kind, event.via, event.outcome) == ("search", "bo", "user", "test", "ok")
    assert event.groups == ("board", "everyone")
    assert event.query == "default timeout"
    assert event.plan == {"intent": "general", "mode": "hybrid", "reason": result.retrieval.reason}
    assert event.shown == tuple(hit.stored.shown_id for hit in result.hits)
    assert {name for name, _ in event.stages} >= {"bm25", "embed", "dense", "fuse", "read"}


async def test_an_answer_is_kept_as_a_hash_with_what_it_cites(house: House) -> None:
    answer = await house.service.ask(STAFF, AskRequest(question="What is the default timeout?"))
    event = only(house)
    assert (event.action, event.outcome) == ("ask", "ok")
    assert event.answer == hashlib.sha256(answer.text.encode()).hexdigest()
    assert event.cited == tuple(citation.passage for citation in answer.citations)
    assert "five seconds" not in repr(event)


async def test_a_declined_question_says_so(house: House) -> None:
    await house.service.ask(STAFF, AskRequest(question="Who won the cup in 1953?"))
    assert (only(house).outcome, only(house).cited) == ("declined", ())


async def test_what_was_read_is_the_document(house: House) -> None:
    await house.service.read(STAFF, ReadRequest(id="guide.md:1"))
    assert (only(house).target, only(house).shown) == ("guide.md:1", ("guide.md",))


async def test_a_hidden_document_and_a_missing_one_are_the_same_event(house: House) -> None:
    for name in ("board/payroll.md", "absent.md"):
        with pytest.raises(DocumentNotFound):
            await house.service.read(STAFF, ReadRequest(id=name))
    hidden, missing = ((e.outcome, e.code, e.shown, e.plan) for e in house.audit.events)
    assert hidden == missing == ("denied", "DOCUMENT_NOT_FOUND", (), {})


async def test_secrets_in_questions_and_ids_are_not_written_down(house: House) -> None:
    await house.service.search(STAFF, SearchRequest(query="is ada@corp.com using AKIAQ3EGRIZ7NX5JTPLA?"))
    with pytest.raises(DocumentNotFound):
        await house.service.read(STAFF, ReadRequest(id="people/ada@corp.com/notes.md"))
    written = repr(house.audit.events)
    assert "ada@corp.com" not in written
    assert "AKIAQ3" not in written


@pytest.mark.parametrize(
    ("who", "query", "outcome", "code"),
    [
        (STAFF, " ", "failed", "EMPTY_QUERY"),
        (NOBODY, "x", "denied", "FORBIDDEN"),
        (STAFF, "x" * 2_001, "failed", "INVALID_REQUEST"),
    ],
)
async def test_what_is_refused_is_written_down_too(house: House, who: Principal, query: str, outcome: str, code: str) -> None:
    with pytest.raises(CitewellError):
        await house.service.search(who, SearchRequest(query=query))
    assert (only(house).outcome, only(house).code) == (outcome, code)


async def test_a_call_that_is_cancelled_is_written_down(house: House) -> None:
    class Sleeper(CountingEmbedder):
        async def embed(self, texts: Sequence[str], role: Role):  # type: ignore[no-untyped-def]
            await anyio.sleep_forever()

    house.embedder = Sleeper()
    with anyio.move_on_after(0.05):
        await house.service.search(STAFF, SearchRequest(query="timeout"))
    assert only(house).outcome == "cancelled"


async def test_a_fault_of_our_own_is_written_down(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stumble(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(house.store, "lexical", stumble)
    with pytest.raises(ZeroDivisionError):
        await house.service.search(STAFF, SearchRequest(query="timeout", mode="bm25"))
    assert (only(house).outcome, only(house).code) == ("failed", "ZeroDivisionError")


async def test_every_call_is_one_event(house: House) -> None:
    service = house.service
    await service.search(STAFF, SearchRequest(query="timeout"))
    await service.ask(STAFF, AskRequest(question="timeout?"))
    await service.read(STAFF, ReadRequest(id="guide.md"))
    await service.sources(STAFF)
    await house.sync()
    await service.refused(stranger(via="mcp-http"), Unauthenticated())
    assert [event.action for event in house.audit.events] == ["search", "ask", "read", "sources", "sync", "authenticate"]


async def test_nothing_is_told_while_a_required_audit_cannot_be_written(house: House) -> None:
    house.audit = MemoryAudit(broken=True)
    for call in (
        house.service.search(STAFF, SearchRequest(query="timeout")),
        house.service.ask(STAFF, AskRequest(question="timeout?")),
        house.service.read(STAFF, ReadRequest(id="guide.md")),
        house.service.sources(STAFF),
    ):
        with pytest.raises(AuditFailed):
            await call


async def test_an_error_under_a_broken_audit_is_that_of_the_audit(house: House) -> None:
    house.audit = MemoryAudit(broken=True)
    with pytest.raises(AuditFailed) as failure:
        await house.service.search(STAFF, SearchRequest(query=" "))
    assert isinstance(failure.value.__context__, EmptyQuery)


async def test_of_what_is_longer_than_any_question_only_the_length_is_written_down(house: House) -> None:
    text = "x" * 1_990 + " AKIAQ3EGRIZ7NX5JTPLA"
    with pytest.raises(DocumentNotFound):
        await house.service.read(STAFF, ReadRequest(id=text))
    assert only(house).target == "[2,011 characters]"
