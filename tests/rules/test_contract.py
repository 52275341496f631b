"""What holds for every rule of every pack: codes, names, docstrings, pages, rulesets."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

import pytest

from codifica_guard import packs
from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Severity
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.pages import FOLDER, PARTS, drift, page, parts, sentence
from codifica_guard.rules.registry import Pack, Registry
from codifica_guard.rules.rule import About, Breach, Rule, rule_of
from codifica_guard.rules.view import RefView
from tests.unit.advised import wrong
from tests.unit.views import policy, ref_view

ROOT: Final = Path(__file__).parents[2]
CODE: Final = re.compile(r"(ST|CD|GD|GT|ID|AU)\d{3}")
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
OF_A_CHECK: Final = {
    About.REF: ("view",),
    About.COMMIT: ("view",),
    About.TASK: ("change", "view"),
    About.MERGE: ("view",),
    About.GUARD: ("error",),
    About.AUDIT: ("view",),
}
STANDING: Final = {"GD", "GT", "ID105", "ID108", "ID109", "ID110", "ID113", "ST106"} | {
    f"AU10{n}" for n in (1, 2, 3, 4, 5, 7)
}
"""What report mode leaves an error."""

every_rule = pytest.mark.parametrize("rule", REGISTRY.all(), ids=lambda rule: rule.code)


def modules() -> dict[str, ModuleType]:
    """The modules of all packs that are named like a code."""
    found = {}
    for pack in iter_modules(packs.__path__):
        if pack.ispkg:
            home = import_module(f"{packs.__name__}.{pack.name}")
            for module in iter_modules(home.__path__):
                if CODE.fullmatch(module.name.upper()):
                    found[module.name] = import_module(f"{home.__name__}.{module.name}")
    return found


def test_every_module_of_a_rule_is_listed_by_its_pack_and_codes_match() -> None:
    made = {name: rule_of(module) for name, module in modules().items()}
    assert {name.upper(): rule for name, rule in made.items()} == {rule.code: rule for rule in REGISTRY.all()}


def test_a_code_stands_once() -> None:
    codes = [rule.code for pack in REGISTRY.packs for rule in pack.rules]
    assert len(codes) == len(set(codes))
    with pytest.raises(GuardError, match="stands twice"):
        Registry((*REGISTRY.packs, REGISTRY.packs[0])).check()


def test_every_rule_is_where_the_judge_looks_for_it() -> None:
    REGISTRY.check()
    hidden = Pack(name="hidden", early=(), late=lambda: (REGISTRY.find("GT101"),), active=lambda _: True)
    with pytest.raises(GuardError, match="GT101 is about refs or commits"):
        Registry((Pack(name="first", early=(REGISTRY.find("GT102"),), active=lambda _: True), hidden)).check()


def test_a_name_stands_once() -> None:
    names = [rule.name for rule in REGISTRY.all()]
    assert len(names) == len(set(names))


def test_no_rules_are_never_fine() -> None:
    with pytest.raises(GuardError, match="no rules"):
        Registry((Pack(name="empty", early=(), active=lambda _: True),))


def test_a_rule_is_found_by_its_code() -> None:
    assert REGISTRY.find("ID106").name == "signature-missing"
    with pytest.raises(KeyError):
        REGISTRY.find("ID999")


@every_rule
def test_a_code_and_a_name_have_their_form(rule: Rule) -> None:
    assert CODE.fullmatch(rule.code)
    assert NAME.fullmatch(rule.name)


@every_rule
def test_a_rule_names_its_clause_its_severity_and_its_ruleset(rule: Rule) -> None:
    assert rule.spec.strip() == rule.spec != ""
    assert isinstance(rule.severity, Severity)
    assert rule.since >= 1


@every_rule
def test_a_check_takes_what_its_rule_is_about(rule: Rule) -> None:
    code = rule.check.__code__
    names = code.co_varnames[: code.co_argcount]
    wanted = OF_A_CHECK[rule.about]
    required = len(names) - len(rule.check.__defaults__ or ())
    assert names[: len(wanted)] == wanted
    assert required == len(wanted)


def test_no_policy_switches_the_rules_of_an_audit_on() -> None:
    codes = {rule.code for rule in REGISTRY.all() if rule.about is About.AUDIT}
    assert codes == {f"AU10{number}" for number in range(1, 8)}
    assert codes.isdisjoint(rule.code for about in About for rule in REGISTRY.under(policy(), about))


@every_rule
def test_report_mode_leaves_the_guards_own_rules_errors(rule: Rule) -> None:
    assert rule.standing == (rule.code in STANDING or rule.code[:2] in STANDING)


@every_rule
def test_the_docstring_has_all_parts_of_a_page(rule: Rule) -> None:
    first = rule.page.split("\n", 1)[0]
    assert first.endswith(".")
    assert tuple(parts(rule)) == PARTS
    assert sentence(rule).startswith(first)


@every_rule
def test_a_page_is_ascii_and_fits_a_terminal(rule: Rule) -> None:
    lines = page(rule).split("\n")
    assert all(line.isascii() and len(line) <= 140 and line == line.rstrip() for line in lines)


@every_rule
def test_a_page_is_on_disk_as_the_docstring_has_it(rule: Rule) -> None:
    assert (ROOT / FOLDER / f"{rule.code}.md").read_text("utf-8") == page(rule)


@every_rule
def test_a_page_advises_commands_that_there_are(rule: Rule) -> None:
    assert wrong(page(rule)) == []


def test_all_that_rules_say_anywhere_names_commands_that_there_are() -> None:
    """The sources of whatever a finding may say: rules, their advice, the judge, the readers, the reports."""
    home = Path(packs.__file__).parents[1]
    folders = ("packs", "rules", "report", "engine", "identity", "state", "policy", "hooks")
    sources = [path for folder in folders for path in (home / folder).rglob("*.py")]
    assert len(sources) > 100
    found = {str(path.relative_to(home)): wrong(path.read_text("utf-8")) for path in sources}
    assert {name: names for name, names in found.items() if names} == {}


def test_a_wrong_command_is_found() -> None:
    text = (
        "git codifica fly FEAT-1, codifica-guard claim, git codifica install, codifica-guard, git codifica claim --next"
    )
    assert wrong(text) == ["git codifica fly", "codifica-guard claim", "git codifica install"]


def test_no_page_is_missing_stale_or_left_over() -> None:
    assert drift(ROOT / FOLDER, REGISTRY) == ()


def never(view: RefView) -> Iterator[Breach]:
    """A rule that refuses everything."""
    yield Breach(found=f"{view.ref!r} is there")


def test_a_rule_of_a_later_ruleset_refuses_only_under_that() -> None:
    old = replace(REGISTRY.find("GT101"), check=never, code="GT901")
    new = replace(old, code="GT902", since=2)
    registry = Registry((Pack(name="later", early=(old, new), active=lambda _: True),))

    def refusing(ruleset: int) -> list[str]:
        rules = registry.under(policy(ruleset=ruleset), About.REF)
        return [rule.code for rule in rules if list(rule.check(ref_view()))]

    assert refusing(1) == ["GT901"]
    assert refusing(2) == ["GT901", "GT902"]
    registry = replace(registry, ruleset=1)  # a preview asks for another one than the policy's
    assert refusing(2) == ["GT901"]


def test_all_rules_of_today_refuse_under_the_first_ruleset() -> None:
    assert {rule.since for rule in REGISTRY.all()} == {1}


def test_a_pack_that_a_policy_does_not_switch_on_is_silent() -> None:
    bare = policy(without_codifica=True)
    codes = {rule.code for about in About for rule in REGISTRY.under(bare, about)}
    # Of the protocol's rules only the one about codifica.json itself is left: the file may be new, or broken until now.
    assert {code for code in codes if code.startswith("CD")} == {"CD110"}
    assert {code[:2] for code in codes} == {"CD", "ST", "GD", "GT", "ID"}


def test_a_module_that_lacks_something_is_no_rule() -> None:
    half = ModuleType("half", "A rule.")
    with pytest.raises(GuardError, match="half has no CODE"):
        rule_of(half)
