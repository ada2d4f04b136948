"""Asking for what is hidden, through every door there is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mcp import Client

from citewell.core.access import Principal
from citewell.core.errors import CitewellError
from citewell.core.requests import MAX_RESULTS, AskRequest, Mode, ReadRequest, SearchRequest
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.parameters import shown_parameters
from citewell.surfaces.payloads import answer_payload, document_payload, error_payload, search_payload, sources_payload
from citewell.verification.canaries import Canary

MODES: Final[tuple[Mode, ...]] = ("auto", "bm25", "dense")
COMMON_QUESTION: Final = "Which reports have a codeword?"
"""What every canary answers: the one that is hidden must not even push another from its place."""

NOWHERE: Final = "no/such/document.md"

RunCommand = Callable[[Sequence[str]], str]
"""Runs the command line with these arguments and returns everything it wrote, its exit status included."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came back. ``about`` is the canary that was asked for, None where it was any."""

    action: str
    text: str
    about: Canary | None = None


def question_for(canary: Canary) -> str:
    """Return a question that the canary answers and that does not hold its word."""
    return f"What is the codeword of the {canary.hint} report?"


async def ask_service(service: KnowledgeService, principal: Principal, canaries: Sequence[Canary]) -> AsyncIterator[Said]:
    """Yield what the service itself says to ``principal``."""
    yield Said("sources", str(sources_payload(await service.sources(principal))))
    for canary in (None, *canaries):
        query = question_for(canary) if canary else COMMON_QUESTION
        for mode in MODES:
            request = SearchRequest(query=query, k=MAX_RESULTS, mode=mode)
            yield Said(f"search {mode}", str(search_payload(await service.search(principal, request))), canary)
        yield Said("ask", str(answer_payload(await service.ask(principal, AskRequest(question=query)))), canary)
    for canary in canaries:
        for identity in (canary.path, f"{canary.path}:0"):
            yield Said("read", await _read(service, principal, identity), canary)
    yield Said("read nothing", await _read(service, principal, NOWHERE))


async def _read(service: KnowledgeService, principal: Principal, identity: str) -> str:
    try:
        return str(document_payload(await service.read(principal, ReadRequest(id=identity))))
    except CitewellError as error:
        return str(error_payload(error))


async def ask_agent(client: Client, tools: Sequence[Tool], canaries: Sequence[Canary]) -> AsyncIterator[Said]:
    """Yield what each of ``tools`` says to the agent behind ``client``."""
    yield Said("list tools", (await client.list_tools()).model_dump_json())
    for tool in tools:
        names = {built_in: name for built_in, (name, _) in shown_parameters(tool, ()).items()}
        for canary, arguments in _calls(tool, names, canaries):
            result = await client.call_tool(tool.name, arguments)
            yield Said(tool.name, result.model_dump_json(), canary)


def _calls(tool: Tool, names: dict[str, str], canaries: Sequence[Canary]) -> list[tuple[Canary | None, dict[str, Any]]]:
    match tool.kind:
        case "search" | "ask":
            asks = names["query" if tool.kind == "search" else "question"]
            return [(canary, {asks: question_for(canary)}) for canary in canaries] + [(None, {asks: COMMON_QUESTION})]
        case "read":
            return [(canary, {names["id"]: canary.path}) for canary in canaries]
        case "sources":
            return [(None, {})]


def ask_command_line(run: RunCommand, file: str, canaries: Sequence[Canary]) -> Iterator[Said]:
    """Yield what the commands say to the local user of the configuration ``file``, as people see it and as JSON."""
    here = ["--config", file]
    yield Said("sources", run(["sources", *here]))
    yield Said("search", run(["search", COMMON_QUESTION, "-k", str(MAX_RESULTS), "--explain", *here]))
    yield Said("ask", run(["ask", COMMON_QUESTION, "--json", *here]))
    for canary in canaries:
        yield Said("read", run(["read", canary.path, *here]), canary)
    yield Said("read nothing", run(["read", NOWHERE, *here]))
