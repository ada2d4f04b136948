"""Rules in a file of their own: the same keys, and the line of every mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citewell.config import Config
from citewell.core.errors import ConfigurationError, UnknownKey

Load = Callable[..., Config]


def write(folder: Path, text: str) -> None:
    (folder / "access.yaml").write_text(text, encoding="utf-8")


def test_it_says_what_the_section_would(load: Load, tmp_path: Path) -> None:
    rules = "default: [staff]\nrules: [{paths: 'hr/**', groups: [hr]}]\nusers: {ada: [hr]}\ngroups: {staff: [hr]}\n"
    write(tmp_path, rules)
    separate = load("access: {file: access.yaml}\n")
    together = load("access:\n" + "".join(f"  {line}\n" for line in rules.splitlines()))
    assert separate.policy() == together.policy()
    assert separate.origin("access.users.ada[0]").where == f"{tmp_path / 'access.yaml'}:3"


def test_an_empty_one_closes_everything(load: Load, tmp_path: Path) -> None:
    write(tmp_path, "")
    assert load("access: {file: access.yaml}").policy().acl("a.md") == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("default: [staff]\nrule: []\n", "access.yaml:2: rule: unknown key"),
        ("default: staff\n", "access.yaml:1: default: must be a list"),
        ("- staff\n", "access.yaml: expected sections"),
        ("default: [\n", "access.yaml:2: "),
        ("file: other.yaml\n", "access.yaml:1: file: a file of rules names no other"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(load: Load, tmp_path: Path, text: str, expected: str) -> None:
    write(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        load("access: {file: access.yaml}")
    assert expected in caught.value.message


def test_an_unknown_key_in_it_has_the_code_of_unknown_keys(load: Load, tmp_path: Path) -> None:
    write(tmp_path, "rule: []\n")
    with pytest.raises(UnknownKey):
        load("access: {file: access.yaml}")


def test_one_that_is_missing_is_an_error(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load("access: {file: nowhere.yaml}")


def test_there_are_no_other_rules_beside_it(load: Load, tmp_path: Path) -> None:
    write(tmp_path, "default: [staff]\n")
    with pytest.raises(ConfigurationError, match=r"citewell\.yaml:3: access\.default: the rules are kept in access\.file"):
        load("access:\n  file: access.yaml\n  default: [everyone]\n")
    with pytest.raises(ConfigurationError, match=r"command line: access\.default"):
        load("access: {file: access.yaml}\n", {"access.default": '["everyone"]'})


def test_an_access_section_that_says_nothing_is_refused(load: Load) -> None:
    with pytest.raises(ConfigurationError, match=r"access: is empty; write \{\} to close everything"):
        load("access:\n")
