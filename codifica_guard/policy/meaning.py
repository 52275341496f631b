"""What each key of the policy files means, and what holds where it is absent: from the shapes that the schemas are made of."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from codifica_guard.model.value import value
from codifica_guard.policy.schema import CodificaFile, FileScope, GuardFile, Rules, check

if TYPE_CHECKING:
    from pydantic import BaseModel

    from codifica_guard.policy.json_text import Place

REQUIRED: Final = object()
"""Stands for the default of a key that has to be there."""


@value
class KeyMeaning:
    """One key of a policy file.

    Attributes:
        place: the key, and those of the objects around it before it.
        text: what it means, in a few words.
        default: the JSON value that holds where it is absent; `REQUIRED` where it has to be there.
    """

    place: tuple[str, ...]
    text: str
    default: Any

    @property
    def name(self) -> str:
        """The key for people: `rules.file_scope.include`."""
        return ".".join(self.place)

    @property
    def required(self) -> bool:
        """Whether it has to be there."""
        return self.default is REQUIRED


def guard_keys() -> tuple[KeyMeaning, ...]:
    """The keys of `guard.json`, in their usual order."""
    return tuple(_keys(GuardFile, ()))


def codifica_keys() -> tuple[KeyMeaning, ...]:
    """The keys of `codifica.json`, those of `rules` spelt out."""
    return (
        *_keys(CodificaFile, (), but={"rules"}),
        *_keys(Rules, ("rules",), but={"file_scope"}),
        *_keys(FileScope, ("rules", "file_scope")),
    )


def guard_wrong(guard: Any) -> "tuple[tuple[Place, str], ...]":
    """What is wrong with the value of a `guard.json`: places and words; empty where it can be taken."""
    return check(GuardFile, guard)[1]


def lists() -> frozenset[str]:
    """The keys of `guard.json` that take a list."""
    return frozenset(key.name for key in guard_keys() if fits(key.name, ["human:a"]))


def fits(key: str, value: Any) -> bool:
    """Whether a key of `guard.json` takes a value."""
    return not guard_wrong({"repository": "0" * 32, "maintainers": ["human:a"], key: value})


def _keys(shape: "type[BaseModel]", around: tuple[str, ...], but: Iterable[str] = ()) -> Iterator[KeyMeaning]:
    for name, field in shape.model_fields.items():
        if name not in but:
            yield KeyMeaning(
                place=(*around, field.alias or name),
                text=field.description or "",
                default=REQUIRED if field.is_required() else field.default,
            )
