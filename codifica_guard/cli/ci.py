"""`ci`: what a run of CI is about, judged by the policy that was there before it; nothing of it is checked out or run."""

import argparse
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.check_documents import IDLE
from codifica_guard.cli.check_merge import torn_text
from codifica_guard.cli.ci_event import EVENT_NAME, Asked, asked_by_event
from codifica_guard.cli.ci_judged import Judged, judge_proposal, judge_push
from codifica_guard.cli.ci_reports import add_reports, origin_of, reported, titled, wanted
from codifica_guard.cli.ci_told import about_merges, about_paths
from codifica_guard.cli.command import CANNOT_TELL, OK, REFUSED, USAGE, Command, Outcome
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import GuardError, RepositoryError, UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.location import discover
from codifica_guard.git.refs import check_name, resolve
from codifica_guard.model.ids import ObjectId, RefName, short, show_path
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import printable
from codifica_guard.report.sarif import UNKNOWN
from codifica_guard.report.terminal import verdict
from codifica_guard.verbs.bringing import bring_branch, bring_commits, login_of

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.ci import CiData

TOKEN: Final = "CODIFICA_FETCH_TOKEN"  # noqa: S105 - the name of a variable
SERVER: Final = "GITHUB_SERVER_URL"

SHALLOW: Final = "history is cut here, so that cannot be told: check out with fetch-depth: 0 (git fetch --unshallow)"
PARTIAL: Final = "objects are left out here (a partial clone), so that cannot be told: check out without a filter"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is printed and reported.

    Attributes:
        outcome: what the command comes to.
        failed: why it fails, where no rule says it.
        told: what is to be known beside.
    """

    outcome: Outcome
    failed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--base", metavar="REF", help="where the branch stands; with it no event of CI is read")
    parser.add_argument("--head", metavar="REF", help="with --base: what is to come to the branch; HEAD unless said")
    parser.add_argument(
        "--branch", metavar="NAME", help="with --base: the branch, where --base does not name it: else the main one"
    )
    parser.add_argument("--introduction", metavar="COMMIT", help="the introduction, as you know it from elsewhere")
    parser.add_argument(
        "--fetch",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="for an event: fetch the branch and the commits first, or go by what is here",
    )
    add_reports(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Judge, tell, and leave the reports."""
    what = wanted(options, os.environ, runner=True)
    name, origin = "this run", UNKNOWN
    try:
        asked = _asked(options, os.environ)
        name = asked.name if asked is not None else name
        with _opened(options, asked, os.environ) as (desk, asked):
            name = asked.name
            origin = origin_of(desk, os.environ, asked.head, show_path(asked.ref.removeprefix(HEADS)))
            found = _stray(desk, asked, options.introduction) or _judge(desk, asked)
    except GuardError as error:
        code = USAGE if isinstance(error, UsageError) else CANNOT_TELL
        told = f"codifica-guard ci: {plain_words(str(error), 2000)}"
        found = _Found(outcome=Outcome(exit=code, notes=(told,)), failed=(told,))
    return reported(
        found.outcome, what, titled(name, found.outcome), failed=found.failed, told=found.told, origin=origin
    )


# -- what is asked for


def _asked(options: argparse.Namespace, environ: Mapping[str, str]) -> Asked | None:
    """What the event asks for; None where the command line says it."""
    if options.base is None:
        if options.head is not None or options.branch is not None:
            raise UsageError("--head and --branch go with --base: where does the branch stand?")
        return asked_by_event(environ)
    return None


@contextmanager
def _opened(
    options: argparse.Namespace, asked: Asked | None, environ: Mapping[str, str]
) -> Iterator[tuple[Desk, Asked]]:
    """The clone, standing where the branch stood, and what is asked; whatever is checked out has no say.

    It is opened as if it had no work tree: attributes of files that lie there are not read.
    """
    now = int(time.time())
    start = os.path.abspath(discover(b".", os.environb).git_dir)  # noqa: PTH100 - bytes
    with open_desk(now, start) as desk:
        _whole(desk)
        if asked is not None and options.fetch:
            _bring(desk, asked, login_of(environ.get(SERVER), environ.get(TOKEN)))
    with open_desk(now, start) as desk:
        if options.introduction is not None:
            desk.world.introduction = desk.commit_id(options.introduction)
        found = _named(desk, options) if asked is None else _with_base(desk, asked)
        for oid in (found.base, found.head):
            if oid is not None and not desk.world.store.has(oid):
                raise RepositoryError(f"commit {short(oid)} is not here: git fetch {plain(desk.remote)} {oid.decode()}")
        there = replace(desk, moment={found.ref: found.base})
        yield replace(there, standing=_standing(there, found)), found


def _whole(desk: Desk) -> None:
    """Raise where the clone lacks what a verdict needs."""
    if desk.cuts:
        raise RepositoryError(SHALLOW)
    promised = any(key.startswith("remote.") and key.endswith(".promisor") for key in desk.config.entries)
    if promised or desk.config.get("extensions.partialClone") is not None:
        raise RepositoryError(PARTIAL)


def _bring(desk: Desk, asked: Asked, login: Mapping[str, str]) -> None:
    if not asked.pushed:
        bring_branch(desk, asked.ref, login)
    if asked.head is not None:
        also = asked.ref if asked.number is None else RefName(b"refs/pull/%d/head" % asked.number)
        bring_commits(desk, (asked.head,), also, login)
    if asked.base is not None and (asked.pushed or asked.number is None):
        try:
            bring_commits(desk, (asked.base,), None, login)
        except RepositoryError as error:
            raise RepositoryError(
                f"{short(asked.base)}, where {plain(show_path(asked.ref))} stood before, is not to be had any more: {error}"
            ) from error


def _with_base(desk: Desk, asked: Asked) -> Asked:
    """What is asked, with the branch's newest tip for the base of a pull request."""
    if asked.number is None:
        return asked
    there = b"refs/remotes/" + os.fsencode(desk.remote) + b"/" + asked.ref[len(HEADS) :]
    return replace(asked, base=resolve(desk.location, there)[1] or asked.base)


def _named(desk: Desk, options: argparse.Namespace) -> Asked:
    """What the command line asks for."""
    base, head = desk.commit_id(options.base), desk.commit_id(options.head or "HEAD")
    ref = _branch(desk, options, base)
    shown = plain(show_path(ref.removeprefix(HEADS)))
    return Asked(name=f"{plain(options.head or 'HEAD')} into {shown}", ref=ref, base=base, head=head)


def _branch(desk: Desk, options: argparse.Namespace, base: ObjectId) -> RefName:
    """The branch that a base is about: as told, as the base names it, else the coordination branch of its policy."""
    if options.branch is not None:
        try:
            return check_name(HEADS + os.fsencode(options.branch))
        except RepositoryError as error:
            raise UsageError(str(error)) from error
    remote = os.fsencode(desk.remote) + b"/"
    named = os.fsencode(options.base).removeprefix(b"refs/remotes/").removeprefix(HEADS)
    short_name = named.removeprefix(remote)
    if short_name != b"HEAD":
        for ref in (b"refs/remotes/" + remote + short_name, HEADS + short_name):
            try:
                found = resolve(desk.location, ref)[1]
            except RepositoryError:
                continue  # an expression such as main~2 is no branch's name
            if found == base:
                return RefName(HEADS + short_name)
    return replace(desk, standing=base).coordination


def _standing(desk: Desk, asked: Asked) -> ObjectId | None:
    """The commit whose policy counts: where the branch stood, else the default branch; what is pushed only where nothing was before."""
    default = desk.tracked(asked.default) if asked.default is not None else None
    stood = asked.base if asked.ref.startswith(HEADS) else None
    there = [oid for oid in (stood, default) if oid is not None]
    ruled = (oid for oid in there if desk.world.trust_ids(oid)[0] is not None)
    last = asked.head if asked.ref.startswith(HEADS) else None
    return next(ruled, there[0] if there else last)


# -- what is found


def _stray(desk: Desk, asked: Asked, introduction: str | None) -> _Found | None:
    """What there is to say where the branch does not come from the introduction that was named."""
    anchor, stood = desk.world.introduction, asked.base or asked.head
    if introduction is None or anchor is None or stood is None or is_ancestor(desk.world.store, anchor, stood):
        return None
    told = f"{short(stood)} does not descend from the introduction {short(anchor)}: nothing here proves who may do what"
    lines = (f"{asked.name}: {told}",)
    return _Found(outcome=Outcome(lines=printable(lines), exit=REFUSED, data=_data(asked, None)), failed=(told,))


def _judge(desk: Desk, asked: Asked) -> _Found:
    policy = desk.policy
    if policy is None:
        return _Found(outcome=Outcome(lines=printable((f"{asked.name}: {IDLE}",)), data=_data(asked, None)))
    if asked.pushed or asked.base is None or asked.head is None:
        judged = judge_push(desk, asked.ref, asked.base, asked.head)
    else:
        judged = judge_proposal(desk, asked.ref, asked.base, asked.head)
    return _found(desk, asked, judged)


def _found(desk: Desk, asked: Asked, judged: Judged) -> _Found:
    conflicts = [f"conflict  {plain(show_path(path))}{torn_text(torn)}" for path, torn in judged.conflicts.items()]
    failed = [f"the merge cannot be judged: {line}" for line in conflicts]
    if judged.unrelated and judged.protected:
        failed.append(
            f"it shares no history with {plain(show_path(asked.ref.removeprefix(HEADS)))}: no merge brings it"
        )
    told = (*_about_branch(asked, judged), *about_paths(asked, judged), *about_merges(asked, judged))
    refused = bool(failed) or not judged.verdict.accepted
    span = f"{_tip(asked.base)}..{_tip(asked.head)}"
    by = f", judged by the policy of {short(desk.standing)}" if desk.standing is not None else ""
    head = f"{asked.name}: {judged.commits} commit{'' if judged.commits == 1 else 's'}, {span}{by}"
    what = "the push would have been" if asked.pushed else "the push of it would be"
    tips = () if asked.head is None else (asked.head,)
    shown = verdict(judged.verdict, what, f"git codifica check --json {span}", tips=tips)
    lines = [head, *shown.splitlines(), *(conflicts or failed), *(f"note: {line}" for line in told)]
    outcome = Outcome(
        lines=printable((*lines, *(() if refused else ("ok",)))),
        exit=REFUSED if refused else OK,
        data=_data(asked, judged, told),
        findings=judged.verdict.findings,
        next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(f.code for f in judged.verdict.errors)),
    )
    return _Found(outcome=outcome, failed=tuple(failed), told=told)


def _about_branch(asked: Asked, judged: Judged) -> tuple[str, ...]:
    if judged.protected:
        return ()
    return (
        f"the policy does not protect {plain(show_path(asked.ref.removeprefix(HEADS)))}: commits are not judged there",
    )


def _tip(oid: ObjectId | None) -> str:
    return "nothing" if oid is None else short(oid)


def _data(asked: Asked, judged: Judged | None, told: tuple[str, ...] = ()) -> "CiData":
    """What programs are told."""
    return {
        "event": None if asked.number is None and not asked.pushed and not asked.own else os.environ.get(EVENT_NAME),
        "number": asked.number,
        "pushed": asked.pushed,
        "ref": show_path(asked.ref),
        "base": None if asked.base is None else asked.base.decode("ascii"),
        "head": None if asked.head is None else asked.head.decode("ascii"),
        "idle": judged is None,
        "protected": judged is not None and judged.protected,
        "commits": 0 if judged is None else judged.commits,
        "conflicts": []
        if judged is None
        else [{"path": show_path(path), "tasks": list(torn)} for path, torn in judged.conflicts.items()],
        "policy": [] if judged is None else [show_path(path) for path in judged.policy],
        "workflows": [] if judged is None else [show_path(path) for path in judged.workflows],
        "told": list(told),
    }


COMMAND = Command(
    name="ci",
    summary="judge what a run of CI is about: a pull request, a push",
    configure=configure,
    run=run,
    text="Judge what a run of CI is about, by the policy that was there before it. On the runners of GitHub, Gitea and Forgejo the event says "
    "what that is: a pull request is judged as its commits, and as the merge that would bring them; a push to a judged branch is judged "
    "after the fact. Everywhere else --base and --head say it. Commits are fetched as objects: nothing of them is checked out or run, "
    "and no setting or attribute of theirs counts. Exit code 3 says that it cannot be told: a shallow or partial clone, commits that are gone.",
)
