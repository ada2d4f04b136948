"""The words that tell what a question wants, by language: folded as `fold_word` folds, Chinese as it is written."""

from __future__ import annotations

import re
from typing import Final


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in patterns))


def _signs(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


COMPARISON: Final = (
    _words(r"compar(?:e[ds]?|ing|isons?|ed to)", r"versus", r"vs", r"differences? between", r"differ(?:s|ent)? from"),
    _words(r"what(?:'s| is| are) the differences?", r"pros and cons", r"better than", r"or which is better"),
    _words(r"karsilastir\w*", r"(?:aralarinda|arasinda)ki fark\w*", r"farki\w*", r"farklar\w*", r"'?\w{1,3} karsi"),
    _signs(
        "比较(?!好|多|少|快|慢|大|小|简单|复杂)", "对比", "区别", "差异", "差别", "相比", "有何不同", "有什么不同", "哪个更"
    ),
)
RELEASE_DATE: Final = (
    _words(r"when (?:\w+\W+){0,6}?(?:released?|come out|came out|ship(?:s|ped)?|published|launched|go ga|out)"),
    _words(r"release (?:\S+ )?dates?", r"dates? of (?:the )?(?:\w+ )?release"),
    _words(
        r"(?:what|which|on which|on what) (?:day|date|month|year) (?:\S+\W+){0,6}?(?:out|released?|published|ship(?:ped)?)"
    ),
    _words(r"ne zaman (?:\S+ ){0,3}?(?:yayi[nm]l?a\w*|cik\w*|duyur\w*)", r"(?:cikis|yayi[nm]\w*) tarih\w*"),
    _words(r"hangi (?:gun|tarih\w*|ay|yil)\w* (?:\S+ ){0,2}?(?:yayi[nm]l?a\w*|cik\w*|duyur\w*)"),
    _signs(
        "(?:什么时候|何时|哪天|哪一天|哪年|几月|几号).{0,12}(?:发布|发行|推出|上线)",
        "(?:发布|发行|推出|上线)(?:日期|时间|于何时)",
    ),
    _signs("(?:发布|发行|推出).{0,6}(?:什么时候|何时|哪天|哪一天)"),
)
TEMPORAL: Final = (
    _words(
        r"latest",
        r"newest",
        r"most recent(?:ly)?",
        r"(?:is|are|still|currently|officially|longer|not) (?:\S+ ){0,3}?(?:un)?supported",
        r"(?:un)?supported (?:\S+ ){0,2}?(?:versions?|releases?|kubernetes|platforms?)",
        r"(?:versions?|releases?) (?:\S+ ){0,3}?(?:un)?supported",
        r"up to date",
        r"what's new(?! in \S*\d)",
        r"still maintained",
    ),
    _words(
        r"current(?:ly)? (?:\S+ ){0,3}?(?:releases?|versions?|stable|supported)",
        r"(?:releases?|versions?|stable) (?:\S+ ){0,5}?(?:right now|today|nowadays)",
    ),
    _words(r"en son", r"en yeni", r"son surum\w*", r"guncel surum\w*", r"guncel", r"(?:su an|simdi|halen|hala) ?\w* kararli"),
    _words(r"su anki (?:\S+ ){0,2}?(?:surum\w*|kararli)", r"desteklen\w*"),
    _signs("最新", "最近(?:一次|的|版|发)", "新版本有", "受支持", "支持(?:哪些|哪个|什么).{0,14}版本", "还支持", "不再支持"),
    _signs("(?:目前|当前|现在|如今).{0,10}(?:版|支持|稳定)"),
)
CONCEPTUAL: Final = (
    _words(r"how", r"why", r"explain(?:s|ed)?", r"what (?:is|are|does|do|happens)", r"what's", r"meaning of", r"understand"),
    _words(r"nasil\w*", r"neden\w*", r"nicin", r"niye", r"acikla\w*", r"nedir", r"ne demek", r"ne ise yarar", r"anlat\w*"),
    _signs("如何", "怎么", "怎样", "为什么", "为何", "解释", "是什么", "什么是", "原理", "说明一下", "什么意思"),
)
ERROR_NAME: Final = re.compile(r"\b\w*[a-z](?:Error|Exception|Fault|BackOff|Timeout)\b(?!\s*:)")
"""What an error is called: by itself no more than any other name."""

ERROR: Final = (
    re.compile(r"\b\w*[a-z](?:Error|Exception|Fault|BackOff|Timeout)\s*:|\bERR_\w+|\bE[A-Z]{4,}\b|\bTraceback\b"),
    re.compile(r"\b(?:error|fatal|panic|warning|errno)\s?(?::|=|\[)", re.IGNORECASE),
    re.compile(
        r"\b(?:connection (?:refused|reset)|permission denied|no such file|not found:|no matches for|exit code \d+"
        r"|http [45]\d\d|failed to \w+ \w+:|cannot \w+ \w+:|unable to \w+ \w+:|segmentation fault|dial tcp)",
        re.IGNORECASE,
    ),
)
