"""Speaks real MCP over stdin and stdout: list the tools, search, read, ask, list the sources.

citewell sync --config examples/engineering/citewell.yaml
python examples/engineering/smoke.py
python examples/engineering/smoke.py "how long may a slow service take" --k 3
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, stdio_client

CONFIG = Path(__file__).with_name("citewell.yaml")


async def main(question: str, k: int, config: Path) -> int:
    """Call every tool once; return 0 when each gave what it is for."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "citewell", "mcp", "--config", str(config)])
    async with Client(stdio_client(server)) as client:
        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        found = await call(client, "search_knowledge_base", query=question, k=k)
        for hit in found.get("results", []):
            print(f"{hit['rank']}. {hit['path']}:{hit['lines']}  {hit['title']}  {hit['score']}  {hit['permalink']}")
        if not found.get("results"):
            print("Nothing was found. Has the index been built? citewell sync")
            return 1
        best = found["results"][0]
        read = await call(client, "read_file", path=best["path"], start_line=int(best["lines"].split("-")[0]))
        print(f"\n{best['path']} from line {best['lines'].split('-')[0]}:\n{read['text'][:300]}")
        answer = await call(client, "ask_knowledge_base", question=question)
        print("answer:", answer["answer"] or f"none: {answer.get('reason')}")
        listed = await call(client, "list_sources")
        for source in listed["sources"]:
            counts = f"{source['documents']} documents, {source['chunks']} passages"
            print(f"{source['name']}: {counts}, commit {source['commit'] or '-'}")
    return 0


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the structured result of ``tool``; end with its message where it failed."""
    result = await client.call_tool(tool, arguments)
    if result.is_error or result.structured_content is None:
        raise SystemExit(f"{tool}: {result.content[0].text}")
    return result.structured_content


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", nargs="?", default="What is the highest read_timeout?")
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--config", type=Path, default=CONFIG)
    arguments = parser.parse_args()
    raise SystemExit(anyio.run(main, arguments.question, arguments.k, arguments.config))
