import pytest

from citewell.core.globs import path_matcher


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.md", "README.md", True),
        ("*.md", "docs/guide.md", False),
        ("**/*.md", "README.md", True),
        ("**/*.md", "docs/a/b.md", True),
        ("docs/**", "docs/a/b.md", True),
        ("docs/**", "docs", False),
        ("docs/?.md", "docs/a.md", True),
        ("docs/?.md", "docs/ab.md", False),
        ("a.b/**", "axb/c", False),
        ("/docs/*", "docs/x", True),
        ("**", "new\nline", True),
        ("[a]*", "[a]b", True),
    ],
)
def test_a_glob_matches_whole_paths_only(glob: str, path: str, expected: bool) -> None:
    assert path_matcher([glob])(path) is expected


def test_no_glob_matches_nothing() -> None:
    assert not path_matcher([])("README.md")
