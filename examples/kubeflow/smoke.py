"""Asks the three tools one question each, over real MCP on stdin and stdout, and prints evidence and sources.

    python examples/kubeflow/smoke.py
    python examples/kubeflow/smoke.py "When was Kubeflow 1.10 released?" --tool search_kubeflow_docs --top-k 3
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters, stdio_client

CONFIG = Path(__file__).with_name("citewell.yaml")
QUESTIONS = {
    "search_kubeflow_docs": "When was Kubeflow 1.10 released?",
    "search_github_issues": "Objective metric is not found in training logs",
    "search_kubeflow_code": "default of CULL_IDLE_TIME",
}


async def main(questions: dict[str, str], top_k: int) -> int:
    """Initialise, list the tools, call those of ``questions``; return 0 when each found something."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "citewell", "mcp", "--config", str(CONFIG)])
    found = True
    async with Client(stdio_client(server)) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        print("tools:", ", ".join(listed))
        for tool, question in questions.items():
            result = await client.call_tool(tool, {"query": question, "top_k": top_k})
            answer = result.structured_content or {}
            print(f"\n> {tool}: {question}")
            print(answer.get("evidence") or result.content[0].text)
            print("retrieval:", answer.get("retrieval"))
            for citation in answer.get("citations", []):
                print(citation["id"], citation["url"])
            found = found and bool(answer.get("citations"))
    return 0 if found else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", nargs="?")
    parser.add_argument("--tool", default="search_kubeflow_docs", choices=list(QUESTIONS))
    parser.add_argument("--top-k", type=int, default=3)
    arguments = parser.parse_args()
    asked = {arguments.tool: arguments.question} if arguments.question else QUESTIONS
    raise SystemExit(anyio.run(main, asked, arguments.top_k))
