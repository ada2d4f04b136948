from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citewell.config import Config
from citewell.core.access import OPEN_POLICY
from citewell.core.tools import Parameter

Load = Callable[..., Config]

EVERYTHING = """
store: embedded:./.citewell            # a comment
embedder: bundled:                      # a bare scheme, as people write it
reranker: none:
generator: extractive:
collections:
  docs: {chunker: markdown, hybrid_ranker: auto}
  code: {chunker: code}
sources:
  - {name: handbook, from: "folder:./docs", collection: docs, include: ["**/*.md"]}
  - {name: httpx, from: "git:https://github.com/encode/httpx#b5addb64", collection: code, include: ["httpx/**/*.py"]}
access:
  default: [engineering]
  rules: [{paths: "docs/**", groups: [everyone]}]
  users: {"*": [everyone]}
retrieval: {k: 8, candidates: 50, on_failure: degrade}
tools: [{name: search, kind: search, result: native, description: "Finds."}]
serve: {host: 127.0.0.1, port: 8080, public_url: null}
"""


def test_the_whole_shape_is_understood(load: Load, tmp_path: Path) -> None:
    config = load(EVERYTHING)

    assert config.embedder == "bundled:"
    assert config.collections["docs"].chunker == "markdown"
    assert [source.name for source in config.sources] == ["handbook", "httpx"]
    assert config.sources[0].include == ("**/*.md",)
    assert config.retrieval.candidates == 50
    assert config.serve.port == 8080
    assert config.file == tmp_path.resolve() / "citewell.yaml"


def test_an_empty_file_means_the_defaults(load: Load, tmp_path: Path) -> None:
    config = load("")

    assert config.store == f"embedded:{tmp_path.resolve() / '.citewell'}"
    assert config.embedder == "bundled:"
    assert config.retrieval.k == 8
    assert (config.serve.host, config.serve.port) == ("127.0.0.1", 8080)
    assert config.sources == ()


def test_a_bare_scheme_is_read_like_a_quoted_one(load: Load) -> None:
    bare = load("store: memory:\nembedder: hash:   # no model\nreranker: none:\r\n")
    quoted = load('store: "memory:"\nembedder: "hash:"\nreranker: "none:"\n')

    assert (bare.store, bare.embedder, bare.reranker) == (quoted.store, quoted.embedder, quoted.reranker)


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("folder:./docs", "folder:{here}/docs"),
        ("folder:.", "folder:{here}"),
        ("folder:/srv/docs", "folder:/srv/docs"),
        ("git:.", "git:{here}"),
        ("git:../other#v1.0", "git:{above}/other#v1.0"),
        ("git:https://github.com/encode/httpx#b5addb64", "git:https://github.com/encode/httpx#b5addb64"),
        ("git:git@github.com:encode/httpx.git", "git:git@github.com:encode/httpx.git"),
        ("git:ssh://git@example.org/x.git#main", "git:ssh://git@example.org/x.git#main"),
    ],
)
def test_paths_are_relative_to_the_file_and_addresses_stay(load: Load, tmp_path: Path, address: str, absolute: str) -> None:
    config = load(f'collections: {{docs: {{}}}}\nsources: [{{name: a, from: "{address}", collection: docs}}]')

    here = tmp_path.resolve()
    assert config.sources[0].address == absolute.format(here=here, above=here.parent)


def test_a_path_in_the_home_folder_is_found_there(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")

    assert load("store: embedded:~/kb").store == "embedded:/home/ada/kb"


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("milvus:./kb.db", "milvus:{here}/kb.db"),
        ("milvus:../kb.db?prefix=a_", "milvus:{above}/kb.db?prefix=a_"),
        ("milvus:http://milvus:19530?prefix=a.db", "milvus:http://milvus:19530?prefix=a.db"),
        ("milvus:https://milvus.db", "milvus:https://milvus.db"),
    ],
)
def test_a_file_of_milvus_lite_is_relative_and_a_server_is_not(
    load: Load, tmp_path: Path, address: str, absolute: str
) -> None:
    here = tmp_path.resolve()
    assert load(f'store: "{address}"').store == absolute.format(here=here, above=here.parent)


def test_copies_of_sources_are_kept_beside_the_store(load: Load) -> None:
    assert load("store: embedded:/srv/kb").cache_folder == Path("/srv/kb/cache")


def test_without_an_access_section_everybody_may_read(load: Load) -> None:
    assert load("").policy() == OPEN_POLICY


def test_with_an_access_section_the_rules_decide(load: Load) -> None:
    policy = load(EVERYTHING).policy()

    assert policy.acl("docs/a.md") == {"group:everyone"}
    assert policy.acl("src/a.py") == {"group:engineering"}
    assert policy.groups("anybody") == {"everyone"}


def test_an_empty_access_section_admits_nobody(load: Load) -> None:
    assert load("access: {}").policy().acl("docs/a.md") == frozenset()


def test_declared_tools_are_handed_on(load: Load) -> None:
    config = load("""
collections: {docs: {}}
tools:
  - name: find_docs
    kind: search
    description: Finds documentation.
    collections: [docs]
    parameters: {k: {name: top_k, default: 5}, query: {description: What to look for.}}
""")

    [tool] = config.declared_tools()
    assert (tool.name, tool.kind, tool.collections) == ("find_docs", "search", ("docs",))
    assert tool.parameters == {
        "k": Parameter(name="top_k", default=5),
        "query": Parameter(description="What to look for."),
    }


def test_without_tools_the_surface_offers_its_own(load: Load) -> None:
    assert load("").declared_tools() == ()


def test_a_public_address_loses_its_last_slash(load: Load) -> None:
    assert load("serve: {public_url: 'https://kb.example.org/'}").serve.public_url == "https://kb.example.org"


def test_the_ranker_may_be_written_as_the_documentation_assistant_wrote_it(load: Load) -> None:
    assert load("collections: {docs: {hybridRanker: weighted}}").collections["docs"].hybrid_ranker == "weighted"
