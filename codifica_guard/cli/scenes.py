"""The demo's scenes: five tricks that the server sees through, and the legal way."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from codifica_guard.cli.sandbox import PEOPLE, Done, Sandbox, now
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.signing import holds, look
from codifica_guard.engine.past import introduction_behind
from codifica_guard.model.commit import WRITER
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import ObjectId, Principal, short


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One push of a scene, and what has to come of it.

    Attributes:
        who: who pushes.
        done: what came of it.
        code: the rule that has to refuse it; None for a push that has to be taken.
        words: what the server has to say besides.
    """

    who: str
    done: Done
    code: str | None
    words: tuple[str, ...] = ()

    @property
    def fault(self) -> str | None:
        """What is not as it has to be; None where all is."""
        if self.code is None:
            return None if self.done.code == 0 else f"{self.who}'s push was to be taken and was refused"
        if self.done.code == 0:
            return f"{self.who}'s push was to be refused by {self.code} and was taken"
        said = " ".join(" ".join(line.removeprefix("remote:") for line in self.done.remote).split())
        if self.code not in said.partition(" refused, ")[2]:
            return f"{self.who}'s push was to be refused by {self.code}, and was not by that"
        missing = [word for word in self.words if word not in said]
        return f"{self.code} does not say {', '.join(missing)}" if missing else None


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its title, what happens, in the words of a narrator, and the play."""

    title: str
    told: tuple[str, ...]
    play: Callable[[Sandbox], tuple[Step, ...]]


def claim(world: Sandbox, who: str, name: str) -> None:
    """Take a task as the protocol asks: all fields at once, with a fresh writer key."""
    row = world.entry(who, name, "in_progress", "Starting work")
    row["provenance"] = {"session_id": "s-1", "writer": world.token(who, name).public_line}
    fields = {"state": "in_progress", "owner": PEOPLE[who], "claimed_at": now()}
    world.edit(who, name, sets=fields, append={"state_transitions": [row]})


def approve(world: Sandbox, who: str, name: str, by: Principal) -> None:
    """Close a task with a review that passes."""
    row = {**world.entry(who, name, "done", "Looks good"), "by": by}
    review = {"status": "pass", "reviewer": by, "notes": ["Tried it"], "recorded_at": now()}
    fields = {"state": "done", "human_review": review, "completed_at": now()}
    world.edit(who, name, sets=fields, append={"state_transitions": [row]})


def two_commits(world: Sandbox) -> tuple[Step, ...]:
    """Builder writes the state first, the owner later."""
    world.fresh("builder")
    claim(world, "builder", "FEAT-102")
    world.edit("builder", "FEAT-102", sets={"owner": "unassigned"})
    world.commit("builder", "FEAT-102: in progress")
    world.edit("builder", "FEAT-102", sets={"owner": PEOPLE["builder"]})
    world.commit("builder", "FEAT-102: mine")
    world.guard("builder", "sign", "origin/main..HEAD")
    return (Step(who="builder", done=world.push("builder"), code="CD301"),)


def lost_race(world: Sandbox) -> tuple[Step, ...]:
    """Two agents claim one task; the second one merges its own claim over the first."""
    world.fresh("writer")
    world.fresh("builder")
    for who in ("writer", "builder"):
        claim(world, who, "FEAT-102")
        world.commit_signed(who, "FEAT-102: claim")
    first = Step(who="writer", done=world.push("writer"), code=None)
    world.git("builder", "fetch", "-q", "origin")
    world.git("builder", "merge", "-q", "-X", "ours", "--no-edit", "--no-verify", "origin/main")
    words = ("agent:writer", "free for you: FEAT-103")
    return first, Step(who="builder", done=world.push("builder"), code="CD303", words=words)


def forged(world: Sandbox) -> tuple[Step, ...]:
    """Builder approves its own work in Alice's name."""
    world.fresh("builder")
    approve(world, "builder", "FEAT-101", PEOPLE["alice"])
    world.commit("builder", "FEAT-101: approve", "--author=Alice <alice@example.org>")
    return (Step(who="builder", done=world.push("builder"), code="ID106"),)


def laundered(world: Sandbox) -> tuple[Step, ...]:
    """Builder's unsigned approval waits on a side branch until Alice, who signs all she commits, picks it."""
    world.fresh("builder")
    world.git("builder", "checkout", "-q", "-b", "topic")
    approve(world, "builder", "FEAT-101", PEOPLE["alice"])
    world.commit("builder", "FEAT-101: small things")
    first = Step(who="builder", done=world.push("builder", "HEAD:topic"), code=None)
    world.fresh("alice")
    world.git("alice", "-c", "commit.gpgsign=true", "cherry-pick", "origin/topic")
    return first, Step(who="alice", done=world.push("alice"), code="ID112")


def self_made(world: Sandbox) -> tuple[Step, ...]:
    """Builder lists a key of its own as a maintainer's."""
    world.fresh("builder")
    trust = world.root / "builder" / ".codifica"
    guard = json.loads((trust / "guard.json").read_text(encoding="utf-8"))
    guard["maintainers"].append("human:mallory")
    (trust / "guard.json").write_text(json.dumps(guard, indent=2) + "\n", encoding="utf-8")
    with (trust / "allowed_signers").open("a", encoding="ascii") as file:
        file.write(world.listed(Principal("human:mallory"), "mallory"))
    world.commit("builder", "codifica: tidy up")
    world.guard("builder", "sign", "HEAD")
    return (Step(who="builder", done=world.push("builder"), code="ID109"),)


def legal(world: Sandbox) -> tuple[Step, ...]:
    """Builder claims, works and hands in; Alice approves."""
    world.fresh("builder")
    claim(world, "builder", "FEAT-103")
    world.commit_signed("builder", "FEAT-103: claim")
    steps = [Step(who="builder", done=world.push("builder"), code=None)]
    (world.root / "builder" / "src" / "mail.py").write_text("print('mail')\n", encoding="ascii")
    world.commit_signed("builder", "FEAT-103: mail on order")
    note = {"by": PEOPLE["builder"], "note": "Wrote it all", "summary": "Mails go out", "timestamp": now()}
    row = world.entry("builder", "FEAT-103", "to_be_tested", "Work is complete")
    added = {"execution_notes": [note], "state_transitions": [row]}
    world.edit("builder", "FEAT-103", sets={"state": "to_be_tested"}, append=added)
    world.commit_signed("builder", "FEAT-103: hand in")
    steps.append(Step(who="builder", done=world.push("builder"), code=None))
    world.fresh("alice")
    approve(world, "alice", "FEAT-103", PEOPLE["alice"])
    world.commit_signed("alice", "FEAT-103: approve")
    steps.append(Step(who="alice", done=world.push("alice"), code=None))
    return tuple(steps)


SCENES: Final = (
    Scene("a claim in two commits", ("builder writes `state` first and `owner` one commit later, signed",), two_commits),
    Scene("a lost race", ("writer claims FEAT-102 and pushes; builder has claimed it as well,", "and merges with -X ours, so that its own claim stays in the text"), lost_race),
    Scene("a forged approval", ("builder closes FEAT-101: author Alice, by: human:alice, unsigned, --no-verify",), forged),
    Scene("a laundered approval", ("builder's unsigned approval waits on a side branch; alice cherry-picks it,", "and her commit.gpgsign signs it"), laundered),
    Scene("a self-made maintainer", ("builder lists a key of its own in .codifica/allowed_signers, as a maintainer's",), self_made),
    Scene("the legal way", ("builder claims FEAT-103 with a writer token, works, hands in; alice approves",), legal),
)  # fmt: skip
"""All scenes, in order; each starts from where the server is."""


def history(world: Sandbox, when: int) -> tuple[tuple[str, ...], ...]:
    """Every transition on the server's main branch since the introduction: task, from -> to, who, proof, commit."""
    world.fresh("alice")
    rows: list[tuple[str, ...]] = []
    listed = [ObjectId(line.encode()) for line in world.git("alice", "rev-list", "--first-parent", "HEAD").split()]
    with open_desk(when, os.fsencode(world.root / "alice"), {}) as desk:
        desk.world.introduction = introduction_behind(desk.world, listed[0])
        policy = desk.world.policy(listed[0])
        for oid in reversed(listed):
            commit = desk.world.store.commit(oid)
            if policy is None or not commit.parents or desk.world.policy(commit.parents[0]) is None:
                continue
            seen = holds(desk, commit, policy)
            proof = {Proof.TRAILER: "signed trailer", Proof.GIT: "signed commit", Proof.NONE: "unsigned"}[seen.proof]
            proof += ", writer token" if desk.world.trailers(commit).values(WRITER) else ""
            rows += [
                (c.id, " -> ".join(c.transition), seen.actor or "nobody", proof, short(commit.id))
                for c in look(desk, commit, policy)[1].changes
                if c.transition is not None
            ]
    return tuple(rows)
