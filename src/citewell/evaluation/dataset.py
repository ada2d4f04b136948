"""Judged questions over a corpus, in the layout of the BEIR benchmark."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from citewell.core.errors import ConfigurationError

SUFFIXES = {"python": ".py", "markdown": ".md"}


@dataclass(frozen=True, slots=True)
class CorpusText:
    """A document of the corpus. ``path`` is its id, with the suffix of its language where that is known."""

    id: str
    title: str
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus, its questions, and for each question the relevant documents with their grades.

    Questions that no document answers have no entry in ``judgements``.
    """

    name: str
    corpus: tuple[CorpusText, ...]
    queries: tuple[Query, ...]
    judgements: Mapping[str, Mapping[str, int]]


def load_dataset(folder: Path) -> Dataset:
    """Read ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv``. Raises ConfigurationError where one is missing."""
    try:
        corpus = [_corpus_text(row) for row in _rows(folder / "corpus.jsonl")]
        queries = [Query(row["_id"], row["text"]) for row in _rows(folder / "queries.jsonl")]
        judgements = _judgements(folder / "qrels.tsv")
    except (OSError, KeyError, json.JSONDecodeError) as error:
        raise ConfigurationError(f"{folder.name!r} is not a BEIR folder: {error}") from error
    return Dataset(folder.name, tuple(corpus), tuple(queries), judgements)


def _corpus_text(row: dict[str, str]) -> CorpusText:
    suffix = SUFFIXES.get(row.get("lang", ""), "")
    path = row["_id"] if row["_id"].endswith(suffix) else row["_id"] + suffix
    return CorpusText(row["_id"], row.get("title", ""), row["text"], path)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    judgements: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for query, document, grade in list(csv.reader(lines, delimiter="\t"))[1:]:
            judgements.setdefault(query, {})[document] = int(grade)
    return judgements
