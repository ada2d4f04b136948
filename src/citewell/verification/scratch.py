"""A copy of a configuration that reads canaries in place of the sources and keeps everything in a folder of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from citewell.config import Config
from citewell.config.model import Provenance
from citewell.core.access import LOCAL_USER, AccessPolicy
from citewell.core.errors import ConfigurationError
from citewell.verification.canaries import Canary


def scratch_config(config: Config, folder: Path, users: Mapping[str, Sequence[str]], local: Sequence[str]) -> Config:
    """Return ``config`` moved into ``folder``: same policy, models, collections and tools; canaries for sources.

    ``users`` are added to those of the policy; ``local`` are the groups of the local user. Raises ConfigurationError where
    the store is not one that can be copied.
    """
    scheme = config.store.partition(":")[0]
    if scheme != "embedded":
        raise ConfigurationError(f"a store of the kind {scheme!r} has no scratch copy; verify with --set store=embedded:./x")
    data: dict[str, Any] = config.model_dump(mode="json", by_alias=True)
    data |= {
        "store": f"embedded:{folder / 'store'}",
        "collections": data["collections"] or {"canaries": {}},
        "sources": [_source(name, folder) for name in collection_names(config)],
        "access": _access(config.policy(), users, local),
    }
    data["audit"] |= {"path": str(folder / "audit"), "required": True, "key_file": str(folder / "keys" / "audit")}
    data["redaction"] |= {"mode": "redact", "key_file": str(folder / "keys" / "redaction")}
    if data["auth"] is not None:
        data["auth"] |= {"tokens_file": str(folder / "tokens.json")}
    file = folder / "citewell.yaml"
    file.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    return Config.model_validate(data, context=Provenance(folder=folder, file=file, secrets=config.secrets))


def collection_names(config: Config) -> list[str]:
    """Return the collections that canaries go into."""
    return list(config.collections) or ["canaries"]


def write_canaries(config: Config, folder: Path, canaries: Sequence[Canary]) -> None:
    """Put the documents where the sources of the scratch copy of ``config`` look, some into every collection."""
    names = collection_names(config)
    for position, canary in enumerate(canaries):
        file = folder / "sources" / names[position % len(names)] / canary.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(canary.text, encoding="utf-8")
    for name in names:
        (folder / "sources" / name).mkdir(parents=True, exist_ok=True)


def _source(collection: str, folder: Path) -> dict[str, Any]:
    return {
        "name": f"canaries-{collection}"[:64],
        "from": f"folder:{folder / 'sources' / collection}",
        "collection": collection,
    }


def _access(policy: AccessPolicy, users: Mapping[str, Sequence[str]], local: Sequence[str]) -> dict[str, Any]:
    return {
        "default": list(policy.default),
        "rules": [{"paths": rule.paths, "groups": list(rule.groups)} for rule in policy.rules],
        "users": {**{name: list(groups) for name, groups in policy.users.items()}, **users, LOCAL_USER: list(local)},
        "groups": {name: list(parts) for name, parts in policy.subgroups.items()},
    }
