"""What changelogs, release pages and front matter say of versions: ``version``, ``release_date`` and ``doc_type``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath
from typing import Final, Literal

from citewell.core.ports import Outline, Piece
from citewell.text.dates import find_dates, parse_date
from citewell.text.folding import fold_word
from citewell.text.versions import find_versions, parse_version

DocType = Literal["release", "docs"]

_RELEASE_PATH: Final = re.compile(r"(?:^|[/_.-])(?:changelog|changes|history|news|releases?|release[-_]?notes)(?:$|[/_.-])")
_LABEL: Final = re.compile(
    r"release[ds]?\s*(?:date|on)\b|\bdate of release\b|\breleased?\s*:|yay[iı]n(?:lanma)?\s*tarihi|ç[iı]k[iı]ş\s*tarihi"
    r"|发布(?:日期|时间)|发行日期",
    re.IGNORECASE,
)
_LABEL_REACH: Final = 160
"""Characters after a label within which its date stands: there may be a table's markup between them."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_WORDS: Final = 6
_RELATIONS: Final = frozenset(
    _WORD.findall(
        "from to for with since before after until upgrade upgrading migrate migrating migration install installing than and"
        " or requires using support supports"
    )
)
"""Words of a heading that is about a version, but not of it."""

Section = tuple[str, ...]


def mark_releases(text: str, path: str, outline: Outline) -> Outline:
    """Return ``outline`` with the release fields of the document, and of each piece that lies in a release of its own.

    A page is one of releases where its front matter or path says so, or two of its headings are versions with dates. Others
    keep what their front matter says of version and date.
    """
    declared = _declared(outline.metadata)
    headings = {heading for piece in outline.pieces for heading in piece.breadcrumb}
    if not _is_release_page(path, outline, headings):
        return replace(outline, metadata={**outline.metadata, **declared})
    sections = [_section(piece, outline.title) for piece in outline.pieces]
    dates = _section_dates(text, outline.pieces, sections)
    pieces = tuple(
        piece if section is None else replace(piece, metadata={**piece.metadata, **_fields(section, dates)})
        for piece, section in zip(outline.pieces, sections, strict=True)
    )
    about = {**outline.metadata, "doc_type": "release", **_page_fields(outline, dates), **declared}
    return replace(outline, pieces=pieces, metadata=about)


def _declared(front: Mapping[str, str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    if front.get("doc_type") in ("release", "docs"):
        fields["doc_type"] = front["doc_type"]
    day = parse_date(front.get("release_date") or front.get("released") or "")
    if day is not None:
        fields["release_date"] = day.isoformat()
    return fields


def _is_release_page(path: str, outline: Outline, headings: Iterable[str]) -> bool:
    declared = outline.metadata.get("doc_type") or outline.metadata.get("type")
    if declared in ("release", "docs"):
        return declared == "release"
    parts = PurePosixPath(path.lower()).with_suffix("").as_posix()
    if _RELEASE_PATH.search(parts) and any(map(release_version, [*headings, outline.title or ""])):
        return True
    return sum(1 for heading in headings if release_version(heading) and find_dates(heading)) > 1


def release_version(heading: str) -> str:
    """Return the version that ``heading`` announces, as it is written there; empty where it announces none.

    ``[1.2.3] - 2024-10-15``, ``Acme 1.10`` and ``v2.0.0-rc.1 (October 15, 2024)`` do; ``Upgrade from 1.9`` does not.
    """
    rest = heading
    for day in reversed(find_dates(heading)):
        rest = rest[: day.start] + " " + rest[day.end :]
    mentions = find_versions(rest)
    words = [fold_word(word) for word in _WORD.findall(rest)]
    if len(mentions) != 1 or len(words) > _MOST_WORDS or not _RELATIONS.isdisjoint(words):
        return ""
    mention = mentions[0]
    return rest[mention.start : mention.end].lstrip("vV") if len(mention.version.numbers) > 1 else ""


def _section(piece: Piece, title: str | None) -> Section | None:
    """Return the headings down to the release that ``piece`` belongs to; only the title where that alone names one."""
    for depth in range(len(piece.breadcrumb), 0, -1):
        if release_version(piece.breadcrumb[depth - 1]):
            return piece.breadcrumb[:depth]
    return () if title and release_version(title) else None


def _section_dates(text: str, pieces: Sequence[Piece], sections: Sequence[Section | None]) -> dict[Section, date]:
    dates: dict[Section, date] = {}
    for piece, section in zip(pieces, sections, strict=True):
        if section is None or section in dates:
            continue
        days = find_dates(section[-1]) if section else []
        day = days[0].day if days else _labelled_date(text[piece.start : piece.end])
        if day is not None:
            dates[section] = day
    return dates


def _labelled_date(text: str) -> date | None:
    label = _LABEL.search(text)
    days = find_dates(text[label.end() : label.end() + _LABEL_REACH]) if label else []
    return days[0].day if days else None


def _fields(section: Section, dates: Mapping[Section, date]) -> dict[str, str]:
    fields = {"version": release_version(section[-1])} if section else {}
    if section in dates:
        fields["release_date"] = dates[section].isoformat()
    return fields


def _page_fields(outline: Outline, dates: Mapping[Section, date]) -> dict[str, str]:
    """Return the page's own version, where its title names one, and the date of the newest release on it."""
    version = outline.metadata.get("version") or release_version(outline.title or "")
    fields = {"version": version} if version and parse_version(version) else {}
    newest = max(dates.values(), default=parse_date(outline.metadata.get("date", "")))
    return fields | ({"release_date": newest.isoformat()} if newest else {})
