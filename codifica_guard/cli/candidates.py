"""What a value may be that is being typed: tasks, people, commits, rules, words; or that it is a file, which the shell knows best.

Nothing is fetched, written or asked; what is offered is safe to put on a command line as it is, or it is not offered.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Final

from codifica_guard.cli.anatomy import Taken
from codifica_guard.cli.spot import Spot
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.errors import UsageError
from codifica_guard.identity.allowed_signers import names
from codifica_guard.model.document import Task
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, owns, types
from codifica_guard.report.plain import plain
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.census import CLOSED, census_of
from codifica_guard.verbs.choice import free_tasks
from codifica_guard.verbs.deciding import DECISIONS, may_decide
from codifica_guard.verbs.reader import Reader, reader_of

Candidate = tuple[str, str | None]
"""A value, and what it is, in words, empty where nothing is to be said; None: it is no value, but what the shell is to do."""

FILES: Final = ":files"
FOLDERS: Final = ":folders"
"""In place of a value: the shell is to offer files, or folders."""

MOST: Final = 2000
"""Values that are offered."""

_SAFE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.,:/@%+-]*")
"""Values that mean themselves in every shell, wherever they stand, and are no options."""

_DOTS: Final = re.compile(r"\.{2,3}")
_COMMITS: Final = ("refs/heads", "refs/remotes", "refs/tags")


def candidates(taken: Taken, spot: Spot, here: str) -> Iterator[Candidate]:
    """What may stand as a value, best first; each is a safe word, or one of `FILES` and `FOLDERS` with None.

    Args:
        taken: the option or argument.
        spot: where it stands.
        here: what of the value is there already.
    """
    source = _listed if taken.choices else _SOURCES.get(_kind(taken, spot), _nothing)
    for value, text in islice(source(taken, spot, here), MOST):
        if text is None:
            yield value, None
        elif _SAFE.fullmatch(value):
            yield value, plain(text.strip())


def _kind(taken: Taken, spot: Spot) -> str:
    """What a value is one of: said by its own name where that means one thing only, else by what the value is called."""
    if taken.dest in _NAMED:
        return _NAMED[taken.dest]
    if spot.form.words == ("policy", "set") and taken.dest == "key":
        return "SETTING"
    if taken.value == "NAME":
        return "PERSON" if "--as" in taken.flags else "SCHEMA" if spot.form.words == ("schema",) else ""
    return taken.value


def _nothing(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    return iter(())


def _listed(taken: Taken, _: Spot, __: str) -> Iterator[Candidate]:
    return ((choice, "") for choice in taken.choices)


def _files(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    yield FILES, None


def _folders(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    yield FOLDERS, None


# -- what the package itself knows


def _rules(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    from codifica_guard.packs.all import REGISTRY  # noqa: PLC0415 - all rules, which no other value needs

    return ((rule.code, rule.name) for rule in REGISTRY.all())


def _settings(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    from codifica_guard.policy.defaults import new_guard  # noqa: PLC0415 - as above

    return ((name, "") for name in new_guard("", "") if not name.startswith("$"))


def _schemas(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    from codifica_guard.cli.schema import files  # noqa: PLC0415 - as above

    return ((name, "") for name in sorted(files()))


# -- what the repository knows


def _tasks(taken: Taken, spot: Spot, _: str) -> Iterator[Candidate]:
    with _desk() as desk:
        board = board_at(desk)
        chosen = _every if taken.flags else _WANTED.get(spot.form.words, _decided)
        there = set(spot.given.get(taken.dest, ()))
        found = [task for task in chosen(board, _reader(board, spot), spot.form.words[0]) if task.id not in there]
    return ((task.id, task.text("title") or "") for task in found)


def _every(board: Board, _: Reader, __: str) -> Iterable[Task]:
    return census_of(board).tasks


def _free(board: Board, reader: Reader, _: str) -> Iterable[Task]:
    return free_tasks(board, reader.actor)


def _running(board: Board, reader: Reader, _: str) -> Iterable[Task]:
    return _mine(board, reader, "in_progress")


def _worked(board: Board, reader: Reader, _: str) -> Iterable[Task]:
    return _mine(board, reader, "in_progress", "to_be_tested")


def _mine(board: Board, reader: Reader, *states: str) -> Iterable[Task]:
    """The reader's tasks in some states; anybody's for nobody that is known here."""
    tasks = census_of(board).in_state(*states)
    return tasks if reader.actor is None else (task for task in tasks if owns(task.owner, reader.actor))


def _open(board: Board, _: Reader, __: str) -> Iterable[Task]:
    return (task for task in census_of(board).tasks if task.state not in CLOSED)


def _closed(board: Board, _: Reader, __: str) -> Iterable[Task]:
    return census_of(board).in_state(*CLOSED)


def _stoppable(board: Board, reader: Reader, verb: str) -> Iterable[Task]:
    """What is over can be stopped too, but nobody looks for that."""
    return (task for task in _decided(board, reader, verb) if task.state not in CLOSED)


def _decided(board: Board, reader: Reader, verb: str) -> Iterable[Task]:
    """The tasks that one of people's decisions can be about; for other commands all."""
    every = census_of(board).tasks
    return (task for task in every if may_decide(board, task, reader.actor, verb)) if verb in DECISIONS else every


def _people(taken: Taken, spot: Spot, _: str) -> Iterator[Candidate]:
    with _desk() as desk:
        policy = board_at(desk).policy
    listed = [name for line in policy.signers for name in names(line) if not name.startswith("server:")]
    allowed = policy.codifica.allowed_agents if policy.codifica is not None else ()
    nobody = (UNASSIGNED,) if spot.form.words == ("assign",) and not taken.flags else ()
    return ((name, "") for name in dict.fromkeys((*listed, *allowed, *nobody)))


def _types(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    with _desk() as desk:
        found = types(board_at(desk).codifica)
    return ((name, "") for name in found)


def _commits(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    return ((name, "") for name in ("HEAD", *_refs(*_COMMITS)))


def _ranges(_: Taken, __: Spot, here: str) -> Iterator[Candidate]:
    dots = _DOTS.search(here)
    head = here[: dots.end()] if dots else ""
    return ((f"{head}{name}", "") for name in ("HEAD", *_refs(*_COMMITS)))


def _commits_or_files(taken: Taken, spot: Spot, here: str) -> Iterator[Candidate]:
    found: list[Candidate] = [row for row in _ranges(taken, spot, here) if row[0].startswith(here)]
    return iter(found or [(FILES, None)])


def _branches(_: Taken, __: Spot, ___: str) -> Iterator[Candidate]:
    return ((name, "") for name in _refs("refs/heads"))


def _refs(*folders: str) -> list[str]:
    with _desk() as desk:
        told = desk.git("for-each-ref", f"--count={MOST}", "--format=%(refname:lstrip=2)", *folders)
    return [name for name in told.decode("utf-8", "replace").split("\n") if not name.endswith("/HEAD")]


@contextmanager
def _desk() -> Iterator[Desk]:
    """The clone around; nothing is kept in it, and no history is walked: what is offered is not judged."""
    with open_desk(int(time.time()), keep=False) as desk:
        if desk.world.introduction is None:
            desk.world.introduction = desk.head
        yield desk


def _reader(board: Board, spot: Spot) -> Reader:
    """Who types: whom `--as` names, where the policy takes him."""
    try:
        return reader_of(board, next(iter(spot.given.get("name", ())), None))
    except UsageError:
        return Reader(actor=None)


_Source = Callable[[Taken, Spot, str], Iterator[Candidate]]

_NAMED: Final[Mapping[str, str]] = {"branch": "BRANCH", "repository": "DIR", "ident": "", "actor": "PERSON"}
"""Options and arguments whose own name says more than what their value is called."""

_SOURCES: Final[Mapping[str, _Source]] = {
    "ID": _tasks,
    "PERSON": _people,
    "PRINCIPAL": _people,
    "PRINCIPAL|KEY": _people,
    "OWNER": _people,
    "O": _people,
    "TYPE": _types,
    "COMMIT": _commits,
    "REF": _commits,
    "RANGE|COMMIT": _ranges,
    "RANGE|BRANCH": _ranges,
    "RANGE|COMMIT|PATH": _commits_or_files,
    "BRANCH": _branches,
    "CODE": _rules,
    "SCHEMA": _schemas,
    "SETTING": _settings,
    "FILE": _files,
    "PATH": _files,
    "PATH:TYPE": _files,
    "DOC[#FENCE]": _files,
    "KEY": _files,
    "KEY.pub": _files,
    "DIR": _folders,
}
"""What the values are, by what the parsers call them."""

_WANTED: Final[Mapping[tuple[str, ...], Callable[[Board, Reader, str], Iterable[Task]]]] = {
    ("claim",): _free,
    ("key", "token"): _free,
    ("note",): _worked,
    ("submit",): _running,
    ("resume",): _running,
    ("done",): _worked,
    ("edit",): _open,
    ("archive",): _closed,
    ("block",): _stoppable,
}
"""Which tasks a command is about; people's decisions say it themselves."""
