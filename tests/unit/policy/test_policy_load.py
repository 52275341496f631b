import base64
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, Policy, PolicyFault
from codifica_guard.policy.defaults import new_guard
from codifica_guard.policy.load import PolicyFiles, load_policy, strictest_guard


def key(number: int) -> str:
    """An ed25519 public key that nobody holds."""
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes([number]) * 32
    return "ssh-ed25519 " + base64.b64encode(blob).decode()


REPOSITORY = "0123456789abcdef0123456789abcdef"
GUARD: dict[str, Any] = {"repository": REPOSITORY, "maintainers": ["human:alice"]}
CODIFICA: dict[str, Any] = {"protocol": "codifica", "version": "0.2", "spec": "codifica-spec.md", "state": "work.md"}
SIGNERS = f"human:alice {key(1)}\nagent:builder {key(2)}\n".encode()


def files(
    guard: Any = GUARD, codifica: Any = CODIFICA, signers: bytes | None = SIGNERS, revoked: bytes | None = b""
) -> PolicyFiles:
    """Trust files; whatever is no bytes is written as JSON."""
    written = [
        value if value is None or isinstance(value, bytes) else json.dumps(value, indent=1).encode()
        for value in (guard, codifica)
    ]
    there = (*written, signers, revoked)
    ids = tuple(None if data is None else b"%040x" % number for number, data in enumerate(there, start=1))
    return PolicyFiles(guard=there[0], codifica=there[1], signers=signers, revoked=revoked, ids=ids)


def load(
    guard: Any = GUARD, codifica: Any = CODIFICA, signers: bytes | None = SIGNERS, revoked: bytes | None = b""
) -> Policy:
    """The policy of such files."""
    policy = load_policy(files(guard, codifica, signers, revoked))
    assert policy is not None
    return policy


def test_without_guard_json_there_is_no_policy() -> None:
    assert load_policy(files(guard=None)) is None


def test_a_sound_policy_has_no_faults_and_its_files_ids_for_key() -> None:
    policy = load(revoked=key(3).encode())
    assert policy.faults == ()
    assert policy.key == tuple(b"%040x" % n for n in (1, 2, 3, 4))
    assert [line.principals for line in policy.signers] == [("human:alice",), ("agent:builder",)]
    assert len(policy.revoked) == 1


def test_absent_keys_of_guard_json_have_their_defaults() -> None:
    guard = load().guard
    assert guard.repository == REPOSITORY
    assert (guard.coordination_branch, guard.protected_branches.patterns) == (None, ())
    assert (guard.mode, guard.maintainers, guard.require_signatures) == ("enforce", ("human:alice",), "transitions")
    assert (guard.ruleset, guard.writer_tokens, guard.resume_after_minutes) == (1, "optional", None)
    assert (guard.review_by, guard.self_approval, guard.human_proof) == ("human-or-owner", "warn", "fresh-or-trailer")
    assert (guard.human_presence, guard.web_edits, guard.forge_accounts) == ("any", "refuse", {})
    assert (guard.openclaw, guard.codex_workflow, guard.warnings) == (None, None, ())


def test_what_guard_json_says_is_taken() -> None:
    said = {
        "mode": "report",
        "maintainers": ["human:bob", "human:alice", "human:bob"],
        "require_signatures": "all",
        "writer_tokens": "required",
        "resume_after_minutes": 0,
        "review_by": "owner",
        "self_approval": "allow",
        "human_proof": "trailer",
        "human_presence": "hardware-key",
        "web_edits": "reviews",
        "forge_accounts": {"al": "human:alice"},
        "$schema": "x",
        "version": 1,
        "ruleset": 1,
        "openclaw": None,
        "codex_workflow": None,
    }
    policy = load(GUARD | said, signers=SIGNERS + f"human:bob {key(4)}".encode())
    guard = policy.guard
    assert policy.faults == ()
    assert guard.maintainers == ("human:bob", "human:alice")
    for name in said.keys() - {"maintainers", "$schema", "version"}:
        assert getattr(guard, name) == said[name]


@pytest.mark.parametrize(
    ("said", "protected", "free", "warned"),
    [
        ({"coordination_branch": "main"}, [b"main"], [b"dev", b"xmain"], 0),
        ({"coordination_branch": "main", "protected_branches": None}, [b"main"], [b"dev"], 0),
        (
            {"coordination_branch": "main", "protected_branches": ["main", "release/*"]},
            [b"main", b"release/1"],
            [b"release/1/a"],
            0,
        ),
        ({"coordination_branch": "main", "protected_branches": []}, [b"main"], [b"dev"], 1),
        ({"coordination_branch": "a.b", "protected_branches": ["release/**"]}, [b"a.b", b"release/1"], [b"axb"], 1),
        ({"coordination_branch": "main", "protected_branches": ["**", "!m*"]}, [b"main", b"dev"], [b"mine"], 1),
        ({"protected_branches": ["dev"]}, [b"dev"], [b"main"], 0),
    ],
)
def test_the_coordination_branch_is_always_protected(
    said: dict[str, Any], protected: list[bytes], free: list[bytes], warned: int
) -> None:
    guard = load(GUARD | said).guard
    assert all(guard.protected_branches.match(b) for b in protected)
    assert not any(guard.protected_branches.match(b) for b in free)
    assert len(guard.warnings) == warned


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"ruleset": 2}, "ruleset is not known to this guard, which knows 1"),
        ({"ruleset": 0}, "ruleset is not known"),
        ({"ruleset": True}, "ruleset is to be a whole number"),
        ({"version": 2}, "version is not known"),
        ({"version": True}, "version is to be a whole number"),
        ({"repository": "x"}, "repository is to have the form ^[0-9a-f]{32}$"),
        ({"repository": REPOSITORY.upper()}, "repository is to have the form"),
        ({"repository": REPOSITORY + "\n"}, "repository is to have the form"),
        ({"maintainers": []}, "maintainers is not to be empty"),
        ({"maintainers": ["agent:builder"]}, "maintainers.0 is to have the form ^human:"),
        ({"maintainers": ["human:alice", "human:*"]}, "maintainers.1 is to have the form ^human:"),
        ({"maintainers": "human:alice"}, "maintainers is to be a list"),
        ({"mode": "off"}, "mode is to be 'enforce' or 'report'"),
        ({"mode": None}, "mode is to be 'enforce' or 'report'"),
        ({"require_signatures": "none"}, "require_signatures is to be"),
        ({"writer_tokens": "never"}, "writer_tokens is to be"),
        ({"review_by": "anybody"}, "review_by is to be"),
        ({"self_approval": "no"}, "self_approval is to be"),
        ({"human_proof": "none"}, "human_proof is to be"),
        ({"human_presence": "none"}, "human_presence is to be"),
        ({"web_edits": "all"}, "web_edits is to be"),
        ({"resume_after_minutes": -1}, "resume_after_minutes is to be at least 0"),
        ({"resume_after_minutes": 1e3}, "resume_after_minutes is to be a whole number"),
        ({"resume_after_minutes": 10**30}, "resume_after_minutes is to be at most"),
        ({"forge_accounts": {"x": "agent:builder"}}, "forge_accounts.x is to have the form ^human:"),
        ({"forge_accounts": []}, "forge_accounts is to be an object"),
        ({"openclaw": {}}, "openclaw is not supported yet"),
        ({"codex_workflow": {"root": "tasks"}}, "codex_workflow is not supported yet"),
        ({"coordination_branch": ""}, "coordination_branch is not to be empty"),
        ({"coordination_branch": "refs/heads/main"}, "without refs/heads/"),
        ({"coordination_branch": "a..b"}, "that Git takes for a branch"),
        ({"coordination_branch": "-a"}, "that Git takes for a branch"),
        ({"coordination_branch": "a b"}, "that Git takes for a branch"),
        ({"coordination_branch": "a.lock"}, "that Git takes for a branch"),
        ({"coordination_branch": "a" * 256}, "that Git takes for a branch"),
        ({"protected_branches": ["refs/heads/main"]}, "without refs/heads/"),
        ({"protected_branches": ["!"]}, "is to be a branch or glob"),
        ({"protected_branches": ["@(a"]}, "protected_branches: the pattern '@(a' cannot be taken"),
    ],
)
def test_a_guard_json_that_cannot_be_taken_refuses_everything(change: dict[str, Any], found: str) -> None:
    policy = load(GUARD | change)
    fault = policy.faults[0]
    assert (fault.code, fault.path, fault.fatal) == ("ID109", GUARD_FILE, True)
    assert found in fault.found
    assert policy.guard == strictest_guard()
    assert policy.guard.maintainers == ()
    assert policy.guard.protected_branches.match(b"any/branch")


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"", 1), (b"\n[]", 2), (b'{\n"mode": "x",\n"mode": "y"}', 3), (b"\xff", 1), (b"[" * 10**5, 1), (b"null", 1)],
)
def test_a_guard_json_that_is_no_object_refuses_everything(data: bytes, line: int) -> None:
    policy = load(data)
    assert policy.guard == strictest_guard()
    assert [(f.code, f.line) for f in policy.faults] == [("ID109", line)]


def test_a_missing_key_is_named() -> None:
    found = [f.found for f in load({}).faults]
    assert found == ["repository is missing", "maintainers is missing"]


def test_a_fault_tells_its_line() -> None:
    data = b'{\n"repository": "%s",\n"maintainers": [\n"human:alice",\n"bob"]\n}' % REPOSITORY.encode()
    assert [f.line for f in load(data).faults] == [5]


def test_unknown_keys_warn_with_their_line() -> None:
    policy = load(GUARD | {"future": 1}, CODIFICA | {"x": 1, "rules": {"y": 2, "file_scope": {"z": 3}}})
    assert policy.faults == ()
    assert policy.guard.warnings == ("future: is not known and says nothing (line 6)",)
    assert policy.codifica is not None
    assert [w.split(":")[0] for w in policy.codifica.warnings] == ["x", "rules.y", "rules.file_scope.z"]


def test_faults_and_warnings_are_bounded_and_fatal_ones_come_first() -> None:
    many = {f"k{n}": 0 for n in range(1000)}
    signers = "".join(f"someone{n} {key(1)}\n" for n in range(200)).encode()
    policy = load(GUARD | many, CODIFICA | many | {"state": ["/x"] * 500}, signers)
    assert (len(policy.guard.warnings), len(policy.faults)) == (50, 50)
    assert policy.faults[0].fatal


def test_signers_that_list_nobody_are_fatal() -> None:
    for signers in (None, b"", b"# nobody\n"):
        policy = load(signers=signers)
        assert [(f.code, f.path, f.fatal) for f in policy.faults] == [("ID109", SIGNERS_FILE, True)]
        assert policy.guard.maintainers == ("human:alice",)


def test_lines_that_cannot_be_read_are_fatal_with_their_line() -> None:
    policy = load(signers=SIGNERS + b"human:bob nonsense\n", revoked=b"\nnonsense\n")
    assert [(f.code, f.path, f.line, f.fatal) for f in policy.faults] == [
        ("ID109", SIGNERS_FILE, 3, True),
        ("ID109", REVOKED_FILE, 2, True),
    ]


def test_one_key_for_a_human_and_an_agent_is_a_fault() -> None:
    policy = load(signers=f"human:alice {key(1)}\nagent:builder {key(1)}\n".encode())
    assert [(f.code, f.fatal) for f in policy.faults] == [("ID113", True)]


def test_a_maintainer_without_a_key_is_told_and_not_fatal() -> None:
    policy = load(GUARD | {"maintainers": ["human:alice", "human:bob"]})
    assert policy.faults == (
        PolicyFault(
            code="ID109",
            path=SIGNERS_FILE,
            found="human:bob is a maintainer, and no line lists a key for that name",
            fatal=False,
        ),
    )


def test_a_pattern_lists_a_maintainer_too() -> None:
    assert load(signers=f"human:* {key(1)}\n".encode()).faults == ()


def test_without_codifica_json_there_is_no_fault() -> None:
    policy = load(codifica=None)
    assert (policy.codifica, policy.faults) == (None, ())


def test_a_document_of_version_0_1_is_taken_with_all_defaults() -> None:
    policy = load(
        codifica={
            "protocol": "codifica",
            "version": "0.1",
            "spec": "./codifica-spec.md",
            "state": "work.md",
            "rules": "strict",
        }
    )
    codifica = policy.codifica
    assert codifica is not None
    assert (codifica.version, codifica.spec, codifica.assets, codifica.mode) == (
        "0.1",
        b"codifica-spec.md",
        b"assets/",
        "strict",
    )
    assert (codifica.allowed_agents, codifica.custom_types, codifica.max_concurrent) == ((), (), None)
    assert (codifica.branch_pattern, codifica.stale_claim_hours, codifica.warnings) == ("{type}/{id}-{slug}", 24, ())
    assert codifica.scope.match(b".github/x")
    assert policy.is_trust(b"codifica-spec.md")


def test_rules_as_a_text_are_the_mode() -> None:
    codifica = load(codifica=CODIFICA | {"rules": "permissive"}).codifica
    assert codifica is not None
    assert codifica.mode == "permissive"
    assert codifica == load(codifica=CODIFICA | {"rules": {"mode": "permissive"}}).codifica


def test_rules_as_an_object_are_taken_whole() -> None:
    rules = {
        "mode": "strict",
        "allowed_agents": ["agent:builder", "writer", "builder"],
        "file_scope": {"include": ["src/**"], "exclude": ["src/gen/**"]},
        "custom_types": ["deploy", "deploy"],
        "branch_pattern": "work/{id}",
        "max_concurrent_tasks_per_agent": 2,
        "stale_claim_hours": 48,
    }
    codifica = load(codifica=CODIFICA | {"rules": rules, "assets": "./files//of"}).codifica
    assert codifica is not None
    assert codifica.allowed_agents == ("agent:builder", "agent:writer")
    assert (codifica.custom_types, codifica.branch_pattern) == (("deploy",), "work/{id}")
    assert (codifica.max_concurrent, codifica.stale_claim_hours, codifica.assets) == (2, 48, b"files/of/")
    assert [codifica.scope.match(p) for p in (b"src/a", b"src/gen/a", b"x")] == [True, False, False]
    assert codifica.warnings == ("rules.allowed_agents: writer is read as agent:writer",)


@pytest.mark.parametrize(
    ("state", "inside", "outside"),
    [
        ("work.md", b"work.md", b"a/work.md"),
        ("./work.md", b"work.md", b"a/work.md"),
        ("work/*.md", b"work/a.md", b"work/a/b.md"),
        (["work/*.md", "!work/x.md"], b"work/a.md", b"work/x.md"),
        (["a.md", "b/**"], b"b/c/d.md", b"a.mdx"),
    ],
)
def test_state_is_a_path_a_glob_or_a_list(state: str | list[str], inside: bytes, outside: bytes) -> None:
    codifica = load(codifica=CODIFICA | {"state": state}).codifica
    assert codifica is not None
    assert (codifica.state.match(inside), codifica.state.match(outside)) == (True, False)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"protocol": "other"}, "protocol is to be 'codifica'"),
        ({"version": "0.3"}, "version is to be '0.1' or '0.2'"),
        ({"version": 0.2}, "version is to be '0.1' or '0.2'"),
        ({"spec": "../spec.md"}, "spec is to be a path inside the repository"),
        ({"spec": "/spec.md"}, "spec is to be a path inside the repository"),
        ({"spec": "a\\b"}, "spec is to be a path inside the repository"),
        ({"spec": "."}, "spec is to be a path inside the repository"),
        ({"spec": None}, "spec is to be a text"),
        ({"assets": ""}, "assets is to be a path inside the repository"),
        ({"assets": "./"}, "assets is to be a path inside the repository"),
        ({"assets": "a/../b"}, "assets is to be a path inside the repository"),
        ({"state": 5}, "state is to be a text, or is to be a list"),
        ({"state": []}, "state is to be a text, or is not to be empty"),
        ({"state": ""}, "state is to be a path or glob"),
        ({"state": ["a.md", 5]}, "state.1 is to be a text"),
        ({"state": ["a.md", "../b.md"]}, "state.1 is to be a path or glob"),
        ({"state": "/a.md"}, "state is to be a path or glob"),
        ({"state": "a\n.md"}, "state is to be a path or glob"),
        ({"state": "{1..100000}.md"}, "state: the pattern '{1..100000}.md' cannot be taken"),
        ({"state": "**"}, "state: takes in files that carry trust"),
        ({"state": ".codifica/allowed_signers"}, "state: takes in files that carry trust"),
        ({"rules": "loose"}, "rules is to be 'strict' or 'permissive', or is to be an object"),
        ({"rules": {"mode": "loose"}}, "rules.mode is to be 'strict' or 'permissive'"),
        ({"rules": {"allowed_agents": ["human:alice"]}}, "rules.allowed_agents.0 is to have the form"),
        ({"rules": {"allowed_agents": ["Builder"]}}, "rules.allowed_agents.0 is to have the form"),
        ({"rules": {"file_scope": []}}, "rules.file_scope is to be an object"),
        ({"rules": {"file_scope": {"include": "src/**"}}}, "rules.file_scope.include is to be a list"),
        ({"rules": {"file_scope": {"include": ["@(a"]}}}, "rules.file_scope.include: the pattern"),
        ({"rules": {"file_scope": {"exclude": ["@(a"]}}}, "rules.file_scope.exclude: the pattern"),
        ({"rules": {"custom_types": ["review"]}}, "rules.custom_types.0 is a type of the protocol itself"),
        ({"rules": {"custom_types": ["De ploy"]}}, "rules.custom_types.0 is to have the form"),
        ({"rules": {"branch_pattern": "a b"}}, "rules.branch_pattern is to have the form"),
        ({"rules": {"branch_pattern": ""}}, "rules.branch_pattern is not to be empty"),
        ({"rules": {"branch_pattern": "a" * 256}}, "rules.branch_pattern is to be at most 255 characters long"),
        ({"rules": {"max_concurrent_tasks_per_agent": 0}}, "rules.max_concurrent_tasks_per_agent is to be at least 1"),
        ({"rules": {"stale_claim_hours": "24"}}, "rules.stale_claim_hours is to be a whole number"),
    ],
)
def test_a_codifica_json_that_cannot_be_taken_is_a_fatal_fault(change: dict[str, Any], found: str) -> None:
    policy = load(codifica=CODIFICA | change)
    assert policy.codifica is None
    assert policy.guard.maintainers == ("human:alice",)
    assert {(f.code, f.path, f.fatal) for f in policy.faults} == {("CD110", CODIFICA_FILE, True)}
    assert found in policy.faults[0].found
    assert policy.faults[0].line is not None


def test_a_codifica_json_that_is_no_json_is_a_fatal_fault() -> None:
    policy = load(codifica=b'{"protocol": "codifica",\n"version": "0.2" "spec": 1}')
    assert policy.codifica is None
    assert [(f.code, f.line) for f in policy.faults] == [("CD110", 2)]


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        ({"rules": {"file_scope": {"include": []}}}, "is empty, so no agent may change any file"),
        (
            {"rules": {"file_scope": {"include": ["src/"]}}},
            "include: src/ matches no file; src/** is all that lies in it",
        ),
        ({"rules": {"file_scope": {"exclude": ["secret/"]}}}, "exclude: secret/ matches no file"),
        ({"rules": {"branch_pattern": "{agent}/{id}"}}, "branch_pattern: {agent} is not filled in"),
        ({"state": "*.md"}, "state: takes in codifica-spec.md, which is the spec"),
    ],
)
def test_what_is_hardly_meant_warns(change: dict[str, Any], warning: str) -> None:
    codifica = load(codifica=CODIFICA | change).codifica
    assert codifica is not None
    assert len(codifica.warnings) == 1
    assert warning in codifica.warnings[0]


def test_a_new_guard_json_is_sound() -> None:
    assert load(new_guard(REPOSITORY, "human:alice")).faults == ()


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_give_a_policy_that_permits_nothing(
    guard: bytes, codifica: bytes, signers: bytes, revoked: bytes
) -> None:
    policy = load(guard, codifica, signers, revoked)
    assert policy.guard == strictest_guard()
    assert any(f.fatal and f.path == GUARD_FILE for f in policy.faults)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda i: st.lists(i, max_size=3) | st.dictionaries(st.text(max_size=5), i, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from([*new_guard(REPOSITORY, "human:a"), "other"]), JUNK, max_size=6),
    st.dictionaries(st.sampled_from([*CODIFICA, "rules", "assets"]), JUNK, max_size=4),
)
def test_any_json_is_taken_or_refused_with_a_line(guard: dict[str, Any], codifica: dict[str, Any]) -> None:
    policy = load(GUARD | guard, CODIFICA | codifica)
    assert all(f.line is not None for f in policy.faults if f.path in {GUARD_FILE, CODIFICA_FILE})
    assert (policy.codifica is None) == any(f.code == "CD110" for f in policy.faults)


def test_importing_the_loader_imports_neither_pydantic_nor_wcmatch_nor_cryptography() -> None:
    code = "import sys, codifica_guard.policy.load, codifica_guard.policy.cache; print(sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True).stdout
    assert not re.findall(r"'(?:pydantic|wcmatch|bracex|cryptography|json|argparse|logging|subprocess|pathlib)'", out)


@pytest.mark.parametrize("state", ["./work.md", "././work.md", ["./work.md", "!./old.md"]])
def test_a_leading_dot_and_slash_are_no_part_of_a_pattern(state: Any) -> None:
    policy = load(codifica={**CODIFICA, "state": state, "rules": {"file_scope": {"include": ["./src/**"]}}})
    assert policy.codifica is not None
    assert policy.codifica.state.patterns[0] == "work.md"
    assert policy.codifica.state.patterns[1:] in {(), ("!old.md",)}
    assert policy.codifica.state.match(b"work.md")
    assert policy.codifica.scope.patterns == ("src/**",)


@pytest.mark.parametrize("state", ["./", "!./", ".//work.md", "./../work.md"])
def test_nothing_is_left_of_some_patterns(state: str) -> None:
    policy = load(codifica={**CODIFICA, "state": state})
    assert policy.codifica is None
    assert [fault.code for fault in policy.faults if fault.fatal] == ["CD110"]
