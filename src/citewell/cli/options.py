"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from citewell.core.requests import Filters

ConfigPath = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="The configuration; else CITEWELL_CONFIG, else citewell.yaml here or above.",
        show_default=False,
    ),
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a setting, as retrieval.k=20.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print compact JSON; errors as well.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say how the result came about and how long each stage took.")]
InCollections = Annotated[
    list[str] | None, typer.Option("--collection", metavar="NAME", help="Only this collection.", show_default=False)
]
InSources = Annotated[
    list[str] | None, typer.Option("--source", metavar="NAME", help="Only this source.", show_default=False)
]
InPaths = Annotated[
    list[str] | None, typer.Option("--path", metavar="GLOB", help="Only paths like this: 'docs/**'.", show_default=False)
]
InLanguages = Annotated[
    list[str] | None, typer.Option("--language", metavar="CODE", help="Only this language: en, tr, zh.", show_default=False)
]
OfKinds = Annotated[
    list[str] | None, typer.Option("--kind", metavar="KIND", help="Only this kind: markdown, python.", show_default=False)
]
OfVersions = Annotated[
    list[str] | None, typer.Option("--version", metavar="VERSION", help="Only this version.", show_default=False)
]
Mode = Literal["auto", "hybrid", "bm25", "dense"]
Host = Annotated[str | None, typer.Option("--host", help="Listen here instead of serve.host.", show_default=False)]


def filters(
    collections: list[str] | None = None,
    sources: list[str] | None = None,
    paths: list[str] | None = None,
    languages: list[str] | None = None,
    kinds: list[str] | None = None,
    versions: list[str] | None = None,
) -> Filters:
    """Return the filters that the options describe."""
    return Filters(
        collections=tuple(collections or ()),
        sources=tuple(sources or ()),
        paths=tuple(paths or ()),
        languages=tuple(languages or ()),
        kinds=tuple(kinds or ()),
        versions=tuple(versions or ()),
    )
