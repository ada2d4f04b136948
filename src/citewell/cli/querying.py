"""The commands that ask: ``search``, ``ask``, ``read``, ``sources``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from citewell.cli.options import (
    AsJson,
    Assignments,
    ConfigPath,
    Explain,
    InCollections,
    InLanguages,
    InPaths,
    InSources,
    Mode,
    OfKinds,
    OfVersions,
    filters,
)
from citewell.cli.session import open_config, with_service
from citewell.cli.streams import emit_json, err, note, one_line, out, printable
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest

if TYPE_CHECKING:
    from citewell.config import Config

Words = Annotated[list[str], typer.Argument(metavar="QUERY", help="What to look for, in any language.", show_default=False)]
Question = Annotated[list[str], typer.Argument(metavar="QUESTION", help="What you want to know.", show_default=False)]


def search(
    query: Words,
    k: Annotated[int | None, typer.Option("-k", help="How many results; else retrieval.k.", show_default=False)] = None,
    collection: InCollections = None,
    source: InSources = None,
    path: InPaths = None,
    language: InLanguages = None,
    kind: OfKinds = None,
    version: OfVersions = None,
    mode: Annotated[Mode, typer.Option(help="Which lists take part.")] = "auto",
    cursor: Annotated[str | None, typer.Option(help="Continue a list.", metavar="CURSOR", show_default=False)] = None,
    explain: Explain = False,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Find passages by words and by meaning."""
    from citewell.surfaces.payloads import search_payload
    from citewell.trace import start_trace

    config = open_config(config_path, assignments)
    request = SearchRequest(
        query=" ".join(query),
        k=config.retrieval.k if k is None else k,
        mode=mode,
        filters=filters(collection, source, path, language, kind, version),
        cursor=cursor,
    )
    with start_trace() as trace:
        result = with_service(config, lambda service, principal: service.search(principal, request))
    if as_json:
        emit_json(search_payload(result) | (_stages(trace.stages) if explain else {}))
        return
    from citewell.cli.passages import show_hits, show_stages

    show_hits(out(), request.query, result, ranks=explain)
    if not result.hits:
        _note_empty_index(config)
    _note_degraded(result.degraded)
    if result.cursor:
        note(f"There is more: --cursor {result.cursor}")
    if explain:
        note(f"{result.retrieval.mode}: {result.retrieval.reason}")
        show_stages(err(), trace.stages)


def ask(
    question: Question,
    collection: InCollections = None,
    explain: Explain = False,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Answer a question with quotations, each with its source, or say that the sources do not."""
    from citewell.surfaces.payloads import answer_payload
    from citewell.trace import start_trace

    config = open_config(config_path, assignments)
    request = AskRequest(question=" ".join(question), filters=filters(collection))
    with start_trace() as trace:
        answer = with_service(config, lambda service, principal: service.ask(principal, request))
    if as_json:
        emit_json(answer_payload(answer) | (_stages(trace.stages) if explain else {}))
        return
    from citewell.cli.passages import show_answer, show_stages

    show_answer(out(), answer)
    if not answer.citations:
        _note_empty_index(config)
    _note_degraded(answer.degraded)
    if explain:
        note(f"{answer.retrieval.mode}: {answer.retrieval.reason}")
        show_stages(err(), trace.stages)


def read(
    identity: Annotated[str, typer.Argument(metavar="ID", help="A document, or a passage as doc_id:ordinal.")],
    start_line: Annotated[int, typer.Option("--start-line", help="The first line.")] = 1,
    end_line: Annotated[int | None, typer.Option("--end-line", help="The last line.", show_default=False)] = None,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Print lines of a document; where they come from goes to stderr."""
    from citewell.surfaces.payloads import document_payload

    request = ReadRequest(id=identity, start_line=start_line, end_line=end_line)
    config = open_config(config_path, assignments)
    view = with_service(config, lambda service, principal: service.read(principal, request))
    if as_json:
        emit_json(document_payload(view))
        return
    note(f"{one_line(view.title)}  lines {view.lines}  {one_line(view.url)}")
    out().print(printable(view.text), soft_wrap=True)
    if view.next_start_line:
        note(f"There is more: --start-line {view.next_start_line}")


def sources(as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """List the sources with what you may read of them."""
    from citewell.surfaces.payloads import sources_payload

    infos = with_service(open_config(config_path, assignments), lambda service, principal: service.sources(principal))
    if as_json:
        emit_json(sources_payload(infos))
        return
    from citewell.cli.passages import show_sources

    show_sources(out(), infos)


def _stages(stages: list[tuple[str, float]]) -> dict[str, Any]:
    return {"stages": [{"stage": name, "milliseconds": round(spent, 3)} for name, spent in stages]}


def _note_empty_index(config: Config) -> None:
    """Tell an index that holds nothing from one that holds nothing fitting."""
    if not with_service(config, lambda service, principal: service.sources(principal)):
        note("The index holds nothing that you may read. `citewell sync` fills it.")


def _note_degraded(reasons: tuple[str, ...]) -> None:
    if reasons:
        note(f"Weaker than it could be: {', '.join(reasons)}")
