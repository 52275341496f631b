"""Each rule of the core with views that it takes and views that it refuses: what the rules are, as a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from codifica_guard.errors import GuardError, LimitExceeded
from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Severity
from codifica_guard.model.identity import Proof
from codifica_guard.model.policy import SIGNERS_FILE, PolicyFault
from codifica_guard.packs.core.pack import PACK
from codifica_guard.rules.rule import Breach
from tests.unit.advised import wrong
from tests.unit.views import (
    ALICE,
    BUILDER,
    FILE,
    LINK,
    NEW,
    OLD,
    OTHER_FILE,
    WORK,
    codifica,
    commit,
    commit_view,
    document,
    failed,
    policy,
    proven,
    ref_view,
    snapshot,
    task,
    trailers,
    with_faults,
)

START: Final = {"work.md": document(task("FEAT-1"))}
DONE: Final = {"work.md": document(task("FEAT-1", state="done"))}
SIGNERS: Final = ".codifica/allowed_signers"
CHANGED: Final = (FILE, OTHER_FILE)


@dataclass(frozen=True, slots=True)
class Case:
    """What a check is given, and what it says of it; no text: nothing."""

    code: str
    name: str
    given: Callable[[], tuple[Any, ...]]
    says: str = ""
    severity: Severity | None = None


def refused(code: str, name: str, given: Callable[[], Any], says: str, severity: Severity | None = None) -> Case:
    return Case(code, name, lambda: _tuple(given()), says, severity)


def accepted(code: str, name: str, given: Callable[[], Any]) -> Case:
    return Case(code, name, lambda: _tuple(given()))


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def of_change(**fields: Any) -> tuple[Any, ...]:
    """What a rule about tasks is given, for the one task that changes."""
    view = commit_view(**fields)
    return view.changes[0], view


def documents(code: str) -> Iterator[Case]:
    fault = Fault(code=code, line=4, column=2, found="what is wrong", do="mend it")
    broken = with_faults(snapshot(START), fault)
    yield refused(code, "a changed document", lambda: commit_view(START, broken, actor=ALICE), "what is wrong")
    yield accepted(code, "an unchanged document", lambda: commit_view(broken, broken, actor=ALICE))


def proofs(code: str) -> Iterator[Case]:
    yield refused(code, "needed", lambda: commit_view(START, DONE, attribution=failed(code)), "it does not hold")
    warning = Severity.WARNING if code != "ID105" else None
    side = {"src/a.py": CHANGED}
    yield refused(
        code, "not needed", lambda: commit_view(START, paths=side, attribution=failed(code)), "not hold", warning
    )
    yield accepted(code, "another problem", lambda: commit_view(START, DONE, attribution=failed("ID199")))


def owned(key: str = "") -> dict[str, str]:
    """A task of builder's in progress, with a writer key."""
    lines = ["  state_transitions:", "    - from: todo", "      to: in_progress"]
    lines += [f"      provenance: {{writer: {key}}}"] if key else []
    return {"work.md": document(task("FEAT-1", *lines, state="in_progress", owner=BUILDER))}


def noted(key: str = "") -> dict[str, str]:
    """The same with a line more."""
    return {
        "work.md": owned(key)["work.md"]
        .replace("```\n", "  labels: [a]\n```\n")
        .replace("yaml\n  labels: [a]\n", "yaml\n")
    }


def with_policy(**changed: Any) -> dict[str, Any]:
    return {"own_policy": policy(**changed), "under": policy()}


CASES: Final = (
    *(case for n in ("101", "102", "103", "104", "105", "107", "108", "111") for case in documents(f"ST{n}")),
    refused(
        "ST101",
        "a changed block",
        lambda: commit_view(START, {"work.md": document(task("FEAT-1", title="`a`"))}, actor=ALICE),
        "`",
    ),
    accepted("ST101", "a good block", lambda: commit_view(START, DONE, actor=ALICE)),
    refused("ST106", "a symlink", lambda: commit_view(START, snapshot({}, {"work.md": LINK})), "work.md is a symlink"),
    accepted("ST106", "a file", lambda: commit_view(START, DONE, paths={"src/a.py": CHANGED})),
    refused(
        "ST109",
        "a flip",
        lambda: commit_view(START, {"work.md": START["work.md"].replace("\n", "\r\n")}, actor=BUILDER),
        "FEAT-1",
    ),
    accepted(
        "ST109",
        "a person's",
        lambda: commit_view(START, {"work.md": START["work.md"].replace("\n", "\r\n")}, actor=ALICE),
    ),
    refused(
        "ST110",
        "a swallowed state",
        lambda: commit_view(START, {"work.md": document(task("FEAT-1", "  notes: |", "    state: done"))}),
        "state",
    ),
    accepted("ST110", "plain text", lambda: commit_view(START, DONE)),
    refused(
        "ST112",
        "a cut title",
        lambda: commit_view(START, {"work.md": document(task("FEAT-1", title="Fix #12 now"))}),
        "#12",
    ),
    accepted(
        "ST112", "in quotes", lambda: commit_view(START, {"work.md": document(task("FEAT-1", title='"Fix #12"'))})
    ),
    refused("GT101", "rewound", lambda: ref_view(rewound=True), "would go from 1111111 to 2222222"),
    accepted("GT101", "forward", ref_view),
    accepted("GT101", "not judged", lambda: ref_view("refs/heads/x", judged=False, rewound=True)),
    refused("GT102", "deleted", lambda: ref_view(new=None), "refs/heads/main would be deleted"),
    accepted("GT102", "moved", ref_view),
    accepted("GT102", "not judged", lambda: ref_view("refs/heads/x", judged=False, new=None)),
    refused("GT103", "receipts", lambda: ref_view("refs/codifica/receipts", judged=False), "refs/codifica/receipts"),
    refused(
        "GT103", "deleted replacement", lambda: ref_view("refs/replace/11", judged=False, new=None), "refs/replace/11"
    ),
    refused(
        "GT103", "behind a symbolic ref", lambda: ref_view(ref=b"refs/codifica/x", judged=False), "refs/codifica/x"
    ),
    accepted("GT103", "a tag", lambda: ref_view("refs/tags/v1", judged=False)),
    refused(
        "GT103",
        "a branch called like a ref",
        lambda: ref_view("refs/heads/refs/heads/main", judged=False),
        "refs/heads/refs/heads/main hides refs/heads/main from every push",
    ),
    accepted(
        "GT103",
        "such a branch deleted",
        lambda: ref_view("refs/heads/refs/heads/main", judged=False, new=None, deleted=True),
    ),
    accepted("GT103", "a branch called references", lambda: ref_view("refs/heads/references/x", judged=False)),
    refused("GT104", "unrooted", lambda: ref_view(unrooted=True), "2222222 does not descend"),
    accepted("GT104", "rooted", ref_view),
    accepted("GT104", "deleted", lambda: ref_view(unrooted=True, new=None)),
    refused(
        "GT105", "a task", lambda: commit_view(START, DONE, actor=ALICE, beside=True), "FEAT-1 changed in a commit"
    ),
    refused("GT105", "a frame", lambda: commit_view(START, frames=(WORK,), beside=True), "work.md changed in a commit"),
    accepted("GT105", "code", lambda: commit_view(START, paths={"a.py": CHANGED}, beside=True)),
    accepted("GT105", "on main", lambda: commit_view(START, DONE)),
    refused("GT106", "doubled", lambda: commit_view(made=commit(faults=("two author headers",))), "two author headers"),
    accepted("GT106", "sound", commit_view),
    refused("GD101", "a foreign error", lambda: ValueError("secret"), "the guard itself failed and let nothing in"),
    accepted("GD101", "a limit", lambda: LimitExceeded("too many")),
    refused("GD102", "a limit", lambda: LimitExceeded("too many commits"), "too many commits"),
    accepted("GD102", "another error", lambda: GuardError("x")),
    *(case for n in ("101", "102", "103", "104", "105") for case in proofs(f"ID{n}")),
    refused("ID106", "nobody", lambda: commit_view(START, DONE), "todo -> done by a commit that nobody signed"),
    accepted("ID106", "somebody", lambda: commit_view(START, DONE, actor=BUILDER)),
    accepted("ID106", "code", lambda: commit_view(START, paths={"src/a.py": CHANGED})),
    refused(
        "ID107", "no token", lambda: of_change(before=owned("k"), after=noted("k"), actor=BUILDER), "no Codifica-Writer"
    ),
    accepted(
        "ID107",
        "the token",
        lambda: of_change(before=owned("k"), after=noted("k"), actor=BUILDER, proves=lambda key: key == "k"),
    ),
    refused("ID108", "in a file", lambda: ref_view(secrets=((NEW, WORK),)), "in work.md of commit 2222222"),
    refused("ID108", "in a message", lambda: ref_view(secrets=((OLD, None),)), "in the message of commit 1111111"),
    accepted("ID108", "none", ref_view),
    refused(
        "ID109",
        "an agent",
        lambda: commit_view(START, paths={SIGNERS: CHANGED}, actor=BUILDER),
        ".codifica/allowed_signers changed by agent:builder",
    ),
    accepted(
        "ID109", "a maintainer", lambda: commit_view(START, paths={SIGNERS: CHANGED}, actor=ALICE, **with_policy())
    ),
    accepted("ID109", "code", lambda: commit_view(START, paths={"src/a.py": CHANGED}, actor=BUILDER)),
    refused(
        "ID110", "unsigned", lambda: commit_view(introduces=True, own_policy=policy()), "is introduced by a commit that"
    ),
    refused(
        "ID110", "second", lambda: commit_view(paths={".codifica/guard.json": (None, FILE)}, actor=ALICE), "second"
    ),
    accepted("ID110", "a maintainer", lambda: commit_view(introduces=True, own_policy=policy(), actor=ALICE)),
    refused(
        "ID111",
        "no touch",
        lambda: commit_view(START, DONE, actor=ALICE, human_act="to done", under=policy(human_presence="hardware-key")),
        "without a touched hardware key: to done",
    ),
    accepted("ID111", "by policy", lambda: commit_view(START, DONE, actor=ALICE, human_act="to done")),
    refused(
        "ID112",
        "not fresh",
        lambda: commit_view(START, DONE, attribution=proven(ALICE, proof=Proof.GIT, fresh=False), human_act="to done"),
        "human:alice's Git signature on a commit that was not made just then",
    ),
    accepted(
        "ID112", "fresh", lambda: commit_view(START, DONE, attribution=proven(ALICE, proof=Proof.GIT), human_act="x")
    ),
    refused(
        "ID113",
        "shared",
        lambda: commit_view(
            paths={SIGNERS: CHANGED},
            actor=ALICE,
            own_policy=policy(faults=[PolicyFault(code="ID113", path=SIGNERS_FILE, found="one key for both", line=3)]),
        ),
        "one key for both",
    ),
    accepted("ID113", "unchanged", lambda: commit_view(START, DONE, actor=ALICE)),
    refused("ID114", "doubled", lambda: commit_view(trailing=trailers(faults=("two of them",))), "two of them"),
    accepted("ID114", "sound", lambda: commit_view(trailing=trailers(("Codifica-Actor", BUILDER)))),
    refused(
        "ID114",
        "on nothing",
        lambda: commit_view(empty=True, trailing=trailers(("Codifica-Migrate", "x"), ("Codifica-Actor", ALICE))),
        "Codifica-Migrate on a commit that changes nothing",
    ),
    accepted("ID114", "on nothing", lambda: commit_view(empty=True, trailing=trailers(("Codifica-Actor", ALICE)))),
    refused("ST111", "last document", lambda: commit_view(START, {}, actor=ALICE), "is deleted"),
    refused(
        "ST111",
        "state of nothing",
        lambda: commit_view(
            START, paths={"codifica.json": CHANGED}, actor=ALICE, own_policy=policy(config=codifica(["tasks/*.md"]))
        ),
        "state (tasks/*.md) matches no file",
    ),
)


def check(case: Case) -> list[Breach]:
    rule = next(rule for rule in PACK.rules if rule.code == case.code)
    return list(rule.check(*case.given()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.name}")
def test_a_rule_says_what_its_table_says(case: Case) -> None:
    breaches = check(case)
    if not case.says:
        assert breaches == []
        return
    assert breaches
    assert case.says in breaches[0].found
    if case.severity is not None:
        assert breaches[0].severity is case.severity


@pytest.mark.parametrize("case", [c for c in CASES if c.says], ids=lambda case: f"{case.code}-{case.name}")
def test_a_breach_says_what_to_do_in_ascii(case: Case) -> None:
    for breach in check(case):
        assert all(line.isascii() and line.strip() == line for line in breach.do)
        assert wrong("\n".join(breach.do)) == []
        assert breach.expected.isascii()
        if not case.code.startswith("ST"):  # faults of documents bring their own words
            assert breach.do


@pytest.mark.parametrize("code", sorted(rule.code for rule in PACK.rules))
def test_every_rule_has_a_refused_and_an_accepted_view(code: str) -> None:
    said = {bool(case.says) for case in CASES if case.code == code}
    assert said == {True, False}


def test_the_pack_is_switched_on_by_every_policy() -> None:
    assert PACK.active(policy(without_codifica=True))
