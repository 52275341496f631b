"""The demo's scenes: a race, a self-approval, a forgery, a session that was fenced off, and the legal way through it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from codifica_guard.cli.sandbox import PEOPLE, Done, Sandbox, now
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.signing import holds, look
from codifica_guard.engine.past import introduction_behind
from codifica_guard.errors import RepositoryError
from codifica_guard.model.commit import WRITER
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import ObjectId, Principal, short
from codifica_guard.verbs.stopped import LOST, OK

FIRST, SECOND = "FEAT-102", "FEAT-104"
"""The task that both agents want, and the next best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of a scene, and what has to come of it.

    Attributes:
        who: who types it.
        typed: what is typed.
        done: what came of it.
        code: the rule by which the server has to refuse it; None for what has to end with `exit`.
        exit: the exit code that it has to have.
        words: what has to be said besides.
    """

    who: str
    typed: str
    done: Done
    code: str | None = None
    exit: int = OK
    words: tuple[str, ...] = ()

    @property
    def fault(self) -> str | None:
        """What is not as it has to be; None where all is."""
        if self.code is None:
            if self.done.code != self.exit:
                return f"{self.who}'s {self.typed} had to end with {self.exit} and ended with {self.done.code}"
            said = self.done.said
        else:
            if self.done.code == 0:
                return f"{self.who}'s {self.typed} was to be refused by {self.code} and was taken"
            said = " ".join(line.removeprefix("remote:") for line in self.done.remote)
            if self.code not in " ".join(said.split()).partition(" refused, ")[2]:
                return f"{self.who}'s {self.typed} was to be refused by {self.code}, and was not by that"
        said = " ".join(said.split())
        missing = [word for word in self.words if word not in said]
        return f"{self.who}'s {self.typed} does not say {', '.join(missing)}" if missing else None


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its title, and the play."""

    title: str
    play: Callable[[Sandbox], tuple[Step, ...]]


def verb(world: Sandbox, who: str, *words: str, exit: int = OK, say: tuple[str, ...] = ()) -> Step:  # noqa: A002 - see Step
    """Somebody uses a verb."""
    return Step(who=who, typed=_typed(words), done=world.try_guard(who, *words), exit=exit, words=say)


def _typed(words: tuple[str, ...]) -> str:
    return "git codifica " + " ".join(f'"{word}"' if " " in word else word for word in words)


def race(world: Sandbox) -> tuple[Step, ...]:
    """Both agents claim one task in the same second; the one that comes second takes the next."""
    agents = ("builder", "writer")
    ended = world.at_once(tuple((who, ("claim", FIRST)) for who in agents))
    steps = [
        Step(who=who, typed=f"git codifica claim {FIRST}", done=done, exit=done.code if done.code == LOST else OK)
        for who, done in zip(agents, ended, strict=True)
    ]
    steps.sort(key=lambda step: step.done.code)
    lost = [step.who for step in steps if step.done.code == LOST]
    if len(lost) != 1:
        raise RepositoryError(f"one of two claims had to be lost: {[step.done.said for step in steps]}")
    return (*steps, verb(world, lost[0], "claim", "--next", say=(f"claimed {SECOND}",)))


def find(world: Sandbox, who: str, state: str, owner: str) -> str:
    """The task that somebody has in a state, as a clone last fetched it."""
    for name in (FIRST, SECOND):
        task = world.task(who, name, "origin/main")
        if (task.state, task.owner) == (state, PEOPLE[owner]):
            return name
    raise RepositoryError(f"{owner} has no task that is {state}")


def self_approval(world: Sandbox) -> tuple[Step, ...]:
    """Builder works and hands in as it should; then it closes the task by hand, signed with its own key."""
    world.fresh("builder")
    name = find(world, "builder", "in_progress", "builder")
    world.git("builder", "switch", "-q", "-c", f"build/{name}", "origin/main")
    (world.root / "builder" / "src" / "work.py").write_text("print('work')\n", encoding="ascii")
    world.commit_signed("builder", f"{name}: the work")
    world.git("builder", "push", "-q", "--no-verify", "-u", "origin", "HEAD")
    handed_in = verb(world, "builder", "submit", name, "--summary", "It works and is tested")
    world.fresh("builder")
    close(world, "builder", name, PEOPLE["builder"])
    world.commit("builder", f"{name}: looks good to me")
    world.guard("builder", "sign", "HEAD")
    return handed_in, Step(who="builder", typed="git push", done=world.push("builder"), code="CD213")


def forgery(world: Sandbox) -> tuple[Step, ...]:
    """Builder closes its task in Alice's name."""
    world.fresh("builder")
    name = find(world, "builder", "to_be_tested", "builder")
    close(world, "builder", name, PEOPLE["alice"])
    world.commit("builder", f"{name}: approved", "--author=Alice <alice@example.org>")
    return (Step(who="builder", typed="git push --no-verify", done=world.push("builder"), code="ID106"),)


def close(world: Sandbox, who: str, name: str, by: Principal) -> None:
    """Close a task by hand; a human's review comes with it."""
    row = {**world.entry(who, name, "done", "Looks good"), "by": by}
    review = {"human_review": {"status": "pass", "reviewer": by, "notes": "Tried it", "recorded_at": now()}}
    fields = {"state": "done", "completed_at": now(), **(review if by == PEOPLE["alice"] else {})}
    world.edit(who, name, sets=fields, append={"state_transitions": [row]})


def zombie(world: Sandbox) -> tuple[Step, ...]:
    """Writer's session falls asleep, Alice takes its task back, and it wakes up with one more note on the old state."""
    name = find(world, "writer", "in_progress", "writer")
    first = verb(world, "writer", "note", name, "Half of it is there")
    world.fresh("writer")
    world.edit(
        "writer", name, append={"execution_notes": [{"by": PEOPLE["writer"], "note": "And more", "timestamp": now()}]}
    )
    reclaimed = verb(world, "alice", "reclaim", name, "-m", "the writer's machine is gone")
    world.commit_signed("writer", f"{name}: more of it")
    world.git("writer", "fetch", "-q", "origin")
    world.git("writer", "merge", "-q", "--no-edit", "--no-verify", "origin/main")
    woke = Step(who="writer", typed="git merge origin/main (clean), git push", done=world.push("writer"), code="ID107")
    return first, reclaimed, woke


def approval(world: Sandbox) -> tuple[Step, ...]:
    """Alice sees what waits for her, approves it, and proves who did what until now."""
    world.fresh("alice")
    name = find(world, "alice", "to_be_tested", "builder")
    return (
        verb(world, "alice", "status", say=(name, "handed in")),
        verb(world, "alice", "approve", name, "-m", "tried it", say=("to_be_tested -> done",)),
        verb(world, "alice", "audit", say=("clean: no errors", "all hold, signed by server:shop")),
    )


SCENES: Final = (
    Scene("builder and writer claim FEAT-102 in the same second", race),
    Scene("builder hands in, then tries to approve itself, signed", self_approval),
    Scene("builder forges it: author Alice, by: human:alice, --no-verify", forgery),
    Scene("writer's old session wakes up after alice reclaimed its task; it merges clean", zombie),
    Scene("alice approves, and audits", approval),
)
"""All scenes, in order; the world is built before them."""


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
