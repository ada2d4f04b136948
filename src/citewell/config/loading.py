"""From a file, the environment and flags to a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from citewell.config.access_file import with_access_file
from citewell.config.environment import read_config_path, read_secrets, read_variables, variable_value
from citewell.config.explanation import explain
from citewell.config.keys import key_path
from citewell.config.layers import Layer, assignments_layer, file_layer
from citewell.config.model import Config, Origin, Provenance
from citewell.config.yamlfile import read_config_file
from citewell.core.errors import ConfigurationError

FILE_NAME: Final = "citewell.yaml"

NO_OVERRIDES: Final[Mapping[str, str]] = {}


def load_config(path: Path | None = None, overrides: Mapping[str, str] = NO_OVERRIDES) -> Config:
    """Return the configuration at ``path``, or the one that is found, under the environment and ``overrides``.

    ``overrides`` maps dotted keys to values as they are typed on the command line.
    Raises ConfigurationError when there is no file or it says something that cannot be.
    """
    found = path or find_config()
    if found is None:
        raise ConfigurationError(f"no {FILE_NAME} here or above; `citewell init` writes one, --config names another")
    file = read_config_file(found)
    layer = _flags(overrides).over(_environment().over(file_layer(file)))
    layer = with_access_file(layer, found.resolve().parent)
    provenance = Provenance(
        folder=found.resolve().parent,
        file=found.resolve(),
        origins=layer.origins,
        secrets=read_secrets(),
        overrides=dict(overrides),
    )
    try:
        return Config.model_validate(layer.data, context=provenance)
    except ValidationError as error:
        raise explain(error, layer, file) from None


def find_config(start: Path | None = None) -> Path | None:
    """Return the file that CITEWELL_CONFIG names, else ``citewell.yaml`` in ``start`` or, inside a Git repository, above it.

    Outside a repository the parents are left alone: anybody may write to /tmp.
    """
    named = read_config_path()
    if named is not None:
        return named
    here = (start or Path.cwd()).absolute()
    folders = [here, *here.parents]
    root = next((position for position, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    candidates = (folder / FILE_NAME for folder in folders[: root + 1])
    found = next((candidate for candidate in candidates if candidate.is_file()), None)
    return Path(FILE_NAME) if found is not None and found.parent == Path.cwd() else found


def _environment() -> Layer:
    variables = read_variables().items()
    return assignments_layer((Origin("environment", name), path, value) for name, (path, value) in variables)


def _flags(overrides: Mapping[str, str]) -> Layer:
    return assignments_layer(
        (Origin("flag", "command line"), key_path(key), variable_value(text)) for key, text in overrides.items()
    )
