"""Endpoints, against a real server on this machine that misbehaves in every way it can."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import anyio
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import DIMENSION, Reply, ScriptedServer, openai_answer, running_server, tei_answer, vector_of

from citewell.adapters.embedders import openai, tei
from citewell.adapters.embedders.http_client import HttpEmbedder, Patience, cut_batches
from citewell.core.errors import ConfigurationError, EmbeddingFailed, WrongDimension
from citewell.core.ports import Embedder
from citewell.testing.embedder_suite import EmbedderSuite

pytestmark = pytest.mark.anyio

HASTY = Patience(tries=3, first_pause=0.01, timeout=1.0, deadline=30.0, query_deadline=30.0)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with running_server() as scripted:
        yield scripted


def open_openai(server: ScriptedServer, patience: Patience = HASTY, **secrets: str) -> HttpEmbedder:
    return HttpEmbedder(openai.openai_endpoint(f"{server.url}/v1#tiny", secrets), patience)


def open_tei(server: ScriptedServer, patience: Patience = HASTY) -> HttpEmbedder:
    return HttpEmbedder(tei.tei_endpoint(server.url), patience)


class TestOpenAIEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, server: ScriptedServer) -> Embedder:
        return openai.open_embedder(f"{server.url}/v1#tiny", {})


class TestTeiEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, server: ScriptedServer) -> Embedder:
        return tei.open_embedder(server.url, {})


async def test_openai_requests_have_the_shape_and_key_of_its_api(server: ScriptedServer) -> None:
    await open_openai(server, OPENAI_API_KEY="sk-test").embed(["a", "b"], "query")
    (request,) = server.requests
    assert request["path"] == "/v1/embeddings"
    assert request["body"] == {"model": "tiny", "input": ["a", "b"], "encoding_format": "float"}
    assert request["headers"]["authorization"] == "Bearer sk-test"


async def test_without_a_key_no_authorization_is_sent(server: ScriptedServer) -> None:
    await open_openai(server).embed(["a"], "query")
    assert server.requests[0]["headers"]["authorization"] is None


async def test_tei_requests_never_ask_for_truncation(server: ScriptedServer) -> None:
    await open_tei(server).embed(["a"], "query")
    (request,) = server.requests
    assert request["path"] == "/embed"
    assert request["body"] == {"inputs": ["a"], "normalize": True, "truncate": False}


async def test_prefixes_are_put_before_queries_and_passages(server: ScriptedServer) -> None:
    rest = f"{server.url}?query_prefix=query%3A%20&passage_prefix=passage%3A%20"
    embedder = tei.open_embedder(rest, {})
    await embedder.embed(["a"], "query")
    await embedder.embed(["a"], "passage")
    assert [request["body"]["inputs"] for request in server.requests] == [["query: a"], ["passage: a"]]
    assert embedder.name != tei.open_embedder(server.url, {}).name


async def test_vectors_come_out_with_length_one(server: ScriptedServer) -> None:
    (row,) = await open_tei(server).embed(["some words"], "passage")
    exact = np.array(vector_of("some words"))
    assert np.allclose(row, exact / np.linalg.norm(exact), atol=1e-6)


async def test_rows_are_ordered_by_their_index(server: ScriptedServer) -> None:
    expected = await open_openai(server).embed(["a", "b", "c"], "passage")
    server.script = [Reply(body=lambda texts: {"data": openai_answer(texts)["data"][::-1]})]
    assert (await open_openai(server).embed(["a", "b", "c"], "passage")).tobytes() == expected.tobytes()


async def test_many_texts_go_in_batches_and_come_back_in_order(server: ScriptedServer) -> None:
    texts = [f"text {number}" for number in range(150)]
    server.script = [Reply(delay=0.1)]
    rows = await open_tei(server).embed(texts, "passage")
    assert sorted(len(request["body"]["inputs"]) for request in server.requests) == [22, 64, 64]
    alone = await open_tei(server).embed(texts[:1], "passage")
    assert rows[0].tobytes() == alone[0].tobytes()
    assert len({row.tobytes() for row in rows}) > 100


async def test_no_more_batches_run_at_once_than_allowed(server: ScriptedServer) -> None:
    server.script = [Reply(delay=0.05) for _ in range(8)]
    await open_tei(server, Patience(concurrency=2)).embed([f"text {number}" for number in range(8 * 64)], "passage")
    assert server.most_active == 2


@given(st.lists(st.text(max_size=30) | st.integers(50_000, 250_000).map("x".__mul__), max_size=200))
def test_batches_hold_every_text_in_order_within_the_limits(texts: list[str]) -> None:
    batches = list(cut_batches(texts))
    assert list(itertools.chain.from_iterable(batches)) == texts
    assert all(1 <= len(batch) <= 64 for batch in batches)
    assert all(len(batch) == 1 or sum(map(len, batch)) <= 200_000 for batch in batches)


PASSING = [
    Reply(429, b"slow down"),
    Reply(429, b"slow down", headers={"retry-after": "0"}),
    Reply(503, b"starting"),
    Reply(502, b""),
    Reply(504, b""),
    Reply(reset=True),
    Reply(delay=1.5),
]


@pytest.mark.parametrize("reply", PASSING, ids=lambda reply: f"{reply.status}-{reply.reset}-{reply.delay}")
async def test_a_passing_failure_is_tried_again(server: ScriptedServer, reply: Reply) -> None:
    server.script = [reply]
    assert (await open_openai(server).embed(["a"], "passage")).shape == (1, DIMENSION)
    assert len(server.requests) == 2


async def test_a_server_that_keeps_failing_is_given_up(server: ScriptedServer) -> None:
    server.script = [Reply(503, b"no") for _ in range(9)]
    with pytest.raises(EmbeddingFailed, match=r"batch 1 of 1\) failed 3 times, last with status 503"):
        await open_tei(server).embed(["a"], "passage")
    assert len(server.requests) == 3


async def test_an_error_that_will_not_pass_is_not_tried_again(server: ScriptedServer) -> None:
    server.script = [Reply(500, b"the text of a secret document")]
    with pytest.raises(EmbeddingFailed, match="status 500") as failure:
        await open_openai(server).embed(["a"], "passage")
    assert "secret" not in failure.value.message
    assert "secret" in failure.value.detail
    assert len(server.requests) == 1


async def test_the_server_says_how_long_to_wait_and_the_deadline_ends_it(server: ScriptedServer) -> None:
    server.script = [Reply(503, b"", headers={"retry-after": "3600"})]
    with pytest.raises(EmbeddingFailed, match=r"no answer within 0\.2 s"):
        await open_tei(server, Patience(query_deadline=0.2)).embed(["a"], "query")


async def test_a_closed_port_fails_by_the_name_of_the_endpoint() -> None:
    with running_server() as gone:
        embedder = open_tei(gone)
    with pytest.raises(EmbeddingFailed, match=r"127\.0\.0\.1.*ConnectError"):
        await embedder.embed(["a"], "query")


UNUSABLE: list[tuple[Any, str]] = [
    (b"<html>", "not a list of vectors"),
    (b"\xff\xfe", "not a list of vectors"),
    (b"[" * 100_000, "not a list of vectors"),
    (b'{"error": "out of memory"}', "not a list of vectors"),
    (b"null", "not a list of vectors"),
    (lambda texts: [[None] * DIMENSION for _ in texts], "not a list of vectors|NaN"),
    (lambda texts: [["a"] * DIMENSION for _ in texts], "not a list of vectors"),
    (lambda texts: [[10**400] * DIMENSION for _ in texts], "not a list of vectors"),
    (lambda texts: [vector_of("a"), vector_of("b")[:-1]], "not a list of vectors"),
    (lambda texts: tei_answer(texts)[:-1], r"shape \(1, 16\) for 2 texts"),
    (lambda texts: tei_answer([*texts, "more"]), r"shape \(3, 16\) for 2 texts"),
    (lambda texts: [], "for 2 texts"),
    (lambda texts: [vector_of("a"), [float("nan")] * DIMENSION], r"NaN or infinity \(row 1 of 2\)"),
    (lambda texts: [[float("inf"), *vector_of("a")[1:]], vector_of("b")], r"NaN or infinity \(row 0 of 2\)"),
    (lambda texts: [vector_of("a"), [0.0] * DIMENSION], "vector of zeros"),
    (lambda texts: [[0.25] * DIMENSION, vector_of("b")], "one repeated number"),
]


@pytest.mark.parametrize(("body", "complaint"), UNUSABLE)
async def test_unusable_vectors_are_refused_by_the_name_of_the_batch(
    server: ScriptedServer, body: Any, complaint: str
) -> None:
    server.script = [Reply(body=body)]
    with pytest.raises(EmbeddingFailed, match=complaint) as failure:
        await open_tei(server).embed(["a", "b"], "passage")
    assert "batch 1 of 1" in failure.value.message


@pytest.mark.parametrize("indices", [[0, 0], [1, 2], ["0", "1"]])
async def test_indices_that_are_not_those_of_the_texts_are_refused(server: ScriptedServer, indices: list[Any]) -> None:
    server.script = [Reply(body=lambda texts: {"data": [{"index": at, "embedding": vector_of("a")} for at in indices]})]
    with pytest.raises(EmbeddingFailed, match="not a list of vectors"):
        await open_openai(server).embed(["a", "b"], "passage")


async def test_a_dimension_that_changes_is_refused(server: ScriptedServer) -> None:
    embedder = open_tei(server)
    await embedder.embed(["a"], "passage")
    server.script = [Reply(body=lambda texts: [vector_of(text)[:8] for text in texts])]
    with pytest.raises(WrongDimension, match="8 numbers instead of 16"):
        await embedder.embed(["a"], "passage")


async def test_a_failed_batch_stops_the_others(server: ScriptedServer) -> None:
    server.script = [Reply(400, b"bad"), *(Reply(delay=0.2) for _ in range(40))]
    with pytest.raises(EmbeddingFailed, match=r"batch \d+ of 20"):
        await open_tei(server).embed(["x"] * 20 * 64, "passage")
    assert len(server.requests) < 10


async def test_a_cancelled_call_ends_at_once(server: ScriptedServer) -> None:
    server.script = [Reply(delay=0.5)]
    with anyio.move_on_after(0.05) as scope:
        await open_tei(server, Patience()).embed(["a"], "passage")
    assert scope.cancelled_caught


@pytest.mark.parametrize(
    "rest", ["", "ftp://host", "https://", "localhost:8080", "http://[", "http://host:99999", "http://h:0"]
)
@pytest.mark.parametrize("scheme", [openai, tei])
def test_an_address_that_cannot_be_reached_by_http_is_refused(scheme: Any, rest: str) -> None:
    with pytest.raises(ConfigurationError, match="http or https"):
        scheme.open_embedder(f"{rest}#model", {})


def test_passwords_do_not_belong_in_an_address() -> None:
    with pytest.raises(ConfigurationError, match="password") as failure:
        tei.open_embedder("https://user:hunter2@host", {})
    assert "hunter2" not in failure.value.message


def test_unknown_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="no parameter 'prefix'"):
        tei.open_embedder("https://host?prefix=x", {})


def test_openai_needs_a_model() -> None:
    with pytest.raises(ConfigurationError, match="needs a model"):
        openai.open_embedder("https://host/v1", {})


def test_the_key_is_not_part_of_what_is_printed() -> None:
    assert "sk-secret" not in repr(openai.openai_endpoint("https://host/v1#m", {"OPENAI_API_KEY": "sk-secret"}))
