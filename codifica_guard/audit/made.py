"""Who made one judged commit, and who saw it: what keys and policy changes are told from."""

from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import value


@value
class Made:
    """One commit that was judged.

    Attributes:
        commit: the commit.
        at: the time that counts, seconds since the epoch: the receipt's where there is one, else what the committer says.
        actor: the proven principal; None where nobody is.
        key: fingerprint of the key that proved him; None where nothing did.
        receipt: the number of the receipt that saw it; None where none did.
        trust: whether it may have changed files that carry trust; false only where it surely has not.
    """

    commit: ObjectId
    at: int
    actor: str | None = None
    key: str | None = None
    receipt: int | None = None
    trust: bool = True
