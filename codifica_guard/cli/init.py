"""`init`: introduce the guard into the repository of this clone, by one signed commit."""

import argparse
import os
import time
from pathlib import Path
from typing import Any

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.founding import found
from codifica_guard.cli.init_dialogue import agent_of, choose_mends, fill, human_of
from codifica_guard.cli.init_story import SUBJECT, Agent, Story
from codifica_guard.cli.introduction import introducer, judge_introduction
from codifica_guard.cli.key_files import default_path, new_or_kept_key, write_key
from codifica_guard.cli.person import name_without_asking
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.questions import somebody_there
from codifica_guard.cli.survey import survey
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import SIGNING_KEY, Hand, find_key
from codifica_guard.engine.past import introduction_behind
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import GuardError, UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.identity.keys import parse_public, public_line
from codifica_guard.install.clone import plan_clone
from codifica_guard.model.ids import ObjectId, RefName, short, show_path
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.policy.schema import GuardFile, check
from codifica_guard.verbs.own_commit import OwnCommit, check_place, make, move_branch, refuse
from codifica_guard.verbs.stopped import Stopped


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--yes",
        action="store_true",
        help="ask nothing: your name is git config user.name's, all else is as it is best to begin",
    )
    parser.add_argument("--as", dest="name", metavar="NAME", help="who you are: alice, or human:alice")
    parser.add_argument(
        "--key", metavar="FILE", help="your SSH key, private or public; else the one that git signs with"
    )
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="NAME[=KEY.pub]",
        help="an agent; a key is made for it unless you give its public one",
    )
    parser.add_argument(
        "--report", action="store_true", help="begin with warnings: broken rules of tasks are told only"
    )
    parser.add_argument(
        "--self-approval", choices=("allow", "warn", "refuse"), help="what an agent gets that closes its own build task"
    )
    parser.add_argument(
        "--resume-after",
        type=int,
        metavar="MINUTES",
        help="of silence, after which a session may take over its own claim",
    )
    parser.add_argument("--keys-later", action="store_true", help="make no keys for agents: theirs are added later")
    parser.add_argument(
        "--quote", action="store_true", help="put values in quotes where that is all that makes a task readable"
    )
    parser.add_argument("--no-agents-md", action="store_true", help="leave AGENTS.md as it is")
    parser.add_argument("--no-hooks", action="store_true", help="leave this clone's hooks as they are")
    parser.add_argument("--branch", metavar="NAME", help="the branch that holds the tasks: the one that is checked out")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written")


def run(options: argparse.Namespace) -> Outcome:
    """Look whether the guard can be introduced, and introduce it."""
    with open_desk(int(time.time())) as desk:
        return _introduce(desk, options)


def _introduce(desk: Desk, options: argparse.Namespace) -> Outcome:
    branch = _branch(desk, options.branch)
    _check_new(desk, branch)
    _check_given(desk, options, branch)
    ground = survey(desk, desk.head)
    signer = find_key(desk, explicit=options.key)
    asked = not options.yes and somebody_there()
    name = options.name
    if asked:
        fill(desk, options, ground)
    elif name is None:
        options.name = name_without_asking(desk, agreed=options.yes)
    maintainer = human_of(options.name)
    agents = _agents(desk, options.agent, later=options.keys_later)
    mends = ground.mends if options.quote else choose_mends(ground.mends) if asked else ()
    founding = found(
        desk,
        ground,
        maintainer,
        {
            maintainer: parse_public(public_line(signer.key)),
            **{a.principal: a.key for a in agents if a.key is not None},
        },
        mends=mends,
        page=not options.no_agents_md,
        **_choices(options, branch),
    )
    own = OwnCommit(branch=branch, parent=desk.head, files=founding.files, subject=SUBJECT)
    check_place(desk, own)
    story = Story(
        desk=desk,
        own=own,
        ground=ground,
        founding=founding,
        maintainer=maintainer,
        named_by="you" if asked and name is None else "--as" if name is not None else "git config user.name",
        signer=signer,
        agents=agents,
        hooks=None if options.no_hooks else plan_clone(os.fsdecode(desk.folder)),
        chosen=asked or options.quote,
    )
    if options.dry_run:
        return story.foretold()
    commit = make(desk, own, Hand(signer=signer, actor=maintainer), founding.policy)
    judged = judge_introduction(desk.world.store, commit)
    refuse(judged)
    for file in story.keys:
        write_key(file)
    move_branch(desk, own, commit, here=True)
    if options.key and os.path.isfile(place := os.path.expanduser(options.key)):  # noqa: PTH111, PTH113 - may be a key's text
        desk.git("config", SIGNING_KEY, str(Path(place).resolve()))
    return story.told(commit, judged)


# -- what has to be known first


def _branch(desk: Desk, wanted: str | None) -> RefName:
    """The branch that is to hold the tasks: it is checked out, in a work tree."""
    branch = desk.branch
    if desk.folder == desk.location.git_dir:
        raise UsageError("this repository has no work tree: run init in a clone, then git push")
    if branch is None:
        raise UsageError("HEAD is detached: check out the branch that is to hold the tasks")
    name = show_path(branch.removeprefix(HEADS))
    if wanted is not None and wanted != name:
        raise UsageError(f"{wanted} is not checked out, {name} is: git switch {wanted}")
    remote, _ = resolve(desk.location, f"refs/remotes/{desk.remote}/HEAD".encode("utf-8", "surrogateescape"))
    main = show_path(remote).removeprefix(f"refs/remotes/{desk.remote}/")
    if wanted is None and main not in {name, "HEAD"}:
        raise UsageError(
            f"{desk.remote} has {main} for its main branch, and {name} is checked out: git switch {main}, or --branch {name}"
        )
    return branch


def _check_new(desk: Desk, branch: RefName) -> None:
    """Nothing where there is no policy yet, here or on the remote branch."""
    for tip in dict.fromkeys((desk.head, desk.tracked(branch))):
        if tip is not None and desk.world.trust_ids(tip)[0] is not None:
            oid = desk.world.introduction or introduction_behind(desk.world, tip)
            where = "" if tip == desk.head else f" on {desk.remote}; do: git pull"
            raise Stopped(f"already introduced: {_by_whom(desk, oid)}{where}")
    tracked = desk.tracked(branch)
    if tracked is not None and (desk.head is None or not is_ancestor(desk.world.store, tracked, desk.head)):
        raise Stopped(f"{desk.remote} has commits of this branch that are not here: git pull, then again")


def _by_whom(desk: Desk, oid: ObjectId | None) -> str:
    if oid is None:
        return f"{GUARD_FILE.decode()} is there"
    try:
        return f"{short(oid)} by {introducer(desk.world.store, oid)}"
    except GuardError as error:
        return str(error)


def _choices(options: argparse.Namespace, branch: RefName) -> dict[str, Any]:
    choices: dict[str, Any] = {"coordination_branch": show_path(branch.removeprefix(HEADS))}
    if options.report:
        choices["mode"] = "report"
    if options.self_approval is not None:
        choices["self_approval"] = options.self_approval
    if options.resume_after is not None:
        choices["resume_after_minutes"] = options.resume_after
    return choices


def _check_given(desk: Desk, options: argparse.Namespace, branch: RefName) -> None:
    """Nothing where all options make sense: nobody is asked for the rest before that."""
    choices = _choices(options, branch)
    _, wrong = check(GuardFile, {"repository": "0" * 32, "maintainers": ["human:a"], **choices})
    if wrong:
        raise UsageError("; ".join(f"{'.'.join(map(str, where))} {words}" for where, words in wrong))
    if options.name is not None:
        human_of(options.name)
    _agents(desk, options.agent, later=True)


def _agents(desk: Desk, wanted: list[str], *, later: bool) -> tuple[Agent, ...]:
    """The agents with their public keys, and the files of those whose keys are made or kept here."""
    agents: list[Agent] = []
    for text in wanted:
        name, given, path = text.partition("=")
        try:
            principal = agent_of(name)
        except UsageError as error:
            raise UsageError(f"--agent {name}: {error}") from error
        if principal in {known.principal for known in agents}:
            raise UsageError(f"--agent {name}: named twice")
        file = None if given or later else new_or_kept_key(principal, default_path(desk, principal))
        key = read_public([path]) if given else parse_public(file.line) if file is not None else None
        agents.append(Agent(principal=principal, key=key, file=file))
    return tuple(agents)


COMMAND = Command(
    name="init",
    summary="introduce the guard into this repository",
    configure=configure,
    run=run,
    text="Write the policy and the list of keys, and commit them, signed, on the branch that is checked out. Nothing else is committed. At a terminal, what the options leave open is asked. AGENTS.md gets a marked section about tasks. Where there is no codifica.json, a small one and an empty task list come too.",
)
