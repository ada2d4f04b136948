"""The knowledge base of ``examples/chinese``: copied, synchronised, and asked as its users ask."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from running import PATIENCE_SECONDS, Era, citewell, copied, over_http, payload_of, text_of

FIELDS = {"doc_id", "title", "chunk_id", "snippet", "score"}
LITERATURE = Path(os.environ.get("TEST_EVAL_DATA", "/nowhere")) / "zh-literature" / "txt"
needs_literature = pytest.mark.skipif(
    not LITERATURE.is_dir(), reason="TEST_EVAL_DATA names no folder with zh-literature/txt in it"
)


@dataclass(frozen=True)
class Library:
    """A configuration that is served at ``address``."""

    config: Path
    address: str


def open_library(folder: Path, texts: Path | None = None, env: Mapping[str, str] | None = None) -> Path:
    """Copy the example into ``folder``, with ``texts`` in the place of its own, synchronise, and return its configuration."""
    config = copied("chinese", folder)
    if texts is not None:
        change(config, "folder:./texts", f"folder:{texts}")
    report = citewell(config, "sync", env=env)
    assert report.returncode == 0, report.stdout + report.stderr
    return config


def change(config: Path, before: str, after: str) -> None:
    """Put ``after`` in the place of ``before`` in the configuration."""
    text = config.read_text(encoding="utf-8")
    assert before in text
    config.write_text(text.replace(before, after), encoding="utf-8")


@asynccontextmanager
async def web_client(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of REST that takes JSON."""
    headers = {"Accept": "application/json"}
    async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=PATIENCE_SECONDS) as client:
        yield client


async def envelope(client: Client, **arguments: Any) -> dict[str, Any]:
    """What ``kb_search`` says: the same in both channels, and never an error of the protocol."""
    result = await client.call_tool("kb_search", arguments)
    payload = payload_of(result)
    assert json.loads(text_of(result)) == payload
    return payload


async def told(address: str, era: Era = "auto", **arguments: Any) -> dict[str, Any]:
    """What ``kb_search`` says over HTTP."""
    async with over_http(address, era) as client:
        return await envelope(client, **arguments)


def refusal(payload: Mapping[str, Any]) -> str:
    """The code in an envelope that says no, of exactly the form that the contract gives it."""
    assert set(payload) == {"ok", "error", "results"}
    assert (payload["ok"], payload["results"]) == (False, [])
    assert set(payload["error"]) == {"code", "message"}
    assert payload["error"]["message"]
    return str(payload["error"]["code"])


def problem(response: httpx2.Response) -> tuple[int, str]:
    """The status and code of an answer that is a problem document."""
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    assert body["detail"]
    return response.status_code, body["code"]
