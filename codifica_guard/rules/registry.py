"""Packs of rules, and the rules that hold under a ruleset."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from codifica_guard.errors import GuardError
from codifica_guard.model.policy import Policy
from codifica_guard.model.value import value
from codifica_guard.rules.rule import About, Rule

EARLY: Final = frozenset({About.REF, About.COMMIT})
"""What rules are about that every push meets; a rule about these is in its pack's `early`."""


@value
class Pack:
    """The rules of one protocol, listed by hand.

    Attributes:
        name: the protocol's name.
        early: its rules about refs and commits, which every push meets.
        late: gives the others; called once a push needs them, so that a push of code does not load them.
        active: whether a policy switches it on.
    """

    name: str
    early: tuple[Rule, ...]
    active: Callable[[Policy], bool]
    late: Callable[[], tuple[Rule, ...]] = tuple

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All its rules."""
        return (*self.early, *self.late())

    def about(self, about: About) -> tuple[Rule, ...]:
        """Its rules about something."""
        found = self.early if about in EARLY else self.rules
        return tuple(rule for rule in found if rule.about is about)


@value(kw_only=False, slots=False)
class Registry:
    """All packs that the judge knows.

    Attributes:
        packs: the packs.
        ruleset: the rules of which ruleset refuse, whatever a policy says; None for the policy's own.
    """

    packs: tuple[Pack, ...]
    ruleset: int | None = None

    def __post_init__(self) -> None:
        """Refuse an empty registry: no rules is never fine."""
        if not any(pack.early for pack in self.packs):
            raise GuardError("there are no rules")

    def check(self) -> None:
        """Raise unless every code stands once, and every rule where `about` looks for it.

        Raises:
            GuardError: a code stands twice, or a rule would never run.
        """
        codes = [rule.code for rule in self.all()]
        if len(codes) != len(set(codes)):
            raise GuardError("a rule's code stands twice")
        for pack in self.packs:
            hidden = [rule.code for rule in pack.late() if rule.about in EARLY]
            if hidden:
                raise GuardError(f"{hidden[0]} is about refs or commits and has to be early")

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

    def under(self, policy: Policy, about: About) -> tuple[Rule, ...]:
        """Rules about something that refuse under a policy: its packs, its ruleset."""
        ruleset = self.ruleset if self.ruleset is not None else policy.guard.ruleset
        packs = tuple(pack for pack in self.packs if pack.active(policy))
        key = (about, ruleset, tuple(pack.name for pack in packs))
        known = self._under.get(key)
        if known is None:
            known = tuple(rule for pack in packs for rule in pack.about(about) if rule.since <= ruleset)
            self._under[key] = known
        return known

    @cached_property
    def _under(self) -> dict[tuple[About, int, tuple[str, ...]], tuple[Rule, ...]]:
        """What was asked for before: it is the same for every commit under policies with the same packs and ruleset."""
        return {}
