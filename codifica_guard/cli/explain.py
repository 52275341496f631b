"""`explain`: what a rule means, and what to do."""

import argparse
import difflib
from typing import TYPE_CHECKING

from codifica_guard.cli.command import USAGE, Command, Outcome
from codifica_guard.cli.envelope import severity_json
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.pages import page, parts, sentence
from codifica_guard.rules.rule import Rule

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import RuleData, RuleList, RulePage

NEAREST = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="a rule's code or name; without it, all rules")


def run(options: argparse.Namespace) -> Outcome:
    """Print one rule's page, or the list of all rules."""
    rules = REGISTRY.all()
    if options.code is None:
        every: RuleList = {"rules": [_short(rule) for rule in rules]}
        return Outcome(lines=tuple(f"{rule.code}  {rule.name}" for rule in rules), data=every)
    wanted = options.code.strip()
    found = next((r for r in rules if wanted.upper() == r.code or wanted.lower() == r.name), None)
    if found is None:
        near = nearest(wanted, rules)
        return Outcome(
            exit=USAGE,
            notes=(f"codifica-guard explain: there is no rule {wanted!a}; the nearest: {', '.join(near)}",),
            next=tuple(f"git codifica explain {code}" for code in near),
        )
    told = parts(found)
    data: RulePage = {
        **_short(found),
        "clause": found.spec,
        "since": found.since,
        "sentence": sentence(found),
        "parts": {"why": told["Why"], "refused": told["Refused"], "accepted": told["Accepted"], "do": told["Do"]},
    }
    return Outcome(lines=tuple(page(found).rstrip("\n").split("\n")), data=data)


def nearest(wanted: str, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The codes that are most like a text, by code or by name; never empty."""
    names = {**{rule.code: rule.code for rule in rules}, **{rule.name.upper(): rule.code for rule in rules}}
    found = difflib.get_close_matches(wanted.upper(), names, n=NEAREST, cutoff=0)
    return tuple(dict.fromkeys(names[name] for name in found))


def _short(rule: Rule) -> "RuleData":
    return {"code": rule.code, "name": rule.name, "severity": severity_json(rule.severity)}


COMMAND = Command(
    name="explain",
    summary="what a rule means, and what to do",
    configure=configure,
    run=run,
    text="Print the page of a rule: why it is there, what it refuses and accepts, what to do. Without a code: the list of all rules.",
)
