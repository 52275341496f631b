"""The letters of proofs, and the words for them and for states."""

from collections.abc import Mapping
from typing import Final

from codifica_guard.model.act import BORN, GONE, Act, Mark
from codifica_guard.report.html.text import line

WORDS: Final[Mapping[Mark, tuple[str, str]]] = {
    Mark.SIGNED: ("signed", "with a key that the policy lists for that name"),
    Mark.TOKEN: ("signed, token", "signed, and with the one key of the claim: the session that claimed went on"),
    Mark.TOUCHED: ("signed, touched", "signed with a hardware key, somebody was present"),
    Mark.ATTESTED: ("attested", "the server\u2019s word: it made the edit for somebody who had logged in"),
    Mark.UNPROVEN: ("unproven", "nobody is proven to have done it"),
}
"""Each mark in a word or two, and what it says."""

_CLASSES: Final[Mapping[str, str]] = {
    "todo": "t", "in_progress": "i", "to_be_tested": "b", "done": "d", "blocked": "x", "rejected": "r",
}  # fmt: skip


def chip(mark: Mark) -> str:
    """Markup of a mark's letter."""
    return f'<b class="m {mark.value}">{mark.value}</b>'


def letter(act: Act) -> str:
    """The letter of an act in a drawing: small where the task's life did not go on by it."""
    return act.mark.value if act.is_transition else act.mark.value.lower()


def lane_class(state: str) -> str:
    """The class of a state's bar."""
    return _CLASSES.get(state, "o")


def state(said: str) -> str:
    """Markup of a state."""
    return line(said.replace("_", " ") if said in _CLASSES else said, 40)


def step(act: Act) -> str:
    """Markup of what an act did: from where to where, or in a word."""
    if act.source == act.target:
        return line(act.deed.value) if not act.is_transition else f"{act.deed.value}, still {state(act.target)}"
    source = "new" if act.source == BORN else state(act.source)
    target = "gone" if act.target == GONE else state(act.target)
    return f"{source} \u2192 {target}"
