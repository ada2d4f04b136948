"""Secrets and personal data are taken out before anything is cut, reported, or reason to refuse: as the source is set."""

from __future__ import annotations

from collections.abc import Sequence

import house as building
import pytest
from house import BOARD, REDACTOR, STAFF, CountingEmbedder, House

from citewell.core.errors import DocumentNotFound
from citewell.core.ports import Role
from citewell.core.requests import AskRequest, FoundSecret, ReadRequest, SearchRequest
from citewell.testing.memory_source import MemorySource
from citewell.text.redaction import Redactor

pytestmark = pytest.mark.anyio

MAIL = "ada.byron@corp.com"
KEY = "glpat-" + "aB3dE5fG7hJ9kL1mN3pQ"
PLACEHOLDER = REDACTOR.placeholder("EMAIL", MAIL)
PAGE = f"---\nversion: 2.1\ntitle: Ask {MAIL}\nowner: {MAIL}\n---\n# Guide\n\nThe zebra key is {KEY}, says {MAIL}.\n".encode()


def one_file(text: bytes = PAGE, path: str = "guide.md") -> House:
    return House(MemorySource("handbook", {path: text}))


async def text_of(house: House, path: str = "guide.md") -> str:
    return (await house.service.read(BOARD, ReadRequest(id=path))).text


async def test_text_title_and_metadata_are_redacted_and_the_version_survives() -> None:
    house = one_file()
    await house.sync()
    (hit, *_) = (await house.service.search(STAFF, SearchRequest(query="zebra"))).hits
    info = hit.stored.info
    assert (info.title, info.version, info.metadata["owner"]) == (f"Ask {PLACEHOLDER}", "2.1", PLACEHOLDER)
    assert REDACTOR.placeholder("GITLAB_TOKEN", KEY) in hit.stored.chunk.text
    assert not any(MAIL in passage or KEY in passage for passage in house.embedder.passages)


async def test_a_redacted_text_has_the_lines_of_the_original() -> None:
    house = one_file(f"# Guide\n\n{MAIL}\n\nThe zebra lives here.\n".encode())
    await house.sync()
    (hit, *_) = (await house.service.search(STAFF, SearchRequest(query="zebra lives"))).hits
    assert hit.stored.chunk.lines.end == 5


async def test_a_report_says_where_and_what_kind_and_never_the_thing_itself() -> None:
    house = one_file()
    report = await house.sync()
    kinds = [(3, "EMAIL"), (4, "EMAIL"), (8, "EMAIL"), (8, "GITLAB_TOKEN")]
    assert report.sources[0].findings == tuple(FoundSecret("guide.md", line, kind) for line, kind in kinds)
    assert report.complete
    assert MAIL not in repr(report)
    assert KEY not in repr(report)


async def test_where_they_are_only_reported_the_text_stays() -> None:
    house = one_file()
    house.redaction = "report"
    report = await house.sync()
    assert len(report.sources[0].findings) == 4
    assert KEY in await text_of(house)


async def test_a_quote_from_a_source_that_keeps_its_secrets_goes_out_without_them() -> None:
    house = one_file()
    house.redaction = "report"
    await house.sync()
    answer = await house.service.ask(STAFF, AskRequest(question="What is the zebra key?"))
    assert answer.answerable
    assert "[GITLAB_TOKEN:" in answer.text
    assert not any(KEY in words for words in (answer.text, *(citation.quote for citation in answer.citations)))


async def test_a_file_that_is_refused_leaves_nothing_of_an_earlier_version() -> None:
    house = one_file(b"# Guide\n\nThe zebra lives here.\n")
    house.redaction = "refuse"
    assert (await house.sync()).complete
    house.source.files["guide.md"] = PAGE
    report = await house.sync()
    (entry,) = report.sources[0].entries
    assert (entry.outcome, entry.reason) == ("failed", "secret_found")
    assert len(report.sources[0].findings) == 4
    assert not report.complete
    with pytest.raises(DocumentNotFound):
        await text_of(house)


async def test_a_file_that_is_refused_is_indexed_once_it_is_clean() -> None:
    house = one_file()
    house.redaction = "refuse"
    await house.sync()
    house.source.files["guide.md"] = b"# Guide\n\nThe zebra lives here.\n"
    assert (await house.sync()).complete
    assert "zebra" in await text_of(house)


async def test_a_file_whose_name_is_a_secret_is_refused_by_another_name() -> None:
    house = one_file(b"# Guide\n\nThe zebra lives here.\n", f"people/{MAIL}.md")
    house.redaction = "refuse"
    (entry,) = (await house.sync()).sources[0].entries
    assert (entry.path, entry.outcome, entry.reason) == (f"people/{PLACEHOLDER}.md", "failed", "secret_found")


async def test_another_key_indexes_everything_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    house = one_file()
    await house.sync()
    other = Redactor(b"another key of thirty-two bytes and more")
    monkeypatch.setattr(building, "REDACTOR", other)
    (entry,) = (await house.sync()).sources[0].entries
    assert entry.outcome == "indexed"
    assert other.placeholder("EMAIL", MAIL) in await text_of(house)


async def test_what_was_kept_under_other_rules_does_not_stay_when_its_file_cannot_be_read() -> None:
    house = one_file()
    house.redaction = "report"
    await house.sync()
    house.redaction = "redact"
    house.source.failing["guide.md"] = "unreadable"
    (entry,) = (await house.sync()).sources[0].entries
    assert (entry.outcome, entry.reason) == ("failed", "unreadable")
    with pytest.raises(DocumentNotFound):
        await text_of(house)


async def test_a_failing_source_is_reported_without_the_secret_in_its_address() -> None:
    class Refused(building.Unreachable):
        def snapshot(self):  # type: ignore[no-untyped-def]
            raise building.SourceUnreachable(f"https://git.acme.dev/x.git?private_token={KEY} does not answer.")

    house = one_file()
    house.source = Refused("handbook")
    (report,) = (await house.sync()).sources
    assert (
        report.message
        == f"https://git.acme.dev/x.git?private_token={REDACTOR.placeholder('GITLAB_TOKEN', KEY)} does not answer."
    )


async def test_a_secret_that_somebody_types_is_sent_to_no_model_and_its_placeholder_finds_the_document() -> None:
    class Listening(CountingEmbedder):
        async def embed(self, texts: Sequence[str], role: Role):  # type: ignore[no-untyped-def]
            asked.extend(texts if role == "query" else ())
            return await super().embed(texts, role)

    asked: list[str] = []
    house = one_file()
    house.embedder = Listening()
    await house.sync()
    await house.service.search(STAFF, SearchRequest(query=f"who is {MAIL}"))
    assert asked == [f"who is {PLACEHOLDER}"]
    (hit, *_) = (await house.service.search(STAFF, SearchRequest(query=PLACEHOLDER, mode="bm25"))).hits
    assert hit.stored.info.path == "guide.md"
