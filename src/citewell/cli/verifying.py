"""The commands that put an installation to the test: ``verify acl``."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from citewell.cli.exits import UNEXPECTED
from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config
from citewell.cli.streams import emit_json, err, one_line, out, prepare_logging

if TYPE_CHECKING:
    from citewell.verification import Leak, Verdict

verify = typer.Typer(help="Put this installation to the test.", no_args_is_help=True)


@verify.command()
def acl(
    canaries: Annotated[int, typer.Option("--canaries", min=1, max=50, help="Documents to plant for every access rule.")] = 1,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Ask a scratch copy of this configuration, as everybody and through every door, for documents he may not read."""
    from citewell.verification import verify_access

    config = open_config(config_path, assignments)
    try:
        with err().status("Planting canaries") as status:
            verdict = verify_access(config, _run, each=canaries, tell=lambda who: status.update(f"Asking as {one_line(who)}"))
    finally:
        # Each command that was run took the log for itself.
        prepare_logging(debug=False)
    if as_json:
        emit_json(_payload(verdict))
    else:
        _show(verdict)
    if not verdict.passed:
        raise typer.Exit(UNEXPECTED)


def _run(arguments: Sequence[str]) -> str:
    """Run the command line in this process, as a stranger would start it, and return all it says."""
    from citewell.cli.app import run

    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        status = run(arguments)
    return f"{stream.getvalue()}\nexit status {status}"


def _show(verdict: Verdict) -> None:
    console = out()
    for path in verdict.uncovered:
        console.print(f"Not covered: no document can be indexed at {one_line(path)}", soft_wrap=True)
    for name, leaks in (("LEAK", verdict.leaks), ("NOT FOUND", verdict.missed)):
        for leak in leaks:
            place = f"{leak.surface}, {leak.action}, as {leak.principal}: {leak.path}"
            console.print(f"{name}: {one_line(place)}", style="bold red", soft_wrap=True)
    asked = ", ".join(f"{surface} {count:,}" for surface, count in verdict.asked.items())
    console.print(f"{verdict.canaries} canaries, {len(verdict.principals)} principals; questions: {asked}", soft_wrap=True)
    console.print(
        f"{len(verdict.leaks)} leaks; {len(verdict.missed)} readable documents not found.",
        style="green" if verdict.passed else "bold red",
    )


def _payload(verdict: Verdict) -> dict[str, object]:
    return {
        "passed": verdict.passed,
        "canaries": verdict.canaries,
        "principals": list(verdict.principals),
        "asked": verdict.asked,
        "leaks": [_leak(leak) for leak in verdict.leaks],
        "missed": [_leak(leak) for leak in verdict.missed],
        "uncovered": verdict.uncovered,
    }


def _leak(leak: Leak) -> dict[str, str]:
    return {"surface": leak.surface, "principal": leak.principal, "action": leak.action, "path": leak.path}
