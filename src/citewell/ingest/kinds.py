"""What kind of file a path is, and which chunker its text goes to."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from citewell.core.errors import ConfigurationError
from citewell.core.ports import Chunker
from citewell.ingest.chunkers.fixed import chunk_fixed
from citewell.ingest.chunkers.grammars import GRAMMARS
from citewell.ingest.chunkers.issues import chunk_issue
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.chunkers.prose import chunk_prose
from citewell.ingest.chunkers.python import chunk_python
from citewell.ingest.chunkers.symbols import symbol_chunker
from citewell.ingest.chunkers.yaml import chunk_yaml

Kind = str
"""``markdown``, ``yaml``, the name of a programming language, ``issue``, or ``text``."""

ENDINGS: Final[dict[Kind, str]] = {
    "markdown": "md markdown mdx mkd",
    "python": "py pyi pyw",
    "yaml": "yaml yml",
    "json": "json jsonl",
    "toml": "toml",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "ruby": "rb rake gemspec",
    "php": "php",
    "bash": "sh bash",
}
_KIND_OF_ENDING: Final = {ending: kind for kind, endings in ENDINGS.items() for ending in endings.split()}
KIND_OF_NAME: Final = {"Gemfile": "ruby", "Rakefile": "ruby", "Vagrantfile": "ruby", "PKGBUILD": "bash"}
_SHEBANG: Final = re.compile(r"#![^\n]*[/ ](python|node|ruby|php|bash|sh)[0-9.]*(?:\s|\Z)")
_KIND_OF_INTERPRETER: Final = {"node": "javascript", "sh": "bash"}

_CHUNKERS: Final[dict[Kind, Chunker]] = {
    **{kind: symbol_chunker(kind) for kind in GRAMMARS},
    "markdown": chunk_markdown,
    "python": chunk_python,
    "yaml": chunk_yaml,
}


def kind_of(path: str, text_head: str = "") -> Kind:
    """Return the kind of the file at ``path`` by its name, else by the interpreter its first line asks for."""
    name = PurePosixPath(path).name
    if kind := KIND_OF_NAME.get(name):
        return kind
    if kind := _KIND_OF_ENDING.get(PurePosixPath(name).suffix.lower().removeprefix(".")):
        return kind
    if shebang := _SHEBANG.match(text_head):
        return _KIND_OF_INTERPRETER.get(shebang[1], shebang[1])
    return "text"


def chunker_for(kind: Kind, setting: str) -> Chunker:
    """Return the chunker for files of ``kind`` in a collection whose ``chunker`` is ``setting``.

    ``auto`` and ``code`` go by the kind; ``markdown`` does too, but takes plain text for Markdown; ``issues``, ``text``
    and ``fixed`` treat every kind alike. Raises ConfigurationError for any other setting.
    """
    match setting:
        case "auto" | "code":
            return _CHUNKERS.get(kind, chunk_prose)
        case "markdown":
            return _CHUNKERS.get(kind, chunk_markdown if kind == "text" else chunk_prose)
        case "issues":
            return chunk_issue
        case "text":
            return chunk_prose
        case "fixed":
            return chunk_fixed
        case _:
            raise ConfigurationError(f"chunker: {setting!r} is none of auto, markdown, code, issues, text, fixed.")
