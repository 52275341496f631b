"""`pre-push`: says before the push what the server would say after it."""

import os

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.git.refs import resolve
from codifica_guard.hooks.boundary import tell
from codifica_guard.hooks.client import read_input
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.report.terminal import verdict

WORDS = 4
FRAMEWORK = "PRE_COMMIT_"
"""What the pre-commit framework's variables begin with: it reads the input itself, and tells the first branch of a push so."""


def run(arguments: list[str], now: int) -> int:
    """Judge what goes out; 1 where the server would refuse it."""
    del arguments  # the remote's name and address decide nothing
    found: list[Finding] = []
    tips: list[ObjectId] = []
    with open_desk(now) as desk:
        if desk.policy is None:
            return 0
        for words in read_input() or _by_framework(desk):
            if len(words) != WORDS:
                continue
            ref, ours, theirs = RefName(words[2]), _tip(words[1]), _tip(words[3])
            old = theirs if theirs is None or desk.world.store.has(theirs) else desk.tracked(ref)
            tips += [ours] if ours is not None else []
            found += desk.judge_update(ref, old, ours).findings
    judged = Verdict(findings=tuple(dict.fromkeys(found)))
    tell(verdict(judged, "this push would be", tips=tips))
    return 0 if judged.accepted else 1


def _by_framework(desk: Desk) -> list[list[bytes]]:
    """The line of input that the pre-commit framework kept to itself; none where it is not at work."""
    told = {name: os.environ.get(FRAMEWORK + name, "") for name in ("LOCAL_BRANCH", "REMOTE_BRANCH", "REMOTE_NAME")}
    source, ref = os.fsencode(told["LOCAL_BRANCH"]), os.fsencode(told["REMOTE_BRANCH"])
    if not source or not ref:
        return []
    ours = os.environ.get(FRAMEWORK + "TO_REF") or desk.commit_id(told["LOCAL_BRANCH"]).decode("ascii")
    held = b"refs/remotes/" + os.fsencode(told["REMOTE_NAME"]) + b"/" + ref.removeprefix(HEADS)
    there = resolve(desk.location, held)[1] if ref.startswith(HEADS) else None
    return [[source, os.fsencode(ours), ref, there or b"0" * len(ours)]]


def _tip(word: bytes) -> ObjectId | None:
    """A tip as Git tells it; all zeros where there is none."""
    return ObjectId(word) if word.strip(b"0") else None
