"""Rules on views: which findings a commit gets under one policy."""

from collections.abc import Callable, Iterable, Iterator

from codifica_guard.engine.expand import Expansion
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import ObjectId, Principal, TaskId
from codifica_guard.model.policy import Policy
from codifica_guard.model.value import replace
from codifica_guard.packs.codifica import cd405, cd406, cd407, cd412
from codifica_guard.packs.core import id109
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import About, Breach, Rule
from codifica_guard.rules.view import CommitView, MergeItem, MergeView, TaskChange

STRANGER = Principal("agent:-")
"""An agent that owns nothing: what would be refused to it is a human act."""

ORDER: tuple[Callable[[str], bool], ...] = (
    lambda code: code.startswith("ST"),
    lambda code: code.startswith("GT"),
    lambda code: code.startswith("ID") and code != "ID107",
    lambda code: code in {"CD303", "ID107"},
    lambda code: code in {"CD202", "CD203"},
    lambda code: code == "CD201",
    lambda _: True,
)
"""One act breaks many rules; of those about one task only the first group is told."""

TEXTS = {
    "frame": ("text outside tasks", cd405.CODE),
    "order": ("the order of tasks", cd405.CODE),
    "path": ("a guarded path", cd407.CODE),
}
"""What a merge may decide beside tasks and policy, in words, and the rule that it breaks."""


def findings(expansion: Expansion, view: CommitView, registry: Registry) -> tuple[Finding, ...]:
    """All findings of a commit under the view's policy."""
    merge = expansion.merge(view) if view.is_merge else None
    human_act = _human_act(view, merge, registry)
    view = view if human_act is None else replace(view, human_act=human_act)
    found = [*_plain(view, registry)]
    if merge is not None:
        merge = replace(merge, commit=view)
        found += _of_merge(merge, registry)
    return tuple(_first_groups([softened(f, view.policy, registry) for f in found]))


def _plain(view: CommitView, registry: Registry) -> Iterator[Finding]:
    for rule in _rules(view, registry, About.COMMIT):
        for breach in rule.check(view):
            yield finding(rule, breach, view)
    for rule in _rules(view, registry, About.TASK) if view.changes else ():
        for change in view.changes:
            for breach in rule.check(change, view):
                yield finding(rule, breach, view, change)


def _rules(view: CommitView, registry: Registry, about: About) -> tuple[Rule, ...]:
    rules = registry.under(view.policy, about)
    return tuple(rule for rule in rules if not rule.lifted) if view.migrates else rules


# -- merges


def _of_merge(merge: MergeView, registry: Registry) -> Iterator[Finding]:
    view = merge.commit
    for rule in _rules(view, registry, About.MERGE):
        for breach in rule.check(merge):
            yield finding(rule, breach, view)
    for item in merge.decided:
        for code, breach in _of_item(item, merge):
            yield finding(registry.find(code), breach, view)


def _of_item(item: MergeItem, merge: MergeView) -> Iterator[tuple[str, Breach]]:
    """What a merge decided about text and files: own changes go into a commit of their own, conflicts are a human's."""
    view = merge.commit
    if item.kind in {"trust", "revoked"}:
        breach = id109.breach_of_merge(item, merge)
        if breach is not None:
            yield id109.CODE, breach
    elif item.kind in TEXTS and not (item.conflict and view.by_human):
        what, code = TEXTS[item.kind]
        if item.kind == "path" and item.path.startswith(view.codifica.assets):
            what, code = "evidence", cd406.CODE
        yield (
            code,
            Breach(
                found=f"the merge settles a conflict in {what}"
                if item.conflict
                else f"the merge changes {what} itself",
                expected="a human's signature on the choice"
                if item.conflict
                else "own changes in a commit of their own",
                do=("let a human merge and sign: git merge -S",) if item.conflict else ("redo the merge without it",),
                path=item.path,
            ),
        )


# -- human acts


def human_act(expansion: Expansion, policy: Policy, actor: Principal, registry: Registry) -> str | None:
    """Why what a commit does takes a human, if this human were its actor; None where an agent may do it too."""
    view = expansion.view(policy, Attribution(actor=actor, proof=Proof.GIT))
    return _human_act(view, expansion.merge(view) if view.is_merge else None, registry)


def _human_act(view: CommitView, merge: MergeView | None, registry: Registry) -> str | None:
    """Why only a human may do this; asked only where the answer decides about a human's proof."""
    guard = view.policy.guard
    doubtful = view.attribution.proof is Proof.GIT and (not view.attribution.fresh or guard.human_proof == "trailer")
    presence = guard.human_presence == "hardware-key" and not view.attribution.touched
    if not view.by_human or not (doubtful or presence):
        return None
    if merge is not None:
        conflicts = [item.name for item in merge.decided if item.conflict]
        return f"it chooses between versions of {conflicts[0]}" if conflicts else None
    if view.trust or view.gone:
        return "it changes the policy"
    if view.migrates:
        return "it is a migration"
    stranger = replace(view, attribution=Attribution(actor=STRANGER, proof=view.attribution.proof))
    for found in _plain(stranger, registry):
        about_scope = found.code in {cd406.CODE, cd407.CODE} and presence and not doubtful
        about_words = about_scope or found.code == cd412.CODE  # no right rests on a message
        if found.severity is Severity.ERROR and found.code[:2] in {"CD", "ST"} and not about_words:
            return _act(found.task, view) or found.expected or found.found
    return None


def _act(task: TaskId | None, view: CommitView) -> str | None:
    for change in view.changes:
        if change.id == task:
            return f"{task}: {' -> '.join(change.transition)}" if change.transition else f"{task} is changed"
    return None


# -- findings


def finding(rule: Rule, breach: Breach, view: CommitView, change: TaskChange | None = None) -> Finding:
    """A breach, with the place and the actor that it happened at."""
    place = change.place if change is not None else None
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=breach.severity or rule.severity,
        found=breach.found,
        expected=breach.expected,
        do=breach.do,
        path=breach.path or (place.path if place else None),
        line=breach.line or (place.line if place and breach.path is None else None),
        column=breach.column,
        task=breach.task or (change.id if change is not None else None),
        commit=breach.commit or view.commit.id,
        actor=view.actor,
    )


def finding_without_view(rule: Rule, breach: Breach, commit: ObjectId | None) -> Finding:
    """A breach of a commit that could not be made ready to be judged."""
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        found=breach.found,
        expected=breach.expected,
        do=breach.do,
        path=breach.path,
        commit=commit,
    )


def softened(found: Finding, policy: Policy, registry: Registry) -> Finding:
    """Under `mode: report`, and `permissive` for the protocol's own rules, an error only warns."""
    if found.severity is Severity.WARNING or registry.find(found.code).standing:
        return found
    config = policy.codifica
    permissive = config is not None and config.mode == "permissive" and found.code.startswith("CD")
    report = policy.guard.mode == "report"
    return replace(found, severity=Severity.WARNING) if report or permissive else found


def _first_groups(found: Iterable[Finding]) -> Iterator[Finding]:
    """Of the findings about one task only the first group with an error; all where there is none.

    Of what is said about the tasks of a document that cannot be read nothing is certain: only why it cannot.
    """
    rows = list(found)
    unreadable = {r.path for r in rows if r.severity is Severity.ERROR and _group(r.code) == 0 and r.task is None}
    rows = [r for r in rows if r.path is None or r.path not in unreadable or _group(r.code) == 0]
    first: dict[TaskId | None, int] = {}
    for row in rows:
        if row.severity is Severity.ERROR:
            group = _group(row.code)
            first[row.task] = min(group, first.get(row.task, group))
    for row in rows:
        limit = first.get(row.task)
        if limit is None or _group(row.code) <= limit:
            yield row


def _group(code: str) -> int:
    return next(number for number, within in enumerate(ORDER) if within(code))
