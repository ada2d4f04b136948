"""The comparison of two worlds finds every kind of leak that others were caught with: each is planted here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import broken
import pytest
from asking import through_mcp, through_service
from commands import through_cli
from comparison import Difference, Leak, Surface, Tally, compare
from hypothesis import HealthCheck, Phase, given, settings
from phrases import SENTENCES, Page
from questions import anything
from requesting import through_rest
from scenes import Edit, Round, Scene, scenes

from citewell import wiring
from citewell.core.access import AccessPolicy, AccessRule
from citewell.core.requests import SearchRequest
from citewell.registry import open_store

# The same scenes at every run: that a leak is found must not be a matter of luck.
TRIES = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)

HOLES: list[Callable[[Any], Any]] = [
    broken.GlobalStatistics,
    broken.PostFilter,
    broken.CountingHidden,
    broken.NearDuplicates,
    broken.CountingEverything,
    broken.TellingErrors,
]


def compare_many(surface: Surface, *overlooked: type[Exception], as_local: bool = False) -> None:
    @TRIES
    @given(scene=scenes(anything))
    def search_for_a_leak(scene: Scene) -> None:
        scene = scene.as_local() if as_local else scene
        with suppress(*overlooked):
            compare(scene, scene.principal("test").tokens, surface, Tally("planted"))

    search_for_a_leak()


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.__name__)
def test_a_store_that_gives_hidden_documents_away_is_found_out(hole: Callable[[Any], Any]) -> None:
    with pytest.raises(Difference):
        compare_many(through_service(wrap=hole))


def test_a_store_that_tells_that_hidden_documents_wait_for_their_vectors_is_found_out() -> None:
    policy = AccessPolicy(
        rules=(AccessRule(paths="board/**", groups=("board",)),), default=("staff",), users={"ada": ("staff",)}
    )
    visible = Edit(("handbook", "open/0.md"), Page("Guide", SENTENCES[:1]))
    hidden = Edit(("handbook", "board/0.md"), Page("Guide", SENTENCES[2:3]))
    rounds = (Round(policy, (visible,), (), embed=True), Round(policy, (hidden,), (), embed=False))
    scene = Scene(rounds, policy, "ada", frozenset(), (SearchRequest(query="timeout"),), candidates=50)
    visible_to_ada = scene.principal("test").tokens
    compare(scene, visible_to_ada, through_service(), Tally("honest"))
    with pytest.raises(Difference, match="dense_pending"):
        compare(scene, visible_to_ada, through_service(wrap=broken.PendingForAll), Tally("planted"))


def test_a_store_that_gives_hidden_documents_away_is_found_out_by_agents() -> None:
    with pytest.raises(Difference):
        compare_many(through_mcp(wrap=broken.TellingErrors))


@pytest.mark.parametrize("hole", [broken.TellingErrors, broken.CountingHidden], ids=lambda hole: hole.__name__)
def test_a_store_that_gives_hidden_documents_away_is_found_out_over_rest(hole: Callable[[Any], Any]) -> None:
    with pytest.raises(Difference):
        compare_many(through_rest(wrap=hole))


def test_a_store_that_counts_hidden_documents_is_found_out_by_the_list_of_documents() -> None:
    with pytest.raises(Difference):
        compare_many(through_rest(wrap=broken.ListingEverything))


def test_a_store_that_gives_hidden_documents_away_is_found_out_on_the_command_line(
    environment: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "open_store", lambda address, setup: broken.GlobalStatistics(open_store(address, setup)))
    with pytest.raises(Difference):
        compare_many(through_cli, as_local=True)


def test_a_model_whose_vectors_depend_on_hidden_texts_is_found_out() -> None:
    with pytest.raises(Difference):
        compare_many(through_service(embedder=broken.BatchDependent()))


def test_a_canary_that_gets_out_is_found() -> None:
    with pytest.raises(Leak):
        compare_many(through_service(wrap=broken.OpenDocuments), Difference)
