"""What people write where a secret would stand: templates, names, words. None of it is to be taken out."""

from __future__ import annotations

import re
from typing import Final

_TEMPLATE: Final = re.compile(
    r"\$\{|\{\{|\{\}|\{[A-Za-z_]\w{0,40}[}:!.\[(]|%[({sdv]"
    r"|<[A-Za-z_][^<>]{0,60}>|\.\.\.|\*{3}|…|\$\(|^\$[A-Za-z_]|\[[A-Za-z_ -]+\]"
)
_EXAMPLES: Final = """
a abc admin administrator al an and api app at auth b bar base baz c change changeit changeme client com correct
credential credentials default demo dev d dummy e example f fake false foo foobar foobaz for from g guest hello here
hunter i id in insert invalid is it key letmein level levels local login me my mypass mypassword mysecret mysql n
new no none not null of old on optional or p pass passphrase passwd password placeholder postgres private proxy
public pw pwd qwerty real redacted replace root s sample secret secretpassword secrets some somepassword string
super supersecret supersecretpassword t test testing that the this to todo token topsecret totally true u user
username value very w world x xx xxx xxxx y you your z passwort kennwort benutzer motdepasse contraseña sifre şifre
parola gizli
"""
"""The words that examples are made of."""

_WORDS: Final = frozenset(_EXAMPLES.split())
_LEET: Final = str.maketrans("@$013457", "asoieast")
_KNOWN_TERMS: Final = re.compile(
    r"k8s|k3s|s3|ec2|i18n|l10n|oauth2?|v\d{1,2}(?:(?:alpha|beta)\d)?|utf-?8|x509|base64|b64|sha\d{1,3}|md5|hs256|rs256|ed25519|rsa\d*"
    r"|http2|ipv[46]|e2e|2fa|h2|p12|pkcs\d{1,2}|log4j|db2|neo4j|web3|es\d{1,2}"
)
_PIECE: Final = re.compile(r"[a-z]+\d{0,3}|\d{1,4}")
_DIGITS: Final = re.compile(r"\d")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NO_NAME: Final = re.compile(r"[^\w\-./:\\ \[\]>|,+]")
_SPLIT: Final = re.compile(r"[^a-z0-9]+")
_EDGES: Final = "!?.,:;/\\|-_=~#*()[]{}<>\"'` "
_TELLING: Final = re.compile(r"example|placeholder|1234567")
_FEW: Final = 3
_MAX_DIGITS: Final = 4


def is_template(value: str) -> bool:
    """Say whether something else is put in the place of ``value``, or of a part of it."""
    return _TEMPLATE.search(value) is not None


def is_stand_in(value: str) -> bool:
    """Say whether ``value`` consists of the words, and of no more than a few digits, that stand for a secret in examples."""
    lowered = value.lower()
    if len(set(lowered)) <= _FEW or _TELLING.search(lowered):
        return True
    return _is_wordy(lowered) or _is_wordy(lowered.translate(_LEET))


def _is_wordy(value: str) -> bool:
    words = _LETTERS.findall(value)
    if not _WORDS.issuperset(words) and "".join(words) not in _WORDS:
        return False
    return len(_DIGITS.findall(value)) <= _MAX_DIGITS


def is_name(value: str) -> bool:
    """Say whether ``value`` is a name, a path or plain words: pieces of letters, with digits only at the end of one."""
    inner = _KNOWN_TERMS.sub("x", value.lower()).strip(_EDGES)
    if _NO_NAME.search(inner):
        return False
    return all(piece == "" or _PIECE.fullmatch(piece) for piece in _SPLIT.split(inner))
