"""``citewell.yaml``: every key, from the models that read it, and the schemes of its addresses."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from citewell.config import Config
from citewell.config.environment import CONFIG_VARIABLE, PREFIX, SECRET_NAMES
from citewell.config.sections import Section
from citewell.registry import ADAPTERS, ENTRY_POINTS, PLANNED
from reference.placeholders import ADDRESSES, NAMES, SECRETS
from reference.schema import allowed, kind_of_value, resolve
from reference.tables import code, codes, page, prose, table, value

COLUMNS = ("key", "type", "default", "allowed", "environment variable", "meaning")
HOW_IT_IS_FOUND = f"""\
`citewell.yaml` is looked for in the current folder and, inside a Git repository, above it; `{CONFIG_VARIABLE}` or `--config`
names another. Over the file comes the environment, over that the command line (`--set retrieval.k=20`). Relative paths are
relative to the file's folder. A key that means nothing is an error. `citewell config` shows every value and its origin."""
HOW_VARIABLES_WORK = f"""\
A variable is `{PREFIX}` and the key in capitals, with `__` for each dot. Lists and sections are written as JSON, as in
`CITEWELL_ACCESS__DEFAULT='["engineering"]'`; a list is replaced as a whole, so what stands in one has no variable of its own.
An empty variable counts as absent."""


def configuration_page() -> str:
    """Return the page of the configuration."""
    schema = Config.model_json_schema(by_alias=True)
    return page(
        "Configuration",
        HOW_IT_IS_FOUND,
        HOW_VARIABLES_WORK,
        *_section(Config, schema, "", schema),
        *(block for kind in ADAPTERS for block in _schemes(kind)),
        f"An installed package adds schemes of its own by entry points in the group `{ENTRY_POINTS}`.",
        "## Secrets",
        "Secrets are read from the environment and from nowhere else. They are never shown.",
        table(("variable", "what for"), ((code(name), SECRETS[name]) for name in SECRET_NAMES)),
    )


def _section(model: type[Section], schema: dict[str, Any], prefix: str, root: dict[str, Any]) -> Iterator[str]:
    meanings = attribute_docstrings(model)
    within = [(field, key, resolve(schema["properties"][key], root)) for field, key in _keys(model)]
    yield f"## {code(prefix.removesuffix('.')) or 'Top level'}"
    yield prose(model.__doc__)
    yield table(COLUMNS, (_row(prefix + key, field, part, meanings[key]) for field, key, part in within))
    if model.later:
        yield f"Planned, and refused in this version: {codes(sorted(model.later))}."
    for field, key, part in within:
        inner = _inner_model(field.annotation)
        if inner is not None:
            opened, below = _open(prefix + key, part, root)
            yield from _section(inner, below, f"{opened}.", root)


def _keys(model: type[BaseModel]) -> Iterator[tuple[FieldInfo, str]]:
    for name, field in model.model_fields.items():
        yield field, field.alias or name


def _row(key: str, field: FieldInfo, part: dict[str, Any], meaning: str) -> tuple[str, ...]:
    default = "required" if field.is_required() else value(_plain(field.get_default(call_default_factory=True)))
    return code(key), kind_of_value(part), default, allowed(part), code(_variable(key)), meaning


def _plain(default: Any) -> Any:
    if isinstance(default, BaseModel):
        return default.model_dump(mode="json")
    return {} if default == {} else default


def _variable(key: str) -> str:
    """Return the variable that sets ``key``; what stands in a list has none."""
    return "" if "[]" in key else PREFIX + key.upper().replace(".", "__")


def _open(key: str, part: dict[str, Any], root: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return how a key inside ``key`` begins, and the schema of what is there: of each item, each entry, or the section."""
    if part["type"] == "array":
        return f"{key}[]", resolve(part["items"], root)
    if "properties" in part:
        return key, part
    entries = part.get("additionalProperties") or next(iter(part["patternProperties"].values()))
    return f"{key}.{NAMES[key]}", resolve(entries, root)


def _inner_model(annotation: Any) -> type[Section] | None:
    if inspect.isclass(annotation) and issubclass(annotation, Section):
        return annotation
    found = (_inner_model(part) for part in getattr(annotation, "__args__", ()))
    return next((model for model in found if model is not None), None)


def attribute_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstring below each field of ``model``, by its key in the file."""
    [definition] = ast.parse(dedent(inspect.getsource(model))).body
    assert isinstance(definition, ast.ClassDef)
    fields = dict(zip(definition.body, definition.body[1:], strict=False))
    documented = {
        field.target.id: prose(note.value.value)
        for field, note in fields.items()
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(note, ast.Expr) and isinstance(note.value, ast.Constant)
    }
    return {field.alias or name: documented[name] for name, field in model.model_fields.items()}


def _schemes(kind: str) -> Iterator[str]:
    yield f"## {kind.capitalize()} addresses"
    yield table(
        ("address", "meaning"),
        ((code(ADDRESSES[kind, scheme]), _described(target)) for scheme, target in ADAPTERS[kind].items()),
    )
    if PLANNED[kind]:
        yield f"Not in this version: {codes(f'{scheme}:' for scheme in sorted(PLANNED[kind]))}."


def _described(target: str) -> str:
    """Return what the adapter's module says of itself, without the address it begins with."""
    first = (importlib.import_module(target.partition(":")[0]).__doc__ or "").partition("\n\n")[0]
    lead, mark, rest = first.partition("``: ")
    text = prose(rest if mark and lead.startswith("``") else first)
    return text[0].upper() + text[1:]
