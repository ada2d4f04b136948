"""Asks doc_search over streamable HTTP, as the agents of the platform do, and prints the chunks.

citewell serve --config examples/atlas/citewell.yaml &
python examples/atlas/smoke.py "Why does the ingress answer 503?" --k 3
"""

from __future__ import annotations

import argparse

import anyio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, query: str, k: int) -> int:
    """Initialise, list the tools, call doc_search; return 0 where it found something."""
    async with Client(streamable_http_client(url)) as client:
        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        result = await client.call_tool("doc_search", {"query": query, "k": k})
        answer = result.structured_content or {}
    for chunk in answer.get("chunks", []):
        print(f"{chunk['score']:.4f} {chunk['source_id']:<10} {chunk['id']}\n    {' '.join(chunk['text'].split())[:100]}")
    if "degraded" in answer:
        print("degraded:", ", ".join(answer["degraded"]))
    if result.is_error:
        print(result.content[0].text)
    return 0 if answer.get("chunks") else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", nargs="?", default="Why does the ingress answer 503?")
    parser.add_argument("--k", type=int, default=8)
    parser.add_argument("--url", default="http://127.0.0.1:8080/mcp")
    given = parser.parse_args()
    raise SystemExit(anyio.run(main, given.url, given.query, given.k))
