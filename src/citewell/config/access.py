"""The section that says who may read what."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from citewell.config.sections import AnchoredPath, Section
from citewell.core.access import AccessPolicy, AccessRule


class RuleSettings(Section):
    """Documents whose path matches ``paths`` are open to ``groups``."""

    paths: str
    """A glob."""
    groups: tuple[str, ...]
    """The groups that may read; none means nobody."""


class AccessSettings(Section):
    """Who may read what: the first rule whose glob matches decides, else ``default``; where both are silent, nobody may."""

    file: AnchoredPath | None = Field(default=None, min_length=1)
    """A file with the other keys of this section, which then stand there and not here."""
    default: tuple[str, ...] = ()
    """The groups that may read what no rule matches; none means nobody."""
    rules: tuple[RuleSettings, ...] = ()
    """In order: the first whose glob matches decides."""
    users: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """The groups of each user; ``"*"`` stands for everybody who is not named. The command line asks as ``local``."""
    groups: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Groups made of groups: whoever is in one of those listed is in the group that lists it."""

    def policy(self) -> AccessPolicy:
        """Return the rules in the form that decides."""
        rules = tuple(AccessRule(paths=rule.paths, groups=rule.groups) for rule in self.rules)
        return AccessPolicy(rules=rules, default=self.default, users=dict(self.users), subgroups=dict(self.groups))
