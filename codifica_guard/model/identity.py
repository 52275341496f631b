"""Who made a commit, and how it was proven."""

from enum import Enum

from codifica_guard.model.ids import KeyBlob, Principal
from codifica_guard.model.value import value


class Proof(Enum):
    """What proves the actor."""

    NONE = "unsigned"
    GIT = "git"
    TRAILER = "trailer"


@value
class Problem:
    """A proof that is there but fails.

    Attributes:
        code: ID101 (does not fit), ID102 (key not listed), ID103 (names another), ID104 (not valid now), ID105 (revoked).
        found: what was found, in words.
        do: the next command; may be empty.
    """

    code: str
    found: str
    do: str = ""


@value
class Attribution:
    """Who acted, as far as it is proven under one policy.

    Attributes:
        actor: the proven principal; None where nothing is proven.
        proof: what proves it; NONE where nothing does.
        claimed: the principal that `Codifica-Actor` names, or that a failing signature belongs to; None where nobody is named.
        key: the key that proved it.
        touched: whether the key is a hardware key whose user was present.
        fresh: whether the author line equals the committer line: the signer made this very commit.
        problems: proofs that fail.
    """

    actor: Principal | None = None
    proof: Proof = Proof.NONE
    claimed: str | None = None
    key: KeyBlob | None = None
    touched: bool = False
    fresh: bool = False
    problems: tuple[Problem, ...] = ()
