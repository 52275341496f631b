"""Whose a task may become: owners as they are typed, held against the people and agents that the policy knows."""

from difflib import get_close_matches

from codifica_guard.errors import UsageError
from codifica_guard.identity.allowed_signers import matches, names
from codifica_guard.model.ids import is_agent
from codifica_guard.packs.codifica.vocabulary import UNASSIGNED, is_owner_form
from codifica_guard.report.plain import plain
from codifica_guard.verbs.board import Board


def owner_of(board: Board, text: str) -> str:
    """The owner that somebody typed: `agent:x`, `human:x`, `human`, `unassigned`, or `x` alone, where the policy knows one x.

    Raises:
        UsageError: it is no owner, or `x` alone is nobody, or both an agent and a human.
    """
    name = text.strip()
    if ":" in name or name in {UNASSIGNED, "human"}:
        if is_owner_form(name):
            return name
        raise UsageError(f"{plain(name)} is no owner: agent:NAME, human:NAME, {UNASSIGNED}")
    found = [full for full in (f"agent:{name}", f"human:{name}") if is_owner_form(full) and _is_known(board, full)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{plain(name)} is both {found[0]} and {found[1]}: say which")
    known = sorted(_listed(board))
    near = get_close_matches(name, [p.partition(":")[2] for p in known], n=1, cutoff=0.6)
    hint = next((p for p in known if near and p.endswith(f":{near[0]}")), None)
    told = f"did you mean {hint}?" if hint else f"known are {', '.join(known) or 'none'}"
    raise UsageError(f"nobody is called {plain(name)} here; {told}")


def hindered(board: Board, owner: str) -> str | None:
    """Why an owner cannot work on any task, as the policy is; None where he can."""
    if owner in {UNASSIGNED, "human"}:
        return None
    if not any(matches(line, owner) for line in board.policy.signers):
        return f"no key is listed for {owner} yet; a maintainer runs: git codifica key add {owner} KEY"
    allowed = board.codifica.allowed_agents
    if is_agent(owner) and allowed and owner not in allowed:
        return f"{owner} is not among allowed_agents in codifica.json, and cannot claim it"
    return None


def _is_known(board: Board, owner: str) -> bool:
    return owner in _listed(board) or any(matches(line, owner) for line in board.policy.signers)


def _listed(board: Board) -> frozenset[str]:
    """The people and agents that the policy names."""
    listed = {name for line in board.policy.signers for name in names(line)}
    return frozenset(p for p in (*listed, *board.codifica.allowed_agents) if not p.startswith("server:"))
