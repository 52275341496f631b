"""What readers could take for something else, what is too much for them, and what is only told."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.repo import as_json
from tests.building.tasks import block, task
from tests.cases.typing_in import typed

# -- 21: characters that look like others


LOOKS: Mapping[str, str] = {
    "line separator": "\u2028",
    "next line": "\u0085",
    "no-break space": "\u00a0",
    "zero width": "\u200b",
    "joiner": "\u200d",
    "soft hyphen": "\u00ad",
    "Cyrillic a": "\u0430",
    "Cyrillic e": "\u0435",
    "Greek o": "\u03bf",
    "wide letter": "\uff41",
    "right to left": "\u202e",
}


@pytest.mark.parametrize("where", ["key", "id", "owner", "state"])
@pytest.mark.parametrize("name", LOOKS)
def test_case_21_a_character_that_looks_like_another_is_refused_with_its_code_point(
    repo: Repo, name: str, where: str
) -> None:
    sign = LOOKS[name]
    repo.task("FEAT-1").task("FEAT-2", owner="agent:builder")
    alice = repo.clone("alice")
    if where == "id":
        alice.rewrite(lambda board: board.add(block(task("FEAT-9")).replace("FEAT-9", f"FEAT{sign}-9", 1)))
    else:
        old = {
            "key": "  state: todo\n  owner: agent",
            "owner": "owner: agent:builder",
            "state": "state: todo\n  owner: agent",
        }[where]
        new = {"key": f"  st{sign}te: todo\n  owner: agent", "owner": f"owner: agent:b{sign}uilder", "state": f"state: to{sign}do\n  owner: agent"}[where]  # fmt: skip
        alice.write("work.md", alice.read().replace(old, new))
    alice.commit("FEAT-2 FEAT-9: text").push().refused(
        {"ST108", "CD101", "CD102", "CD103", "ST101"}, f"U+{ord(sign):04X}"
    )


@pytest.mark.parametrize("sign", ["\u0430", "\u00e9", "\u200d", "\u00a0", "\U0001f389"])
def test_case_21_in_prose_and_in_words_for_people_all_letters_are_welcome(repo: Repo, sign: str) -> None:
    typed(repo, "description: Text", f'description: "{sign}bc"')[1].accepted()


# -- 22: YAML that is too clever, or too much


def chain(depth: int) -> str:
    """Aliases of aliases: few bytes that would be gigabytes."""
    rows = ["  a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, depth)]
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("  description: Text\n" + chain(12), "ST103"),
        ("  description: &x [*x]", "ST103"),
        ("  description: &a Text", "ST103"),
        ("  description: *a", "ST103"),
        ("  description: !x Text", "ST103"),
        (f"  description: {'[' * 500}{']' * 500}", "ST107"),
        (f"  description: {'[' * 20_000}{']' * 20_000}", "ST107"),
        (f"  description: {'{a: ' * 500}{'}' * 500}", "ST107"),
        ("  description:\n" + "\n".join(f"{'  ' * n}- a:" for n in range(2, 502)), "ST107"),
        ("  <<: {state: done}", "ST103"),
        ("  description: !!binary aGk=", "ST103"),
        ("  description: !!python/object/apply:os.system [x]", "ST103"),
        ("  description: Text\n---\n- id: FEAT-9", "ST101"),
        ("  description: Text\n...\n---\n- id: FEAT-9", "ST101"),
        ("  description: Text\n%YAML 1.1\n---", "ST101"),
        (f"  description: {'x' * 300_000}", "ST107"),
    ],
    ids=[
        "aliases of aliases", "itself", "an anchor", "an alias", "a tag of its own", "500 lists", "20,000 lists", "500 mappings", "500 levels", "merge key", "binary", "object", "two documents", "an end between", "a directive",
        "a long value",
    ],
)  # fmt: skip
def test_case_22_clever_or_endless_yaml_is_refused(repo: Repo, new: str, code: str) -> None:
    clone, push = typed(repo, "  description: Text", new)
    push.refused(code, "work.md:")
    assert len(push.output) < 20_000
    clone.fresh().replace("  description: Text", "  description: Words").commit("FEAT-2: text").push().accepted()


def test_case_22_fifty_megabytes_are_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.write("work.md", alice.read() + "Prose.\n" * (50 * 2**20 // 7)).commit("Long").push().refused("ST107", "MiB")


# -- 23: what a block scalar swallows


@pytest.mark.parametrize("scalar", ["|", ">", "|-", ">+"])
def test_case_23_fields_that_a_block_scalar_swallowed_are_named(repo: Repo, scalar: str) -> None:
    new = f"description: {scalar}\n    The login form.\n    labels: web\n    priority: high"
    typed(repo, "description: Text", new)[1].accepted("labels", "priority", "FEAT-2", warnings={"ST110"})


@pytest.mark.parametrize("line", ["note: this is fine", "Labels: web", "see labels: web", "state"])
def test_case_23_other_words_in_a_block_scalar_are_no_fields(repo: Repo, line: str) -> None:
    push = typed(repo, "description: Text", f"description: |\n    The login form.\n    {line}")[1]
    push.accepted(perhaps={"ST110"} if line.startswith("note") else ())


# -- 24: settings that name what is not there


def settings(clone: Clone, **changes: Any) -> Clone:
    """Change `codifica.json`."""
    return clone.write("codifica.json", as_json({**json.loads(clone.read("codifica.json")), **changes}))


def doctor(repo: Repo, clone: Clone) -> str:
    """What `doctor` says on the server and in a clone."""
    told = [repo.guard("doctor", repo.bare).said, clone.guard("doctor").said]
    return " ".join("\n".join(told).split())


@pytest.mark.guard
def test_case_24_a_document_that_is_gone_while_it_is_named_is_told_by_the_push_and_by_doctor(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice").write("work.md", None).commit("FEAT-1: away")
    alice.push().refused("ST111", "work.md", "put it back")
    repo.on_server("fetch", "-q", str(alice.folder), "HEAD:refs/heads/main")
    assert "codifica.json: state work.md matches no file on main" in doctor(repo, alice.fresh())


@pytest.mark.guard
@pytest.mark.parametrize("state", ["tasks/*.md", ["tasks/*.md", "todo.md"]])
def test_case_24_patterns_that_match_nothing_are_told_by_the_push_and_by_doctor(
    repo: Repo, state: str | list[str]
) -> None:
    alice = settings(repo.task("FEAT-1").clone("alice"), state=state).commit("Settings")
    alice.push().refused("ST111", "matches no file", "codifica.json")
    repo.on_server("fetch", "-q", str(alice.folder), "HEAD:refs/heads/main")
    assert "codifica.json: state tasks/*.md" in doctor(repo, alice.fresh())
    settings(alice.fresh(), state=["tasks/*.md", "work.md"]).commit("Settings").push().accepted()


@pytest.mark.guard
def test_case_24_an_agent_without_its_prefix_is_told_by_the_push_and_by_doctor(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, builder = repo.clone("alice"), repo.clone("builder")
    settings(alice, rules={"mode": "strict", "allowed_agents": ["builder"]}).commit("Settings").push().accepted(
        "builder is read as agent:builder", warnings={"CD110"}
    )
    assert "allowed_agents: builder is read as agent:builder" in doctor(repo, alice)
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
