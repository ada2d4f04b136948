"""What stands in paths is taken out of what is shown, and nothing else is changed."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citewell.core.ports import Snapshot, SourceFile
from citewell.ingest.disguise import Disguise, is_disguised, redact_path
from citewell.testing.memory_source import MemorySource
from citewell.text.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)
TOKEN = "glpat-" + "aB3dE5fG7hJ9kL1mN3pQ"
IBAN = "DE89" + "370400440532013000"


def twins() -> tuple[str, str]:
    """Return two addresses that have one placeholder: four digits are few."""
    addresses = (f"reader{number}@corp.com" for number in range(3_000))
    known: dict[str, str] = {}
    for address in addresses:
        other = known.setdefault(REDACTOR.placeholder("EMAIL", address), address)
        if other != address:
            return other, address
    raise AssertionError("no two are equal")


def listing(*paths: str) -> Snapshot:
    return Snapshot(files=tuple(SourceFile(path=path, fingerprint="1", size=1) for path in paths))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("people/ada@corp.com.md", r"people/\[EMAIL:\w{4}\]\.md"),
        ("people/ada@corp.com/notes.md", r"people/\[EMAIL:\w{4}\]/notes\.md"),
        (f"keys/{TOKEN}.tar.gz", r"keys/\[GITLAB_TOKEN:\w{4}\]\.tar\.gz"),
        (f"accounts/{IBAN}.csv", r"accounts/\[IBAN:\w{4}\]\.csv"),
        (f"accounts/{IBAN}/2024.csv", r"accounts/\[IBAN:\w{4}\]/2024\.csv"),
        (f"accounts/statement_{IBAN}_old.csv", r"accounts/statement_\[IBAN:\w{4}\]_old\.csv"),
        ("cards/card-4539578763621486.txt", r"cards/card-\[CARD:\w{4}\]\.txt"),
        (f"keys/{TOKEN}", r"keys/\[GITLAB_TOKEN:\w{4}\]"),
    ],
)
def test_a_secret_in_a_name_is_taken_out_and_the_ending_stays(path: str, shown: str) -> None:
    assert re.fullmatch(shown, redact_path(path, REDACTOR))


@pytest.mark.parametrize(
    "path",
    [
        "src/citewell/ingest/indexing.py",
        "releases/2024-01-31-v1.2.3.md",
        "vendor/node-v18.17.1-linux-x64.tar.gz",
        "objects/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "img/icon@2x.png",
        "node_modules/@types/node/index.d.ts",
        ".env",
        "文档/春天.md",
    ],
)
def test_a_path_without_secrets_stays_as_it_is(path: str) -> None:
    assert redact_path(path, REDACTOR) == path


@given(st.lists(st.sampled_from(["a", "_", "-", ".", " ", "/", ".md", "ada@corp.com", TOKEN, IBAN, "2024"]), max_size=12))
@example(["ada@corp.com", ".md", "_", ".", "ada@corp.com"])
def test_folders_stay_and_what_was_taken_out_once_is_left_alone(parts: list[str]) -> None:
    shown = redact_path("".join(parts), REDACTOR)
    assert shown.count("/") == parts.count("/")
    assert redact_path(shown, REDACTOR) == shown


def test_two_paths_that_would_be_one_are_numbered_before_the_ending_whatever_their_order() -> None:
    first, second = (f"people/{address}.md" for address in sorted(twins()))
    shown = redact_path(first, REDACTOR)
    for files in ((first, second), (second, first)):
        disguise = Disguise.of(listing(*files), REDACTOR, keep=False)
        assert {file.path for file in disguise.snapshot.files} == {shown, shown.removesuffix(".md") + ".2.md"}
        assert disguise.real_path(shown) == first
        assert disguise.real_path(shown.removesuffix(".md") + ".2.md") == second


def test_every_file_is_shown_under_a_name_of_its_own() -> None:
    shown = redact_path("ada@corp.com.md", REDACTOR)
    disguise = Disguise.of(listing(shown, "ada@corp.com.md", "plain.md"), REDACTOR, keep=False)
    assert all(one.path != other.path for one, other in combinations(disguise.snapshot.files, 2))
    assert disguise.real_path(shown) == shown


def test_files_are_read_under_their_own_names_and_handed_on_under_the_shown() -> None:
    source = MemorySource("x", {"ada@corp.com.md": b"# Ada\n", "plain.md": b"# Plain\n"})
    disguise = Disguise.of(source.snapshot(), REDACTOR, keep=False)
    contents = list(disguise.read(source, disguise.snapshot.files))
    assert {found.data: is_disguised(found.file.path) for found in contents} == {b"# Ada\n": True, b"# Plain\n": False}
    assert sorted(source.reads) == ["ada@corp.com.md", "plain.md"]


def test_where_secrets_are_only_reported_names_stay() -> None:
    snapshot = listing("ada@corp.com.md")
    assert Disguise.of(snapshot, REDACTOR, keep=True).snapshot == snapshot


def test_the_address_of_a_repository_is_redacted() -> None:
    snapshot = Snapshot(files=(), repository=f"https://git.acme.dev/x.git?private_token={TOKEN}")
    assert TOKEN not in Disguise.of(snapshot, REDACTOR, keep=False).snapshot.repository
