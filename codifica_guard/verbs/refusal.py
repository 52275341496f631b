"""What a refusal means for the one who asked: which exit code, and what to do next."""

import re
from collections.abc import Iterable
from typing import Final

from codifica_guard.model.finding import Verdict
from codifica_guard.report.terminal import verdict
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.stopped import CANNOT_TELL, LATER, LOST, NEEDS_OTHER, REFUSED, Stopped

_OTHER: Final = frozenset(
    [
        "CD202",
        "CD203",
        "CD211",
        "CD213",
        "CD304",
        "CD310",
        "CD312",
        "CD314",
        "CD401",
        "CD402",
        "CD404",
        "ID105",
        "ID107",
        "ID109",
        "ID111",
    ]
)
"""Rules that another principal, or a human, would not break by the same change."""

_REFUSED: Final = re.compile(r"codifica-guard: push refused, \d+ errors?: (?P<codes>[A-Z0-9 ]+)")
_PROTECTED: Final = re.compile(r"(?i)protected branch|not allowed to push|branch is protected|GH006")


def exit_of(codes: Iterable[str]) -> int:
    """The exit code for broken rules: 3 the guard failed, 4 a lost race, 6 somebody else may, 1 all else."""
    found = frozenset(codes)
    if "GD101" in found:
        return CANNOT_TELL
    if "CD303" in found:
        return LOST
    return NEEDS_OTHER if found and found <= _OTHER else REFUSED


def refuse_judged(judged: Verdict, board: Board) -> None:
    """Nothing where a verdict lets a commit pass.

    Raises:
        Stopped: it does not; the text is the whole report.
    """
    if judged.accepted:
        return
    raise Stopped(
        verdict(judged, "commit", onward=True).rstrip("\n"),
        exit=exit_of(f.code for f in judged.errors),
        findings=judged.findings,
        as_of=board.as_of,
    )


def refused_by_server(told: tuple[str, ...], board: Board) -> Stopped:
    """The end of a verb whose push the remote refused: by the guard's rules, or for a reason of its own.

    Args:
        told: what the remote said; Git's own reason is the last line.
        board: the board.
    """
    match = next((m for line in told if (m := _REFUSED.search(line))), None)
    if match is not None:
        text = "\n".join(told[:-1])
        return Stopped(f"the server refused it\n{text}", exit=exit_of(match["codes"].split()), as_of=board.as_of)
    reason = told[-1].removeprefix("[remote rejected] ") if told else "refused"
    if any(_PROTECTED.search(line) for line in told):
        text = f"{board.name} is protected on {board.desk.remote}: {'; '.join(told[:3])}\nthe admin lets pushes of state documents through, or sets coordination_branch"
    else:
        text = "\n".join((f"{board.desk.remote} did not take it: {reason}", *told[:-1]))
    return Stopped(text, exit=LATER, as_of=board.as_of)
