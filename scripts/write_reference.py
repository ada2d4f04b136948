"""Write the pages of docs/reference from the code, or with --check name those that are out of date.

Usage: python scripts/write_reference.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

from reference.cli import cli_page
from reference.configuration import configuration_page
from reference.errors import errors_page
from reference.languages import languages_page
from reference.tables import page
from reference.tools import tools_page

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
PAGES = {
    "cli.md": (cli_page, "every command, its options, and the exit statuses"),
    "configuration.md": (configuration_page, "every key of `citewell.yaml`, the environment, addresses, secrets"),
    "errors.md": (errors_page, "every error code, reason of a skipped or failed file, and mark of a weaker result"),
    "tools.md": (tools_page, "the MCP tools, their parameters and results"),
    "languages.md": (languages_page, "kinds of files, how they are cut, and stemmed languages"),
}


def written() -> dict[str, str]:
    """Return the text of every page, by its name."""
    pages = {name: make() for name, (make, _) in PAGES.items()}
    titles = {name: text.splitlines()[0].removeprefix("# ") for name, text in pages.items()}
    index = [f"- [{titles[name]}]({name}): {about}" for name, (_, about) in PAGES.items()]
    return {"README.md": page("Reference", "\n".join(index)), **pages}


def main() -> int:
    """Write the pages, or compare them."""
    pages = written()
    if "--check" not in sys.argv:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    stale = sorted(name for name in pages.keys() | found.keys() if pages.get(name) != found.get(name))
    for name in stale:
        print(f"docs/reference/{name} is out of date; run: make docs", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
