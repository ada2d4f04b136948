"""A folder in which secrets and personal data stand wherever people leave them; all are made of a seed, none is in use."""

from __future__ import annotations

import json
import string
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from faker import Faker

MIXED = string.ascii_letters + string.digits
HEX = "0123456789abcdef"

FORMS: dict[str, tuple[str, str, int]] = {
    "GITHUB_TOKEN": ("ghp_", MIXED, 36),
    "GITLAB_TOKEN": ("glpat-", MIXED, 20),
    "AWS_ACCESS_KEY": ("AKIA", string.ascii_uppercase + "234567", 16),
    "STRIPE_KEY": ("sk_live_", MIXED, 24),
    "GOOGLE_API_KEY": ("AIza", MIXED, 35),
    "OPENROUTER_KEY": ("sk-or-v1-", HEX, 64),
    "GROQ_KEY": ("gsk_", MIXED, 52),
    "NPM_TOKEN": ("npm_", MIXED, 36),
    "DOCKER_TOKEN": ("dckr_pat_", MIXED, 27),
    "DIGITALOCEAN_TOKEN": ("dop_v1_", HEX, 64),
    "SHOPIFY_TOKEN": ("shpat_", HEX, 32),
    "VAULT_TOKEN": ("hvs.", MIXED, 90),
    "LINEAR_KEY": ("lin_api_", MIXED, 40),
    "PULUMI_TOKEN": ("pul-", HEX, 40),
}
"""How tokens begin, of which characters they are, and how many follow."""


@dataclass(frozen=True)
class Secret:
    """A value, and what may not be found anywhere: the value, and the long pieces it is made of."""

    kind: str
    value: str

    @property
    def shown(self) -> str:
        """The secret as it stands in a text: a password is known only by what stands before it."""
        return f"password: {self.value}" if self.kind == "PASSWORD" else self.value

    @property
    def traces(self) -> list[str]:
        """The value as it stands and as JSON writes it, and every part by which it would be known."""
        pieces = [piece for piece in self.value.replace("_", "\n").replace("-", "\n").split("\n") if len(piece) >= 20]
        return [self.value, json.dumps(self.value)[1:-1], *pieces]


def planted_secrets(seed: int, count: int) -> list[Secret]:
    """Return ``count`` secrets, as many of every kind."""
    random, faker = Random(seed), Faker(["en_GB", "tr_TR"])
    faker.seed_instance(seed)
    makers: list[Callable[[], Secret]] = [
        *(lambda kind=kind, form=form: Secret(kind, _token(random, *form)) for kind, form in FORMS.items()),
        lambda: Secret("EMAIL", f"{faker.unique.user_name()}.{_drawn(random, HEX, 6)}@corp.com"),
        lambda: Secret("IBAN", faker["en_GB"].unique.iban()),
        lambda: Secret("CARD", faker["en_GB"].unique.credit_card_number("visa16")),
        lambda: Secret("PRIVATE_KEY", _private_key(random)),
        lambda: Secret("PASSWORD", f"kV7#{_drawn(random, MIXED, 20)}1"),
    ]
    return [makers[number % len(makers)]() for number in range(count)]


def plant(folder: Path, secrets: list[Secret]) -> None:
    """Write the secrets into files under ``folder``, each into the next place that can hold it."""
    for number, secret in enumerate(secrets):
        places = [place for place in PLACES if place is not in_path or _fits_name(secret)]
        path, text = places[(number // 3) % len(places)](number, secret)
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def in_prose(number: int, secret: Secret) -> tuple[str, str]:
    return (
        f"notes/n{number}.md",
        f"# Note {number}\n\nUse the zebra service with this:\n\n{secret.shown}\n\nThen restart it.\n",
    )


def in_title(number: int, secret: Secret) -> tuple[str, str]:
    title = "Keys" if secret.kind == "PRIVATE_KEY" else secret.shown
    return f"titles/t{number}.md", f"# About {title}\n\nThe zebra is described here.\n\n{secret.shown}\n"


def in_front_matter(number: int, secret: Secret) -> tuple[str, str]:
    value = secret.shown.replace("\n", "\n  ")
    return (
        f"pages/p{number}.md",
        f"---\nversion: 1.{number}\ncontact: |\n  {value}\n---\n# Page {number}\n\nA zebra lives here.\n",
    )


def in_code(number: int, secret: Secret) -> tuple[str, str]:
    return (
        f"src/m{number}.py",
        f'def zebra_{number}() -> str:\n    """Call the service."""\n    return """{secret.shown}"""\n',
    )


def in_path(number: int, secret: Secret) -> tuple[str, str]:
    return f"people/{secret.value}/r{number}.md", f"# Report {number}\n\nThe zebra was seen.\n"


def in_notebook(number: int, secret: Secret) -> tuple[str, str]:
    lines = [f"zebra = {number}\n", *secret.shown.splitlines(keepends=True)]
    cells = [{"cell_type": "code", "source": lines, "outputs": []}]
    return f"books/b{number}.ipynb", json.dumps({"cells": cells, "nbformat": 4}, indent=1)


def in_settings(number: int, secret: Secret) -> tuple[str, str]:
    return f"deploy/d{number}.yaml", f"zebra:\n  number: {number}\n  login: |\n{_indented(secret)}\n"


def in_table(number: int, secret: Secret) -> tuple[str, str]:
    cell = secret.shown if "\n" not in secret.value else f"none |\n\n{secret.value}\n\n"
    return f"tables/t{number}.md", f"# 斑马 {number}\n\n| who | what |\n|---|---|\n| 斑马 | {cell} |\n\n请看 zebra。\n"


PLACES = (in_prose, in_title, in_front_matter, in_code, in_path, in_notebook, in_settings, in_table)


def remains(secrets: list[Secret], data: bytes) -> list[str]:
    """Return what is left of ``secrets`` in ``data``, in capitals or not, in UTF-8 or UTF-16."""
    folded = data.lower()
    return [trace for secret in secrets for trace in secret.traces if any(form in folded for form in _forms(trace))]


def _forms(trace: str) -> Iterator[bytes]:
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        yield trace.lower().encode(encoding)


def _indented(secret: Secret) -> str:
    return textwrap.indent(secret.shown, "    ")


def _fits_name(secret: Secret) -> bool:
    return secret.kind not in ("PRIVATE_KEY", "PASSWORD")


def _token(random: Random, head: str, alphabet: str, length: int) -> str:
    return head + _drawn(random, alphabet, length)


def _private_key(random: Random) -> str:
    body = [_drawn(random, MIXED, 64) for _ in range(8)]
    return "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"])


def _drawn(random: Random, alphabet: str, length: int) -> str:
    return "".join(random.choices(alphabet, k=length))
