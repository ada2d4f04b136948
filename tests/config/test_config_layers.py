from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from citewell.config import Config, Origin, find_config, load_config
from citewell.core.errors import ConfigurationError, UnknownKey

Load = Callable[..., Config]


def test_the_environment_wins_over_the_file_and_flags_over_both(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_RETRIEVAL__K", "6")
    monkeypatch.setenv("CITEWELL_RETRIEVAL__CANDIDATES", "60")

    config = load("retrieval: {k: 5, candidates: 50, on_failure: error}", {"retrieval.k": "7"})

    assert (config.retrieval.k, config.retrieval.candidates, config.retrieval.on_failure) == (7, 60, "error")


def test_every_value_knows_where_it_came_from(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_SERVE__PORT", "9000")

    config = load("retrieval:\n  candidates: 40\n", {"retrieval.k": "7"})

    assert config.origin("retrieval.candidates") == Origin("file", f"{config.file}:2")
    assert config.origin("serve.port") == Origin("environment", "CITEWELL_SERVE__PORT")
    assert config.origin("retrieval.k") == Origin("flag", "command line")
    assert config.origin("serve.host") == Origin("default")


def test_values_inside_lists_know_their_line(load: Load) -> None:
    config = load("collections: {docs: {}}\nsources:\n- name: a\n  from: folder:.\n  collection: docs\n")

    assert config.origin("sources[0].from").where.endswith(":4")
    assert config.origin("sources[0].ids") == Origin("default")


def test_a_list_in_the_environment_takes_the_place_of_the_one_in_the_file(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [{"name": "b", "from": "folder:/b", "collection": "docs"}]
    monkeypatch.setenv("CITEWELL_SOURCES", json.dumps(sources))

    config = load("collections: {docs: {}}\nsources: [{name: a, from: 'folder:/a', collection: docs, ids: stem}]")

    assert [(source.name, source.ids) for source in config.sources] == [("b", "path")]
    assert config.origin("sources[0].name") == Origin("environment", "CITEWELL_SOURCES")
    assert config.origin("sources[0].ids") == Origin("default")


def test_a_variable_sets_the_key_it_is_named_for(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_STORE", "memory:")
    monkeypatch.setenv("CITEWELL_COLLECTIONS__DOCS__CHUNKER", "fixed")

    config = load("collections: {docs: {hybrid_ranker: rrf}}")

    assert config.store == "memory:"
    assert (config.collections["docs"].chunker, config.collections["docs"].hybrid_ranker) == ("fixed", "rrf")


def test_null_takes_a_value_away_on_the_command_line_and_in_a_variable(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_AUDIT__PATH", "null")

    assert load("audit: {path: ./log}").audit.path is None


def test_an_empty_variable_counts_as_absent(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_SERVE__PORT", "")

    assert load("").serve.port == 8080


@pytest.mark.parametrize("name", ["CITEWELL_RETRIEVEL__K", "CITEWELL_LLM__PROVIDER"])
def test_a_variable_that_means_nothing_is_refused_by_its_name(load: Load, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "5")

    with pytest.raises(UnknownKey, match=f"^{name}: "):
        load("")


def test_a_bad_value_in_a_variable_is_blamed_on_the_variable(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_SERVE__PORT", "http")

    with pytest.raises(ConfigurationError, match=r"^CITEWELL_SERVE__PORT: serve\.port: must be a whole number"):
        load("serve: {port: 8080}")


def test_a_bad_flag_is_blamed_on_the_command_line(load: Load) -> None:
    with pytest.raises(UnknownKey, match=r"^command line: retrieval\.kk: unknown key"):
        load("", {"retrieval.kk": "3"})


@pytest.mark.parametrize(
    "name",
    ["CITEWELL_PORT", "CITEWELL_SERVICE_HOST", "CITEWELL_SERVICE_PORT_HTTP", "CITEWELL_API_PORT_8080_TCP_ADDR"],
)
def test_what_kubernetes_puts_into_every_pod_is_no_setting(load: Load, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "tcp://10.0.0.1:8080")

    assert load("").serve.port == 8080


def test_secrets_come_from_the_environment_and_are_masked(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_verysecret")

    config = load("")

    assert config.revealed_secrets() == {"GITHUB_TOKEN": "ghp_verysecret"}
    assert "ghp_verysecret" not in f"{config!r} {config.secrets} {config.settings()}"


def test_credentials_in_addresses_are_masked_when_shown(load: Load) -> None:
    config = load(
        "embedder: 'openai:https://ada:pw1@gw.example.org/v1?api_key=pw2#model'\n"
        "collections: {docs: {}}\n"
        "sources: [{name: a, from: 'git:https://x-token:pw3@example.org/r.git#main', collection: docs}]"
    )

    shown = {setting.key: setting.value for setting in config.settings()}
    assert shown["embedder"] == "openai:https://********@gw.example.org/v1?api_key=********#model"
    assert shown["sources[0].from"] == "git:https://********@example.org/r.git#main"


def test_the_file_is_found_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "citewell.yaml").write_text("retrieval: {k: 3}")

    assert load_config().retrieval.k == 3


def test_the_file_is_found_above_inside_a_git_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "citewell.yaml").write_text("retrieval: {k: 3}")
    (tmp_path / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "src" / "deep")

    assert load_config().folder == tmp_path.resolve()


def test_the_search_ends_at_the_root_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "citewell.yaml").write_text("")
    (tmp_path / "repository" / ".git").mkdir(parents=True)

    assert find_config(tmp_path / "repository") is None


def test_outside_a_repository_the_parents_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "citewell.yaml").write_text("")
    (tmp_path / "folder").mkdir()

    assert find_config(tmp_path / "folder") is None


def test_the_environment_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.yaml").write_text("retrieval: {k: 3}")
    monkeypatch.setenv("CITEWELL_CONFIG", str(tmp_path / "other.yaml"))

    assert load_config().retrieval.k == 3


def test_a_path_that_is_given_wins_over_the_environment(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_CONFIG", "/nowhere.yaml")

    assert load("retrieval: {k: 4}").retrieval.k == 4
