"""`doctor`: all checks of an installation in their order, how they are shown, their exit code, and what can be mended."""

from collections.abc import Iterator, Sequence

from codifica_guard.errors import GuardError, UnknownFormat, UsageError
from codifica_guard.install import check_hooks, check_merge, check_receipts, check_server_key, check_trust, shim
from codifica_guard.install.check import Check, Level, Probes
from codifica_guard.install.clone import own_folder
from codifica_guard.install.elsewhere import Elsewhere, find_elsewhere
from codifica_guard.install.plan import Action, Plan, Report, Step, apply, check_writable, install_hooks
from codifica_guard.install.proof import fill
from codifica_guard.install.receipt_refs import check_refspec, set_refspec
from codifica_guard.install.repository import Repository, is_bare, open_bare, open_clone
from codifica_guard.install.shim import Whose


def examine(path: str, probes: Probes) -> tuple[Check, ...]:
    """What is well and what is not, in a bare repository or a clone; nothing is changed.

    Args:
        path: the bare repository itself, or a folder in a clone.
        probes: what only the caller can find out.

    Raises:
        UsageError: there is no repository at the path.
    """
    try:
        repository = open_bare(path) if is_bare(path) else open_clone(path)
    except UnknownFormat as error:
        return (Check(level=Level.FAIL, name="format", text=str(error), cannot_tell=True),)
    looked = _server(repository, probes) if repository.bare else _clone(repository, probes)
    return tuple(looked)


def exit_code(found: Sequence[Check]) -> int:
    """0 without a failure, 3 where a failure means that nothing can be told, else 1."""
    failures = [check for check in found if check.level is Level.FAIL]
    if any(check.cannot_tell for check in failures):
        return 3
    return 1 if failures else 0


def lines(found: Sequence[Check], *, quiet: bool = False) -> tuple[str, ...]:
    """The checks for people, and a last line that counts.

    Args:
        found: what `examine` gave.
        quiet: failures alone, and nothing at all where there are none.
    """
    shown = [check for check in found if check.level is Level.FAIL or not quiet]
    failures = sum(check.level is Level.FAIL for check in found)
    warnings = sum(check.level is Level.WARN for check in found)
    text: list[str] = []
    for check in shown:
        text.append(f"{check.level.value:<5} {check.name:<14} {check.text}")
        text += (f"      {'do':<14} {line}" for line in check.do)
    if not quiet:
        text.append(f"{_count(failures, 'failure')}, {_count(warnings, 'warning')}")
    return tuple(text)


def plan_fix(path: str, now: int) -> Plan:
    """What can be mended without a decision; never policy, and no other key where one has signed receipts.

    That is mode bits, missing or outdated shims, a dangling interpreter, what receipts need, a pause that is over.

    Args:
        path: the bare repository itself, or a folder in a clone.
        now: the clock, seconds since the epoch.

    Raises:
        UsageError: the guard is not installed there, or the folder is not ours to write.
    """
    repository = open_bare(path) if is_bare(path) else open_clone(path)
    check_writable(repository)
    names = shim.SERVER if repository.bare else shim.CLIENT
    heading = f"{repository.work_tree or repository.git_dir}"
    place = find_elsewhere(repository)
    if place is not None and repository.bare:
        return Plan(heading=heading, blocked=(f"{place.told()}: that folder is not ours to mend; see doctor",))
    if not _installed(repository, names):
        where = f" {repository.quoted}" if repository.bare else ""
        raise UsageError(f"{heading}: the guard is not installed here; do: codifica-guard install{where}")
    return Plan(heading=heading, steps=tuple(_mend(repository, names, place, now)))


def fix(path: str, now: int) -> Report:
    """Mend what `plan_fix` names, and write the receipts that wait.

    Raises:
        GuardError: as `plan_fix` and `apply`.
    """
    report = apply(plan_fix(path, now))
    told, written = _filled(path, now) if is_bare(path) else ((), False)
    if not told:
        return report
    lines = (*(report.lines if report.changed else ()), *told)
    return Report(lines=lines, exit_code=report.exit_code, changed=report.changed or written)


def _filled(path: str, now: int) -> tuple[tuple[str, ...], bool]:
    """The receipts of pushes whose own hook did not come to it: what is told, and whether any was written."""
    try:
        count = fill(open_bare(path), now)
    except GuardError as error:
        return (f"left      receipts that wait   {error}",), False
    return (f"wrote     {_count(count, 'receipt')} of earlier pushes",) if count else (), count > 0


def _server(repository: Repository, probes: Probes) -> Iterator[Check]:
    yield from check_hooks.check_python(repository, shim.SERVER)
    yield from check_hooks.check_hooks_path(repository)
    for name in reversed(shim.SERVER):
        yield from check_hooks.check_hook(repository, name)
    yield from check_hooks.check_says_no(repository)
    yield from check_server_key.check_server_key(repository, probes)
    yield from check_receipts.check_receipts(repository, probes)
    yield from check_receipts.check_pause(repository, probes.now)
    yield from check_trust.check_trust(repository, probes)
    yield from check_trust.check_policy(repository, probes)


def _clone(repository: Repository, probes: Probes) -> Iterator[Check]:
    place = find_elsewhere(repository)
    yield from check_hooks.check_python(repository, shim.CLIENT)
    if check_hooks.has_none(repository, place):
        text = "no hooks of ours here; nobody needs them, the server judges all the same"
        yield Check(level=Level.WARN, name="hooks", text=text, do=("codifica-guard install",))
    elif place is not None:
        yield from check_hooks.check_calls(repository, place)
    else:
        for name in shim.CLIENT:
            yield from check_hooks.check_hook(repository, name)
        yield from check_hooks.check_twice(repository)
    yield from check_trust.check_pinned(repository, probes)
    yield from check_trust.check_policy(repository, probes)
    yield from check_merge.check_driver(repository)
    yield from check_merge.check_attributes(repository, probes)
    yield from check_refspec(repository)
    yield from check_trust.check_key(probes)


def _installed(repository: Repository, names: tuple[str, ...]) -> bool:
    if any(repository.own(f"codifica.{key}") is not None for key in ("trust", "introduction")):
        return True
    found = (check_hooks.look_at(repository, name)[0] for name in names)
    own = (shim.look(own_folder(repository) / name, name) for name in names)
    return any(hook.whose is Whose.OURS for hook in (*found, *own))


def _mend(repository: Repository, names: tuple[str, ...], place: Elsewhere | None, now: int) -> Iterator[Step]:
    used = [python for python in check_hooks.interpreters(repository, names) if shim.runs(python)]
    python = used[0] if used else shim.interpreter()
    if repository.bare:
        yield from check_receipts.mend(repository, now)
    else:
        yield from check_merge.mend(repository, python)
        yield from set_refspec(repository)
    if place is not None:
        yield from install_hooks(own_folder(repository), names, python)
        return
    for name in names:
        found, _ = check_hooks.look_at(repository, name)
        if found.whose is Whose.FOREIGN:
            note = "another hook stands here; do: codifica-guard install"
            yield Step(action=Action.LEAVE, subject=f"hooks/{name}", note=note)
        else:
            yield from install_hooks(repository.hooks, (name,), python)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
