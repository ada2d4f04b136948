"""Calendar dates in running text, in the forms that release notes give them: English, Turkish and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from citewell.text.folding import fold_word, normalize_text

_MONTHS: Final = (
    ("january", "jan", "ocak", "oca"),
    ("february", "feb", "subat", "sub"),
    ("march", "mar", "mart"),
    ("april", "apr", "nisan", "nis"),
    ("may", "mayis"),
    ("june", "jun", "haziran", "haz"),
    ("july", "jul", "temmuz", "tem"),
    ("august", "aug", "agustos", "agu"),
    ("september", "sept", "sep", "eylul", "eyl"),
    ("october", "oct", "ekim", "eki"),
    ("november", "nov", "kasim", "kas"),
    ("december", "dec", "aralik", "ara"),
)
_NUMBER: Final = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
_DATE: Final = re.compile(
    r"(?<!\d)(?P<y1>(?:19|20)\d\d)(?P<mark>[-/.])(?P<m1>\d{1,2})(?P=mark)(?P<d1>\d{1,2})(?!\d)"
    r"|(?<!\d)(?P<y2>(?:19|20)\d\d)\s?年\s?(?P<m2>\d{1,2})\s?月\s?(?P<d2>\d{1,2})\s?[日号]"
    r"|(?<!\w)(?P<n3>[^\W\d_]{3,9})\.? (?P<d3>\d{1,2})(?:st|nd|rd|th)?,? (?P<y3>(?:19|20)\d\d)(?!\d)"
    r"|(?<!\d)(?P<d4>\d{1,2})(?:st|nd|rd|th)?\.? (?P<n4>[^\W\d_]{3,9})\.?,? (?P<y4>(?:19|20)\d\d)(?!\d)"
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as it stands in a text, from ``start`` to ``end``."""

    day: date
    start: int
    end: int


def find_dates(text: str) -> list[DateMention]:
    """Return the dates that ``text`` mentions, in order. What no calendar has is none, nor is a month without a day."""
    normal = normalize_text(text)
    source = normal if len(normal) == len(text) else text
    found = ((_day(match), match) for match in _DATE.finditer(source))
    return [DateMention(day, match.start(), match.end()) for day, match in found if day is not None]


def parse_date(text: str) -> date | None:
    """Return the date that ``text`` begins with, as in ``2024-10-15T08:00:00Z``; None where it begins with none."""
    stripped = text.strip()
    return next((mention.day for mention in find_dates(stripped[:40]) if mention.start == 0), None)


def _day(match: re.Match[str]) -> date | None:
    year, month, day = _fields(match)
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None


def _fields(match: re.Match[str]) -> tuple[str, int, str]:
    if match["y1"]:
        return match["y1"], int(match["m1"]), match["d1"]
    if match["y2"]:
        return match["y2"], int(match["m2"]), match["d2"]
    year, name, day = (match["y3"], match["n3"], match["d3"]) if match["y3"] else (match["y4"], match["n4"], match["d4"])
    return year, _NUMBER.get(fold_word(name), 0), day
