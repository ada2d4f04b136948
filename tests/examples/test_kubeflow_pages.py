"""The assistant over the 214 pages of Kubeflow's own documentation, where TEST_EVAL_DATA says that they are."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from running import over_http, payload_of, serving

pytest.importorskip("pymilvus", reason="the extra milvus is not installed")

from assistant import Assistant, founded

PAGES = Path(os.environ.get("TEST_EVAL_DATA", "/nowhere")) / "kubeflow-docs" / "corpus.jsonl"

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.models,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not PAGES.exists(), reason="TEST_EVAL_DATA names no folder with kubeflow-docs in it"),
]


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    pages = tmp_path_factory.mktemp("pages")
    for line in PAGES.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        file = pages / page["_id"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ntitle: {json.dumps(page['title'])}\n---\n\n{page['text']}\n", encoding="utf-8")
    with founded(tmp_path_factory.mktemp("kubeflow"), pages) as assistant:
        yield assistant


@pytest.fixture(scope="module")
async def agent(assistant: Assistant) -> AsyncIterator[Client]:
    async with serving(assistant.config, assistant.env) as address, over_http(address, "auto") as client:
        yield client


async def ask(agent: Client, query: str, top_k: int = 5) -> dict[str, Any]:
    return payload_of(await agent.call_tool("search_kubeflow_docs", {"query": query, "top_k": top_k}))


def versions(found: dict[str, Any]) -> list[str]:
    return [citation.get("version", "") for citation in found["citations"]]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("Compare Kubeflow 1.9 and 1.10", "1.9", "1.10"),
        ("What changed between 1.1 and 1.11?", "1.1", "1.11"),
        ("Kubeflow 1.7 ile 1.8 arasındaki fark nedir?", "1.7", "1.8"),
        ("Kubeflow 1.10 和 26.03 有什么区别？", "1.10", "26.03"),
    ],
)
async def test_a_comparison_covers_both_versions(agent: Client, question: str, one: str, other: str) -> None:
    found = await ask(agent, question)
    assert found["retrieval"]["intent"] == "comparison"
    for version in (one, other):
        assert [name for name in versions(found) if re.match(rf"{re.escape(version)}(\.|$)", name)], versions(found)


@pytest.mark.parametrize(
    ("question", "version", "day"),
    [
        ("When was Kubeflow 1.10 released?", "1.10", "2025-04-01"),
        ("When was Kubeflow 1.1 released?", "1.1", "2020-07-31"),
        ("Kubeflow 1.11 ne zaman yayınlandı?", "1.11", None),
        ("Kubeflow 1.9 什么时候发布的？", "1.9", "2024-07-22"),
    ],
)
async def test_the_version_asked_for_comes_first(agent: Client, question: str, version: str, day: str | None) -> None:
    found = await ask(agent, question)
    assert found["retrieval"]["intent"] == "release_date"
    assert re.match(rf"{re.escape(version)}(\.|$)", versions(found)[0]), versions(found)
    assert day is None or found["citations"][0]["release_date"] == day


async def test_the_newest_release_comes_first(agent: Client) -> None:
    found = await ask(agent, "What is the latest Kubeflow release?")
    days = [citation["release_date"] for citation in found["citations"] if "release_date" in citation]
    assert days == sorted(days, reverse=True)
    assert versions(found)[0].startswith("26.03")


@pytest.mark.parametrize(
    "question", ["How do I disable caching?", "CULL_IDLE_TIME", "What is Katib?", "Trainer vs training operator"]
)
async def test_evidence_of_real_pages_holds_no_address_and_citations_lead_to_them(agent: Client, question: str) -> None:
    found = await ask(agent, question, top_k=20)
    assert not re.search(r"https?://|www\.", found["evidence"])
    assert found["citations"]
    assert all(citation["url"].startswith("https://www.kubeflow.org/docs/") for citation in found["citations"])
