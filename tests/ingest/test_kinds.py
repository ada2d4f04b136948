import pytest

from citewell.core.errors import ConfigurationError
from citewell.ingest.chunkers.fixed import chunk_fixed
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.chunkers.prose import chunk_prose
from citewell.ingest.chunkers.python import chunk_python
from citewell.ingest.kinds import chunker_for, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("docs/README.md", "markdown"),
        ("a/b.MARKDOWN", "markdown"),
        ("src/m.py", "python"),
        ("src/m.pyi", "python"),
        ("deploy.yml", "yaml"),
        ("a.tsx", "tsx"),
        ("a.ts", "typescript"),
        ("a.hpp", "cpp"),
        ("main.go", "go"),
        ("Gemfile", "ruby"),
        ("notes.txt", "text"),
        ("guide.rst", "text"),
        ("LICENSE", "text"),
        (".py", "text"),
    ],
)
def test_a_name_tells_the_kind(path, kind):
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    ("first_line", "kind"),
    [
        ("#!/usr/bin/env python3.11", "python"),
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env node", "javascript"),
        ("#!/usr/bin/env -S ruby -w", "ruby"),
        ("#!/usr/bin/pythonic", "text"),
        ("python", "text"),
    ],
)
def test_the_first_line_of_a_script_tells_the_kind(first_line, kind):
    assert kind_of("bin/run", first_line + "\nx = 1\n") == kind


def test_the_name_goes_before_the_first_line():
    assert kind_of("a.md", "#!/bin/sh\n") == "markdown"


@pytest.mark.parametrize("setting", ["auto", "code"])
def test_the_kind_decides_where_the_setting_does_not(setting):
    assert [chunker_for(kind, setting) for kind in ("markdown", "python", "text", "json")] == [
        chunk_markdown,
        chunk_python,
        chunk_prose,
        chunk_prose,
    ]


def test_plain_text_may_be_taken_for_markdown():
    assert chunker_for("text", "markdown") is chunk_markdown
    assert chunker_for("python", "markdown") is chunk_python


def test_a_setting_may_treat_all_kinds_alike():
    assert {chunker_for(kind, "fixed") for kind in ("markdown", "python", "text")} == {chunk_fixed}
    assert {chunker_for(kind, "text") for kind in ("markdown", "python", "text")} == {chunk_prose}


def test_an_unknown_setting_is_refused():
    with pytest.raises(ConfigurationError, match="semantic"):
        chunker_for("text", "semantic")
