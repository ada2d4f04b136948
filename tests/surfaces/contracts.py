"""Tools as four configurations declare them, and the documents that the tests ask them about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assembly import build_knowledge, written

from citewell.core.ports import Replace
from citewell.core.tools import OfferedFilter, Parameter, ResultShape, Tool, ToolKind
from citewell.service import KnowledgeService

HIDDEN = Parameter(hidden=True)
QUERY = Parameter(maximum=512)
ALONE = {"collection": HIDDEN, "filters": HIDDEN, "mode": HIDDEN, "cursor": HIDDEN}


def tool(name: str, kind: ToolKind, result: ResultShape = "native", **settings: Any) -> Tool:
    return Tool(name=name, kind=kind, description="Does what it is for.", result=result, **settings)


def search_tool(name: str, result: ResultShape, *, k: Parameter, **settings: Any) -> Tool:
    own = {name: settings.pop(name) for name in ("mode",) if name in settings}
    return tool(name, "search", result, parameters={**ALONE, "query": QUERY, "k": k, **own}, **settings)


TOP_K = Parameter(name="top_k", default=5, maximum=20)
REPO = OfferedFilter(name="repo", field="repo_name", description="Only this repository.")
STATE = OfferedFilter(name="state", field="issue_state", description="Only open or closed issues.")
KIND = OfferedFilter(name="resource_kind", field="resource_kind", description="Only resources of this kind.")

EVIDENCE = search_tool("search_kubeflow_docs", "evidence", k=TOP_K)
CHUNKS = search_tool("doc_search", "chunks", k=Parameter(default=8), mode=Parameter(hidden=True, default="hybrid"))
HITS = search_tool("search_knowledge_base", "hits", k=Parameter(default=6))
ENVELOPE = search_tool("kb_search", "envelope", k=TOP_K)
CONTRACTS = {
    "search_kubeflow_docs": (EVIDENCE, {"query": None, "top_k": 5}),
    "search_github_issues": (
        search_tool("search_github_issues", "evidence", k=TOP_K, filters=(REPO, STATE)),
        {"query": None, "top_k": 5, "repo": "", "state": ""},
    ),
    "search_kubeflow_code": (
        search_tool("search_kubeflow_code", "evidence", k=TOP_K, filters=(KIND, REPO)),
        {"query": None, "top_k": 5, "resource_kind": "", "repo": ""},
    ),
    "doc_search": (CHUNKS, {"query": None, "k": 8}),
    "search_knowledge_base": (HITS, {"query": None, "k": 6}),
    "read_file": (
        tool("read_file", "read", parameters={"id": Parameter(name="path")}),
        {"path": None, "start_line": 1, "end_line": None},
    ),
    "ask_knowledge_base": (
        tool("ask_knowledge_base", "ask", "hits", parameters={"collection": HIDDEN}),
        {"question": None},
    ),
    "list_sources": (tool("list_sources", "sources"), {}),
    "kb_search": (ENVELOPE, {"query": None, "top_k": 5}),
}
"""Every tool of the contracts with its parameters and their defaults; None stands for none."""


def noted(document: Replace, **fields: str) -> Replace:
    """``document`` with fields, as a source or a front matter gives them."""
    info = replace(document.document.info, metadata=fields, version=fields.get("version"))
    return replace(document, document=replace(document.document, info=info))


def documents() -> list[Replace]:
    release = (
        "# Pipelines 1.10\n\nArtifact caching arrives; see [the guide](https://www.example.org/g) and https://example.org.\n"
    )
    return [
        noted(written("docs/pipelines.md", [release]), version="1.10", release_date="2024-10-15", doc_type="release"),
        noted(
            written(
                "issues/42.md", ["# Caching fails\n\nThe artifact caching error `E42` appears at http://localhost:8888.\n"]
            ),
            repo_name="acme/pipelines",
            issue_number="42",
            issue_state="open",
            issue_labels="bug,area/caching",
        ),
        noted(
            written("issues/7.md", ["# Caching was slow\n\nArtifact caching took minutes.\n"]),
            repo_name="acme/katib",
            issue_number="7",
            issue_state="closed",
        ),
        noted(
            written(
                "src/cache.yaml",
                ["kind: Deployment\nmetadata: {name: cache-server}  # artifact caching\n"],
                collection="code",
            ),
            repo_name="acme/pipelines",
            resource_kind="Deployment",
            resource_name="cache-server",
            resource_namespace="acme",
            file_type="yaml",
        ),
        written("private/plan.md", ["# Plan\n\nArtifact caching will be sold.\n"], acl=frozenset({"group:board"})),
    ]


async def furnished() -> KnowledgeService:
    return await build_knowledge(documents())
