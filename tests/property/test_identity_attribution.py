"""Whoever a commit is attributed to has signed it, and no bytes in its place raise anything."""

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.identity.allowed_signers import matches
from codifica_guard.identity.signing import Signer
from codifica_guard.model.commit import Trailer
from codifica_guard.model.identity import Proof
from tests.unit.identity import test_attribute as story

KEYS = {
    s.key: s for s in (story.ALICE, story.OLD, story.BUILDER, story.STRANGER, story.SERVER, story.SHARED, story.WILD)
}
SIGNERS = st.sampled_from([None, *KEYS.values()])
ACTORS = st.sampled_from([None, "human:alice", "human:bob", "agent:builder", "agent:writer", "server:s", "nobody"])
BYTES = st.one_of(st.none(), st.binary(max_size=80), st.sampled_from([story.DEAD, story.by_git(story.ALICE)[:-9]]))


def listed(signer: Signer | None, principal: str) -> bool:
    return signer is not None and any(matches(s, principal) for s in story.POLICY.signers if s.key == signer.key)


@settings(max_examples=300, deadline=None)
@given(SIGNERS, st.booleans(), SIGNERS, ACTORS, ACTORS, st.sets(st.sampled_from(sorted(KEYS)), max_size=2))
def test_only_a_listed_key_whose_signature_fits_makes_an_actor(
    git: Signer | None,
    fits: bool,  # noqa: FBT001 - given by hypothesis
    trailer: Signer | None,
    signed_as: str | None,
    actor: str | None,
    revoked: set[bytes],
) -> None:
    found = story.judge(
        git=story.by_git(git, story.SIGNED if fits else b"other") if git else None,
        trailer=story.by_trailer(trailer, signed_as or "") if trailer else None,
        actor=actor,
        revoked=[k for k in KEYS if k in revoked],
    )
    by_git = git is not None and fits and git.key not in revoked
    by_trailer = trailer is not None and trailer.key not in revoked

    if found.actor is None:
        assert found.problems or not (git or trailer)
    else:
        assert actor in {None, found.actor}
        assert not found.actor.startswith("server:")
    if found.proof is Proof.GIT:
        assert by_git
        assert listed(git, found.actor or "")
    if found.proof is Proof.TRAILER:
        assert by_trailer
        assert listed(trailer, found.actor or "")
        assert signed_as == found.actor
    told = {p.code for p in found.problems}
    assert ("ID105" in told) == any(s is not None and s.key in revoked for s in (git, trailer))
    assert found.actor is None or told <= {"ID105"}


@settings(max_examples=200, deadline=None)
@given(BYTES, st.one_of(st.none(), st.binary(max_size=30)), BYTES, st.binary(max_size=20))
def test_any_bytes_prove_nothing_and_raise_nothing(
    git: bytes | None, actor: bytes | None, trailer: bytes | None, more: bytes
) -> None:
    found = story.judge(git=git, actor=actor, trailer=trailer, more=[Trailer(b"Codifica-Evidence", more)])
    assert found.actor is None
