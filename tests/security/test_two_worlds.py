"""Two worlds, with hidden documents and without: whoever may not read them cannot tell which he is in."""

from __future__ import annotations

import pytest
from asking import through_mcp, through_service
from comparison import EXAMPLES, Tally, compare
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from questions import anything
from scenes import Scene, scenes

from citewell.adapters.embedders.bundled import open_embedder

pytestmark = pytest.mark.timeout(0)

often = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
Say = pytest.FixtureRequest


@pytest.fixture
def tally(request: pytest.FixtureRequest, record_property: object) -> object:
    counted = Tally(request.node.name)
    yield counted
    record_property("figures", str(counted))  # type: ignore[operator]


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_what_the_service_says(tally: Tally, scene: Scene) -> None:
    compare(scene, scene.principal("test").tokens, through_service(), tally)


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_what_agents_are_told(tally: Tally, scene: Scene) -> None:
    compare(scene, scene.principal("mcp-stdio").tokens, through_mcp(), tally)
