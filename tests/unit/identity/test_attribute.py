"""Who made a commit: a proof holds exactly for the principal whose key made it, and no failing proof is passed over."""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from codifica_guard.identity import sshsig
from codifica_guard.identity.allowed_signers import parse_signers
from codifica_guard.identity.attribute import attribute
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.wire import pack_string
from codifica_guard.model.commit import Commit, Trailer, Trailers
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal
from codifica_guard.model.policy import Globs, GuardConfig, Policy
from tests.unit.identity.sshkit import SoftFido, signer

ALICE, OLD, BUILDER, WRITER, STRANGER, SERVER, SHARED, WILD, GIT_ONLY, SOON, MOVED, MIXED = (
    signer(n) for n in range(12)
)
TOUCHED = SoftFido()
NOW = 1_800_000_000

SIGNERS = f"""\
human:alice {public_line(ALICE.key)}
human:alice valid-before="20200101" {public_line(OLD.key)}
human:alice valid-after="20991231" {public_line(SOON.key)}
human:alice {public_line(TOUCHED.key)}
agent:builder namespaces="git,codifica-guard" {public_line(BUILDER.key)}
agent:writer {public_line(WRITER.key)}
server:s {public_line(SERVER.key)}
human:bob,human:carol {public_line(SHARED.key)}
agent:w* {public_line(WILD.key)}
agent:m,agent:w* {public_line(MIXED.key)}
agent:builder namespaces="git" {public_line(GIT_ONLY.key)}
human:dave valid-before="20200101" {public_line(MOVED.key)}
human:erin valid-after="20200101" {public_line(MOVED.key)}
"""


def policy() -> Policy:
    lines, faults = parse_signers(SIGNERS.encode())
    assert faults == ()
    guard = GuardConfig(
        repository="0" * 32,
        coordination_branch="main",
        protected_branches=Globs(patterns=(), include=()),
        mode="enforce",
        maintainers=(Principal("human:alice"),),
        require_signatures="transitions",
        ruleset=1,
        writer_tokens="required",
        resume_after_minutes=60,
        review_by="human-or-owner",
        self_approval="warn",
        human_proof="fresh-or-trailer",
        human_presence="any",
        web_edits="refuse",
    )
    return Policy(guard=guard, codifica=None, signers=lines, revoked=frozenset(), key=())


POLICY = policy()
SIGNED = b"tree 0\nauthor a\ncommitter a\n\nhello\n"


def payload(actor: str) -> bytes:
    return b"codifica-guard-commit-v1\nactor %s\n" % actor.encode()


def by_git(key: Signer | SoftFido, data: bytes = SIGNED) -> bytes:
    return sshsig.armour(key.sign(data, "git")).encode()


def by_trailer(key: Signer | SoftFido, actor: str, namespace: str = "codifica-guard") -> bytes:
    return sshsig.to_line(key.sign(payload(actor), namespace)).encode()


def judge(
    *,
    git: bytes | None = None,
    actor: str | bytes | None = None,
    trailer: bytes | None = None,
    more: Iterable[Trailer] = (),
    revoked: Iterable[KeyBlob] = (),
    committer: bytes = b"a <a@b> 1 +0000",
    now: int = NOW,
) -> Attribution:
    commit = Commit(
        id=ObjectId(b"3f2a91c" + b"0" * 33),
        tree=ObjectId(b"0" * 40),
        parents=(),
        author=b"a <a@b> 1 +0000",
        committer=committer,
        committer_time=1,
        message=b"",
        signature=git,
        signed=SIGNED,
    )
    block = []
    if actor is not None:
        block.append(Trailer(b"Codifica-Actor", actor.encode() if isinstance(actor, str) else actor))
    if trailer is not None:
        block.append(Trailer(b"Codifica-Signature", trailer))
    asked: list[str] = []

    def ask(principal: Principal) -> bytes:
        asked.append(principal)
        return payload(principal)

    lost = set(revoked)
    found = attribute(commit, Trailers(all=(*block, *more)), ask, POLICY, now, lambda key: key in lost)
    assert len(asked) <= 1
    assert (found.actor is None) == (found.proof is Proof.NONE) == (found.key is None)
    return found


def codes(found: Attribution) -> list[str]:
    return [p.code for p in found.problems]


def proven(found: Attribution) -> tuple[Any, ...]:
    return (found.actor, found.proof, found.claimed, codes(found))


NOBODY = (None, Proof.NONE)
DEAD = sshsig.to_line(ALICE.sign(b"other", "codifica-guard")).encode()
DEAD_BUILDER = sshsig.to_line(BUILDER.sign(b"other", "codifica-guard")).encode()


def test_an_unsigned_commit_is_nobodys_and_no_problem() -> None:
    assert judge() == Attribution(fresh=True)


def test_a_name_alone_proves_nothing_but_is_remembered() -> None:
    assert proven(judge(actor="human:alice")) == (*NOBODY, "human:alice", [])


def test_gits_signature_proves_its_keys_single_principal() -> None:
    found = judge(git=by_git(ALICE))
    assert proven(found) == ("human:alice", Proof.GIT, None, [])
    assert (found.key, found.touched, found.fresh) == (ALICE.key, False, True)


def test_the_signed_trailers_prove_their_actor() -> None:
    found = judge(actor="agent:builder", trailer=by_trailer(BUILDER, "agent:builder"))
    assert proven(found) == ("agent:builder", Proof.TRAILER, "agent:builder", [])
    assert found.key == BUILDER.key


def test_the_trailer_is_preferred_where_both_proofs_hold() -> None:
    found = judge(git=by_git(ALICE), actor="human:alice", trailer=by_trailer(ALICE, "human:alice"))
    assert found.proof is Proof.TRAILER


@pytest.mark.parametrize("flags", [0, 1])
def test_a_touch_is_told_for_both_proofs(flags: int) -> None:
    git = sshsig.armour(TOUCHED.sign(SIGNED, "git", flags)).encode()
    trailer = sshsig.to_line(TOUCHED.sign(payload("human:alice"), "codifica-guard", flags)).encode()
    assert judge(git=git).touched is bool(flags)
    assert judge(actor="human:alice", trailer=trailer).touched is bool(flags)


def test_fresh_means_that_author_and_committer_lines_are_equal() -> None:
    assert not judge(git=by_git(ALICE), committer=b"a <a@b> 2 +0000").fresh
    assert not judge(committer=b"A <a@b> 1 +0000").fresh


def test_an_actor_without_a_signature_of_its_own_is_proven_by_git() -> None:
    assert proven(judge(git=by_git(ALICE), actor="human:alice")) == ("human:alice", Proof.GIT, "human:alice", [])


def test_a_trailer_without_an_actor_belongs_to_its_keys_single_principal() -> None:
    assert proven(judge(trailer=by_trailer(BUILDER, "agent:builder"))) == ("agent:builder", Proof.TRAILER, None, [])


def test_another_principals_git_signature_beside_a_good_trailer_is_no_matter() -> None:
    for git in (by_git(ALICE), by_git(STRANGER), by_git(ALICE, b"x"), b"-----BEGIN PGP SIGNATURE-----\n", b"junk"):
        found = judge(git=git, actor="agent:builder", trailer=by_trailer(BUILDER, "agent:builder"))
        assert proven(found) == ("agent:builder", Proof.TRAILER, "agent:builder", [])


def test_a_dead_trailer_of_somebody_else_does_not_fall_back_to_git() -> None:
    found = judge(git=by_git(BUILDER), actor="human:alice", trailer=DEAD)
    assert proven(found) == (*NOBODY, "human:alice", ["ID101"])
    assert found.problems[0].do == "look again, then: git codifica sign 3f2a91c"


def test_a_dead_trailer_of_the_same_principal_leaves_gits_proof() -> None:
    for actor in ("human:alice", None):
        found = judge(git=by_git(ALICE), actor=actor, trailer=DEAD)
        assert proven(found) == ("human:alice", Proof.GIT, actor, [])
    found = judge(git=by_git(ALICE), actor="human:alice", trailer=b"no base64")
    assert found.proof is Proof.GIT


@pytest.mark.parametrize(
    "trailer", [DEAD, by_trailer(STRANGER, "agent:builder"), b"no base64", by_trailer(SHARED, "human:bob")]
)
def test_without_an_actor_a_failing_trailer_does_not_fall_back_to_somebody_elses_git_signature(trailer: bytes) -> None:
    found = judge(git=by_git(BUILDER), trailer=trailer)
    assert found.actor is None
    assert len(found.problems) == 1


def test_a_dead_trailer_and_a_dead_git_signature_are_both_told() -> None:
    found = judge(git=by_git(ALICE, b"x"), actor="human:alice", trailer=DEAD)
    assert proven(found) == (*NOBODY, "human:alice", ["ID101", "ID101"])


def test_a_trailer_for_another_namespace_is_dead() -> None:
    trailer = by_trailer(BUILDER, "agent:builder", "codifica-writer")
    assert codes(judge(actor="agent:builder", trailer=trailer)) == ["ID101"]
    assert codes(judge(git=sshsig.armour(ALICE.sign(SIGNED, "codifica-guard")).encode())) == ["ID101"]


def test_a_signature_over_another_commit_belongs_to_its_keys_principal() -> None:
    found = judge(git=by_git(ALICE, b"other"))
    assert proven(found) == (*NOBODY, "human:alice", ["ID101"])
    assert "human:alice" in found.problems[0].found


@pytest.mark.parametrize(
    ("git", "name"),
    [
        (b"-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----", "OpenPGP"),
        (b"-----BEGIN PGP MESSAGE-----\n", "OpenPGP"),
        (b"-----BEGIN SIGNED MESSAGE-----\n", "X.509"),
    ],
)
def test_openpgp_and_x509_are_no_identity(git: bytes, name: str) -> None:
    found = judge(git=git, actor="human:alice")
    assert codes(found) == ["ID101"]
    assert name in found.problems[0].found
    assert found.problems[0].do == "git config gpg.format ssh"


@pytest.mark.parametrize("git", [b"", b"junk", sshsig.armour(b"junk").encode()])
def test_a_malformed_git_signature_is_a_problem(git: bytes) -> None:
    assert proven(judge(git=git)) == (*NOBODY, None, ["ID101"])


def test_an_unlisted_key_is_told_with_the_line_that_lists_it() -> None:
    for found in (judge(git=by_git(STRANGER)), judge(trailer=by_trailer(STRANGER, "human:x"))):
        assert proven(found) == (*NOBODY, None, ["ID102"])
        assert fingerprint(STRANGER.key) in found.problems[0].found
        assert found.problems[0].do.endswith(f"git codifica key add human:NAME '{public_line(STRANGER.key)}'")
    named = judge(actor="agent:new", trailer=by_trailer(STRANGER, "agent:new"))
    assert proven(named) == (*NOBODY, "agent:new", ["ID102"])
    assert f"key add agent:new '{public_line(STRANGER.key)}'" in named.problems[0].do
    assert codes(judge(actor="human:alice", git=by_git(STRANGER))) == ["ID102"]


def test_an_unlisted_key_of_an_unknown_type_is_no_command() -> None:
    odd = pack_string(b"ssh-dss")
    found = judge(trailer=sshsig.to_line(sshsig.envelope(odd, b"", "codifica-guard")).encode())
    assert codes(found) == ["ID102"]
    assert "not supported" in found.problems[0].found
    assert found.problems[0].do == ""


def test_a_line_for_other_namespaces_does_not_list_the_key() -> None:
    found = judge(actor="agent:builder", trailer=by_trailer(GIT_ONLY, "agent:builder"))
    assert codes(found) == ["ID102"]
    assert "not listed for the namespace codifica-guard" in found.problems[0].found
    assert judge(git=by_git(GIT_ONLY)).actor == "agent:builder"


def test_an_actor_whose_key_it_is_not_is_told() -> None:
    for found in (
        judge(actor="human:alice", git=by_git(BUILDER)),
        judge(actor="human:alice", trailer=by_trailer(BUILDER, "human:alice")),
        judge(actor="human:alice", trailer=DEAD_BUILDER),
    ):
        assert proven(found) == (*NOBODY, "human:alice", ["ID103"])
        assert "agent:builder" in found.problems[0].found


@pytest.mark.parametrize(
    ("key", "actor", "other"),
    [(SHARED, "human:carol", "human:dora"), (WILD, "agent:writer", "human:w"), (MIXED, "agent:m", "agent:n")],
)
def test_of_several_principals_the_trailer_names_the_actor(key: Signer, actor: str, other: str) -> None:
    assert proven(judge(git=by_git(key))) == (*NOBODY, None, ["ID103"])
    assert proven(judge(trailer=by_trailer(key, actor))) == (*NOBODY, None, ["ID103"])
    assert judge(git=by_git(key), actor=actor).actor == actor
    assert judge(trailer=by_trailer(key, actor), actor=actor).actor == actor
    assert codes(judge(git=by_git(key), actor=other)) == ["ID103"]


def test_many_names_of_a_key_are_cut() -> None:
    found = judge(git=by_git(SHARED), actor="human:alice")
    assert "human:bob, human:carol" in found.problems[0].found


def test_servers_never_act() -> None:
    for found in (
        judge(git=by_git(SERVER)),
        judge(git=by_git(SERVER), actor="server:s"),
        judge(actor="server:s", trailer=by_trailer(SERVER, "server:s")),
        judge(trailer=by_trailer(SERVER, "server:s")),
    ):
        assert found.actor is None
        assert codes(found) == ["ID103"]
        assert "never act" in found.problems[0].found


@pytest.mark.parametrize("actor", ["alice", "human:", "human:Alice", b"human:alice\xff", "human:alice human:bob", ""])
def test_an_actor_that_is_no_principal_proves_nothing(actor: str | bytes) -> None:
    found = judge(git=by_git(ALICE), actor=actor, trailer=by_trailer(ALICE, "human:alice"))
    assert found.actor is None
    assert codes(found) == ["ID103"]


def test_two_actors_or_two_signatures_prove_nothing() -> None:
    second = Trailer(b"Codifica-Actor", b"human:alice")
    found = judge(git=by_git(ALICE), actor="human:alice", trailer=by_trailer(ALICE, "human:alice"), more=[second])
    assert proven(found) == (*NOBODY, "human:alice", ["ID103"])
    extra = Trailer(b"Codifica-Signature", by_trailer(ALICE, "human:alice"))
    found = judge(actor="human:alice", trailer=extra.value, more=[extra])
    assert proven(found) == (*NOBODY, "human:alice", ["ID101"])
    assert judge(git=by_git(ALICE), actor="human:alice", trailer=extra.value, more=[extra]).proof is Proof.GIT


@pytest.mark.parametrize(("key", "words"), [(OLD, "was valid until 2020-01-01"), (SOON, "is valid from 2099-12-31")])
def test_a_key_outside_its_dates_proves_nothing(key: Signer, words: str) -> None:
    for found in (
        judge(git=by_git(key)),
        judge(git=by_git(key), actor="human:alice"),
        judge(actor="human:alice", trailer=by_trailer(key, "human:alice")),
        judge(trailer=by_trailer(key, "human:alice")),
    ):
        assert proven(found) == (*NOBODY, "human:alice", ["ID104"])
        assert words in found.problems[0].found


def test_a_key_that_changed_hands_belongs_to_whom_it_is_listed_for_now() -> None:
    assert judge(git=by_git(MOVED)).actor == "human:erin"
    assert judge(git=by_git(MOVED), now=1_500_000_000).actor == "human:dave"
    assert codes(judge(git=by_git(MOVED), actor="human:dave")) == ["ID104"]


def test_an_absurd_time_is_no_crash() -> None:
    assert "10000000000000000000 seconds" in judge(git=by_git(OLD), now=10**19).problems[0].found


def test_a_revoked_key_proves_nothing_and_the_text_says_how_to_drop_it() -> None:
    for found in (
        judge(git=by_git(ALICE), revoked=[ALICE.key]),
        judge(actor="human:alice", trailer=by_trailer(ALICE, "human:alice"), revoked=[ALICE.key]),
        judge(actor="human:alice", trailer=DEAD, revoked=[ALICE.key]),
        judge(trailer=DEAD, revoked=[ALICE.key]),
    ):
        assert proven(found) == (*NOBODY, "human:alice", ["ID105"])
        assert found.problems[0].do == "git codifica sign --drop 3f2a91c"
    assert codes(judge(git=by_git(STRANGER), revoked=[STRANGER.key])) == ["ID105"]


def test_a_revoked_key_is_told_although_another_proof_holds() -> None:
    trailer = by_trailer(BUILDER, "agent:builder")
    found = judge(git=by_git(ALICE), actor="agent:builder", trailer=trailer, revoked=[ALICE.key])
    assert proven(found) == ("agent:builder", Proof.TRAILER, "agent:builder", ["ID105"])
    old = sshsig.to_line(OLD.sign(b"x", "codifica-guard")).encode()
    found = judge(git=by_git(ALICE), actor="human:alice", trailer=old, revoked=[OLD.key])
    assert proven(found) == ("human:alice", Proof.GIT, "human:alice", ["ID105"])


def test_a_revoked_key_is_told_whatever_the_trailers_name() -> None:
    found = judge(git=by_git(ALICE), actor="nobody", trailer=DEAD, revoked=[ALICE.key])
    assert codes(found) == ["ID105", "ID103"]
    both = Trailer(b"Codifica-Signature", by_trailer(BUILDER, "agent:builder"))
    assert codes(judge(actor="human:alice", trailer=DEAD, more=[both], revoked=[BUILDER.key])) == ["ID105"]


def test_a_revoked_git_key_comes_before_a_dead_trailer() -> None:
    found = judge(git=by_git(BUILDER), actor="human:alice", trailer=DEAD, revoked=[BUILDER.key])
    assert codes(found) == ["ID105", "ID101"]


def test_no_text_holds_what_a_terminal_would_obey() -> None:
    found = judge(actor=b"human:\x1b[31m\xe2\x80\xae")
    assert re.search(r"[^\x20-\x7e…]", found.problems[0].found) is None
