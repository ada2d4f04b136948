"""Every error with its code, and every word that a ledger or a result may hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from citewell.cli.exits import INTERRUPTED, UNEXPECTED, USAGE
from citewell.core.errors import CitewellError
from citewell.core.requests import DeclineReason
from citewell.surfaces.statuses import STATUS
from reference.tables import code, page, prose, table
from reference.words import DECLINED, DEGRADED, LEDGER

INTRODUCTION = """\
Every error has a stable code. The command line prints `CODE: message` on stderr, or `{"error": {"code": …, "message": …}}` on
stdout where `--json` was asked for, and ends with the [exit status](cli.md#exit-statuses). The MCP tools return
`CODE: message` as the error of a call that failed. REST answers with a problem (RFC 9457) of the HTTP status below that holds
the code."""
OWN_CODES = (
    ("USAGE", "The command line cannot be read.", USAGE),
    ("INTERNAL_ERROR", "Something unexpected; `citewell --debug …` says where.", UNEXPECTED),
    ("INTERRUPTED", "Ctrl-C. What was committed stays.", INTERRUPTED),
)


def errors_page() -> str:
    """Return the page of errors, ledger reasons and marks of weaker results."""
    return page(
        "Errors and reasons",
        INTRODUCTION,
        "## Errors",
        table(("code", "class", "meaning", "HTTP status", "exit status"), map(_error, _tree(CitewellError))),
        "Some codes belong to the command line alone:",
        table(("code", "meaning", "exit status"), ((code(name), text, code(str(end))) for name, text, end in OWN_CODES)),
        "## Reasons in the ledger",
        "Every file of a source is `indexed`, `unchanged`, `skipped` or `failed`; the last two have a reason. A skipped file"
        " is no fault; after a failure `citewell sync` ends with 2 and tries the file again next time.",
        table(("reason", "outcome", "meaning"), ((code(word), outcome, text) for word, (outcome, text) in LEDGER.items())),
        "## Weaker results",
        "`degraded` names what did not take part in a search or an answer as it should.",
        table(("word", "meaning"), ((code(word), text) for word, text in DEGRADED.items())),
        "## Refusals",
        "`ask` declines with `answerable: false` and a `reason`.",
        table(("reason", "meaning"), ((code(word), DECLINED[word]) for word in sorted(get_args(DeclineReason)))),
    )


def _tree(kind: type[CitewellError], depth: int = 0) -> Iterator[tuple[type[CitewellError], int]]:
    """Yield ``kind`` and the kinds within it that have a code of their own."""
    yield kind, depth
    for narrower in kind.__subclasses__():
        if "code" in vars(narrower):
            yield from _tree(narrower, depth + 1)


def _error(entry: tuple[type[CitewellError], int]) -> tuple[str, ...]:
    kind, depth = entry
    name = "&nbsp;" * 3 * depth + code(kind.__name__)
    return code(kind.code), name, prose(kind.__doc__), code(str(STATUS[kind.code].value)), code(str(kind.exit_status))
