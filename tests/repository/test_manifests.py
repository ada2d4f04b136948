"""What the examples tell containers and clusters to run can be run, without root, and with no secret written down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_tree import COMMANDS, split
from markdown_pages import ROOT

from citewell.config import load_config
from citewell.config.environment import SECRET_NAMES

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/citewell.yaml"))
MANIFESTS = [path for folder in EXAMPLES for path in sorted(folder.glob("kubernetes/*.yaml"))]
COMPOSED = [path for folder in EXAMPLES for path in folder.glob("compose.yaml")]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT / "examples"))


def objects(path: Path) -> list[dict[str, Any]]:
    return [found for found in yaml.safe_load_all(path.read_text(encoding="utf-8")) if found]


def pods(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the templates of the pods that ``path`` makes."""
    for found in objects(path):
        spec = found.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template:
            yield template


def containers(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the containers of citewell, those of other makers aside."""
    for pod in pods(path):
        yield from (one for one in pod["spec"]["containers"] if one["image"].startswith("citewell"))


def services(path: Path) -> dict[str, dict[str, Any]]:
    (composed,) = objects(path)
    return {name: service for name, service in composed["services"].items() if "build" in service}


def commands(path: Path) -> Iterator[list[str]]:
    """Yield what is run, as words after ``citewell``."""
    for container in containers(path) if path in MANIFESTS else services(path).values():
        if "args" in container or path in COMPOSED:
            yield container.get("args") or container.get("command")
        else:
            yield from (words.split() for words in re.findall(r"citewell ([^;]+)", container["command"][-1]))


def variables(path: Path) -> Iterator[dict[str, str]]:
    """Yield the variables of each container; what Compose takes from its own environment has its default."""
    if path in MANIFESTS:
        for container in containers(path):
            yield {one["name"]: one["value"] for one in container.get("env", ()) if "value" in one}
        return
    for service in services(path).values():
        given = service.get("environment", {})
        yield {
            name: str(value).partition(":-")[2].rstrip("}") if "${" in str(value) else str(value)
            for name, value in given.items()
        }


@pytest.mark.parametrize("path", MANIFESTS + COMPOSED, ids=shown)
def test_what_is_run_can_be_typed(path: Path) -> None:
    for words in commands(path):
        name, arguments = split(words)
        COMMANDS[name].make_context(name, arguments)


@pytest.mark.parametrize("path", MANIFESTS + COMPOSED, ids=shown)
def test_the_variables_make_a_configuration_that_can_be_served(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = next(folder for folder in EXAMPLES if path.is_relative_to(folder))
    for given in variables(path):
        with monkeypatch.context() as patch:
            for name, value in given.items():
                patch.setenv(name, value)
            config = load_config(example / "citewell.yaml")
        config.serve.place().require_safety(authenticated=config.auth is not None)


@pytest.mark.parametrize("path", MANIFESTS, ids=shown)
def test_a_pod_runs_without_root_and_writes_nowhere_but_where_it_is_told(path: Path) -> None:
    for pod in pods(path):
        security = pod["spec"]["securityContext"]
        assert security["runAsNonRoot"] is True
        assert security["runAsUser"] > 0
        assert pod["spec"]["automountServiceAccountToken"] is False
    for container in containers(path):
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["readOnlyRootFilesystem"] is True
        assert security["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("path", MANIFESTS + COMPOSED, ids=shown)
def test_no_secret_is_written_down(path: Path) -> None:
    for given in variables(path):
        assert not {name: value for name, value in given.items() if name in SECRET_NAMES and value}


@pytest.mark.parametrize("folder", sorted({path.parent for path in MANIFESTS}), ids=shown)
def test_every_pod_may_reach_only_what_a_policy_names(folder: Path) -> None:
    files = list(folder.glob("*.yaml"))
    found = [one for path in files for one in objects(path) if one["kind"] == "NetworkPolicy"]
    limiting = [one["spec"]["podSelector"]["matchLabels"] for one in found if "Egress" in one["spec"]["policyTypes"]]
    assert not any(rule == {} for one in found for rule in one["spec"].get("egress", []))
    for labels in (pod["metadata"]["labels"] for path in files for pod in pods(path)):
        assert any(labels | selected == labels for selected in limiting), json.dumps(labels)


def test_the_image_runs_without_root() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001:10001"]
    assert all(line.startswith("FROM python:3.12-slim") for line in lines if line.startswith("FROM "))
