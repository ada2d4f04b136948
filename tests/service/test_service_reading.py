from __future__ import annotations

import pytest
from house import BOARD, GUIDE, STAFF, House

from citewell.core.errors import BadLimit, DocumentNotFound
from citewell.core.model import Lines
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest

pytestmark = pytest.mark.anyio


async def test_a_document_reads_as_it_was_written(house: House) -> None:
    await house.sync()
    view = await house.service.read(STAFF, ReadRequest(id="guide.md"))
    assert view.text == GUIDE.decode()
    assert view.title == "Guide"
    assert view.next_start_line is None


async def test_a_chunk_opens_at_its_own_lines(house: House) -> None:
    await house.sync()
    hit = (await house.service.search(STAFF, SearchRequest(query="HTTP_PROXY"))).hits[0]
    view = await house.service.read(STAFF, ReadRequest(id=hit.stored.shown_id))
    assert view.lines == hit.stored.chunk.lines
    assert view.text.rstrip("\n") == hit.stored.chunk.text


async def test_lines_are_counted_from_one_and_both_ends_are_included(house: House) -> None:
    await house.sync()
    view = await house.service.read(STAFF, ReadRequest(id="guide.md", start_line=3, end_line=5))
    assert view.text.splitlines() == GUIDE.decode().splitlines()[2:5]
    assert view.lines == Lines(3, 5)


async def test_a_long_document_is_continued_by_its_next_line(build_house) -> None:
    text = "".join(f"line {n}\n" for n in range(1, 1001))
    house = build_house({"long.txt": text.encode()})
    await house.sync()
    parts, start = [], 1
    while start is not None:
        view = await house.service.read(STAFF, ReadRequest(id="long.txt", start_line=start))
        parts.append(view.text)
        start = view.next_start_line
    assert "".join(parts) == text
    assert len(parts) > 1


@pytest.mark.parametrize("identity", ["nope.md", "board/payroll.md", "board/payroll.md:0", "guide.md:99", "nope.md:0"])
async def test_missing_and_forbidden_are_the_same_answer(house: House, identity: str) -> None:
    await house.sync()
    with pytest.raises(DocumentNotFound) as refusal:
        await house.service.read(STAFF, ReadRequest(id=identity))
    assert refusal.value.args == DocumentNotFound().args


@pytest.mark.parametrize(("start", "end"), [(0, None), (5, 4), (10_000, None)])
async def test_lines_that_cannot_be_are_refused(house: House, start: int, end: int | None) -> None:
    await house.sync()
    with pytest.raises(BadLimit):
        await house.service.read(STAFF, ReadRequest(id="guide.md", start_line=start, end_line=end))


async def test_sources_count_what_the_asker_may_read(house: House) -> None:
    await house.sync()
    (staff,) = await house.service.sources(STAFF)
    (board,) = await house.service.sources(BOARD)
    assert (staff.documents, board.documents) == (1, 2)
    assert staff.chunks < board.chunks


async def test_an_answer_quotes_word_for_word_and_labels_every_quote(house: House) -> None:
    await house.sync()
    answer = await house.service.ask(STAFF, AskRequest(question="What is the default timeout?"))
    assert answer.answerable
    assert "The default timeout is five seconds." in answer.text
    lines = GUIDE.decode().splitlines()
    for number, (citation, quoted) in enumerate(zip(answer.citations, answer.text.splitlines(), strict=True), start=1):
        assert citation.id == f"c{number}"
        assert quoted.endswith(f" [c{number}]")
        assert citation.quote in "\n".join(lines[citation.lines.start - 1 : citation.lines.end])


async def test_an_answer_holds_no_address(house: House) -> None:
    await house.sync()
    answer = await house.service.ask(STAFF, AskRequest(question="How do I wait for ever with timeout=None?"))
    assert "wait for ever" in answer.text
    assert "the reference" in answer.text
    assert "://" not in answer.text


async def test_nothing_found_is_declined_for_want_of_evidence(build_house) -> None:
    house = build_house({})
    answer = await house.service.ask(STAFF, AskRequest(question="What is the zephyr bonus?"))
    assert (answer.answerable, answer.text, answer.reason) == (False, "", "no_evidence")


async def test_a_refusal_shows_the_nearest_passages_and_claims_nothing(house: House) -> None:
    await house.sync()
    answer = await house.service.ask(STAFF, AskRequest(question="Who won the football cup in Brazil?"))
    assert (answer.answerable, answer.text, answer.reason) == (False, "", "low_support")
    assert answer.citations


async def test_what_a_sentence_announces_is_quoted_with_it_and_not_again(build_house) -> None:
    text = "# Keys\n\nTo rotate the signing key run:\n\n```\nkeyctl rotate signing\n```\n\nThe weather is fine.\n"
    house = build_house({"keys.md": text.encode()})
    await house.sync()
    answer = await house.service.ask(STAFF, AskRequest(question="How do I rotate the signing key?"))
    assert answer.citations[0].quote.startswith("To rotate the signing key run:")
    assert "keyctl rotate signing" in answer.citations[0].quote
    assert answer.text.count("keyctl rotate signing") == 1
