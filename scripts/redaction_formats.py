"""Secrets made at random in the formats of the issuers that Kingfisher knows, from its own regular expressions.

Nobody who wrote our rules chose these. Only formats count that show what they are: those whose secrets begin alike, and which
Kingfisher itself knows by nothing else; so it finds all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

from redaction_samples import Sample, framed

LETTERS_DIGITS = ascii_letters + digits
CATEGORIES = {
    **{"CATEGORY_DIGIT": digits, "CATEGORY_WORD": LETTERS_DIGITS, "CATEGORY_NOT_SPACE": LETTERS_DIGITS},
    **{"CATEGORY_SPACE": " ", "CATEGORY_NOT_WORD": " ", "CATEGORY_NOT_DIGIT": ascii_lowercase},
}
EACH, TRIES, SHORTEST_HEAD = 5, 60, 4


def formats(seed: int) -> Iterator[Sample]:
    """Yield some secrets of every format, between other words; none where Kingfisher is not installed."""
    try:
        from kingfisher_sdk import Rules, Scanner
    except ImportError:
        return
    random, rules = Random(seed), Rules()
    scanner = Scanner(rules, base64=False)
    for rule in rules.metadata():
        if not rule["visible"]:
            continue
        made = list(_secrets(rules.detail(rule["id"])["detection_regex"], rule["id"], scanner, random))
        if len(made) == EACH and len({secret[:SHORTEST_HEAD] for secret in made}) == 1 and " " not in made[0][:SHORTEST_HEAD]:
            samples = [framed(rule["id"], secret, "see {value} here") for secret in made]
            yield from (sample for sample in samples if scanner.scan(sample.text))


def _secrets(pattern: str, rule: str, scanner: Any, random: Random) -> Iterator[str]:
    """Yield secrets that ``rule`` itself finds in what its regular expression was made to match."""
    tree = _parsed(pattern)
    made = 0
    for _ in range(TRIES):
        text = _match(tree, random)
        found = [one.location for one in scanner.scan(text) if one.visible and one.rule_id == rule]
        if found and made < EACH:
            made += 1
            yield text.encode()[found[0]["start_offset"] : found[0]["end_offset"]].decode()


def _parsed(pattern: str) -> Any:
    """Return the tree of a pattern in Rust's syntax, whose flags may stand anywhere; capitals are kept as they are."""
    flags = re.VERBOSE if re.search(r"\(\?[a-z]*x", pattern) else re.NOFLAG
    plain = re.sub(r"\(\?[imsx]+\)", "", pattern).replace(r"\z", r"\Z").replace("[[:alnum:]]", "[A-Za-z0-9]")
    return re._parser.parse(plain, flags)  # type: ignore[attr-defined]


def _match(tree: Any, random: Random) -> str:
    return "".join(_part(str(operator), argument, random) for operator, argument in tree)


def _part(operator: str, argument: Any, random: Random) -> str:
    """Return something that one part of a pattern matches: nothing for what only looks around."""
    if operator.endswith("_REPEAT"):
        least, most, inner = argument
        times = least or (random.randrange(2) if most == 1 else 0)
        return "".join(_match(inner, random) for _ in range(times))
    match operator:
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL" | "ANY":
            return " "
        case "IN":
            return random.choice(_choices(argument))
        case "SUBPATTERN":
            return _match(argument[3], random)
        case "BRANCH":
            return _match(random.choice(argument[1]), random)
    return ""


def _choices(items: Any) -> list[str]:
    """Return the characters of a class: letters and digits, if it has any."""
    chosen: list[str] = []
    for operator, argument in items:
        match str(operator):
            case "LITERAL":
                chosen.append(chr(argument))
            case "RANGE":
                chosen += [chr(code) for code in range(argument[0], min(argument[1], 126) + 1)]
            case "CATEGORY":
                chosen += CATEGORIES[str(argument)]
    if str(items[0][0]) == "NEGATE":
        return [character for character in LETTERS_DIGITS + "-_ " if character not in chosen] or [" "]
    return [character for character in chosen if character.isalnum()] or chosen
