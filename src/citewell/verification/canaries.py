"""Documents that say a word nobody can guess, one or more for every way in which a policy opens a document."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from citewell.core.access import AccessPolicy, Acl
from citewell.core.globs import path_matcher

LETTERS: Final = "bcdfghjklmnpqrstvwxz"
"""Consonants only: no language has such words, and no chance or stemmer makes them."""

_WILDCARD = re.compile(r"\*\*/?|\*|\?")
_OUTSIDE = re.compile(r"(^|/)\.{1,2}(/|$)|^[A-Za-z]:|\\|[\x00-\x1f]")


@dataclass(frozen=True, slots=True)
class Canary:
    """A document at ``path``, open to ``acl``, that says ``token``; whoever asks for ``hint`` is looking for it."""

    path: str
    hint: str
    token: str
    acl: Acl

    @property
    def text(self) -> str:
        """The document: prose that every chunker and kind of file can hold, in the form its name asks for."""
        sentence = f"The codeword of the {self.hint} report is {self.token}."
        match PurePosixPath(self.path).suffix:
            case ".py":
                return f'"""The {self.hint} report. {sentence}"""\n\nCODEWORD = "{self.token}"\n'
            case ".yaml" | ".yml":
                return f"# {sentence}\nreport: {self.hint}\ncodeword: {self.token}\n"
            case ".json":
                return f'{{"report": "{self.hint}", "codeword": "{self.token}"}}\n'
            case _:
                return f"# The {self.hint} report\n\n{sentence} Keep it to yourself.\n"


def plant_canaries(policy: AccessPolicy, each: int) -> list[Canary]:
    """Return ``each`` canaries for every rule of ``policy`` and for its default; no two have one path."""
    globs = [rule.paths for rule in policy.rules] + ["**"]
    planted: dict[str, Canary] = {}
    for glob in globs:
        for _ in range(each):
            hint = word(6)
            for path in _places(glob, hint):
                planted.setdefault(path, Canary(path, hint, word(12), policy.acl(path)))
    return list(planted.values())


def word(length: int) -> str:
    """Return a new word that occurs nowhere."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _places(glob: str, hint: str) -> Iterator[str]:
    """Yield a path that ``glob`` matches, if one can be made that lies inside a folder."""
    path = _WILDCARD.sub(lambda match: _filling(match.group(), hint), glob.removeprefix("/"))
    named = path if PurePosixPath(path).suffix else f"{path}.md"
    matches = path_matcher((glob,))
    for candidate in (named, path):
        if candidate and matches(candidate) and not _OUTSIDE.search(candidate):
            yield candidate
            return


def _filling(wildcard: str, hint: str) -> str:
    return {"?": "x", "**/": f"{hint}/"}.get(wildcard, hint)
