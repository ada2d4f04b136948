"""The fields of documents and chunks that can be filtered by and cited, by the names people give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RELEASE_FIELDS: Final = ("version", "release_date", "doc_type")
"""What a release page, changelog or front matter says of a text; ``release_date`` is a date as in 2024-10-15."""

ISSUE_FIELDS: Final = ("repo_name", "issue_number", "issue_state", "issue_labels")
RESOURCE_FIELDS: Final = ("resource_kind", "resource_name", "resource_namespace", "file_type")

FILTER_FIELDS: Final = (*RELEASE_FIELDS, *ISSUE_FIELDS, *RESOURCE_FIELDS)
"""Fields that a search can be narrowed to, beside source, path, language and kind."""


def parts_of(value: str) -> Sequence[str]:
    """Return what a field may be asked for by: its whole value, and each item where it is a list joined by commas."""
    return (value, *filter(None, (item.strip() for item in value.split(",")))) if "," in value else (value,)
