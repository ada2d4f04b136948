"""The commands that look at citewell itself: ``config``, ``doctor``, ``version``."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import typer

from citewell import __version__
from citewell.cli.exits import UNEXPECTED
from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config
from citewell.cli.streams import emit_json, one_line, out

if TYPE_CHECKING:
    from citewell.cli.checks import Check
    from citewell.config import Setting

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def config(as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Show every setting and where it came from. Secrets are masked."""
    loaded = open_config(config_path, assignments)
    settings = loaded.settings()
    if as_json:
        emit_json({"file": str(loaded.file), "settings": [_setting_payload(setting) for setting in settings]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("key", "value", "from"):
        table.add_column(heading, overflow="fold")
    for setting in settings:
        origin = setting.origin.where or setting.origin.layer
        table.add_row(one_line(setting.key), one_line(shown_value(setting.value)), one_line(origin))
    out().print(table)


def doctor(as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Check everything that citewell needs, and say what to do where something is missing."""
    from citewell.cli.checks import examine

    checks: list[Check] = []
    for check in examine(config_path, assignments):
        checks.append(check)
        if not as_json:
            _show_check(check)
    healthy = not any(check.status == "fail" for check in checks)
    if as_json:
        emit_json({"healthy": healthy, "checks": [_check_payload(check) for check in checks]})
    if not healthy:
        raise typer.Exit(UNEXPECTED)


def version(as_json: AsJson = False) -> None:
    """Print the version."""
    if as_json:
        emit_json({"version": __version__, "python": platform.python_version(), "platform": platform.platform()})
    else:
        out().print(f"citewell {__version__}")


def shown_value(value: Any) -> str:
    """Return a setting as the configuration file would write it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _setting_payload(setting: Setting) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": setting.value,
        "origin": setting.origin.layer,
        "where": setting.origin.where,
    }


def _show_check(check: Check) -> None:
    from rich.text import Text

    console = out()
    line = Text.assemble((f"{check.status:<5}", STYLES[check.status]), f"{check.name}: {one_line(check.message)}")
    console.print(line, soft_wrap=True)
    if check.advice:
        console.print(f"     {one_line(check.advice)}", style="dim", soft_wrap=True)


def _check_payload(check: Check) -> dict[str, Any]:
    payload = {"name": check.name, "status": check.status, "message": check.message}
    return payload | ({"advice": check.advice} if check.advice else {})
