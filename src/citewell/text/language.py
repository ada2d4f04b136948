"""Which language a text is written in: the script first, then letters and a statistical model for the Latin alphabet."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Final, Protocol

SAMPLE: Final = 1_000
"""Characters of a text that are looked at: from its beginning and its middle."""

_SCRIPTS: Final = re.compile(
    "(?P<kana>[\u3041-\u30fa\u31f0-\u31ff\uff66-\uff9d])|(?P<zh>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])|(?P<ko>[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3])"
    "|(?P<cyrillic>[\u0400-\u052f])|(?P<arabic>[\u0600-\u06ff])|(?P<el>[\u0370-\u03ff\u1f00-\u1fff])|(?P<he>[\u0590-\u05ff])"
    "|(?P<th>[\u0e01-\u0e4e])|(?P<hi>[\u0900-\u097f])|(?P<ka>[\u10a0-\u10ff])|(?P<hy>[\u0530-\u058f])"
)
_CODE: Final = re.compile(
    r"^(```|~~~).*?(?:^\1|\Z)|`[^`\n]+`|https?://\S+|\S*[_/\\{}<>=()\[\];@]\S*|\b\w*\d\w*\b|\b\w+(?:\.\w+)+", re.M | re.S
)


class _Identifier(Protocol):
    def rank(self, instance: str) -> list[tuple[str, float]]: ...


def detect_language(text: str, *, default: str = "") -> str:
    """Return the ISO 639-1 code of the language of ``text``; ``default`` is what to expect where the text is too short to tell.

    Code, addresses and identifiers are no language. A text without words gives ``default``.
    """
    prose = _CODE.sub(" ", _sample(text))
    if script := _script(prose):
        return script
    return _latin(prose, default)


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    half, middle = SAMPLE // 2, len(text) // 2
    return text[:half] + "\n" + text[middle : middle + half]


def _script(prose: str) -> str:
    counts = Counter(match.lastgroup or "" for match in _SCRIPTS.finditer(prose))
    if not counts:
        return ""
    latin = sum(map(str.isascii, filter(str.isalpha, prose)))
    if sum(counts.values()) * 4 < latin:
        return ""
    if counts["kana"] and counts["kana"] * 20 >= counts["zh"]:
        return "ja"
    script = counts.most_common(1)[0][0]
    if script == "cyrillic":
        return "uk" if re.search("[іїєґ]", prose, re.I) else "ru"
    if script == "arabic":
        return "fa" if re.search("[پچژگ]", prose) else "ar"
    return script


def _latin(prose: str, default: str) -> str:
    words = re.findall(r"[^\W\d_]{2,}", prose)
    if not words:
        return default
    language, confidence = _identifier().rank(" ".join(words))[0]
    if confidence >= 0.9 or len(words) > 12:
        return language
    return default or (language if confidence >= 0.6 else "en")


@cache
def _identifier() -> _Identifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # loaded when first needed: the model takes a moment

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(
        ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ro", "hu", "tr", "id", "vi", "ca"]
    )
    model: _Identifier = identifier
    return model
