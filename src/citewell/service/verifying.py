"""Whether citations hold: the passage is there, the caller may read it, and the quote stands in it word for word."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from citewell.core.access import Tokens
from citewell.core.citations import CheckedCitation, CitationVerdict, QuotedCitation, Verification, VerifyRequest
from citewell.core.errors import DocumentNotFound
from citewell.core.ports import Reader
from citewell.service.finding import find_document
from citewell.text.lines import LineIndex

MAX_CITATIONS: Final = 100

_LABEL: Final = re.compile(r"\[(c\d{1,4})\]")


async def verify_citations(store: Reader, request: VerifyRequest, visible: Tokens) -> Verification:
    """Check every citation of ``request`` against what ``visible`` admits, and name the labels that have none."""
    checked = [await _check(store, citation, visible) for citation in request.citations]
    given = {citation.id for citation in request.citations}
    labels = dict.fromkeys(_LABEL.findall(request.answer))
    return Verification(citations=tuple(checked), uncited=tuple(label for label in labels if label not in given))


async def _check(store: Reader, citation: QuotedCitation, visible: Tokens) -> CheckedCitation:
    for name in dict.fromkeys(_names(citation)):
        try:
            document, lines = await find_document(store, name, visible)
        except DocumentNotFound:
            continue
        first, after = (0, None) if lines is None else LineIndex(document.text).span(lines.start, lines.end)
        return CheckedCitation(citation=citation, passage=name, verdict=_verdict(citation.quote, document.text[first:after]))
    return CheckedCitation(citation=citation, passage="", verdict="not_found")


def _names(citation: QuotedCitation) -> tuple[str, ...]:
    """Return the ids that the passage may have: as it is named; else as its path says, whole or without the ending."""
    if citation.passage:
        return (citation.passage,)
    return (citation.path, PurePosixPath(citation.path).stem) if citation.path else (citation.id,)


def _verdict(quote: str, text: str) -> CitationVerdict:
    if not quote.strip():
        return "unquoted"
    if quote in text:
        return "exact"
    return "whitespace" if " ".join(quote.split()) in " ".join(text.split()) else "not_in_passage"
