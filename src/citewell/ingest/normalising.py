"""Making decoded text fit to be stored, searched and shown, without ever changing the number of its lines.

Line ends become LF; the other characters that some programs take for line ends become spaces, so that only LF ends a line
here. Whatever is invisible or reorders text goes: it hides words from readers that a model would obey. What is left is NFC.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

MAX_COMBINING: Final = 30
"""Combining marks in a row that stay, as in the Stream-Safe Text Format of Unicode Standard Annex #15."""

_LINE_END: Final = re.compile(r"\r\n?")
_FALSE_LINE_END: Final = re.compile("[\x0b\x0c\x85\u2028\u2029]")

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls
    "\xad\u034f\u061c\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2064\u3164\uffa0\ufeff"  # blanks without width, fillers
    "\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\ufffe\uffff"  # reordering, annotations, noncharacters
    "\U000e0000-\U000e007f]"  # tags
)

_JOINED: Final = "\u0600-\u109f\u1780-\u18af\u200d\u2600-\u27bf\ufb50-\ufdff\ufe70-\ufefc\U0001f000-\U0001faff"
_IDLE_JOINER: Final = re.compile(f"(?<![{_JOINED}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])")
"""Joiners shape Arabic and Indic scripts and hold emoji together; anywhere else they only hide in words."""

_REPEATED_SELECTOR: Final = re.compile("(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
"""A character has one variant; a row of selectors carries hidden data."""

_MARK_BLOCKS: Final = (
    "[\u0300-\u036f\u0483-\u0487\u0591-\u1dff\u20d0-\u20ff\u2cef-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\uabed\ufb1e\ufe20-\ufe2f"
    "\U000101fd-\U0001efff]"
)
_PERHAPS_MARKS: Final = re.compile(f"{_MARK_BLOCKS}{_MARK_BLOCKS}{{{MAX_COMBINING}}}")
"""A quick look for a row in the blocks that hold combining marks: few texts have one, and naming each mark is slow."""


def normalise(text: str) -> tuple[str, int]:
    """Return ``text`` as it is stored, and how many invisible characters were taken out of it."""
    text = _FALSE_LINE_END.sub(" ", _LINE_END.sub("\n", text))
    length = len(text)
    text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = _REPEATED_SELECTOR.sub("", _IDLE_JOINER.sub("", text))
        text = _excess_marks().sub(r"\1", text) if _PERHAPS_MARKS.search(text) else text
    return unicodedata.normalize("NFC", text), length - len(text)


@lru_cache(maxsize=1)
def _excess_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, 0x1F000) if unicodedata.combining(chr(code)))
    return re.compile(f"([{marks}]{{{MAX_COMBINING}}})[{marks}]+")
