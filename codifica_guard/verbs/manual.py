"""The manual in few words: what one principal has to know to work here, filled from the policy that counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from codifica_guard.model.ids import Principal, is_agent, is_human
from codifica_guard.model.policy import CodificaConfig, Globs, GuardConfig

_SHOWN: Final = 8
"""Names of one list that are spelt out: a manual is read by whom each word costs."""

BEGIN: Final = "<!-- codifica-guard: begin -->"
END: Final = "<!-- codifica-guard: end -->"
"""The lines around what the guard writes into a page of somebody else's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody works.

    Attributes:
        repository: its name.
        guard: `.codifica/guard.json`.
        codifica: `codifica.json`.
        branch: the coordination branch, for people.
        ref: what git calls its newest known tip, such as `origin/main`.
        remote: the remote, for people.
    """

    repository: str
    guard: GuardConfig
    codifica: CodificaConfig
    branch: str
    ref: str
    remote: str = "origin"


def manual(place: Place, actor: Principal | None, doubts: Sequence[str] = ()) -> Iterator[str]:
    """The whole manual of one principal, in lines; not escaped yet.

    Args:
        place: where he works.
        actor: who he is; None for somebody without a listed key, who is told what agents are told.
        doubts: what has to be settled before he can work at all.
    """
    where = _where(place.codifica, place.branch)
    if actor is None:
        yield f"The tasks of {place.repository} live in {where}."
    elif is_human(actor):
        maintainer = ", maintainer" if actor in place.guard.maintainers else ""
        yield f"You are {actor} in {place.repository}{maintainer}. Tasks live in {where}."
    elif is_agent(actor):
        yield f"You are {actor} in {place.repository}. Tasks live in {where}. Never edit that by hand: these commands do, and sign."
        allowed = place.codifica.allowed_agents
        if allowed and actor not in allowed:
            yield "But codifica.json does not name you in allowed_agents: you may take no task until a maintainer adds you."
    else:
        yield f"You are {actor} in {place.repository}. A server only keeps records, and may change no task ({where})."
    yield from doubts
    if is_human(actor):
        yield from _people(place.guard, maintainer=actor in place.guard.maintainers)
    elif actor is None or is_agent(actor):
        yield from _agents(place)


def section(codifica: CodificaConfig, branch: str) -> tuple[str, ...]:
    """The marked section for a page that every agent reads, such as `AGENTS.md`: no name, no key, 24 lines at most.

    It says what stays true under every policy, and where the rest is told.

    Args:
        codifica: `codifica.json`.
        branch: the coordination branch, for people.
    """
    return (
        BEGIN,
        "## Tasks",
        "",
        f"The tasks of this repository live in {_where(codifica, branch)}. Never edit them by hand: the commands below make",
        "the change, sign it and push it. Start with `git codifica prime`: it says who you are here, which files you may",
        "change, and how work ends.",
        "",
        "- `git codifica ready`: tasks that are free for you; `git codifica show ID`: one of them",
        "- `git codifica claim ID`, or `claim --next`: take one, then work on a branch of its own",
        '- `git codifica note ID "text"`: how it goes',
        '- `git codifica note ID --ask block|release|change "why"`: ask a human, then leave that task alone',
        '- `git push -u origin HEAD`, then `git codifica submit ID --summary "one line"`: hand it in',
        "",
        "Commit messages start with the task's id. Never use `--no-verify`, never force-push: every commit is judged by",
        "the server. Exit codes: 0 ok, 1 refused, 2 wrong call, 3 cannot tell, 4 lost the race, 5 nothing to do, 6 needs",
        "a human, 7 try again later. No such command? `pipx install codifica-guard`, and",
        "`CODIFICA_SIGNING_KEY=FILE` names your key.",
        END,
    )


# -- agents


def _agents(place: Place) -> Iterator[str]:
    name = place.codifica.branch_pattern
    for word, filled in (("{type}", "build"), ("{id}", "ID"), ("{slug}", "slug")):
        name = name.replace(word, filled)
    yield "  git codifica ready                what you may take        git codifica show ID"
    yield "  git codifica claim ID | --next    take it (exit 4: lost, 5: nothing free)"
    yield f"  git switch --no-track -c {name} {place.ref}; {_scope(place.codifica.scope)}"
    yield '  git codifica note ID "text"       how it goes'
    yield '  git codifica note ID --ask block|release|change "why"    then stop on that task'
    yield f'  git push -u {place.remote} HEAD; git codifica submit ID --summary "one line, 120 chars" --artifact PATH:TYPE'
    yield f"{_ending(place)} {_limit(place.codifica.max_concurrent)} Commit messages start with the id."
    yield "Exit: 0 ok, 1 refused (mend it as told), 2 wrong call, 3 cannot tell (stop), 4 lost, 5 nothing to do, 6 needs a human, 7 later."
    yield f"Never --no-verify, never force-push {place.branch}: the server judges every commit anyway."


def _scope(scope: Globs) -> str:
    """Where an agent may change files; trust files are never its own, whatever the patterns say."""
    taken = [p for p in scope.patterns if not p.startswith("!")]
    dropped = [p.removeprefix("!") for p in scope.patterns if p.startswith("!")]
    if not taken and not dropped:
        return "change no file there"
    only = f"work only in: {_listed(taken)}; " if taken not in ([], ["**"]) else ""
    return f"{only}never: {_listed(list(dict.fromkeys(['.codifica/**', 'codifica.json', *dropped])))}"


def _ending(place: Place) -> str:
    """What happens to work that was handed in: what follows build waits, all else is closed by that."""
    guard, types = place.guard, _listed(["build", *place.codifica.custom_types])
    told = " (it warns without a human's pass)" if guard.self_approval == "warn" else ""
    who = "a human approves or returns them"
    if guard.review_by == "owner":
        who = (
            "once a human's review is a pass, git codifica done ID" if guard.self_approval == "refuse" else "close them"
        )
    elif guard.self_approval != "refuse":
        who += ", or you close them"
    close = f": git codifica done ID{told}" if who.endswith("close them") else ""
    return f"After submit, {types} tasks wait: {who}{close}. Others are done at once."


def _limit(most: int | None) -> str:
    if most is None:
        return "You may hold any number of tasks."
    return f"You may hold {most} task{'' if most == 1 else 's'} at once."


# -- people


def _people(guard: GuardConfig, *, maintainer: bool) -> Iterator[str]:
    yield "Plain Git is enough: edit, git commit -S, git push. These commands edit, sign and push for you:"
    yield "  git codifica status                       what waits for you       git codifica show ID"
    yield '  git codifica approve ID                   or: return ID -m "why"   decide on what was handed in'
    yield '  git codifica block ID -m "why"            also: unblock, reject, reopen, reclaim'
    yield '  git codifica new --title "what" --accept "how to tell that it is done"    also: edit, assign, archive ID'
    yield "  git codifica log ID                       who did what, proven how"
    if maintainer:
        yield "  git codifica key list                     also: add, rotate, revoke; you may change .codifica/ and codifica.json"
    if guard.review_by == "owner":
        yield "Here only the owner of a task closes or returns it (review_by: owner); a failing review of yours stops him."
    if guard.human_presence == "hardware-key":
        yield "Decisions are signed with a hardware key, touched."
    yield "Commit messages start with the id. Never --no-verify, never force-push: the server judges every commit."
    yield "Exit: 0 ok, 1 refused, 2 wrong call, 3 cannot tell, 4 lost, 5 nothing to do, 6 needs another principal, 7 later."


# -- words


def _where(codifica: CodificaConfig, branch: str) -> str:
    return f"{_listed(codifica.state.patterns, ', ')} on {branch}"


def _listed(names: Sequence[str], between: str = " ") -> str:
    more = f"{between}and {len(names) - _SHOWN} more (codifica.json)" if len(names) > _SHOWN else ""
    return between.join(names[:_SHOWN]) + more
