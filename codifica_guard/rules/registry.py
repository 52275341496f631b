"""Packs of rules, and the rules that hold under a ruleset."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codifica_guard.errors import GuardError
from codifica_guard.model.policy import Policy
from codifica_guard.rules.rule import About, Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The rules of one protocol, listed by hand.

    Attributes:
        name: the protocol's name.
        rules: its rules.
        active: whether a policy switches it on.
    """

    name: str
    rules: tuple[Rule, ...]
    active: Callable[[Policy], bool]


@dataclass(frozen=True, slots=True)
class Registry:
    """All packs that the judge knows; codes are unique."""

    packs: tuple[Pack, ...]

    def __post_init__(self) -> None:
        """Refuse an empty registry and codes that stand twice: no rules is never fine."""
        codes = [rule.code for pack in self.packs for rule in pack.rules]
        if not codes:
            raise GuardError("there are no rules")
        if len(codes) != len(set(codes)):
            raise GuardError("a rule's code stands twice")

    def all(self) -> tuple[Rule, ...]:
        """Every rule, sorted by code."""
        return tuple(sorted((r for pack in self.packs for r in pack.rules), key=lambda r: r.code))

    def find(self, code: str) -> Rule:
        """The rule of a code.

        Raises:
            KeyError: there is none.
        """
        for rule in self.all():
            if rule.code == code:
                return rule
        raise KeyError(code)

    def under(self, policy: Policy, about: About) -> Iterator[Rule]:
        """Rules about something that refuse under a policy: its packs, its ruleset."""
        for pack in self.packs:
            if pack.active(policy):
                for rule in pack.rules:
                    if rule.about is about and rule.since <= policy.guard.ruleset:
                        yield rule
