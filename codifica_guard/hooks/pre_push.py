"""`pre-push`: says before the push what the server would say after it."""

from codifica_guard.clone.desk import open_desk
from codifica_guard.hooks.boundary import tell
from codifica_guard.hooks.client import read_input
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.report.terminal import verdict

WORDS = 4


def run(arguments: list[str], now: int) -> int:
    """Judge what goes out; 1 where the server would refuse it."""
    del arguments  # the remote's name and address decide nothing
    found: list[Finding] = []
    with open_desk(now) as desk:
        if desk.policy is None:
            return 0
        for words in read_input():
            if len(words) != WORDS or not words[1].strip(b"0"):
                continue
            ref, theirs = RefName(words[2]), ObjectId(words[3])
            known = theirs.strip(b"0") and desk.world.store.has(theirs)
            old = theirs if known else (desk.tracked(ref) if theirs.strip(b"0") else None)
            found += desk.judge_update(ref, old, ObjectId(words[1])).findings
    judged = Verdict(findings=tuple(dict.fromkeys(found)))
    tell(verdict(judged))
    return 0 if judged.accepted else 1
