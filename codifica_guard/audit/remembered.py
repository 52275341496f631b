"""What a clone remembers of receipts that it has seen: a chain only grows, so one that got shorter was cut."""

import json
from typing import Any, Final

from codifica_guard.audit.belief import End
from codifica_guard.audit.vault import Vault
from codifica_guard.model.ids import ObjectId, RefName

SEEN: Final = b"receipts-seen"
"""The file, beside the cache."""

_FORMAT: Final = 1


def recall(vault: Vault) -> End | None:
    """The newest receipt that this clone has believed; None where it remembers none."""
    body = vault.get(SEEN)
    if body is None:
        return None
    try:
        kept = json.loads(body)
        return end_of(kept["end"]) if kept["format"] == _FORMAT else None
    except (ValueError, TypeError, LookupError):
        return None  # whole, and our own, but of another shape


def remember(vault: Vault, end: End) -> None:
    """Keep the newest receipt that is believed."""
    vault.put(SEEN, json.dumps({"format": _FORMAT, "end": plain_end(end)}).encode("ascii"))


def plain_end(end: End) -> list[object]:
    """The end of belief as plain data."""
    tips = {ref.decode("latin-1"): tip.decode("ascii") for ref, tip in end.tips.items()}
    return [None if end.commit is None else end.commit.decode("ascii"), end.number, tips, end.time]


def end_of(kept: list[Any]) -> End:
    """The reverse of `plain_end`; its input came from there, as the seal says."""
    commit, number, tips, time = kept
    return End(
        commit=None if commit is None else ObjectId(commit.encode("ascii")),
        number=number,
        tips={RefName(ref.encode("latin-1")): ObjectId(tip.encode("ascii")) for ref, tip in tips.items()},
        time=time,
    )
