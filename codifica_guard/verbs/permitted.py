"""Whether somebody might do what he did: the policy that counted, and the judge's word on the commit under it."""

from codifica_guard.engine.judge import judge_commit
from codifica_guard.engine.trust import introduction_findings
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.act import Act, Deed
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import is_human, short
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.model.value import replace
from codifica_guard.report.plain import plain_words
from codifica_guard.verbs.evidence import Evidence
from codifica_guard.verbs.proof_case import Case, Told
from codifica_guard.verbs.sheet import Sheet, blob, reached

_REVIEWS = frozenset({Deed.APPROVE, Deed.RETURN, Deed.CLOSE})
"""Deeds that say what becomes of what was handed in."""


def of_right(case: Case, sheet: Sheet) -> Told:
    """The fact about what the policy lets whom do."""
    law, guard = case.law, case.law.policy.guard
    shown = law.shown(case.commit.id)
    content = case.file(law.commit, GUARD_FILE)
    sheet.file(
        "guard.json", f"the policy is that of {shown}", blob(case.evidence.law_name(sheet, law), GUARD_FILE), content
    )
    actor = case.evidence.attribution.actor
    if actor is None:
        return False, ["nobody is proven, so nobody was"]
    broken = _broken(case)
    if broken:
        return False, [f"{f.code} {f.name}: {plain_words(f.found)}" for f in broken]
    lines = [f"policy at {shown}: mode {guard.mode}, ruleset {guard.ruleset}; no rule of it refuses this"]
    if is_human(actor):
        lines.append(f"{actor} is a human{', and a maintainer' if actor in guard.maintainers else ''}")
    if case.act is not None and case.act.owner == actor:
        lines.append(f"{actor} owns the task")
    if case.act is not None and case.act.deed in _REVIEWS:
        lines.append(_review(case, sheet, case.act, actor))
    return True, lines


def _broken(case: Case) -> tuple[Finding, ...]:
    """The errors that the judge finds in the commit, by the clock that counted."""
    court, expansion = replace(case.board.desk.court(), now=case.evidence.at), case.evidence.expansion
    if case.commit.id == case.introduction and expansion is not None:
        found = introduction_findings(court.trust, expansion, case.commit, court.registry)
    else:
        found = judge_commit(court, case.commit, case.past.step(case.commit.id), None)
    return tuple(f for f in dict.fromkeys(found) if f.severity is Severity.ERROR)


def _review(case: Case, sheet: Sheet, act: Act, actor: str) -> str:
    """Who handed the task in, and whether that is somebody else."""
    guard = case.law.policy.guard
    rule = f"review_by {guard.review_by}"
    handed_in = None if act.deed is Deed.CLOSE else _handed_in(case, act)
    if handed_in is None:
        return f"{rule}; nobody handed it in"
    who, commit = handed_in.actor, short(handed_in.commit)
    if who is None:
        return f"{rule}; handed in by nobody who is proven, in {commit}"
    evidence = Evidence(case.past, handed_in.commit, "handin")
    evidence.lay(sheet, "handin.")
    sheet.test("it was handed in before", reached(evidence.name(sheet), case.name(sheet)))
    other = "another principal" if who != actor else f"the same principal: self_approval is {guard.self_approval}"
    return f"{rule}; handed in by {who} in {commit}, {other}"


def _handed_in(case: Case, act: Act) -> Act | None:
    """The newest hand-in before an act."""
    store = case.world.store
    earlier = (found for found in case.past.acts(act.task) if found.deed is Deed.HAND_IN and found.commit != act.commit)
    return next((found for found in earlier if is_ancestor(store, found.commit, act.commit)), None)
