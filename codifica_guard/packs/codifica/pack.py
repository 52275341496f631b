"""The rules of Codifica, by when they are needed."""

from typing import Final

from codifica_guard.packs.codifica import cd110, cd405, cd406, cd407, cd408, cd412
from codifica_guard.rules.registry import Pack
from codifica_guard.rules.rule import Rule, rule_of


def _late() -> tuple[Rule, ...]:
    from codifica_guard.packs.codifica.late import RULES  # noqa: PLC0415 - a push of code needs none of them

    return RULES


PACK: Final = Pack(
    name="codifica",
    early=tuple(map(rule_of, (cd405, cd406, cd407, cd408, cd412))),
    late=_late,
    active=lambda policy: policy.codifica is not None,
)
"""Active where the policy has a `codifica.json`."""

FILE_PACK: Final = Pack(name="codifica.json", early=(rule_of(cd110),), active=lambda _: True)
"""The file itself is judged always: it may be new, or broken until now."""
