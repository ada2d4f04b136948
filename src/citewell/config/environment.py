"""The process environment: the only module that reads it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from citewell.config.keys import KeyPath

PREFIX: Final = "CITEWELL_"
CONFIG_VARIABLE: Final = "CITEWELL_CONFIG"
SECRET_NAMES: Final = (
    "CITEWELL_AUDIT_KEY",
    "CITEWELL_REDACTION_KEY",
    "ELASTICSEARCH_API_KEY",
    "ELASTICSEARCH_PASSWORD",
    "GITHUB_TOKEN",
    "MILVUS_TOKEN",
    "OPENAI_API_KEY",
    "QDRANT_API_KEY",
)
"""Secrets are read from these variables and from nowhere else."""
NOT_SETTINGS: Final = frozenset({CONFIG_VARIABLE, *SECRET_NAMES})

# Kubernetes gives every pod such variables for each Service of its namespace; a Service called citewell must not break us.
_SERVICE_LINK = re.compile(
    r"CITEWELL(_[A-Z0-9]+)*_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)"
)


def read_variables() -> dict[str, tuple[KeyPath, Any]]:
    """Return the values that the environment sets, by variable. An empty variable counts as absent."""
    return {
        name: (variable_path(name), variable_value(text))
        for name, text in sorted(os.environ.items())
        if name.startswith(PREFIX) and name not in NOT_SETTINGS and text and not _is_service_link(name)
    }


def read_secrets() -> Mapping[str, SecretStr]:
    """Return the secrets that the environment holds."""
    return {name: SecretStr(os.environ[name]) for name in SECRET_NAMES if os.environ.get(name)}


def read_config_path() -> Path | None:
    """Return the configuration file that the environment names."""
    text = os.environ.get(CONFIG_VARIABLE)
    return Path(text) if text else None


def variable_path(name: str) -> KeyPath:
    """Return the key that ``CITEWELL_SECTION__KEY`` stands for."""
    return tuple(name.removeprefix(PREFIX).lower().split("__"))


def variable_value(text: str) -> Any:
    """Return the value that ``text`` writes: JSON where it begins like a list or an object, None for ``null``, else text."""
    if text == "null":
        return None
    if text[:1] not in ("[", "{"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_service_link(name: str) -> bool:
    return "__" not in name and _SERVICE_LINK.fullmatch(name) is not None
