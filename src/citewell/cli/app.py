"""The command line: its commands, and how every one of them ends."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer

from citewell.cli import access, auditing, indexing, inspecting, querying, redacting, serving, tokens, verifying
from citewell.cli.exits import DONE, INTERRUPTED, UNEXPECTED, USAGE
from citewell.cli.streams import emit_json, prepare_logging, prepare_streams, printable, without_secrets
from citewell.core.errors import CitewellError

logger = logging.getLogger(__name__)

app = typer.Typer(
    name="citewell",
    help="The knowledge base a team can trust: search over docs, code and issues, with citations that can be checked.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(indexing.init)
app.command()(indexing.sync)
app.command("index", help="The same as sync.")(indexing.sync)
app.command()(querying.search)
app.command()(querying.ask)
app.command()(querying.read)
app.command()(querying.sources)
app.command()(serving.mcp)
app.command()(serving.serve)
app.command()(inspecting.config)
app.command()(inspecting.doctor)
app.command()(inspecting.version)
app.command()(redacting.redact)
app.add_typer(access.access, name="access")
app.add_typer(auditing.audit, name="audit")
app.add_typer(tokens.token, name="token")
app.add_typer(verifying.verify, name="verify")

_UsageError: Any = typer.BadParameter.__base__


def _print_version(asked: bool) -> None:
    if asked:
        inspecting.version()
        raise typer.Exit


@app.callback()
def prepare(
    debug: Annotated[bool, typer.Option("--debug", help="Log everything to stderr, tracebacks included.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Set up the log before a command runs."""
    prepare_logging(debug=debug)


def main() -> NoReturn:
    """Run the command line and end the process with its exit status."""
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output is gone; Python would complain when it flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = UNEXPECTED
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run the command that ``arguments`` are and return its exit status, one of EXIT_STATUSES."""
    as_json = "--json" in arguments
    prepare_streams(as_json=as_json)
    try:
        status = app(list(arguments) or ["--help"], prog_name="citewell", standalone_mode=False)
    except CitewellError as error:
        logger.debug("%s", error.detail or "No further detail.", exc_info=True)
        _report(error.code, error.message, as_json=as_json)
        return error.exit_status
    except _UsageError as error:
        command = error.ctx.command_path if error.ctx else "citewell"
        _report("USAGE", f"{error.format_message()} See {command} --help", as_json=as_json)
        return USAGE
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except Exception as error:
        logger.debug("This should not have happened.", exc_info=True)
        message = without_secrets(f"{type(error).__name__}: {error}; citewell --debug … says where")
        _report("INTERNAL_ERROR", message, as_json=as_json)
        return UNEXPECTED
    if status == INTERRUPTED:
        _report("INTERRUPTED", "Stopped. What was committed stays.", as_json=as_json)
    return int(status or DONE)


def _report(code: str, message: str, *, as_json: bool) -> None:
    """Tell what went wrong: as JSON on stdout where JSON was asked for, else on stderr."""
    if as_json:
        emit_json({"error": {"code": code, "message": message}})
    else:
        sys.stderr.write(f"{code}: {printable(message)}\n")
