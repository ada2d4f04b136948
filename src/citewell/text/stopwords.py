"""Words that questions are asked with, by language: they say nothing about what is asked for."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(
        "a about an and any are as at be been but by can could do does for from had has have how i if in into is it its me my of on or "
        "our so some that the their them then there these they this those to us was way we were what when where which while who "
        "whom whose why will with would you your".split()
    ),
}
