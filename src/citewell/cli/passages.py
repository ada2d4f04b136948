"""Search results, answers, documents and sources as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from citewell.cli.highlighting import highlighted
from citewell.cli.streams import one_line, printable
from citewell.core.model import Lines
from citewell.core.requests import Answer, Citation, Hit, SearchResult, SourceInfo


def show_hits(console: Console, query: str, result: SearchResult, *, ranks: bool) -> None:
    """Print the passages found, best first, numbered; with ``ranks``, also their place in each list."""
    for number, hit in enumerate(result.hits, start=1):
        console.print(_headline(number, hit), soft_wrap=True)
        snippet = highlighted(hit.snippet.strip("\n"), query, hit.stored.info.language)
        _show_indented(console, snippet, 3)
        console.print(f"   {one_line(hit.stored.info.url(hit.snippet_lines))}", style="dim", soft_wrap=True)
        if ranks:
            console.print(f"   {_ranks(hit)}", style="dim", soft_wrap=True)
        console.print()
    if not result.hits:
        console.print("Nothing found.")


def show_answer(console: Console, answer: Answer) -> None:
    """Print the answer and where its labels lead, or why there is none and what came nearest."""
    if answer.answerable:
        console.print(printable(answer.text))
        console.print()
        console.print("Sources", style="bold")
    else:
        console.print(f"The sources do not answer this ({answer.reason}).")
        if answer.citations:
            console.print()
            console.print("Nearest passages", style="bold")
    for citation in answer.citations:
        _show_citation(console, citation, with_quote=not answer.answerable)


def show_sources(console: Console, infos: Sequence[SourceInfo]) -> None:
    """Print the sources as a table."""
    if not infos:
        console.print("No source holds anything you may read. `citewell sync` fills them.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("source", "collection", "commit", "last sync (UTC)"):
        table.add_column(heading, overflow="fold")
    for heading in ("documents", "chunks"):
        table.add_column(heading, justify="right")
    for info in infos:
        synced = info.last_sync.replace("T", " ")[:16] or "never"
        shown = (info.name, info.collection, info.commit[:8], f"{synced} (incomplete)" if info.stale else synced)
        table.add_row(*map(one_line, shown), f"{info.documents:,}", f"{info.chunks:,}")
    console.print(table)


def show_stages(console: Console, stages: Sequence[tuple[str, float]]) -> None:
    """Print how long each stage of the call took, in milliseconds."""
    for name, milliseconds in stages:
        console.print(f"{milliseconds:9.1f} ms  {name}", style="dim")


def _headline(number: int, hit: Hit) -> Text:
    info, section = hit.stored.info, one_line(hit.stored.section)
    line = Text.assemble(
        (f"{number:<3}", "bold"), (one_line(info.path), "cyan"), (_lines(hit.snippet_lines), "green"), "  ", section
    )
    return line.append(f"{'  ' if section else ''}{hit.score:.2f}", style="magenta")


def _lines(lines: Lines) -> str:
    return f":{lines.start}" if lines.start == lines.end else f":{lines}"


def _ranks(hit: Hit) -> str:
    places = ", ".join(f"{leg} #{rank}" for leg, rank in hit.ranks.items())
    return f"{one_line(hit.stored.shown_id)}  {places}"


def _show_indented(console: Console, text: Text, columns: int) -> None:
    """Print ``text`` indented, wrapped lines as well."""
    for line in text.wrap(console, console.width - columns):
        line.rstrip()
        console.print(Text(" " * columns).append_text(line), soft_wrap=True)


def _show_citation(console: Console, citation: Citation, *, with_quote: bool) -> None:
    place = Text.assemble(
        (f"{citation.id:<4}", "bold"),
        one_line(citation.title),
        "  ",
        (one_line(citation.path), "cyan"),
        (_lines(citation.lines), "green"),
    )
    console.print(place, soft_wrap=True)
    if with_quote:
        _show_indented(console, Text(printable(citation.quote.strip("\n"))), 4)
    console.print(f"    {one_line(citation.url)}", style="dim", soft_wrap=True)
