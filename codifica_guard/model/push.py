"""What a push asks for: ref updates, as Git gives them to the receive hooks."""

from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.value import value


@value
class RefUpdate:
    """One line of a receive hook's standard input; `None` where Git writes the null id."""

    ref: RefName
    old: ObjectId | None
    new: ObjectId | None


@value
class Push:
    """All updates of one push."""

    updates: tuple[RefUpdate, ...]
