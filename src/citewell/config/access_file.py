"""The file that the access rules may be kept in, by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from citewell.config.access import AccessSettings
from citewell.config.explanation import explain
from citewell.config.layers import Layer, file_layer
from citewell.config.yamlfile import read_config_file
from citewell.core.errors import ConfigurationError


def with_access_file(layer: Layer, folder: Path) -> Layer:
    """Return ``layer`` with the rules of the file that its access section names, if it names one.

    Raises ConfigurationError for a file that cannot be, or beside which there are other rules.
    """
    section = layer.data.get("access")
    name = section.get("file") if isinstance(section, Mapping) else None
    if section is None or not isinstance(name, str) or not name:
        return layer
    if others := sorted(section.keys() - {"file"}):
        where = layer.origin(("access", others[0])).where
        raise ConfigurationError(f"{where}: access.{others[0]}: the rules are kept in access.file; write it there")
    file = read_config_file(folder / Path(name).expanduser())
    part = file_layer(file)
    if "file" in file.data:
        raise ConfigurationError(f"{part.origin(('file',)).where}: file: a file of rules names no other")
    try:
        AccessSettings.model_validate(file.data)
    except ValidationError as error:
        raise explain(error, part, file) from None
    rules = Layer({"access": file.data}, {("access", *path): origin for path, origin in part.origins.items()})
    return rules.over(layer)
