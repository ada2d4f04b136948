"""Qdrant's local mode and Qdrant's own core agree on everything that our store asks: tests may run on either."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qdrant_client")
pytest.importorskip("qdrant_edge")

from qdrant_client import QdrantClient
from qdrant_client.http import models
from qdrant_core import CoreClient

from citewell.adapters.stores.elastic_qdrant.conditions import matches, point_conditions
from citewell.adapters.stores.keywords import keyword
from citewell.core.requests import Filters
from citewell.testing.store_filters import HOSTILE

Client = QdrantClient | CoreClient

POINTS = 80
ROUNDS = 60
TOKENS = ("public", "group:a", 'group:"b" or 1 == 1')
VALUES = (*HOSTILE, "\ud800", "open", "closed", "1.10", "a.b", "a[0]", "a[].b")


@pytest.fixture(scope="module")
def points() -> list[models.PointStruct]:
    dice = random.Random(7)
    return [
        models.PointStruct(
            id=str(uuid.UUID(int=number + 1)),
            vector=[dice.random(), dice.random(), -dice.random()],
            payload={
                "acl": sorted(keyword(token) for token in dice.sample(TOKENS, dice.choice((0, 1, 2)))),
                "kind": keyword(dice.choice(VALUES)),
                "version": [keyword(value) for value in dice.sample(VALUES, 2)],
                "path": keyword(f"{dice.choice(VALUES)}/{number}"),
                "chunk_id": str(number),
                "chunk_idx": number,
            },
        )
        for number in range(POINTS)
    ]


@pytest.fixture
def both(points: list[models.PointStruct], tmp_path: Path) -> Iterator[tuple[Client, Client]]:
    """Lend the local mode and the core, with the same points and an index on every field that is filtered by."""
    local, core = QdrantClient(":memory:"), CoreClient(tmp_path)
    for client in (local, core):
        client.create_collection("c", vectors_config=models.VectorParams(size=3, distance=models.Distance.DOT))
        client.upsert("c", points)
    for name in ("acl", "kind", "version", "path", "chunk_id"):
        core.create_payload_index("c", name, "keyword")
    yield local, core
    local.close()
    core.close()


def drawn(dice: random.Random) -> models.Filter:
    """Return a filter as the store sends it."""

    def some() -> tuple[str, ...]:
        return tuple(dice.sample(VALUES, dice.choice((0, 1, 3, 9))))

    visible = frozenset(dice.sample(TOKENS, dice.choice((0, 1, 2))))
    paths = None if dice.random() < 0.7 else [f"{dice.choice(VALUES)}/{number}" for number in range(POINTS)]
    return point_conditions(visible, Filters(kinds=some(), versions=some()), paths)


def nearest(client: Client, condition: models.Filter) -> list[tuple[str, float, Any]]:
    found = client.query_points(
        "c",
        query=[0.5, 0.25, 1.0],
        using=None,
        query_filter=condition,
        limit=20,
        with_payload=["chunk_id", "acl"],
    )
    return [(str(point.id), round(point.score, 4), point.payload) for point in found.points]


def held(client: Client, condition: models.Filter) -> dict[str, Any]:
    records, _ = client.scroll("c", scroll_filter=condition, limit=POINTS)
    return {str(record.id): record.payload for record in records}


def counted(client: Client, condition: models.Filter) -> dict[Any, int]:
    hits = client.facet("c", "path", facet_filter=condition, limit=1_000_000, exact=True).hits
    return {hit.value: hit.count for hit in hits}


@pytest.mark.parametrize("ask", [nearest, held, counted])
def test_both_find_the_same_points_under_any_filter(both: tuple[Client, Client], ask: Any) -> None:
    dice, found = random.Random(11), 0
    for _ in range(ROUNDS):
        condition = drawn(dice)
        first, second = (ask(client, condition) for client in both)
        assert first == second, condition
        found += bool(first)
    assert found > ROUNDS / 10


def test_both_write_over_a_payload_and_take_points_away_alike(both: tuple[Client, Client]) -> None:
    dice = random.Random(13)
    for _ in range(ROUNDS // 4):
        changed, gone = drawn(dice), matches("chunk_id", [str(dice.randrange(POINTS))])
        payload = {"acl": [keyword(dice.choice(TOKENS))], "kind": keyword(dice.choice(VALUES))}
        for client in both:
            client.set_payload("c", payload, points=changed)
            client.delete("c", models.FilterSelector(filter=models.Filter(must=[gone])))
        first, second = (held(client, models.Filter()) for client in both)
        assert first == second


def test_both_compare_numbers_and_words_as_the_foreign_reader_asks(both: tuple[Client, Client]) -> None:
    either: list[models.Condition] = [
        models.FieldCondition(key="chunk_idx", match=models.MatchValue(value="17")),
        models.FieldCondition(key="chunk_idx", match=models.MatchValue(value=17)),
    ]
    first, second = (held(client, models.Filter(should=[models.Filter(should=either)])) for client in both)
    assert list(first) == list(second) == [str(uuid.UUID(int=18))]
