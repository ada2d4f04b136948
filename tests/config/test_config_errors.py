from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell.config import Config, load_config
from citewell.core.errors import CitewellError, ConfigurationError, UnknownKey

Load = Callable[..., Config]

SOURCE = "collections: {docs: {}, code: {}}\nsources:\n- name: a\n  from: folder:.\n"


def refusal(load: Load, text: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load(text)
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("retreival: {k: 5}", 1, ["retreival", "did you mean 'retrieval'"]),
        ("retrieval:\n  k: 5\n  candidate: 9", 3, ["retrieval.candidate", "did you mean 'candidates'"]),
        ("retrieval:\n  zzz: 5", 2, ["retrieval.zzz", "known here: candidates, k, mode, on_failure"]),
        ("collections:\n  docs: {chunkr: auto}", 2, ["collections.docs.chunkr", "did you mean 'chunker'"]),
        (SOURCE + "  collection: docs\n  path: x", 6, ["sources[0].path", "unknown key"]),
        (SOURCE + "  collection: docs\n  address: x", 6, ["sources[0].address", "unknown key"]),
    ],
)
def test_an_unknown_key_is_refused_where_it_stands(load: Load, text: str, line: int, words: list[str]) -> None:
    with pytest.raises(UnknownKey) as caught:
        load(text)

    assert f"citewell.yaml:{line}: " in caught.value.message
    assert all(word in caught.value.message for word in words)


def test_a_key_that_would_have_no_effect_yet_is_refused(load: Load) -> None:
    assert "retrieval.budget_ms: not in this version" in refusal(load, "retrieval: {budget_ms: 100}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rerank: {pool: 0}", "rerank.pool: must be 1 or more, not 0"),
        ("collections: {a: {chunk_chars: 20}}", "collections.a.chunk_chars: must be 50 or more, not 20"),
        ("generator: openai:x#y", "generator: must be 'extractive:' in this version, not 'openai:x#y'"),
        ("retrieval: {k: 0}", "retrieval.k: must be 1 or more, not 0"),
        ("retrieval: {k: 51}", "retrieval.k: must be 50 or less, not 51"),
        ("retrieval: {k: many}", "retrieval.k: must be a whole number, not 'many'"),
        ("retrieval: {k: 2.5}", "retrieval.k: must be a whole number, not 2.5"),
        ("retrieval: {k: 20, candidates: 10}", "retrieval.candidates: must be at least k (20)"),
        ("retrieval: {mode: sparse}", "retrieval.mode: must be 'auto', 'hybrid', 'bm25' or 'dense', not 'sparse'"),
        ("retrieval: {on_failure: ignore}", "retrieval.on_failure: must be 'degrade' or 'error', not 'ignore'"),
        ("collections: {docs: {chunker: pdf}}", "must be 'auto', 'markdown', 'code', 'issues', 'text' or 'fixed', not 'pdf'"),
        ("collections: {docs: {hybrid_ranker: x}}", "must be 'auto', 'rrf' or 'weighted', not 'x'"),
        ("collections: {My Docs: {}}", "collections.My Docs: must be made of small letters, digits, _ and -"),
        ("collections: [docs]", "collections: must be a section"),
        ("collections: {docs: markdown}", "collections.docs: must be a section"),
        ("store: [1]", "store: must be a text"),
        ("store: ''", "store: must not be empty"),
        ("store: embedded:", "store: needs a folder after the colon, as in embedded:./folder"),
        ("embedder: onnx:", "embedder: needs a folder after the colon"),
        ("serve: {port: 70000}", "serve.port: must be 65535 or less, not 70000"),
        ("serve: {port: true}", "serve.port: must be a whole number, not true"),
        ("serve: {public_url: 'ftp://x'}", "serve.public_url: must be an address such as https://kb.example.org"),
        ("serve: 8080", "serve: must be a section"),
        ("access: {default: engineering}", 'access.default: must be a list, as in ["one", "two"]'),
        ("access: {rules: [{paths: 'a/**'}]}", "access.rules[0].groups: is required"),
        ("tools: [{name: find it, kind: search, description: d}]", "tools[0].name: must be made of"),
        ("tools: [{name: a, kind: write, description: d}]", "tools[0].kind: must be 'search', 'read', 'ask' or 'sources'"),
        ("tools: [{name: a, kind: ask}]", "tools[0].description: is required"),
        ("tools: [{name: a, kind: ask, description: d, result: list}]", "tools[0].result: must be 'native', 'evidence',"),
        (
            "tools: [{name: a, kind: ask, description: d, filter: []}]",
            "tools[0].filter: unknown key; did you mean 'filters'?",
        ),
        ("tools: [{name: a, kind: ask, description: d, collections: [x]}]", "tools[0].collections[0]: the collection 'x'"),
        (SOURCE, "sources[0].collection: is required"),
        (SOURCE + "  collection: doc", "sources[0].collection: the collection 'doc' is not declared; did you mean 'docs'?"),
        (SOURCE + "  collection: zzz", "is not declared; declare it under `collections:`"),
        (SOURCE + "  collection: docs\n  ids: hash", "sources[0].ids: must be 'path' or 'stem', not 'hash'"),
        (SOURCE + "  collection: docs\n  include: '*.md'", "sources[0].include: must be a list"),
        (SOURCE + "  collection: docs\n- {name: a, from: 'git:.', collection: docs}", "sources[1].name: 'a' is taken"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_what_it_may_be(load: Load, text: str, expected: str) -> None:
    message = refusal(load, text)

    assert expected in message
    assert "citewell.yaml:" in message


def test_every_problem_is_told_at_once(load: Load) -> None:
    lines = refusal(load, "retrieval:\n  k: x\nserve:\n  port: y\n").splitlines()

    assert [line.split(": ")[1] for line in lines] == ["retrieval.k", "serve.port"]


def test_a_token_in_an_address_is_not_repeated_by_an_error(load: Load) -> None:
    message = refusal(load, "serve: {public_url: 'ftp://ada:s3cret@example.org'}")

    assert "s3cret" not in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [1", "citewell.yaml:1: "),
        ("store: x\nstore: y", "citewell.yaml:2: the key 'store' appears twice"),
        ("include: [**/*.md]", "put quotes around a text that begins with *"),
        ("include: **/*.md", "put quotes around a text that begins with *"),
        ("a: &x {b: 1}\nc: *x", "citewell.yaml:2: YAML aliases are not supported"),
        ("[a, b]: 1", "a key must be a word"),
        ("- a\n- b", "expected sections such as `sources:`, found list"),
        ("store: !!python/object/apply:os.system [id]", "must be a text"),
        ("store: !!python/name:os.system ''", "could not determine a constructor"),
        ("a: 2024-99-99", "a value cannot be read"),
        ("store: a: b", "mapping values are not allowed here"),
        ("[" * 3000, "nested too deeply"),
    ],
)
def test_a_text_that_is_not_a_configuration_is_refused_with_its_line(load: Load, text: str, expected: str) -> None:
    assert expected in refusal(load, text)


def test_a_file_that_is_too_large_is_not_parsed(load: Load) -> None:
    assert "larger than" in refusal(load, "# " + "x" * (1 << 20))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "citewell.yaml"
    file.write_bytes(b"store: \xff\xfe")

    with pytest.raises(ConfigurationError, match="not UTF-8"):
        load_config(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"other\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "other.yaml")


def test_without_any_file_the_way_out_is_shown() -> None:
    with pytest.raises(ConfigurationError, match="`citewell init` writes one"):
        load_config()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
KEYS = ("store", "embedder", "collections", "sources", "access", "retrieval", "tools", "serve")


def outcome(load: Load, text: str) -> Config | CitewellError:
    try:
        return load(text)
    except CitewellError as error:
        return error


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(data=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4))
def test_whatever_the_file_says_it_is_a_configuration_or_a_clear_refusal(load: Load, data: dict[str, object]) -> None:
    result = outcome(load, json.dumps(data))

    if isinstance(result, CitewellError):
        assert result.code in {"BAD_CONFIGURATION", "UNKNOWN_KEY"}
        assert "citewell.yaml" in result.message
        assert "pydantic" not in result.message
