"""`policy show`: the policy that counts, every key with its value, who changed it last, and who has which role."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from codifica_guard.cli.command import OK, REFUSED, Outcome
from codifica_guard.cli.policy_history import ABSENT, Change, last_changes, opened, value_at
from codifica_guard.cli.signer_lines import standing
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import PolicyError, UsageError
from codifica_guard.identity.allowed_signers import names
from codifica_guard.model.ids import Principal, RepoPath, show_path
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, Policy
from codifica_guard.model.times import stamp
from codifica_guard.policy.json_text import read_json
from codifica_guard.policy.meaning import KeyMeaning, codifica_keys, guard_keys
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import LONGEST, printable
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.remote import fetch, is_there

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import PolicyData, PolicyKey, PolicyRole

_VALUE: Final = 60
"""Characters of a value that are shown."""
_ROLES: Final = (("agents", "agent:"), ("people", "human:"), ("servers", "server:"))


def run(options: argparse.Namespace) -> Outcome:
    """Show the policy at the coordination branch's tip.

    Raises:
        UsageError: there is none.
        Stopped: the remote is not reached.
    """
    if options.fetch:
        with open_desk(int(time.time())) as desk:
            desk.needs_policy()
            if is_there(desk):
                fetch(desk, desk.coordination)
    # What was fetched lies in new files, which only a store that is opened anew finds.
    with open_desk(int(time.time())) as desk:
        try:
            board = board_at(desk)
        except UsageError:  # before the first push the policy is this clone's own
            board = board_at(desk, local=True)
        return _shown(board)


def _shown(board: Board) -> Outcome:
    policy = board.policy
    guard, codifica = (_value(board, path) for path in (GUARD_FILE, CODIFICA_FILE))
    rows = _rows(board, GUARD_FILE, guard, guard_keys())
    settings = _rows(board, CODIFICA_FILE, codifica, codifica_keys()) if codifica is not None else []
    roles = _roles(policy, board.now)
    faults = [f"{f.code} {show_path(f.path)}{f':{f.line}' if f.line else ''} {f.found}" for f in policy.faults]
    warnings = [*policy.guard.warnings, *(policy.codifica.warnings if policy.codifica is not None else ())]
    data: PolicyData = {
        "branch": board.name,
        "keys": rows,
        "codifica": settings,
        "roles": roles,
        "faults": [plain_words(text, LONGEST) for text in faults],
        "warnings": [plain_words(text, LONGEST) for text in warnings],
    }
    broken = any(fault.fatal for fault in policy.faults)
    lines = (
        f"policy   {board.headline}",
        *(f"{'FAULT' if broken else 'fault':<9}{text}" for text in faults),
        *(f"warn     {text}" for text in warnings),
        "",
        show_path(GUARD_FILE),
        *_table(rows),
        "",
        "roles",
        *(f"  {role['role']:<13}{'  '.join(_member(m) for m in role['members']) or '-'}" for role in roles),
        "  keys         git codifica key list",
        *(("", show_path(CODIFICA_FILE), *_table(settings)) if settings else ()),
    )
    return Outcome(lines=printable(lines), data=data, exit=REFUSED if broken else OK, as_of=board.as_of)


def _value(board: Board, path: RepoPath) -> Any:
    """What a policy file says; None where it is not there, or is no JSON."""
    data = file_at(board.desk, board.tip, path)
    try:
        return None if data is None else opened(read_json(data).value)
    except PolicyError:
        return None


# -- keys


def _rows(board: Board, path: RepoPath, value: Any, keys: Sequence[KeyMeaning]) -> "list[PolicyKey]":
    changes = last_changes(board.desk, board.tip, path, [key.place for key in keys])
    return [_row(key, value_at(value, key.place), changes) for key in keys]


def _row(key: KeyMeaning, value: Any, changes: Mapping[tuple[str, ...], Change]) -> "PolicyKey":
    change = changes.get(key.place)
    default = None if key.required else key.default
    return {
        "key": key.name,
        "value": default if value is ABSENT else value,
        "set": value is not ABSENT,
        "default": default,
        "required": key.required,
        "meaning": key.text,
        "changed": None
        if change is None
        else {
            "commit": change.commit.decode("ascii"),
            "at": stamp(change.at),
            "by": change.by,
            "judged": change.judged,
        },
    }


def _table(rows: "Sequence[PolicyKey]") -> Iterator[str]:
    names, values = max(len(row["key"]) for row in rows), [_text(row) for row in rows]
    width = max(map(len, values))
    for row, value in zip(rows, values, strict=True):
        yield f"  {row['key']:<{names}}  {value:<{width}}  {_changed(row)}".rstrip()
        yield f"  {'':<{names}}    {row['meaning']}"


def _text(row: "PolicyKey") -> str:
    value = row["value"]
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        text = " ".join(value)
    else:
        text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    shown = plain(text, _VALUE)
    return shown if row["set"] else f"{shown} (default)" if not row["required"] else "missing"


def _changed(row: "PolicyKey") -> str:
    change = row["changed"]
    if change is None:
        return ""
    by = change["by"] or ("nobody proven" if change["judged"] else "before the guard")
    return f"{by}  {change['commit'][:7]}  {change['at'][:10]}"


# -- roles


def _roles(policy: Policy, now: int) -> "list[PolicyRole]":
    """Who may do what, the maintainers first, each with how many valid keys he has."""
    listed = dict.fromkeys(name for line in policy.signers for name in names(line))
    groups = {"maintainers": list(policy.guard.maintainers)}
    groups |= {role: sorted(name for name in listed if name.startswith(kind)) for role, kind in _ROLES}
    allowed = policy.codifica.allowed_agents if policy.codifica is not None else ()
    return [
        {
            "role": role,
            "members": [
                {
                    "principal": name,
                    "keys": _valid(policy, name, now),
                    "allowed": not name.startswith("agent:") or not allowed or name in allowed,
                }
                for name in members
            ],
        }
        for role, members in groups.items()
    ]


def _valid(policy: Policy, name: Principal, now: int) -> int:
    lines = (line for line in policy.signers if name in names(line))
    return len({line.key for line in lines if standing(line, policy, now) == "valid"})


def _member(member: Any) -> str:
    doubts = (
        "no valid key" if not member["keys"] else "",
        "not in allowed_agents" if not member["allowed"] else "",
    )
    told = ", ".join(doubt for doubt in doubts if doubt)
    return f"{member['principal']}{f' ({told})' if told else ''}"
