"""The rules of an audit, listed by hand."""

from typing import Final

from codifica_guard.rules.registry import Pack
from codifica_guard.rules.rule import Rule, rule_of


def _rules() -> tuple[Rule, ...]:
    from codifica_guard.packs.audit import au101, au102, au103, au104, au105, au106, au107  # noqa: PLC0415 - no push needs them

    return tuple(map(rule_of, (au101, au102, au103, au104, au105, au106, au107)))


PACK: Final = Pack(name="audit", early=(), late=_rules, active=lambda _: False)
"""No policy switches it on: the judge never runs these, an audit does."""
