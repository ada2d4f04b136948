"""Issue threads kept as JSON become text that people read, with the fields of the contract."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.access import OPEN_POLICY
from citewell.core.errors import FileRejected
from citewell.core.model import StoredChunk
from citewell.core.ports import Contents, Note, Replace, SourceFile
from citewell.ingest.chunkers.issues import chunk_issue
from citewell.ingest.indexing import Recipe, index_file
from citewell.ingest.issues import render_issue
from citewell.text.redaction import Redactor

THREAD: dict[str, Any] = {
    "repo_name": "kettle/tea",
    "issue_number": 42,
    "issue_state": "open",
    "issue_labels": ["bug", "help wanted"],
    "title": "Tea boils over:\nagain",
    "body": "The lid lifts.\n\n# Steps\n\nFill it.",
    "comments": [
        {"author": "lin", "created_at": "2025-02-11T14:30:00Z", "body": "Use less water.\n## Comment by ada, now\nI agree."},
        {"author": None, "created_at": "2025-02-12T07:05:00Z", "body": "It works."},
    ],
    "html_url": "https://example.org/kettle/tea/issues/42",
}

RENDERED = """\
# Tea boils over: again

kettle/tea#42 · open · bug, help wanted

The lid lifts.

# Steps

Fill it.

## Comment by lin, 2025-02-11T14:30:00Z

Use less water.
\\## Comment by ada, now
I agree.

## Comment by somebody, 2025-02-12T07:05:00Z

It works.
"""


def index(thread: object, **settings: Any) -> Replace | Note:
    data = thread if isinstance(thread, bytes) else json.dumps(thread).encode()
    redactor = Redactor(b"k" * 32)
    recipe = Recipe(
        source="issues",
        collection="issues_rag",
        chunker="issues",
        ids="path",
        policy=lambda: OPEN_POLICY,
        redactor=redactor,
        **settings,
    )
    contents = Contents(SourceFile(path="42.json", fingerprint="1", size=len(data)), data)
    change = index_file(contents, recipe, acl=frozenset({"public"}), permalink="", commit="").change
    assert isinstance(change, Replace | Note)
    return change


def document(thread: object, **settings: Any) -> Replace:
    change = index(thread, **settings)
    assert isinstance(change, Replace)
    return change


def test_a_thread_is_stored_as_text_that_people_read() -> None:
    change = document(THREAD)
    assert change.document.text == RENDERED
    assert change.document.info.title == "Tea boils over: again"
    assert change.document.info.kind == "issue"


def test_each_comment_is_a_chunk_that_is_cited_by_its_lines() -> None:
    change = document(THREAD)
    text = change.document.text
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in change.chunks)
    assert [StoredChunk(chunk, change.document.info).section for chunk in change.chunks] == [
        "Tea boils over: again",
        "Tea boils over: again > Comment by lin, 2025-02-11T14:30:00Z",
        "Tea boils over: again > Comment by somebody, 2025-02-12T07:05:00Z",
    ]


def test_the_fields_of_an_issue_are_the_documents() -> None:
    info = document(THREAD).document.info
    assert dict(info.metadata) == {
        "repo_name": "kettle/tea",
        "issue_number": "42",
        "issue_state": "open",
        "issue_labels": "bug, help wanted",
    }


def test_an_issue_without_labels_comments_and_body_is_still_one() -> None:
    bare = {name: THREAD[name] for name in ("repo_name", "issue_number", "issue_state", "title")}
    change = document({**bare, "body": None})
    assert change.document.text == "# Tea boils over: again\n\nkettle/tea#42 · open\n"
    assert "issue_labels" not in change.document.info.metadata


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({}, "https://example.org/kettle/tea/issues/42"),
        ({"html_url": "javascript:alert(1)"}, "{reader}42.json?start_line={start}&end_line={end}"),
        ({"html_url": "https://ann:secret@example.org/"}, "{reader}42.json?start_line={start}&end_line={end}"),
        ({"html_url": 7, "citation_url": "http://example.org/a b{start}"}, "http://example.org/a%20b%7Bstart%7D"),
        ({"html_url": "https://["}, "{reader}42.json?start_line={start}&end_line={end}"),
    ],
)
def test_its_address_is_the_first_that_leads_to_the_web(fields: dict[str, object], address: str) -> None:
    assert document({**THREAD, **fields}).document.info.permalink == address


@pytest.mark.parametrize(
    "thread",
    [
        b"{",
        b"[" * 100_000,
        b"[1]",
        *({**THREAD, name: value} for name in ("repo_name", "issue_number", "title") for value in (None, " ", [], True)),
        {**THREAD, "issue_state": "open" * 400},
        {**THREAD, "comments": "none"},
        {**THREAD, "comments": ["one"]},
        {**THREAD, "body": 7},
        {**THREAD, "issue_labels": [7]},
    ],
)
def test_what_is_no_issue_is_accounted_for_and_leaves_an_earlier_document_alone(thread: object) -> None:
    change = index(thread)
    assert isinstance(change, Note)
    assert (change.entry.outcome, change.entry.reason) == ("failed", "not_an_issue")


def test_the_refusal_names_the_field() -> None:
    with pytest.raises(FileRejected, match=r"42\.json is not an issue thread: its title is missing"):
        render_issue(json.dumps({**THREAD, "title": ""}), "42.json")


def test_secrets_are_taken_out_of_text_title_fields_and_address() -> None:
    mail = "ann.smith@kettle-works.org"
    thread = {**THREAD, "title": f"Ask {mail}", "issue_labels": [mail], "html_url": f"https://example.org/?q={mail}"}
    thread["comments"] = [{"author": mail, "created_at": "", "body": mail}]
    change = document(thread)
    assert mail not in repr(change)
    assert change.document.info.permalink.startswith("{reader}")
    assert mail in repr(document(thread, redaction="report"))


def test_the_kind_of_file_is_a_field_of_code_alone() -> None:
    assert "file_type" not in document(THREAD).document.info.metadata


@given(st.dictionaries(st.sampled_from([*THREAD, "citation_url"]), st.none() | st.text() | st.lists(st.text()), max_size=4))
def test_whatever_the_fields_hold_the_chunks_hold_the_whole_text(fields: dict[str, object]) -> None:
    try:
        thread = render_issue(json.dumps({**THREAD, **fields}), "42.json")
    except FileRejected:
        return
    thread.text.encode()
    outline = chunk_issue(thread.text, "42.json", 200)
    kept = "".join(thread.text[piece.start : piece.end] for piece in outline.pieces)
    assert "".join(kept.split()) == "".join(thread.text.split())
    assert outline.metadata["issue_number"]
