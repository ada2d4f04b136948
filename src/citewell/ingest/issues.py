"""Issue threads kept as JSON, one to a file, as the text that people read: title, state, report, comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlsplit

from citewell.core.errors import FileRejected
from citewell.ingest.chunkers.issues import COMMENT, comment_heading, state_line
from citewell.ingest.normalising import normalise

_ADDRESS_CHARACTERS: Final = "!#$%&'(*),+/:;=?@[]~"
"""What an address may hold as it is; braces, blanks and controls are written as bytes."""

_MAX_LINE: Final = 1_000
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class IssueThread:
    """An issue thread as text. ``address`` is where it stands on the web, empty where the file names no such place."""

    text: str
    address: str


def render_issue(raw: str, path: str) -> IssueThread:
    """Return the thread that the JSON ``raw`` holds.

    ``repo_name``, ``issue_number``, ``issue_state`` and ``title`` are needed; ``issue_labels``, ``body``, ``comments`` (of
    ``author``, ``created_at``, ``body``), ``html_url`` and ``citation_url`` may be there. Raises FileRejected with the
    reason ``not_an_issue``.
    """
    try:
        issue: Any = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _refuse(path, "it is not valid JSON", str(error)) from error
    if not isinstance(issue, dict):
        raise _refuse(path, "it holds no object")
    text = "\n\n".join(part for part in _parts(issue, path) if part) + "\n"
    return IssueThread(normalise(_LONE_SURROGATE.sub("\ufffd", text))[0], _address(issue))


def _parts(issue: Mapping[str, Any], path: str) -> Iterator[str]:
    number = _word(issue, "issue_number", path)
    if not number.isdecimal():
        raise _refuse(path, "its issue_number is no number")
    yield f"# {_word(issue, 'title', path)}"
    yield state_line(_word(issue, "repo_name", path), number, _word(issue, "issue_state", path), _labels(issue, path))
    yield _prose(issue, "body", path)
    comments = issue.get("comments") or []
    if not isinstance(comments, list):
        raise _refuse(path, "its comments are no list")
    for comment in comments:
        if not isinstance(comment, dict):
            raise _refuse(path, "one of its comments is no object")
        yield comment_heading(_line(comment, "author"), _line(comment, "created_at"))
        yield _prose(comment, "body", path)


def _word(fields: Mapping[str, Any], name: str, path: str) -> str:
    """Return a field that must be there."""
    line = _line(fields, name)
    if not line:
        raise _refuse(path, f"its {name} is missing, no text, or longer than {_MAX_LINE} characters")
    return line


def _line(fields: Mapping[str, Any], name: str) -> str:
    """Return a field on one line; empty where it is missing or not fit to stand on one."""
    value = fields.get(name)
    known = isinstance(value, str | int) and not isinstance(value, bool)
    line = " ".join(normalise(str(value))[0].split()) if known else ""
    return line if len(line) <= _MAX_LINE else ""


def _prose(fields: Mapping[str, Any], name: str, path: str) -> str:
    """Return a field of any number of lines, none of which passes for the beginning of a comment."""
    value = fields.get(name) or ""
    if not isinstance(value, str):
        raise _refuse(path, f"its {name} is no text")
    return COMMENT.sub(r"\\\g<0>", "\n".join(value.splitlines())).strip("\n")


def _labels(issue: Mapping[str, Any], path: str) -> str:
    labels = issue.get("issue_labels") or []
    if isinstance(labels, str):
        labels = labels.split(",")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise _refuse(path, "its issue_labels are no list of texts")
    return ", ".join(filter(None, (" ".join(label.split()) for label in labels)))


def _address(issue: Mapping[str, Any]) -> str:
    """Return the first address that is one of the web."""
    for name in ("html_url", "citation_url"):
        value = issue.get(name)
        if isinstance(value, str) and _is_web(value):
            return quote(value.strip(), safe=_ADDRESS_CHARACTERS, errors="replace")
    return ""


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc


def _refuse(path: str, why: str, detail: str = "") -> FileRejected:
    return FileRejected("not_an_issue", f"{path} is not an issue thread: {why}.", detail=detail)
