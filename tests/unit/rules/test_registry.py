"""Packs, rulesets, and what makes a module a rule."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pytest

from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Severity
from codifica_guard.rules.registry import Pack, Registry
from codifica_guard.rules.rule import About, Breach, Rule, rule_of
from tests.unit.views import policy


def silent(_: object) -> Iterator[Breach]:
    """A check that has nothing to say."""
    return iter(())


def rule(code: str, **changed: Any) -> Rule:
    fields: dict[str, Any] = {
        "name": "a-rule",
        "spec": "somewhere",
        "severity": Severity.ERROR,
        "about": About.COMMIT,
        "check": silent,
        "page": "A page.",
    }
    return Rule(code=code, **{**fields, **changed})


def pack(*rules: Rule, active: bool = True) -> Pack:
    return Pack(name="pack", early=rules, active=lambda _: active)


FIRST: Final = rule("XX102")
LATER: Final = rule("XX101", since=2)
MERGES: Final = rule("XX103", about=About.MERGE)
REGISTRY: Final = Registry((pack(FIRST, LATER, MERGES), pack(rule("YY101"), active=False)))


def codes(ruleset: int, about: About) -> list[str]:
    return [found.code for found in REGISTRY.under(policy(ruleset=ruleset), about)]


def test_no_rules_and_doubled_codes_are_never_fine() -> None:
    for packs in ((), (pack(),)):
        with pytest.raises(GuardError, match="there are no rules"):
            Registry(packs)
    with pytest.raises(GuardError, match="stands twice"):
        Registry((pack(FIRST), pack(rule("XX102", name="another")))).check()
    REGISTRY.check()


def test_rules_come_sorted_and_are_found_by_their_code() -> None:
    assert [found.code for found in REGISTRY.all()] == ["XX101", "XX102", "XX103", "YY101"]
    assert REGISTRY.find("XX102") is FIRST
    with pytest.raises(KeyError, match="ZZ101"):
        REGISTRY.find("ZZ101")


def test_rules_refuse_from_their_ruleset_on_and_about_their_matter_in_active_packs() -> None:
    assert codes(1, About.COMMIT) == ["XX102"]
    assert codes(2, About.COMMIT) == ["XX102", "XX101"]
    assert codes(1, About.MERGE) == ["XX103"]
    assert codes(9, About.REF) == []


def module(**fields: object) -> ModuleType:
    made = ModuleType("packs.xx101", "A page.")
    for name, value in {
        "CODE": "XX101",
        "NAME": "a-rule",
        "SPEC": "s",
        "SEVERITY": Severity.WARNING,
        "ABOUT": About.TASK,
        "check": silent,
        **fields,
    }.items():
        setattr(made, name, value)
    return made


def test_a_module_is_a_rule_by_its_names() -> None:
    made = rule_of(module())
    assert (made.code, made.name, made.spec, made.severity, made.about) == (
        "XX101",
        "a-rule",
        "s",
        Severity.WARNING,
        About.TASK,
    )
    assert (made.check, made.page, made.since, made.lifted, made.standing) == (silent, "A page.", 1, False, False)
    other = rule_of(module(SINCE=2, LIFTED=True, STANDING=True))
    assert (other.since, other.lifted, other.standing) == (2, True, True)


@pytest.mark.parametrize("name", ["CODE", "NAME", "SPEC", "SEVERITY", "ABOUT", "check", "__doc__"])
def test_a_module_that_lacks_a_name_is_no_rule(name: str) -> None:
    with pytest.raises(GuardError, match=rf"packs\.xx101 has no {name}"):
        rule_of(module(**{name: None}))
