"""A server as its configuration has it, over files of its own, on a socket of this machine; and a program that asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import yaml
from hosting import hosted
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from stdio_server import READER

from citewell.config import Config, load_config
from citewell.core.access import Principal
from citewell.core.requests import SyncRequest
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.rest.site import rest_site
from citewell.wiring import build_service

WRITER = replace(READER, via="mcp-http", scopes=frozenset({"read", "write"}))
FILES = {
    "docs/guide/timeouts.md": "# Timeouts\n\nThe default timeout is five seconds.\n\n## Fine tuning\n\nSet `read_timeout`.\n",
    "docs/guide/pools.md": "# Pools\n\nA pool keeps ten connections; its timeout is one minute.\n",
    "docs/news.md": "---\nversion: '1.10'\nrelease_date: 2024-10-15\ndoc_type: release\n---\n# News\n\nNo timeout.\n",
    "docs/tr/zaman.md": "# Zaman aşımı\n\nBir isteğin zaman aşımı varsayılan olarak beş saniyedir.\n",
    "src/pool.py": "def close(pool):\n    '''Wait for a timeout, then cancel what waits.'''\n    pool.cancel()\n",
}
SETTINGS: dict[str, Any] = {
    "store": "embedded:./.citewell",
    "embedder": "hash:",
    "collections": {"docs": {}, "code": {}},
    "sources": [
        {"name": "handbook", "from": "folder:./docs", "collection": "docs", "editable": True},
        {"name": "library", "from": "folder:./src", "collection": "code"},
    ],
}


def configured(folder: Path, settings: Mapping[str, Any], files: Mapping[str, str] = FILES) -> Config:
    """Write ``files`` and a configuration into ``folder``, and load it; ``settings`` replace sections of the usual one."""
    for name in ("docs", "src"):
        (folder / name).mkdir()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    file = folder / "citewell.yaml"
    file.write_text(yaml.safe_dump({**SETTINGS, **settings}), encoding="utf-8")
    return load_config(file)


@asynccontextmanager
async def desk(
    folder: Path, *, files: Mapping[str, str] = FILES, caller: Principal = WRITER, **settings: Any
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a server over ``files``, which are synchronised; it takes whoever reaches it for ``caller``."""
    config = configured(folder, settings, files)
    service = build_service(config)
    await service.sync(WRITER, SyncRequest(), lambda _: None)
    site = rest_site(version="0", k=config.retrieval.k, timeout=config.serve.timeout)
    callers = Callers(authenticator=None, unnamed=lambda: caller)
    async with (
        hosted(service, callers, tools=config.declared_tools(), site=site) as address,
        httpx2.AsyncClient(base_url=address, timeout=60) as client,
    ):
        yield client


@asynccontextmanager
async def agent_of(client: httpx2.AsyncClient) -> AsyncIterator[Client]:
    """An agent of the server that ``client`` asks."""
    async with Client(streamable_http_client(str(client.base_url.join("/mcp")), http_client=client), mode="auto") as agent:
        yield agent


def problem_of(response: httpx2.Response) -> tuple[int, str]:
    """Return the status and the code of a problem, which is told as one in every way."""
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) == {"title", "status", "detail", "code"}
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return response.status_code, problem["code"]


def events_of(response: httpx2.Response) -> list[tuple[str, str]]:
    """Return the name and the data of every event of a stream, as the format has them."""
    assert response.headers["content-type"].startswith("text/event-stream")
    found: list[tuple[str, str]] = []
    for block in response.text.removesuffix("\n\n").split("\n\n"):
        fields = [line.partition(": ")[::2] for line in block.split("\n")]
        data = [value for name, value in fields if name.removesuffix(":") == "data"]
        found.append((dict(fields).get("event", ""), "\n".join(data)))
    return found
