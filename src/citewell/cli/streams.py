"""The two outputs: results on stdout; notes, progress and logs on stderr. Nothing in a document can steer the terminal."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.console import Console

    from citewell.text.redaction import Redactor

UNWRAPPED: Final = 10_000
"""Columns of an output that is no terminal."""

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters other than tab and line feed, and those that reorder what is read."""


def printable(text: str) -> str:
    """Return ``text`` with every character that steers a terminal written as an escape, such as ``\\x1b``."""
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def one_line(text: str) -> str:
    """Return ``text`` printable, on one line."""
    return printable(" ".join(text.split()))


def out() -> Console:
    """Return a console on stdout that takes no text for markup."""
    return _console(sys.stdout)


def err() -> Console:
    """Return a console on stderr that takes no text for markup."""
    return _console(sys.stderr)


def note(text: str) -> None:
    """Tell the person at the terminal something that is not part of the result."""
    err().print(printable(text), style="dim", soft_wrap=True)


def emit_json(payload: Mapping[str, Any]) -> None:
    """Write ``payload`` to stdout as compact JSON on one line."""
    sys.stdout.write(json.dumps(payload, ensure_ascii=False, separators=(",", ":")) + "\n")


def prepare_streams(*, as_json: bool) -> None:
    """Make both streams able to take any text: what the encoding lacks is escaped; JSON is UTF-8 everywhere."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace", **({"encoding": "utf-8"} if as_json else {}))


def without_secrets(text: str) -> str:
    """Return ``text`` redacted with a key that nobody keeps."""
    return _log_redactor().redact(text).text


@cache
def _log_redactor() -> Redactor:
    from citewell.text.redaction import Redactor

    return Redactor(secrets.token_bytes(32))


class RedactedFormatter(logging.Formatter):
    """Writes log records, tracebacks included, without the secrets and personal data in them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``."""
        return without_secrets(super().format(record))


def prepare_logging(*, debug: bool) -> None:
    """Send the log to stderr: warnings, or with ``debug`` everything citewell has to say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactedFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("citewell").setLevel(logging.DEBUG if debug else logging.WARNING)


def _console(stream: TextIO) -> Console:
    """Return a console on ``stream``; what no person watches is not wrapped, so that other programs get whole lines."""
    from rich.console import Console

    width = None if stream.isatty() else UNWRAPPED
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
