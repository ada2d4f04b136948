"""Reads the address of an embedding endpoint, as it stands in the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, urlsplit

from citewell.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citewell.core.ports import Role

PARAMETERS = ("query_prefix", "passage_prefix")


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """The base URL without a slash at its end, the model behind ``#``, and what to put before queries and passages."""

    url: str
    model: str
    prompts: Mapping[Role, str]


def parse_address(scheme: str, rest: str) -> EndpointAddress:
    """Return the parts of ``rest``, which is ``URL?query_prefix=…&passage_prefix=…#model``.

    Raises ConfigurationError when it is no http or https address, holds a password, or has other parameters.
    """
    parts = _split(scheme, rest)
    if parts.username is not None:
        raise ConfigurationError(
            f"Leave the password out of the address of '{scheme}:'; keys are secrets of the environment."
        )
    given = parse_qs(parts.query, keep_blank_values=True)
    unknown = set(given) - set(PARAMETERS)
    if unknown:
        raise ConfigurationError(f"'{scheme}:' has no parameter '{min(unknown)}'; it has {' and '.join(PARAMETERS)}.")
    query, passage = (given.get(name, [""])[-1] for name in PARAMETERS)
    url = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")
    return EndpointAddress(url, parts.fragment, {"query": query, "passage": passage})


def _split(scheme: str, rest: str) -> SplitResult:
    refusal = ConfigurationError(f"'{scheme}:' needs an http or https address, as in '{scheme}:https://host/v1'.")
    try:
        parts = urlsplit(rest)
        usable = parts.hostname and (parts.port is None or parts.port)
    except ValueError:
        raise refusal from None
    if not usable or parts.scheme not in ("http", "https"):
        raise refusal
    return parts


def space_name(scheme: str, address: EndpointAddress) -> str:
    """Return the identity of the vector space behind ``address``."""
    prompts = "|".join(address.prompts.values())
    return f"{scheme}/{address.url}{f'#{address.model}' * bool(address.model)}{f' ({prompts})' * (prompts != '|')}"
