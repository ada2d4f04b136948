"""The commands that fill the index: ``init`` and ``sync``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from citewell.cli.exits import INCOMPLETE
from citewell.cli.options import AsJson, Assignments, ConfigPath, InSources
from citewell.cli.session import open_config, with_service
from citewell.cli.streams import emit_json, err, note, out
from citewell.core.errors import ConfigurationError
from citewell.core.requests import SyncRequest

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="What to index.")]


def init(
    folder: Folder = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace a citewell.yaml that is there.")] = False,
    gitignore: Annotated[bool, typer.Option("--gitignore", help="Add .citewell/ to .gitignore.")] = False,
) -> None:
    """Look at a folder and write a citewell.yaml that fits it."""
    from citewell.cli.starter import ignore_store, starter_config, survey
    from citewell.config import FILE_NAME

    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: there is no such folder")
    target = folder / FILE_NAME
    if target.exists() and not force:
        raise ConfigurationError(f"{target} is already there; --force replaces it")
    found = survey(folder)
    target.write_text(starter_config(found), encoding="utf-8")
    out().print(f"Wrote {target}: {found.summary}.", soft_wrap=True)
    if gitignore and ignore_store(folder):
        out().print("Added .citewell/ to .gitignore.")
    elif found.git and not gitignore:
        note("The index is kept in .citewell/, which does not belong in Git: --gitignore adds it to .gitignore.")
    note("Next: citewell sync")


def sync(
    source: InSources = None,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave the vectors for a later sync.")] = False,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Bring the index up to date with its sources. Exit status 2 says that something failed."""
    from citewell.cli.progress import SyncDisplay
    from citewell.cli.reports import report_payload, show_report

    config = open_config(config_path, assignments)
    if "sources" not in config.model_fields_set:
        # An emptied file must not empty the index; who wants that writes an empty list.
        raise ConfigurationError(f"{config.file}: there is no `sources:` section, so there is nothing to index")
    request = SyncRequest(sources=tuple(source or ()), embed=not no_embed)
    with SyncDisplay(err()) as display:
        report = with_service(config, lambda service, principal: service.sync(principal, request, display))
    if as_json:
        emit_json(report_payload(report))
    else:
        show_report(out(), report)
    if not report.complete:
        raise typer.Exit(INCOMPLETE)
