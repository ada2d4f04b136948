"""The interface as its OpenAPI document describes it: reviewed, and kept to whatever is sent."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from anyio.from_thread import start_blocking_portal
from desk import desk
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from test_mcp_listing import UPDATE

from citewell.core.errors import CitewellError
from citewell.surfaces.rest.app import rest_app
from citewell.surfaces.statuses import STATUS

SNAPSHOT = Path(__file__).with_name("snapshots") / "openapi.json"
DOCUMENT = rest_app(None, version="0", k=8).openapi()  # type: ignore[arg-type]
OPERATIONS = [
    f"{method.upper()} {path}" for path, methods in DOCUMENT["paths"].items() for method in methods if method != "parameters"
]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXPECTED = {200, 201, 204, 404, 409, 415, 422}
"""The statuses that a caller who may do everything can bring about where nothing fails."""

CASES = [
    pytest.param(name, mode, id=f"{name} {mode.value}")
    for name in OPERATIONS
    for mode in GenerationMode
    if (name, mode) not in {(right, GenerationMode.NEGATIVE) for right in ("GET /sources", "DELETE /documents/{id}")}
]
"""What the document allows, and what it does not, sent to each operation; to two of them nothing wrong can be sent."""

often = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def codes(kind: type[CitewellError]) -> Iterator[str]:
    yield kind.code
    for narrower in kind.__subclasses__():
        if "code" in vars(narrower):
            yield from codes(narrower)


def test_the_interface_is_as_reviewed() -> None:
    if UPDATE in os.environ:
        SNAPSHOT.write_text(json.dumps(DOCUMENT, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert json.loads(SNAPSHOT.read_text(encoding="utf-8")) == DOCUMENT, f"review it, then run pytest with {UPDATE}=1 set"


def test_every_error_of_the_tree_has_a_status_and_the_document_names_them_all() -> None:
    assert set(codes(CitewellError)) == set(STATUS)
    assert set(DOCUMENT["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == set(STATUS)


@pytest.mark.anyio
@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_the_document_is_served(tmp_path: Path, prefix: str) -> None:
    async with desk(tmp_path) as client:
        response: httpx2.Response = await client.get(f"{prefix}/openapi.json")
    assert response.json() == DOCUMENT


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, APIOperation[Any, Any, Any]]]:
    """The operations of the real application, which another thread serves, by what they are called."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(desk(tmp_path_factory.mktemp("desk"))) as client,
    ):
        schema = schemathesis.openapi.from_url(str(client.base_url.join("/openapi.json")))
        found = [result.ok() for result in schema.get_all_operations()]
        yield {f"{operation.method.upper()} {operation.path}": operation for operation in found}


def test_the_operations_are_those_of_the_document(operations: dict[str, Any]) -> None:
    assert set(operations) == set(OPERATIONS)


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_whatever_is_sent_is_answered_as_the_document_says(
    operations: dict[str, APIOperation[Any, Any, Any]], name: str, mode: GenerationMode
) -> None:
    operation = operations[name]

    @often
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case: Case = data.draw(operation.as_strategy(generation_mode=mode))
        response = case.call()
        case.validate_response(response, checks=CHECKS)
        assert response.status_code in EXPECTED
        if response.status_code >= 400:
            assert response.json()["code"] in STATUS

    check()
