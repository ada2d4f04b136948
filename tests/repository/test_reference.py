"""The reference is generated, up to date, and leaves nothing out."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from command_tree import COMMANDS
from markdown_pages import REFERENCE, ROOT, first_cells
from pydantic import BaseModel

from citewell.cli.exits import EXIT_STATUSES
from citewell.config import Config
from citewell.config.environment import SECRET_NAMES, variable_path
from citewell.core.errors import CitewellError
from citewell.core.requests import DeclineReason
from citewell.ingest.kinds import ENDINGS, kind_of
from citewell.registry import ADAPTERS
from citewell.surfaces.mcp.declarations import default_tools
from citewell.surfaces.mcp.toolbox import Toolbox
from citewell.surfaces.statuses import STATUS

PACKAGE = ROOT / "src" / "citewell"
WORD = re.compile(r"[a-z]+(_[a-z0-9]+)*")
CARRIERS = {"skip", "unfit", "failure", "reason", "kinds", "_FAILURES"}


def text(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return text(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def codes_in(part: str) -> set[str]:
    return set(re.findall(r"^\| `([^`]+)`", part, re.MULTILINE))


def subclasses(kind: type[CitewellError]) -> Iterator[type[CitewellError]]:
    yield kind
    for narrower in kind.__subclasses__():
        if "code" in vars(narrower):
            yield from subclasses(narrower)


def keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name
        for part in [field.annotation, *walk(field.annotation)]:
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from (f"{field.alias or name} {key}" for key in keys(part))


def walk(annotation: object) -> Iterator[object]:
    for part in get_args(annotation):
        yield part
        yield from walk(part)


def constants(node: ast.AST) -> set[str]:
    found = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return {value for value in found if WORD.fullmatch(value)}


def carried(node: ast.AST) -> set[str]:
    """Return the words that ``node`` puts into a ledger entry, a listing or a failure of reading."""
    match node:
        case ast.keyword(arg=name, value=value) if name in CARRIERS:
            return constants(value)
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in CARRIERS:
            return constants(value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in CARRIERS:
            return constants(value)
        case ast.Call(func=ast.Name(id="FileRejected"), args=[first, *_]):
            return constants(first)
        case ast.FunctionDef(name="_unfit"):
            returned = [part for part in ast.walk(node) if isinstance(part, ast.Return)]
            return set().union(*map(constants, returned))
    return set()


def trees(*folders: str) -> Iterator[ast.AST]:
    for path in sorted(path for folder in folders for path in (PACKAGE / folder).rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def test_the_reference_is_what_the_code_says() -> None:
    script = ROOT / "scripts" / "write_reference.py"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr


def test_a_stale_page_is_named(tmp_path: Path) -> None:
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    code = (
        "import sys; from pathlib import Path; import write_reference as w; w.FOLDER = Path(sys.argv[1]); sys.argv[1:] = []\n"
        "w.main(); (w.FOLDER / 'cli.md').write_text('old'); sys.argv[1:] = ['--check']; sys.exit(w.main())"
    )
    run = [sys.executable, "-c", code, tmp_path / "reference"]
    check = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path / "scripts")
    assert (check.returncode, check.stderr) == (1, "docs/reference/cli.md is out of date; run: make docs\n")


@pytest.mark.parametrize("kind", list(subclasses(CitewellError)), ids=lambda kind: kind.code)
def test_every_error_is_documented_with_its_two_statuses(kind: type[CitewellError]) -> None:
    [row] = [line for line in text("errors.md").splitlines() if line.startswith(f"| `{kind.code}` |")]
    assert row.endswith(f"| `{STATUS[kind.code].value}` | `{kind.exit_status}` |")
    assert kind.exit_status in EXIT_STATUSES


def test_every_exit_status_is_documented() -> None:
    assert codes_in(section("cli.md", "Exit statuses")) == {str(status) for status in EXIT_STATUSES}


def test_every_reason_in_the_ledger_is_documented() -> None:
    used = set().union(*(carried(node) for tree in trees("adapters/sources", "ingest") for node in ast.walk(tree)))
    assert codes_in(section("errors.md", "Reasons in the ledger")) == used


LEG_MARK = re.compile(r"(?:dense|lexical|reranker)_[a-z]+")


def test_every_mark_of_a_weaker_result_is_documented() -> None:
    legs = {word for tree in trees("retrieval") for word in constants(tree) if LEG_MARK.fullmatch(word)}
    properties = [
        node
        for tree in trees("adapters/embedders")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "degraded"
    ]
    assert codes_in(section("errors.md", "Weaker results")) == legs.union(*map(constants, properties))


def test_every_reason_to_decline_is_documented() -> None:
    assert codes_in(section("errors.md", "Refusals")) == set(get_args(DeclineReason))


def test_every_key_of_the_configuration_is_documented() -> None:
    documented = [re.sub(r"\[\]\.|\.[A-Z]+\.|\.", " ", key) for key in first_cells(REFERENCE / "configuration.md")]
    assert set(keys(Config)) <= set(documented)


def test_every_variable_sets_the_key_it_stands_beside() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|.*\| `(CITEWELL_[A-Z_]+)` \|", text("configuration.md"), re.MULTILINE)
    assert len(rows) > len(Config.model_fields)
    for key, variable in rows:
        assert ".".join(map(str, variable_path(variable))) == key.lower()


def test_every_secret_and_address_is_documented() -> None:
    documented = first_cells(REFERENCE / "configuration.md")
    assert set(SECRET_NAMES) <= set(documented)
    schemes = {f"{scheme}:" for by_scheme in ADAPTERS.values() for scheme in by_scheme}
    assert schemes <= {f"{address.partition(':')[0]}:" for address in documented}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented_with_its_options(name: str) -> None:
    documented = codes_in_cells(section("cli.md", f"citewell {name}"))
    assert {option for parameter in COMMANDS[name].params for option in words(parameter)} <= documented


def words(parameter: Any) -> list[str]:
    return parameter.opts if parameter.param_type_name == "option" else [parameter.metavar]


def codes_in_cells(part: str) -> set[str]:
    rows = re.findall(r"^\|([^|]+)\|", part, re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("tool", Toolbox(default_tools(), ()).listing(), ids=lambda tool: tool.name)
def test_every_tool_is_documented_with_its_parameters_and_results(tool: Any) -> None:
    documented = codes_in(section("tools.md", tool.name))
    assert {*tool.input_schema["properties"], *tool.output_schema["properties"]} <= documented


def test_every_kind_of_file_is_documented_with_its_endings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`\.[^|]+) \|", text("languages.md"), re.MULTILINE)
    assert [kind for kind, _ in rows] == list(ENDINGS)
    for kind, names in rows:
        assert {kind_of(name if name[0] != "." else f"file{name}") for name in re.findall(r"`([^`]+)`", names)} == {kind}
