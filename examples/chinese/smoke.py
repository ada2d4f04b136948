"""Speaks real MCP over stdin and stdout: initialize, list the tools, call kb_search.

    python examples/chinese/smoke.py 春天 --top-k 3

Ends with 0 where something was found, else with 1 and the error's code.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters, stdio_client

CONFIG = Path(__file__).with_name("citewell.yaml")


async def main(query: str, top_k: int, config: Path) -> int:
    """Search for ``query`` and print what the knowledge base says; return 0 where it found something."""
    arguments = ["-m", "citewell", "mcp", "--config", str(config)]
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=arguments))) as client:
        print("server:", client.server_info.name, client.server_info.version)
        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        answer = (await client.call_tool("kb_search", {"query": query, "top_k": top_k})).structured_content or {}
    for place, found in enumerate(answer.get("results", []), start=1):
        snippet = " ".join(found["snippet"].split())
        print(f"{place}. {found['doc_id']} 《{found['title']}》 {found['score']:.2f} {found['chunk_id']}\n   {snippet[:80]}")
    if not answer.get("ok"):
        print(answer.get("error", {}).get("code", "no answer"), file=sys.stderr)
    return 0 if answer.get("ok") else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", nargs="?", default="春天")
    parser.add_argument("--top-k", type=int, default=3)
    parser.add_argument("--config", type=Path, default=CONFIG)
    given = parser.parse_args()
    sync = [sys.executable, "-m", "citewell", "sync", "--config", str(given.config)]
    subprocess.run(sync, check=True, stdout=sys.stderr)  # noqa: S603
    raise SystemExit(anyio.run(main, given.query, given.top_k, given.config))
