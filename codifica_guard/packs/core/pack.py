"""The rules of Git, documents and identity, listed by hand."""

from typing import Final

from codifica_guard.packs.core import (
    gt101,
    gt102,
    gt103,
    gt104,
    gt105,
    gt106,
    id101,
    id102,
    id103,
    id104,
    id105,
    id106,
    id108,
    id109,
    id110,
    id111,
    id112,
    id113,
    id114,
    st101,
    st102,
    st103,
    st104,
    st105,
    st106,
    st107,
    st108,
    st109,
    st110,
    st111,
    st112,
)
from codifica_guard.rules.registry import Pack
from codifica_guard.rules.rule import Rule, rule_of

MODULES: Final = (
    gt101,
    gt102,
    gt103,
    gt104,
    gt105,
    gt106,
    id101,
    id102,
    id103,
    id104,
    id105,
    id106,
    id108,
    id109,
    id110,
    id111,
    id112,
    id113,
    id114,
    st101,
    st102,
    st103,
    st104,
    st105,
    st106,
    st107,
    st108,
    st109,
    st110,
    st111,
    st112,
)


def _late() -> tuple[Rule, ...]:
    # Only a task's change and a failure of the guard need these.
    from codifica_guard.packs.core import gd101, gd102, id107  # noqa: PLC0415

    return rule_of(gd101), rule_of(gd102), rule_of(id107)


PACK: Final = Pack(name="core", early=tuple(rule_of(module) for module in MODULES), late=_late, active=lambda _: True)
"""Switched on by every policy."""
