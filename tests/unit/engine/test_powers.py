"""Two policies taken together: what only one of them grants, nobody has."""

import pytest

from codifica_guard.engine.expand import is_introduction
from codifica_guard.engine.powers import both
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal
from codifica_guard.model.policy import Policy, SignerLine
from tests.unit.engine.land import Land
from tests.unit.views import policy

A, B = KeyBlob(b"a"), KeyBlob(b"b")


def having(*lines: SignerLine, key: bytes = b"1", revoked: tuple[bytes, ...] = ()) -> Policy:
    made = policy(
        key=(key,), revoked=revoked, maintainers=(Principal("human:" + key.decode()), Principal("human:alice"))
    )
    return Policy(
        guard=made.guard, codifica=made.codifica, signers=lines, revoked=made.revoked, key=made.key, faults=made.faults
    )


def line(
    *namespaces: str, key: KeyBlob = A, who: str = "human:alice", after: int | None = None, before: int | None = None
) -> SignerLine:
    return SignerLine(principals=(who,), key=key, namespaces=namespaces, valid_after=after, valid_before=before, line=1)


def test_the_same_policy_stays_as_it_is() -> None:
    one = having(line())
    assert both(one, one) is one


def test_maintainers_of_both_and_revocations_of_either_count() -> None:
    shared = both(having(revoked=(b"x",)), having(key=b"2", revoked=(b"y",)))
    assert shared.guard.maintainers == ("human:alice",)
    assert shared.revoked == {b"x", b"y"}


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        (line(), line(), [line()]),
        (line(), line(key=B), []),
        (line(), line(who="human:bob"), []),
        (line("git"), line(), [line("git")]),
        (line(), line("git"), [line("git")]),
        (line("git", "file"), line("git", "codifica-guard"), [line("git")]),
        (line("git"), line("file"), []),
        (line(after=5, before=9), line(after=7, before=8), [line(after=7, before=8)]),
        (line(after=5), line(before=8), [line(after=5, before=8)]),
    ],
)
def test_a_key_is_good_for_what_and_when_both_say(one: SignerLine, other: SignerLine, left: list[SignerLine]) -> None:
    assert list(both(having(one), having(other, key=b"2")).signers) == left


def test_an_introduction_has_a_policy_that_no_parent_has(land: Land, intro: ObjectId) -> None:
    after = land.commit({"x": "y"}, intro)
    with land.store() as store:
        world = land.world(store, intro)
        found = [is_introduction(world, store.commit(c)) for c in (land.parents[intro][0], intro, after)]
    assert found == [False, True, False]
