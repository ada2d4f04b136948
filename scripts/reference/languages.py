"""What files are taken for and how they are cut, and the languages whose words are stemmed."""

from __future__ import annotations

from citewell.ingest.chunkers.grammars import GRAMMARS
from citewell.ingest.kinds import ENDINGS, KIND_OF_NAME
from citewell.text.stemming import SNOWBALL
from reference.tables import code, codes, page, table

INTRODUCTION = """\
The kind of a file follows from its name, else from the interpreter its first line names, else it is `text`. It decides how
the file is cut in collections whose `chunker` is `auto`, `code` or `markdown`, and it is what the filter `kind` takes."""
OWN_CHUNKERS = {
    "markdown": "By its headings; fences, lists and tables stay whole where they fit.",
    "python": "By its classes and functions.",
    "yaml": "By its documents and top-level keys; Kubernetes objects by their names.",
}
BY_SYMBOLS = "By its definitions with the extra `code`; as text without it."
AS_TEXT = "As text: by paragraphs and sentences."


def languages_page() -> str:
    """Return the page of kinds and languages."""
    stemmed = {**SNOWBALL, "tr": "turkish"}
    return page(
        "Kinds of files, and languages",
        "## Kinds",
        INTRODUCTION,
        table(("kind", "endings and names", "how it is cut"), [*map(_kind, ENDINGS), (code("text"), "all others", AS_TEXT)]),
        "## Languages",
        "Any language can be searched. The words of these are stemmed, so that one form finds the others; writing"
        " without spaces, such as Chinese and Japanese, is read in pairs of characters. The filter `language` takes"
        " the code.",
        table(("code", "language"), ((code(short), name.capitalize()) for short, name in sorted(stemmed.items()))),
    )


def _kind(kind: str) -> tuple[str, ...]:
    names = [name for name, named in KIND_OF_NAME.items() if named == kind]
    endings = [f".{ending}" for ending in ENDINGS[kind].split()]
    how = OWN_CHUNKERS.get(kind) or (BY_SYMBOLS if kind in GRAMMARS else AS_TEXT)
    return code(kind), codes([*endings, *names]), how
