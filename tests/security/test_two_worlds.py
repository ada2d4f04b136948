"""Two worlds, with hidden documents and without: whoever may not read them cannot tell which he is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from asking import through_mcp, through_service
from commands import through_cli
from comparison import EXAMPLES, PARTS, Tally, compare
from hypothesis import HealthCheck, Phase, given, settings
from questions import anything
from requesting import through_rest
from scenes import Scene, scenes

from citewell.adapters.embedders.bundled import open_embedder
from citewell.core.ports import Embedder

pytestmark = [pytest.mark.timeout(0), pytest.mark.parametrize("part", range(PARTS))]

# A failing scene is not made smaller: that would take minutes, and it shows the answer that differs as it is.
often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


@pytest.fixture
def tally(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Iterator[Tally]:
    counted = Tally(request.node.name)
    yield counted
    record_property("figures", str(counted))


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    return open_embedder("", {})


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_what_the_service_says(tally: Tally, part: int, scene: Scene) -> None:
    compare(scene, scene.principal("test").tokens, through_service(), tally)


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_what_agents_are_told(tally: Tally, part: int, scene: Scene) -> None:
    compare(scene, scene.principal("mcp-stdio").tokens, through_mcp(), tally)


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_any_answer_of_rest(tally: Tally, part: int, scene: Scene) -> None:
    compare(scene, scene.principal("rest").tokens, through_rest(), tally)


@often
@given(scene=scenes(anything))
def test_hidden_documents_leave_no_trace_in_what_rest_finds_irrelevant(tally: Tally, part: int, scene: Scene) -> None:
    compare(scene, scene.principal("rest").tokens, through_rest(threshold=0.3), tally)


@often
@given(scene=scenes(anything, most=8, rounds=2, asked=3))
def test_hidden_documents_leave_no_trace_on_the_command_line(
    tally: Tally, part: int, environment: None, scene: Scene
) -> None:
    asked = scene.as_local()
    compare(asked, asked.principal("cli").tokens, through_cli, tally)


@pytest.mark.models
@often
@given(scene=scenes(anything, most=6, rounds=1, asked=4))
def test_hidden_documents_leave_no_trace_with_the_default_model_either(
    tally: Tally, part: int, bundled: Embedder, scene: Scene
) -> None:
    compare(scene, scene.principal("test").tokens, through_service(embedder=bundled), tally)
