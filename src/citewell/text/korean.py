"""A light stemmer for Korean, which puts particles behind nouns and endings behind verbs without a blank."""

from __future__ import annotations

import re
from typing import Final

_PARTICLE: Final = re.compile(
    "(?<=..)(?:에서는|에서|으로|에게|까지|부터|처럼|보다|하고|이나|은|는|이|가|을|를|의|에|로|와|과|도|만|나)$"
)
_VERB_ENDING: Final = re.compile("(?<=..)(?:합니다|입니다|됩니다|하는|하기|하여|하고|해서|되는|되어|하다|했다|된|한|할)$")


def stem_korean(word: str) -> str:
    """Return ``word``, a run of Hangul, without a verb ending and a particle, and never shorter than two syllables."""
    return _PARTICLE.sub("", _VERB_ENDING.sub("", word) if len(word) > 2 else word)
