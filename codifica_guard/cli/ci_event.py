"""What a run of CI is about, as the file of its event says it; every other word in there may be an attacker's, and is not read."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.git.refs import check_name
from codifica_guard.model.ids import ObjectId, RefName, show_path
from codifica_guard.report.plain import plain

EVENT_FILE: Final = "GITHUB_EVENT_PATH"
EVENT_NAME: Final = "GITHUB_EVENT_NAME"

_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LARGEST: Final = 64 * 1024 * 1024

OTHERS: Final = (
    "it brings no commits to judge; pull_request_target, pull_request, merge_group and push do. "
    "For a run by the clock or by hand: git codifica audit, or git codifica ci --base REF --head REF"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be judged.

    Attributes:
        name: what people call it.
        ref: the branch that it would go to, or went to.
        head: what it brings; None where a ref was deleted.
        base: where the branch stood; None where that is not said, and for a push that made a ref.
        pushed: whether it has happened: a push; else it is proposed.
        number: of a pull request.
        own: whether the run follows a workflow that the proposal itself brings.
        squash, rebase: whether the host offers these ways to merge; None where it does not say.
        default: the repository's default branch; None where that is not said.
    """

    name: str
    ref: RefName
    head: ObjectId | None
    base: ObjectId | None = None
    pushed: bool = False
    number: int | None = None
    own: bool = False
    squash: bool | None = None
    rebase: bool | None = None
    default: RefName | None = None


def asked_by_event(environ: Mapping[str, str]) -> Asked:
    """What the event of this run asks.

    Raises:
        UsageError: there is none, it is of another kind, or it does not say what events of its kind do.
    """
    path, name = environ.get(EVENT_FILE), environ.get(EVENT_NAME, "")
    if not path:
        raise UsageError(f"what is to be judged? --base REF --head REF, or a run of CI that sets {EVENT_FILE}")
    readers = {
        "pull_request_target": _pull_request,
        "pull_request": _pull_request,
        "merge_group": _merge_group,
        "push": _push,
    }
    if name not in readers:
        raise UsageError(f"the event {plain(name) or 'of this run'}: {OTHERS}")
    try:
        return readers[name](_load(path), name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{plain(path, 400)} is no event {name}: {type(error).__name__}: {plain(str(error))}"
        ) from error


def _load(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - read to a limit
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot read {plain(path, 400)}: {error.strerror}") from error
    if len(data) > _LARGEST:
        raise UsageError(f"{plain(path, 400)} has more than {_LARGEST} bytes")
    try:
        found = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict):
        raise TypeError("it holds no object")
    return found


def _pull_request(event: dict[str, Any], name: str) -> Asked:
    proposal = event["pull_request"]
    number, base = proposal["number"], proposal["base"]
    if not isinstance(number, int) or isinstance(number, bool) or number <= 0:
        raise ValueError("the number is none")
    ref, host = _branch(base["ref"]), base.get("repo") or {}
    return Asked(
        name=f"pull request #{number} into {_shown(ref)}",
        ref=ref,
        head=_oid(proposal["head"]["sha"]),
        base=_oid(base["sha"]),
        number=number,
        own=name == "pull_request",
        squash=_flag(host.get("allow_squash_merge")),
        rebase=_flag(host.get("allow_rebase_merge")),
        default=_default(event),
    )


def _merge_group(event: dict[str, Any], _: str) -> Asked:
    group = event["merge_group"]
    ref = check_ref(group["base_ref"])
    return Asked(
        name=f"merge group into {_shown(ref)}",
        ref=ref,
        head=_oid(group["head_sha"]),
        base=_oid(group["base_sha"]),
        own=True,
        squash=False,
        rebase=False,
        default=_default(event),
    )


def _push(event: dict[str, Any], _: str) -> Asked:
    ref = check_ref(event["ref"])
    return Asked(
        name=f"push to {_shown(ref)}",
        ref=ref,
        head=_tip(event["after"]),
        base=_tip(event["before"]),
        pushed=True,
        default=_default(event),
    )


def check_ref(name: object) -> RefName:
    """A full ref name.

    Raises:
        ValueError: no ref may have that name.
    """
    if not isinstance(name, str) or not name.startswith("refs/"):
        raise ValueError("a ref is due and none is there")
    try:
        return check_name(name.encode("utf-8", "surrogateescape"))
    except RepositoryError as error:
        raise ValueError(str(error)) from error


def _branch(name: object) -> RefName:
    if not isinstance(name, str):
        raise TypeError("a branch is due and none is there")
    return check_ref(f"refs/heads/{name}")


def _default(event: dict[str, Any]) -> RefName | None:
    found = (event.get("repository") or {}).get("default_branch")
    return _branch(found) if found else None


def _shown(ref: RefName) -> str:
    return plain(show_path(ref.removeprefix(HEADS)))


def _oid(value: object) -> ObjectId:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("the id of a commit is due and none is there")
    return ObjectId(value.encode("ascii"))


def _tip(value: object) -> ObjectId | None:
    oid = _oid(value)
    return oid if oid.strip(b"0") else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
