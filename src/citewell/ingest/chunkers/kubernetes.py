"""What a Kubernetes resource calls itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from citewell.core.model import NO_METADATA

_TOP = re.compile(r"^(?:---[ \t]+)?(kind|apiVersion):[ \t]+(\S.*)$", re.MULTILINE)
_METADATA = re.compile(r"^metadata:[ \t]*(?:#.*)?\n((?:[ \t]+.*(?:\n|\Z)|#.*(?:\n|\Z)|\n)*)", re.MULTILINE)
_FLOW_METADATA = re.compile(r"^metadata:[ \t]*\{([^}\n]*)\}", re.MULTILINE)
_FIELD = re.compile(r"^([ \t]*)(name|namespace):[ \t]+(\S.*)$", re.MULTILINE)
_FIRST = re.compile(r"^([ \t]*)[^\s#]", re.MULTILINE)
_REMARK = re.compile(r"[ \t]+#.*$")
_KEYS: Final = {
    "kind": "resource_kind",
    "name": "resource_name",
    "namespace": "resource_namespace",
    "apiVersion": "api_version",
}


@dataclass(frozen=True, slots=True)
class Resource:
    """The name of a resource as ``Kind/name``, and the fields it is found by; without both, it is none."""

    symbol: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)


def read_resource(document: str) -> Resource:
    """Return the resource that a YAML document describes: it has a kind, and an API version or a name.

    Its fields are taken by their place in the lines, so templates keep their expressions and nothing can fail.
    """
    fields: dict[str, str] = {}
    for match in _TOP.finditer(document):
        fields.setdefault(match[1], _scalar(match[2]))
    fields |= _names(document)
    if not fields.get("kind") or not (fields.get("apiVersion") or fields.get("name")):
        return Resource()
    symbol = "/".join(filter(None, (fields["kind"], fields.get("name"))))
    return Resource(symbol, {_KEYS[name]: value for name, value in fields.items() if value})


def _names(document: str) -> dict[str, str]:
    """Return name and namespace from ``metadata``: its own, not those of what it holds."""
    if flow := _FLOW_METADATA.search(document):
        lines = flow[1].replace(",", "\n")
    elif block := _METADATA.search(document):
        lines = block[1]
    else:
        return {}
    first = _FIRST.search(lines)
    indent = None if flow else first and first[1]
    found = [match for match in _FIELD.finditer(lines) if indent is None or match[1] == indent]
    return {match[2]: _scalar(match[3]) for match in reversed(found)}


def _scalar(value: str) -> str:
    """Return a value of one line without quotes and the remark after it."""
    value = value.strip()
    if value[:1] in {"'", '"'}:
        return value[1:].partition(value[0])[0]
    return _REMARK.sub("", value).strip()
