"""What a push asks for: ref updates, as Git gives them to the receive hooks."""

from dataclasses import dataclass

from codifica_guard.model.ids import ObjectId, RefName


@dataclass(frozen=True, slots=True, kw_only=True)
class RefUpdate:
    """One line of a receive hook's standard input; `None` where Git writes the null id."""

    ref: RefName
    old: ObjectId | None
    new: ObjectId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """All updates of one push."""

    updates: tuple[RefUpdate, ...]
