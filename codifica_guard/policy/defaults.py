"""What `init` writes: a new `guard.json` and a new `codifica.json`, every key spelt out."""

from typing import Any

from codifica_guard.errors import UsageError

SCHEMA = "guard.schema.json"
"""Value of `$schema`: the name of the schema; editors are told where it lies."""


def new_repository_id() -> str:
    """128 random bits as 32 lower-case hexadecimal digits: what ties signatures to one repository."""
    # Only here: no push makes an id.
    import secrets  # noqa: PLC0415

    return secrets.token_hex(16)


def new_guard(repository: str, maintainer: str, **choices: Any) -> dict[str, Any]:
    """A whole `guard.json`: every key of the format, with the defaults of a new policy.

    Args:
        repository: its id, from `new_repository_id`.
        maintainer: the first maintainer, such as `human:alice`.
        **choices: keys that are to differ; `coordination_branch` is protected unless `protected_branches` says otherwise.

    Raises:
        UsageError: a choice is no key of the format.
    """
    branch = choices.get("coordination_branch", "main")
    guard: dict[str, Any] = {
        "$schema": SCHEMA,
        "version": 1,
        "repository": repository,
        "coordination_branch": branch,
        "protected_branches": [branch],
        "mode": "enforce",
        "maintainers": [maintainer],
        "require_signatures": "transitions",
        "ruleset": 1,
        "writer_tokens": "required",
        "resume_after_minutes": 60,
        "review_by": "human-or-owner",
        "self_approval": "warn",
        "human_proof": "fresh-or-trailer",
        "human_presence": "any",
        "web_edits": "refuse",
        "forge_accounts": {},
        "openclaw": None,
        "codex_workflow": None,
    }
    unknown = sorted(choices.keys() - guard.keys())
    if unknown:
        raise UsageError(f"{unknown[0]} is no key of guard.json")
    return {**guard, **choices}


def minimal_codifica(
    state: str = "work.md", spec: str = "codifica-spec.md", assets: str = "assets/", agents: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A small `codifica.json` of version 0.2 in strict mode.

    Args:
        state: path of the state document.
        spec: path of the page that says how tasks are kept.
        assets: the folder for files that belong to tasks.
        agents: the agents that may take tasks, such as `agent:builder`; none: all.
    """
    rules: Any = {"mode": "strict", "allowed_agents": list(agents)} if agents else "strict"
    return {"protocol": "codifica", "version": "0.2", "spec": spec, "state": state, "assets": assets, "rules": rules}
